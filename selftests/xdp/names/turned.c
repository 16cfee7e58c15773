// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* turned.c - counters.c with the maps in the other order, which is that of their use */
#include "names.h"

COUNTER(connection_stats_tx);
COUNTER(connection_stats_rx);

SEC("xdp") int count(struct xdp_md *ctx)
{
	add(&connection_stats_tx, 100);
	add(&connection_stats_rx, 1);
	return XDP_PASS;
}
