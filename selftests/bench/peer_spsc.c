// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peer_spsc.c - a minimal ring between two threads, whose sender copies 1024 messages of 64 bytes at
 * a time. The receiver reads the first word of each in place. This is the most that two cores of the
 * machine pass to each other.
 *
 * usage: peer_spsc [SECONDS]
 */
#define _GNU_SOURCE
#include <string.h>
#include "bench_time.h"

#define CHUNK	65536
#define SLOTS	4

static char *chunk, *ring;
static _Alignas(64) _Atomic uint32_t head;	/* chunks that the sender has put into the ring */
static _Alignas(64) _Atomic uint32_t tail;	/* chunks that the receiver has taken */

static uint64_t send_chunk(void *ctx)
{
	uint32_t at = atomic_load_explicit(&head, memory_order_relaxed);

	if (at - atomic_load_explicit(&tail, memory_order_acquire) == SLOTS) {
		bench_pause();
		return 0;
	}
	memcpy(ring + at % SLOTS * CHUNK, chunk, CHUNK);
	atomic_store_explicit(&head, at + 1, memory_order_release);
	return 0;
}

static uint64_t recv_chunk(void *ctx)
{
	uint32_t at = atomic_load_explicit(&tail, memory_order_relaxed);
	const char *from = ring + at % SLOTS * CHUNK;

	while (at == atomic_load_explicit(&head, memory_order_acquire))
		bench_pause();
	for (uint32_t i = 0; i < CHUNK; i += 64)
		bench_sink += *(const uint64_t *)(from + i);
	atomic_store_explicit(&tail, at + 1, memory_order_release);
	return CHUNK / 64;
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	chunk = aligned_alloc(4096, CHUNK);
	ring = aligned_alloc(4096, SLOTS * CHUNK);
	memset(chunk, 1, CHUNK);
	memset(ring, 0, SLOTS * CHUNK);
	bench_print("spsc64_bulk_Mps", bench_peer_rate(send_chunk, recv_chunk, NULL) / 1e6);
	return bench_sink == 42;
}
