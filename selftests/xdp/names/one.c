// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* one.c - of two maps, use one */
#include "names.h"

COUNTER(connection_stats_rx);
COUNTER(connection_stats_tx);

SEC("xdp") int count(struct xdp_md *ctx)
{
	add(&connection_stats_tx, 100);
	return XDP_PASS;
}
