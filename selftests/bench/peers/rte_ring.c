// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * rte_ring.c - DPDK's ring between two threads, with the zero-copy calls. scripts/bench builds and
 * runs this program in a root with DPDK.
 *
 * usage: rte_ring [SECONDS]
 *
 * The ring is in this process's memory. It needs no EAL, and therefore no hugepages. The sender
 * copies messages into the ring, and the receiver copies them out, as with channels.
 */
#define _GNU_SOURCE
#include <rte_ring.h>
#include <rte_ring_peek_zc.h>

#include "../bench_time.h"

#define BURST	32
#define SLOTS	4096

struct elem {
	uint64_t w[8];
};

static struct elem out[BURST], in[BURST];

static struct rte_ring *ring_new(void)
{
	ssize_t len = rte_ring_get_memsize_elem(sizeof(struct elem), SLOTS);
	struct rte_ring *r = aligned_alloc(4096, (size_t)(len + 4095) / 4096 * 4096);

	memset(r, 0, (size_t)len);
	if (rte_ring_init(r, "bench", SLOTS, RING_F_SP_ENQ | RING_F_SC_DEQ)) {
		fprintf(stderr, "rte_ring: rte_ring_init failed\n");
		exit(1);
	}
	return r;
}

/* Copy into the two parts that a zero-copy call gives. The ring's end may be between the parts. */
static void copy_in(const struct rte_ring_zc_data *z, unsigned int n)
{
	memcpy(z->ptr1, out, z->n1 * sizeof(struct elem));
	if (n > z->n1)
		memcpy(z->ptr2, out + z->n1, (n - z->n1) * sizeof(struct elem));
}

static void copy_out(const struct rte_ring_zc_data *z, unsigned int n)
{
	memcpy(in, z->ptr1, z->n1 * sizeof(struct elem));
	if (n > z->n1)
		memcpy(in + z->n1, z->ptr2, (n - z->n1) * sizeof(struct elem));
}

/* Send one message. The size is a constant to the compiler. Return 0 if the ring is full. */
static inline unsigned int zc_send_one(struct rte_ring *r)
{
	struct rte_ring_zc_data z;

	if (!rte_ring_enqueue_zc_bulk_elem_start(r, sizeof(struct elem), 1, &z, NULL))
		return 0;
	memcpy(z.ptr1, out, sizeof(struct elem));
	rte_ring_enqueue_zc_finish(r, 1);
	return 1;
}

static inline unsigned int zc_recv_one(struct rte_ring *r)
{
	struct rte_ring_zc_data z;

	if (!rte_ring_dequeue_zc_bulk_elem_start(r, sizeof(struct elem), 1, &z, NULL))
		return 0;
	memcpy(in, z.ptr1, sizeof(struct elem));
	rte_ring_dequeue_zc_finish(r, 1);
	return 1;
}

static inline unsigned int zc_send_burst(struct rte_ring *r)
{
	struct rte_ring_zc_data z;
	unsigned int n;

	n = rte_ring_enqueue_zc_burst_elem_start(r, sizeof(struct elem), BURST, &z, NULL);
	if (n) {
		copy_in(&z, n);
		rte_ring_enqueue_zc_finish(r, n);
	}
	return n;
}

static inline unsigned int zc_recv_burst(struct rte_ring *r)
{
	struct rte_ring_zc_data z;
	unsigned int n;

	n = rte_ring_dequeue_zc_burst_elem_start(r, sizeof(struct elem), BURST, &z, NULL);
	if (n) {
		copy_out(&z, n);
		rte_ring_dequeue_zc_finish(r, n);
	}
	return n;
}

/* Receive in place, and read the first word of each message. */
static inline unsigned int zc_look_burst(struct rte_ring *r)
{
	struct rte_ring_zc_data z;
	const struct elem *e;
	unsigned int i, n;

	n = rte_ring_dequeue_zc_burst_elem_start(r, sizeof(struct elem), BURST, &z, NULL);
	if (!n)
		return 0;
	for (e = z.ptr1, i = 0; i < z.n1; i++)
		bench_sink += e[i].w[0];
	for (e = z.ptr2; i < n; i++)
		bench_sink += e[i - z.n1].w[0];
	rte_ring_dequeue_zc_finish(r, n);
	return n;
}

#define SEND(call)								\
static uint64_t step_##call(void *ctx)						\
{										\
	out[0].w[0]++;								\
	if (!call(ctx))								\
		bench_pause();							\
	return 0;								\
}

#define RECV(call)								\
static uint64_t step_##call(void *ctx)						\
{										\
	unsigned int n;								\
										\
	while (!(n = call(ctx)))						\
		bench_pause();							\
	bench_sink += in[n - 1].w[0];						\
	return n;								\
}

SEND(zc_send_one)
RECV(zc_recv_one)
SEND(zc_send_burst)
RECV(zc_recv_burst)
RECV(zc_look_burst)

static void rate(const char *key, bench_step send, bench_step recv)
{
	struct rte_ring *r = ring_new();

	bench_print(key, bench_peer_rate(send, recv, r) / 1e6);
	free(r);
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	rate("rte_zc64_one_Mps", step_zc_send_one, step_zc_recv_one);
	rate("rte_zc64_one_of_bursts_Mps", step_zc_send_burst, step_zc_recv_one);
	rate("rte_zc64_burst_Mps", step_zc_send_burst, step_zc_recv_burst);
	rate("rte_zc64_in_place_Mps", step_zc_send_burst, step_zc_look_burst);
	return bench_sink == 42;
}
