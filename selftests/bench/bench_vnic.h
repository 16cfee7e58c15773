/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * bench_vnic.h - drive the card's vNICs, with one ring each, as the stock driver does. Driver and
 * board are in one process.
 */
#ifndef BENCH_VNIC_H
#define BENCH_VNIC_H

#define FW_HOST_PLAIN
#include "bench_time.h"
#include "mem_map.h"
#include "vnic_ring.h"

#define RING_SHIFT	12
#define RING_SIZE	(1u << RING_SHIFT)
#define BUF_ROOM	1600u
#define BUF_SIZE	2048u
#define BAR(vnic)	(BD_VNIC_ADDR + 0x8000 * (vnic))
#define FL_QUEUE(vnic)	(128 * (vnic))
#define TX_QUEUE(vnic)	(128 * (vnic) + 1)
#define CFG_QUEUE(vnic)	(128 * (vnic) + 2)
#define CTRL		0xa0a08637u	/* the driver's, without moderation; promiscuous */
#define UPDATE_ALL	0x127u

/* The receive side of a vNIC: its ring of buffers */
struct bench_rx {
	struct host *h;
	unsigned int vnic;
	uint8_t *ring, *bufs;
	uint64_t ring_bus, bufs_bus;
	uint32_t taken, given;
};

static inline void bench_fail(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

static inline void bench_bar(struct host *h, unsigned int vnic, uint32_t off, uint64_t v,
			     unsigned int size)
{
	mu_write(h, BAR(vnic) + off, v, size);
}

static inline void bench_update(struct host *h, unsigned int vnic, uint32_t ctrl, uint32_t update)
{
	if (vnic_reconfig(h, BAR(vnic), CFG_QUEUE(vnic), ctrl, update))
		bench_fail("the vNIC refused its configuration");
}

/* Enable the vNIC. Its rings have addresses already. */
static inline void bench_up(struct host *h, unsigned int vnic)
{
	bench_bar(h, vnic, 0x18, 1500, 4);
	bench_bar(h, vnic, 0x1c, BUF_ROOM, 4);
	bench_update(h, vnic, CTRL, UPDATE_ALL);
}

static inline void bench_offer(struct bench_rx *r, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		uint32_t slot = r->given++ % RING_SIZE;

		vnic_fl_desc(r->ring + 8 * slot, r->bufs_bus + BUF_SIZE * (uint64_t)slot);
	}
	qc_add_wptr(r->h, FL_QUEUE(r->vnic), n);
}

static inline void bench_receive(struct bench_rx *r, struct host *h, unsigned int vnic)
{
	*r = (struct bench_rx){ .h = h, .vnic = vnic };
	r->ring = host_dma_alloc(h, 8 * RING_SIZE, &r->ring_bus);
	r->bufs = host_dma_alloc(h, BUF_SIZE * RING_SIZE, &r->bufs_bus);
	bench_bar(h, vnic, 0x800, r->ring_bus, 8);
	bench_bar(h, vnic, 0xa00, RING_SHIFT, 1);
	bench_bar(h, vnic, 0x10, 1, 8);
	bench_up(h, vnic);
	bench_offer(r, RING_SIZE - 16);
}

/* Return how many frames have arrived, and offer their buffers again. */
static inline uint32_t bench_taken(struct bench_rx *r)
{
	uint32_t n = 0;

	while (r->taken != r->given && r->ring[8 * (r->taken % RING_SIZE) + 3] & 0x80) {
		r->ring[8 * (r->taken++ % RING_SIZE) + 3] = 0;
		n++;
	}
	bench_offer(r, n);
	return n;
}

#endif /* BENCH_VNIC_H */
