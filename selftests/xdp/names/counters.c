// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters.c - count each frame once in one map, and 100 times in the other */
#include "names.h"

COUNTER(connection_stats_rx);
COUNTER(connection_stats_tx);

SEC("xdp") int count(struct xdp_md *ctx)
{
	add(&connection_stats_rx, 1);
	add(&connection_stats_tx, 100);
	return XDP_PASS;
}
