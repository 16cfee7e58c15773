// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* chan_row.c - read a channel and its counters. */
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
