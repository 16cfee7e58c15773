// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_xdp.c - the table of event maps that are bound to pipes.
 *
 * Only the control context calls these functions and writes the table. UNBIND waits until no
 * event uses the slot. Then the slot is free for the next binding.
 */
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <nfp/mem_ring.h>

#include "chan_int.h"
#include "chan_xdp.h"

#define RING_WORDS	1024
#define FREE_WORDS	512	/* the smallest ring that the memory unit has */

__export __emem __align64 struct chan_xdp chan_xdp;
EXPORT_SYMBOL_MU(chan_xdp);
__export __emem __align64 uint8_t chan_xdp_buf[CHAN_XDP_BUFS][CHAN_XDP_BUF_SIZE];
EXPORT_SYMBOL_MU(chan_xdp_buf);

MEM_WORKQ_DECLARE(chan_xdp_ring, RING_WORDS);
MEM_RING_DECLARE(chan_xdp_free, FREE_WORDS);

ctassert(CHAN_XDP_SIG_IDLE == SIG_WAKE);
ctassert(sizeof(struct chan_xdp_work) == 8);
ctassert(CHAN_XDP_BUFS <= FREE_WORDS);
/* Each buffer has one send at most, each slot one loss, so the ring cannot overflow. */
ctassert((CHAN_XDP_BUFS + CHAN_XDP_BINDS) * sizeof(struct chan_xdp_work) <= RING_WORDS * 4);

void chan_xdp_init(void)
{
	__xwrite uint32_t out;
	uint32_t buf;

	mem_workq_setup(CHAN_RING_XDP, emem40(chan_xdp_ring), sizeof(chan_xdp_ring));
	mem_ring_setup(CHAN_RING_XDP_FREE, emem40(chan_xdp_free), sizeof(chan_xdp_free));
	for (buf = 0; buf < CHAN_XDP_BUFS; buf++) {
		out = buf;
		mem_ring_put(CHAN_RING_XDP_FREE, 0, &out, sizeof(out));
	}
}

/* Return: the slot of @map_id, or a free slot for 0; CHAN_XDP_BINDS if there is none. */
static unsigned int find(uint32_t map_id)
{
	unsigned int i;

	for (i = 0; i < CHAN_XDP_BINDS; i++)
		if (chan_xdp.map_id[i] == map_id)
			break;
	return i;
}

int chan_xdp_bind(unsigned int pipe, uint32_t map_id)
{
	const struct chan_pipe *p = &chan_pipe[pipe];
	__xwrite struct chan_xdp_bind out;
	__xwrite uint32_t id;
	struct chan_xdp_bind b;
	unsigned int i;

	if (!map_id || !(chan_desc[p->chan].flags & NFP_CHAN_F_XDP))
		return NFP_CHAN_FW_EINVAL;
	if (p->state != PIPE_OPEN)
		return NFP_CHAN_FW_ENOENT;
	if (find(map_id) < CHAN_XDP_BINDS)
		return NFP_CHAN_FW_EBUSY;
	i = find(0);
	if (i == CHAN_XDP_BINDS)
		return NFP_CHAN_FW_ENOSPC;
	reg_zero(&b, sizeof(b));
	b.chan = p->chan;
	b.pipe = (uint16_t)pipe;
	out = b;
	mem_write8(&out, emem40(&chan_xdp.bind[i]), sizeof(out));
	/* The id comes last: from here on the event process uses the slot. */
	id = map_id;
	mem_write32(&id, emem40(&chan_xdp.map_id[i]), sizeof(id));
	return NFP_CHAN_FW_OK;
}

/*
 * Free a slot: no new event uses it, and this function waits for events under way. They do not
 * wait for the host, because the channel's policy is to drop. Events that wait for the receiver
 * of a link are dropped now.
 */
static __swaps void unbind(unsigned int slot)
{
	__xwrite uint32_t none = 0;
	SIGNAL idle;

	mem_write32(&none, emem40(&chan_xdp.map_id[slot]), sizeof(none));
	chan_xdp_ends = chan_xdp.bind[slot].chan + 1;
	chan_kick(chan_xdp.bind[slot].chan);
	__assign_relative_register(&idle, CHAN_XDP_SIG_IDLE);
	while (*(volatile __emem uint32_t *)&chan_xdp.bind[slot].users)
		wait_for_all(&idle);
	chan_xdp_ends = 0;
}

int chan_xdp_unbind(unsigned int pipe, uint32_t map_id)
{
	unsigned int i = map_id ? find(map_id) : CHAN_XDP_BINDS;

	if (i == CHAN_XDP_BINDS || chan_xdp.bind[i].pipe != pipe)
		return NFP_CHAN_FW_ENOENT;
	unbind(i);
	return NFP_CHAN_FW_OK;
}

/* @pipe closes: free its slots. */
void chan_xdp_release(unsigned int pipe)
{
	unsigned int i;

	for (i = 0; i < CHAN_XDP_BINDS; i++)
		if (chan_xdp.map_id[i] && chan_xdp.bind[i].pipe == pipe)
			unbind(i);
}
