/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* top.h - what nfpchan top shows, and how it is drawn. */
#ifndef NFPCHAN_TOP_H
#define NFPCHAN_TOP_H

#include "chan_row.h"
#include "flow_print.h"

/* Order of the lines: by name or by a rate. The keys n, m, b, d, s and i choose it. */
enum top_sort {
	TOP_BY_NAME,
	TOP_BY_MSGS,	/* packets of flows */
	TOP_BY_BYTES,
	TOP_BY_DROPS,
	TOP_BY_STALLS,
	TOP_BY_IRQS,
};

/**
 * struct top_chan - a channel
 * @row: its properties and counters
 * @msgs: messages in the last interval; the others likewise
 */
struct top_chan {
	struct chan_row row;
	uint64_t msgs;
	uint64_t bytes;
	uint64_t drops;
	uint64_t stalls;
	uint64_t irqs;
};

/**
 * struct top - the last interval
 * @card: name of the card
 * @flows_view: flows are shown, and not channels
 * @sort: order of the lines
 * @ns: its length; 0: the first interval has not ended, so there are no rates
 * @info: the card and its firmware
 * @chan: the channels
 * @chans: number of channels
 * @flow: the flows that had packets in the interval
 * @flows: number of flows
 * @more: records of more flows than @flow has room for
 * @meter: what the meter counted in the interval
 * @why: why there are no flows, or ""
 */
struct top {
	const char *card;
	bool flows_view;
	enum top_sort sort;
	uint64_t ns;
	struct nfp_chan_info info;
	struct top_chan *chan;
	size_t chans;
	struct flow *flow;
	size_t flows;
	uint64_t more;
	struct totals meter;
	char why[256];
};

/* Compute what the @n channels of @now did since the counters of @before were read. */
void top_chans_since(struct top_chan *now, size_t n, const struct top_chan *before,
		     size_t n_before);

/* Add up flows with the same addresses, ports, protocol and VLANs. Returns how many are left. */
size_t top_flows_merge(struct flow *flow, size_t n);

/* Put channels and flows into the order of @t->sort. */
void top_sort(struct top *t);

/**
 * struct top_screen - where it is drawn
 * @rows: lines of the window; 0: no limit, and no line about the keys
 * @cols: characters in a line
 * @escapes: write escape codes, which begin at the top of a terminal's window
 * @colours: write colours as well
 */
struct top_screen {
	unsigned int rows;
	unsigned int cols;
	bool escapes;
	bool colours;
};

/* Draw at most @screen->rows lines of at most @screen->cols characters. */
void top_draw(FILE *out, const struct top *t, const struct top_screen *screen);

#endif /* NFPCHAN_TOP_H */
