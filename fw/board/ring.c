// SPDX-License-Identifier: BSD-2-Clause
/*
 * ring.c - MU rings of 32-bit words (flowenv me/lib/nfp/mem_ring.h).
 */
#include <errno.h>

#include "board_int.h"

/* Ring sizes the queue engine knows (mem_ring.c, mem_ring_setup()). */
#define RING_WORDS_MIN	512u
#define RING_WORDS_MAX	(16u << 20)

void bd_ring_reset(struct board *b)
{
	memset(b->ring, 0, sizeof(b->ring));
}

static uint8_t *place(struct board *b, const struct bd_ring *r)
{
	return board_mem_ptr(b, r->addr, 4ULL * r->words);
}

int board_ring_init(struct board *b, unsigned int ring, uint64_t addr, uint32_t words)
{
	struct bd_ring r = { .addr = addr, .words = words };

	if (ring >= BD_RINGS || words < RING_WORDS_MIN || words > RING_WORDS_MAX ||
	    words & (words - 1) || addr % (4ULL * words) || !place(b, &r))
		return -EINVAL;
	b->ring[ring] = r;
	return 0;
}

int board_ring_put(struct board *b, unsigned int ring, const uint32_t *w, unsigned int n)
{
	struct bd_ring *r;
	uint8_t *mem;
	unsigned int i;

	if (ring >= BD_RINGS || !n)
		return -EINVAL;
	r = &b->ring[ring];
	if (!r->words)
		return -ENOENT;
	if (n > r->words)
		return -EINVAL;
	if (r->words - (r->tail - r->head) < n)
		return -ENOSPC;
	mem = place(b, r);
	if (!mem)
		return -ENOENT;
	for (i = 0; i < n; i++)
		bd_put32(mem + 4 * (r->tail++ & (r->words - 1)), w[i]);
	return 0;
}

int board_ring_get(struct board *b, unsigned int ring, uint32_t *w, unsigned int n)
{
	struct bd_ring *r;
	uint8_t *mem;
	unsigned int i;

	if (ring >= BD_RINGS || !n)
		return -EINVAL;
	r = &b->ring[ring];
	if (!r->words)
		return -ENOENT;
	if (r->tail - r->head < n)
		return -EAGAIN;
	mem = place(b, r);
	if (!mem)
		return -ENOENT;
	for (i = 0; i < n; i++)
		w[i] = bd_get32(mem + 4 * (r->head++ & (r->words - 1)));
	return 0;
}

/* Add a word; a full ring loses its oldest one. */
void bd_ring_journal(struct board *b, unsigned int ring, uint32_t word)
{
	struct bd_ring *r = &b->ring[ring % BD_RINGS];

	if (r->words && r->tail - r->head == r->words)
		r->head++;
	board_ring_put(b, ring % BD_RINGS, &word, 1);
}

/* Take the newest word; 0 when there is none. */
uint32_t bd_ring_pop(struct board *b, unsigned int ring)
{
	struct bd_ring *r = &b->ring[ring % BD_RINGS];
	uint8_t *mem;

	if (!r->words || r->tail == r->head)
		return 0;
	mem = place(b, r);
	if (!mem)
		return 0;
	return bd_get32(mem + 4 * (--r->tail & (r->words - 1)));
}
