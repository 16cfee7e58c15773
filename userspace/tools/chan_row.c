// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* chan_row.c - read a channel and its counters. */
#include <string.h>
#include <sys/ioctl.h>
#include "chan_row.h"

static int row_fill(struct nfpchan_card *card, struct chan_row *row, int err)
{
	int ret = err ? err : nfpchan_repeats(card, row->q.name, &row->repeated);

	row->repeats = ret > 0;
	return ret < 0 ? ret : 0;
}

int chan_row_id(struct nfpchan_card *card, uint32_t id, struct chan_row *row)
{
	return row_fill(card, row, nfpchan_query_id(card, id, &row->q));
}

int chan_row_name(struct nfpchan_card *card, const char *name, struct chan_row *row)
{
	return row_fill(card, row, nfpchan_query(card, name, &row->q));
}

void chan_row_process(struct nfpchan_card *card, struct chan_row *row)
{
	struct nfp_chan_query q = {
		.size = sizeof(q), .flags = NFP_CHAN_QUERY_BY_ID | NFP_CHAN_QUERY_PROCESS,
		.id = row->q.id,
	};
	int fd = nfpchan_card_fd(card);

	if (fd < 0 || ioctl(fd, NFP_CHAN_IOC_QUERY, &q))
		q.name[0] = '\0';
	memcpy(row->process, q.name, sizeof(row->process));
}
