/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * desc_ring.h - the host's side of a NIC's descriptor rings, with a buffer for each packet, as the
 * poll-mode drivers of DPDK have it.
 *
 * The descriptors are those of the card's vNIC: 8 bytes to receive, which first name a free
 * buffer and then the packet in it, and 16 bytes to send. A buffer has metadata of 128 bytes in
 * front, and comes from a pool, which keeps the buffers that were freed last at hand. Bursts have
 * 32 packets, and one store to a doorbell. Buffers are fetched into the cache ahead, as DPDK
 * does.
 *
 * Nothing is left to a second cache line of the metadata, no segments are followed, and buffers are
 * freed without a look at their reference counts (DPDK's "fast free").
 */
#ifndef DESC_RING_H
#define DESC_RING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "frames_io.h"

#define DESC_RX		1024	/* descriptors to receive */
#define DESC_TX		1024	/* descriptors to send */
#define DESC_BURST	32
#define DESC_AHEAD	3	/* packets that are fetched ahead of the one at work */
#define DESC_POOL	16384	/* buffers */
#define DESC_CACHE	256	/* buffers at hand; flushed above 1.5 times as many */
#define DESC_HEADROOM	128
#define DESC_BUF	(DESC_HEADROOM + 2048)
#define DESC_STRIDE	(64 + 128 + DESC_BUF)	/* a pool's header, metadata, buffer */

#define DESC_DONE	(1ull << 63)	/* in a receive descriptor: it has a packet's length */
#define DESC_LEN	48		/* in a send descriptor: the length, above the address */

/* Metadata of a packet. DPDK's drivers write the fields of the first cache line for each. */
struct mbuf {
	uint8_t *addr;
	uint64_t bus;
	uint16_t off;
	uint16_t refs;
	uint16_t segs;
	uint16_t port;
	uint64_t flags;
	uint32_t type;
	uint32_t pkt_len;
	uint16_t len;
	uint16_t vlan;
	uint32_t hash;
	uint64_t line1[9];
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct mbuf) == 128, "metadata of a packet has 128 bytes");

struct desc_tx {
	uint64_t addr_len;
	uint64_t flags;
};

/**
 * struct desc_ring - a queue pair and its pool
 * @rx: receive descriptors
 * @tx: send descriptors
 * @rx_bufs: the buffer of each receive descriptor
 * @tx_bufs: the buffer of each send descriptor
 * @rx_next: the descriptor that is to be looked at
 * @rx_free: descriptors without a buffer, before @rx_next
 * @tx_next: the descriptor that is to be written
 * @tx_freed: the descriptor whose buffer is to be freed
 * @tx_done: the card's position, which it writes to memory
 * @bell: the doorbells
 * @cache: buffers at hand, the last one is used first
 * @cached: their number
 * @pool: the others, first in, first out
 * @pool_head: position in @pool to take from
 * @pool_tail: position in @pool to put to
 */
struct desc_ring {
	uint64_t *rx;
	struct desc_tx *tx;
	struct mbuf *rx_bufs[DESC_RX];
	struct mbuf *tx_bufs[DESC_TX];
	uint32_t rx_next;
	uint32_t rx_free;
	uint32_t tx_next;
	uint32_t tx_freed;
	_Alignas(64) uint32_t tx_done;
	_Alignas(64) volatile uint32_t bell[2];
	uint32_t cached;
	struct mbuf *cache[3 * DESC_CACHE];
	struct mbuf *pool[DESC_POOL];
	uint32_t pool_head;
	uint32_t pool_tail;
};

/* ---- the pool ---- */

static inline void desc_get(struct desc_ring *r, struct mbuf **bufs, uint32_t n)
{
	if (r->cached < n)
		for (uint32_t i = 0; i < DESC_CACHE; i++)
			r->cache[r->cached++] = r->pool[r->pool_head++ % DESC_POOL];
	for (uint32_t i = 0; i < n; i++)
		bufs[i] = r->cache[--r->cached];
}

static inline void desc_put(struct desc_ring *r, struct mbuf **bufs, uint32_t n)
{
	memcpy(&r->cache[r->cached], bufs, n * sizeof(*bufs));
	r->cached += n;
	if (r->cached < DESC_CACHE * 3 / 2)
		return;
	while (r->cached > DESC_CACHE)
		r->pool[r->pool_tail++ % DESC_POOL] = r->cache[--r->cached];
}

/* ---- receive ---- */

/* Give the card buffers for DESC_BURST descriptors, which do not wrap. */
static inline void desc_refill(struct desc_ring *r)
{
	uint32_t at = (r->rx_next - r->rx_free) % DESC_RX;

	desc_get(r, &r->rx_bufs[at], DESC_BURST);
	for (uint32_t i = at; i < at + DESC_BURST; i++)
		r->rx[i] = r->rx_bufs[i]->bus + DESC_HEADROOM;
	r->rx_free -= DESC_BURST;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	r->bell[0] = DESC_BURST;
}

static inline uint32_t desc_recv(struct desc_ring *r, struct mbuf **bufs)
{
	uint64_t desc;
	uint32_t n, i;

	for (n = 0; n < DESC_BURST; n++) {
		struct mbuf *m;

		i = r->rx_next % DESC_RX;
		desc = __atomic_load_n(&r->rx[i], __ATOMIC_ACQUIRE);
		if (!(desc & DESC_DONE))
			break;
		m = r->rx_bufs[i];
		__builtin_prefetch(r->rx_bufs[(i + 1) % DESC_RX]);
		m->off = DESC_HEADROOM;
		m->refs = 1;
		m->segs = 1;
		m->port = 0;
		m->flags = 0;
		m->type = 0;
		m->pkt_len = (uint16_t)desc;
		m->len = (uint16_t)desc;
		m->vlan = 0;
		m->hash = (uint32_t)(desc >> 16);
		bufs[n] = m;
		r->rx_next++;
	}
	r->rx_free += n;
	if (r->rx_free >= DESC_BURST)
		desc_refill(r);
	return n;
}

/* ---- send ---- */

static inline void desc_send(struct desc_ring *r, struct mbuf **bufs, uint32_t n)
{
	uint32_t done = __atomic_load_n(&r->tx_done, __ATOMIC_ACQUIRE), i;

	/* Free what was sent a burst at a time. The descriptors do not wrap. */
	if (done - r->tx_freed >= DESC_BURST) {
		desc_put(r, &r->tx_bufs[r->tx_freed % DESC_TX], DESC_BURST);
		r->tx_freed += DESC_BURST;
	}
	for (i = 0; i < n; i++) {
		uint32_t at = r->tx_next++ % DESC_TX;

		r->tx_bufs[at] = bufs[i];
		r->tx[at].addr_len = (bufs[i]->bus + bufs[i]->off) |
				     (uint64_t)bufs[i]->len << DESC_LEN;
		r->tx[at].flags = bufs[i]->pkt_len;
	}
	__atomic_thread_fence(__ATOMIC_RELEASE);
	r->bell[1] = n;
}

/* Take a turn: a burst of packets. Return their number. The rest is as in frames_turn(). */
static inline __attribute__((always_inline))
uint32_t desc_turn(struct desc_ring *r, packet_fn fn, void *app, bool send)
{
	struct mbuf *bufs[DESC_BURST], *keep[DESC_BURST], *drop[DESC_BURST];
	uint32_t n = desc_recv(r, bufs), kept = 0, dropped = 0, i;

	for (i = 0; i < DESC_AHEAD && i < n; i++)
		__builtin_prefetch(bufs[i]->addr + DESC_HEADROOM);
	for (i = 0; i < n; i++) {
		if (i + DESC_AHEAD < n)
			__builtin_prefetch(bufs[i + DESC_AHEAD]->addr + DESC_HEADROOM);
		if (fn(app, bufs[i]->addr + bufs[i]->off, bufs[i]->len) && send)
			keep[kept++] = bufs[i];
		else
			drop[dropped++] = bufs[i];
	}
	if (kept)
		desc_send(r, keep, kept);
	if (dropped)
		desc_put(r, drop, dropped);
	return n;
}

#endif /* DESC_RING_H */
