// SPDX-License-Identifier: BSD-2-Clause
/*
 * bpf_event.c - bpf_perf_event_output() of a map that is bound to a channel: the part of a worker
 * of the BPF application, as chan_xdp_abi.h defines it.
 *
 * The channel firmware is separate. A worker knows only the names of two symbols and the numbers
 * of two MU rings, and accesses them as any microengine does.
 */
#include <endian.h>
#include <errno.h>

#include <chan_xdp_abi.h>
#include <nfpchan/nfp_chan_xdp.h>

#include "bpf_prog.h"
#include "mu_ring.h"
#include "nffw.h"
#include "bpf_frame.h"

/* Look up the symbols of the channel firmware. Return: false if it has none (yet). */
static bool linked(struct board *b)
{
	struct bd_xdp *x = b->xdp;
	uint64_t table, bufs;

	if (x->table)
		return true;
	table = bd_nffw_symbol(b, "chan_xdp", sizeof(*x->table));
	bufs = bd_nffw_symbol(b, "chan_xdp_buf", CHAN_XDP_BUFS * CHAN_XDP_BUF_SIZE);
	if (!table || !bufs)
		return false;
	x->table = board_mem_ptr(b, table, sizeof(*x->table));
	x->bufs = board_mem_ptr(b, bufs, CHAN_XDP_BUFS * CHAN_XDP_BUF_SIZE);
	return true;
}

static void put_work(struct board *b, const struct chan_xdp_work *work)
{
	uint32_t w[sizeof(*work) / 4];

	memcpy(w, work, sizeof(w));
	/* The ring cannot be full: it has room for all buffers and slots. */
	board_workq_work(b, CHAN_RING_XDP, w, ARRAY_SIZE(w));
}

static void lose(struct board *b, unsigned int slot)
{
	struct chan_xdp_work work = { .kind = CHAN_XDP_LOST, .slot = slot };

	b->xdp->events_lost++;
	if (!b->xdp->table->bind[slot].lost++)
		put_work(b, &work);
}

static void fill(uint8_t *buf, const struct bd_event *e, const struct board_pkt *pkt,
		 uint32_t frame_len, uint32_t seq)
{
	struct nfp_chan_xdp_event *h = (struct nfp_chan_xdp_event *)buf;

	h->map_id = htole32(e->map_id);
	h->seq = htole32(seq);
	h->ts_ns = htole64(pkt->ts_ns);
	h->data_len = htole16(e->data_len);
	h->pkt_len = htole16(e->pkt_len);
	h->frame_len = htole16(frame_len);
	h->port = pkt->port;
	h->rsvd = 0;
	memcpy(buf + sizeof(*h), e->data, e->data_len);
	memcpy(buf + sizeof(*h) + e->data_len, e->pkt, e->pkt_len);
}

/* Return: the slot of map @id, or -1 if the map is bound to no channel. */
static int find(const struct chan_xdp *t, uint64_t id)
{
	unsigned int i;

	for (i = 0; i < CHAN_XDP_BINDS; i++)
		if (t->map_id[i] == id && id)
			return i;
	return -1;
}

/*
 * On a card, a worker reads the id again after it has counted itself as a user. Here no other
 * microengine runs in between.
 */
bool bd_xdp_event(struct board *b, const struct bd_event *e, uint32_t frame_len, int *err)
{
	uint64_t len = sizeof(struct nfp_chan_xdp_event) + (uint64_t)e->data_len + e->pkt_len;
	struct chan_xdp_work work = { .kind = CHAN_XDP_SEND, .len = len };
	struct chan_xdp_bind *bind;
	uint32_t seq, buf;
	int slot;

	slot = linked(b) ? find(b->xdp->table, e->map_id) : -1;
	if (slot < 0)
		return false;
	bind = &b->xdp->table->bind[slot];
	bind->users++;
	seq = ++bind->seq;
	b->xdp->events++;
	*err = -E2BIG;
	/* Check the buffer's number: the host can write to the memory of MU rings. */
	if (len <= CHAN_XDP_BUF_SIZE)
		*err = board_ring_get(b, CHAN_RING_XDP_FREE, &buf, 1) ||
		       buf >= CHAN_XDP_BUFS ? -ENOSPC : 0;
	if (*err) {
		lose(b, slot);
		return true;
	}
	fill(b->xdp->bufs + (size_t)buf * CHAN_XDP_BUF_SIZE, e, b->xdp->pkt, frame_len, seq);
	work.slot = slot;
	work.buf = buf;
	put_work(b, &work);
	return true;
}

/*
 * Return: true if programs of @vnic may run: a buffer is free for their next event, or no map is
 * bound to a channel.
 */
bool bd_xdp_room(struct board *b, unsigned int vnic)
{
	const struct bd_ring *r = &b->rings->ring[CHAN_RING_XDP_FREE];
	unsigned int i;

	if (!bd_prog_loaded(b, vnic) || !linked(b) || r->tail != r->head)
		return true;
	for (i = 0; i < CHAN_XDP_BINDS && !b->xdp->table->map_id[i]; i++)
		;
	return i == CHAN_XDP_BINDS;
}
