/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* chan_row.h - a channel with its counters, as nfpchan list, stats and top print it. */
#ifndef NFPCHAN_CHAN_ROW_H
#define NFPCHAN_CHAN_ROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <nfpchan.h>

/**
 * struct chan_row - a channel
 * @q: its properties and counters
 * @process: the ME process, as chan_row_process() has filled it in
 * @repeats: the ME process may take a message more than once
 * @repeated: times that it did
 */
struct chan_row {
	struct nfp_chan_query q;
	char process[NFP_CHAN_NAME_LEN];
	bool repeats;
	uint64_t repeated;
};

static inline const char *dir_name(uint32_t dir)
{
	return dir == NFP_CHAN_TO_HOST ? "to-host" : "to-nfp";
}

/* Read a channel by its id, or by its name. Returns 0 or a negative errno of the card. */
int chan_row_id(struct nfpchan_card *card, uint32_t id, struct chan_row *row);
int chan_row_name(struct nfpchan_card *card, const char *name, struct chan_row *row);

/* Fill in the name of the ME process: "" if firmware or module do not say it. */
void chan_row_process(struct nfpchan_card *card, struct chan_row *row);

/*
 * Print the counters of @n channels in the text format of Prometheus. @card: the value of the label
 * "card".
 */
void chan_rows_prometheus(FILE *out, const char *card, const struct chan_row *rows, size_t n);

#endif /* NFPCHAN_CHAN_ROW_H */
