// SPDX-License-Identifier: BSD-2-Clause
/*
 * hal_pkt.c - the packet engine's work queue: packets on one side, contexts
 * that wait for one on the other.
 */
#include <stdlib.h>

#include "hal_int.h"
#include <pkt/pkt.h>

#define THREADS	64

static struct thread {
	struct hal_ctx *ctx;
	struct pkt_rx *meta;
	uint8_t sig;
} threads[THREADS];
static unsigned int thread_head, thread_tail;

/* Ring of packets; grows to as many as the board has buffers. */
static struct board_pkt **ring;
static unsigned int ring_size, ring_head, ring_tail;

void hal_pkt_start(void)
{
	thread_head = 0;
	thread_tail = 0;
	ring_head = 0;
	ring_tail = 0;
}

/* Buffers that firmware holds are the board's again with its reset. */
void hal_pkt_stop(void)
{
	free(ring);
	ring = NULL;
	ring_size = 0;
}

static void deliver(struct pkt_rx *meta, struct board_pkt *pkt)
{
	meta->data = pkt->data;
	meta->handle = pkt;
	meta->ts_ns = pkt->ts_ns;
	meta->caplen = pkt->caplen;
	meta->len = pkt->len;
	meta->port = pkt->port;
}

static void grow(void)
{
	unsigned int size = ring_size ? 2 * ring_size : 64;
	struct board_pkt **bigger = malloc(size * sizeof(*bigger));

	if (!bigger)
		hal_fatal("no memory for packets:", size);
	for (unsigned int i = ring_head; i != ring_tail; i++)
		bigger[i - ring_head] = ring[i % ring_size];
	free(ring);
	ring = bigger;
	ring_tail -= ring_head;
	ring_head = 0;
	ring_size = size;
}

void hal_pkt_arrived(struct board_pkt *pkt)
{
	if (thread_head != thread_tail) {
		struct thread *t = &threads[thread_head++ % THREADS];

		deliver(t->meta, pkt);
		hal_signal(t->ctx, t->sig);
		return;
	}
	if (ring_tail - ring_head == ring_size)
		grow();
	ring[ring_tail++ % ring_size] = pkt;
}

void hal_pkt_recv(struct pkt_rx *meta, unsigned int sig)
{
	if (ring_head != ring_tail) {
		deliver(meta, ring[ring_head++ % ring_size]);
		hal_signal(hal.cur, sig);
		return;
	}
	if (thread_tail - thread_head == THREADS)
		hal_fatal("too many contexts wait for packets:", THREADS);
	threads[thread_tail++ % THREADS] = (struct thread){ hal.cur, meta, (uint8_t)sig };
}

void hal_pkt_free(void *handle)
{
	board_pkt_free(hal.board, handle);
}

void hal_port_rx(unsigned int port, int on)
{
	board_port_rx(hal.board, port, on);
}

uint64_t hal_port_lost(unsigned int port)
{
	return board_port_lost(hal.board, port);
}
