// SPDX-License-Identifier: BSD-2-Clause
/*
 * flow_queue.c - packets on their way from frames.c to the flow meter, in the local memory that the
 * two contexts share. A context keeps the microengine during these functions.
 */
#include <nfp/me.h>

#include "frames.h"

#define PLACES	8	/* a power of 2 */

static __shared __lmem struct {
	struct pkt_rx pkt[PLACES];
	uint32_t put;
	uint32_t got;
} queue;

int flow_queue_put(const struct pkt_rx *rx)
{
	if (queue.put - queue.got == PLACES)
		return 0;
	queue.pkt[queue.put++ % PLACES] = *rx;
	signal_ctx(FLOW_CTX, SIG_PKT);
	return 1;
}

int flow_queue_get(struct pkt_rx *rx)
{
	if (queue.put == queue.got)
		return 0;
	*rx = queue.pkt[queue.got++ % PLACES];
	signal_ctx(FRAMES_CTX, SIG_ROOM);
	/* Signals that are set twice are one signal. */
	if (queue.put != queue.got)
		signal_ctx(FLOW_CTX, SIG_PKT);
	return 1;
}
