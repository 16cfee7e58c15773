// SPDX-License-Identifier: BSD-2-Clause
/*
 * hal_pkt.c - the packet engine: a queue of received packets, a queue of
 * contexts that wait for a packet, and a queue of contexts that send a frame.
 */
#include <errno.h>
#include <stdlib.h>

#include "hal_int.h"
#include <pkt/pkt.h>

#define THREADS	64	/* maximum of contexts that wait to receive, and of contexts that send */

/* Contexts that wait for a packet, the oldest first. */
static struct thread {
	struct hal_ctx *ctx;
	struct pkt_rx *meta;
	uint8_t sig;
} threads[THREADS];
static unsigned int thread_head, thread_tail;

/* Contexts whose frame has not left yet, because the other end pauses the port, in call order. */
static struct sender {
	struct hal_ctx *ctx;
	const void *data;
	uint32_t len;
	uint8_t port;
	uint8_t sig;
} senders[THREADS];
static unsigned int sender_count;

/* Received packets that no context has taken. The ring grows as needed. */
static struct board_pkt **ring;
static unsigned int ring_size, ring_head, ring_tail;

void hal_pkt_start(void)
{
	thread_head = 0;
	thread_tail = 0;
	ring_head = 0;
	ring_tail = 0;
	sender_count = 0;
}

/* Free the ring only. The board's reset takes back the packet buffers that firmware holds. */
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

/* Send the frame and signal its context. Return false if the port is paused. */
static bool leaves(const struct sender *s)
{
	int ret = board_port_tx(hal.board, s->port, s->data, s->len);

	if (ret == -EAGAIN)
		return false;
	if (ret)
		hal_fatal("a frame is too long for its port:", s->len);
	hal_signal(s->ctx, s->sig);
	return true;
}

/* Try all senders again. Each port sends its frames in the order of the calls. */
void hal_pkt_retry(void)
{
	unsigned int i, left = 0;
	uint32_t full = 0;

	for (i = 0; i < sender_count; i++) {
		struct sender s = senders[i];

		if (!(full & 1u << s.port) && leaves(&s))
			continue;
		full |= 1u << s.port;
		senders[left++] = s;
	}
	sender_count = left;
}

void hal_pkt_send(const void *data, uint32_t len, unsigned int port, unsigned int sig)
{
	if (sender_count == THREADS)
		hal_fatal("too many contexts send packets:", THREADS);
	if (port >= PKT_PORTS)
		hal_fatal("no such port:", port);
	senders[sender_count++] = (struct sender){ hal.cur, data, len, (uint8_t)port, (uint8_t)sig };
	hal_pkt_retry();
}

void hal_pkt_free(void *handle)
{
	board_pkt_free(hal.board, handle);
}

void hal_port_rx(unsigned int port, int on)
{
	hal_cmd_begin();
	board_port_rx(hal.board, port, on);
	hal_cmd_end();
}

uint64_t hal_port_lost(unsigned int port)
{
	uint64_t ret;

	hal_cmd_begin();
	ret = board_port_lost(hal.board, port);
	hal_cmd_end();
	return ret;
}
