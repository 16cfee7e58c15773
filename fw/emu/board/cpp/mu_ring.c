// SPDX-License-Identifier: BSD-2-Clause
/*
 * mu_ring.c - MU rings of 32-bit words (flowenv me/lib/nfp/mem_ring.h).
 */
#include <errno.h>

#include "bytes.h"
#include "mu_ring.h"

/* Sizes of rings that the queue engine supports (mem_ring.c, mem_ring_setup()). */
#define RING_WORDS_MIN	512u
#define RING_WORDS_MAX	(16u << 20)

/* A ring's descriptor: word 0: size, head; word 1: tail, type; word 2: page, words in the ring */
#define DESC_SIZE	28
#define DESC_HEAD	0x3fffffcu
#define RING_TYPE_2	2u
#define DESC_PAGE	24
#define DESC_COUNT	0xffffffu

void bd_ring_reset(struct board *b)
{
	memset(b->rings->ring, 0, sizeof(b->rings->ring));
	b->rings->workqs = 0;
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
	b->rings->ring[ring] = r;
	return 0;
}

/* Return 0 and the ring in *@r if it can transfer @n words. */
static int ring_open(struct board *b, unsigned int ring, unsigned int n, struct bd_ring **r)
{
	if (ring >= BD_RINGS || !n)
		return -EINVAL;
	*r = &b->rings->ring[ring];
	return (*r)->words ? 0 : -ENOENT;
}

int board_ring_put(struct board *b, unsigned int ring, const uint32_t *w, unsigned int n)
{
	struct bd_ring *r;
	int err = ring_open(b, ring, n, &r);
	uint8_t *mem;

	if (err)
		return err;
	if (n > r->words)
		return -EINVAL;
	if (r->words - (r->tail - r->head) < n)
		return -ENOSPC;
	mem = place(b, r);
	for (unsigned int i = 0; mem && i < n; i++)
		bd_put32(mem + 4 * (r->tail++ & (r->words - 1)), w[i]);
	return mem ? 0 : -ENOENT;
}

int board_ring_get(struct board *b, unsigned int ring, uint32_t *w, unsigned int n)
{
	struct bd_ring *r;
	int err = ring_open(b, ring, n, &r);
	uint8_t *mem;

	if (err)
		return err;
	if (r->tail - r->head < n)
		return -EAGAIN;
	mem = place(b, r);
	for (unsigned int i = 0; mem && i < n; i++)
		w[i] = bd_get32(mem + 4 * (r->head++ & (r->words - 1)));
	return mem ? 0 : -ENOENT;
}

int board_ring_used(struct board *b, unsigned int ring)
{
	struct bd_ring *r;
	int err = ring_open(b, ring, 1, &r);

	return err ? -ENOENT : (int)(r->tail - r->head);
}

int board_ring_load(struct board *b, unsigned int ring, uint64_t emem, const uint32_t *w)
{
	uint64_t tail = emem | (uint64_t)(w[2] >> DESC_PAGE & 3) << 32 | (w[1] & ~3u), bytes;
	uint32_t words = RING_WORDS_MIN << (w[0] >> DESC_SIZE), used = w[2] & DESC_COUNT, at;
	int err;

	bytes = 4ull * words;
	at = (tail & (bytes - 1)) / 4;
	if ((w[1] & 3) != RING_TYPE_2 || used > words ||
	    ((at - used) & (words - 1)) != (w[0] & DESC_HEAD & (bytes - 1)) / 4)
		return -EINVAL;
	err = board_ring_init(b, ring, tail & ~(bytes - 1), words);
	if (err)
		return err;
	b->rings->ring[ring].tail = at + words;
	b->rings->ring[ring].head = at + words - used;
	return 0;
}

int board_ring_desc(struct board *b, unsigned int ring, uint32_t *w)
{
	struct bd_ring *r;
	int err = ring_open(b, ring, 1, &r);
	uint32_t mask;

	if (err)
		return err;
	mask = r->words - 1;
	w[0] = (uint32_t)__builtin_ctz(r->words / RING_WORDS_MIN) << DESC_SIZE |
	       ((r->addr + 4 * (r->head & mask)) & DESC_HEAD);
	w[1] = ((r->addr + 4 * (r->tail & mask)) & ~3u) | RING_TYPE_2;
	w[2] = (r->addr >> 32 & 3) << DESC_PAGE | (r->tail - r->head);
	w[3] = 0;
	return 0;
}

/* Append a word. If the ring is full, its oldest word is lost. */
void bd_ring_journal(struct board *b, unsigned int ring, uint32_t word)
{
	struct bd_ring *r = &b->rings->ring[ring % BD_RINGS];

	if (r->words && r->tail - r->head == r->words)
		r->head++;
	board_ring_put(b, ring % BD_RINGS, &word, 1);
}

/* Take the newest word. Return 0 if the ring is empty. */
uint32_t bd_ring_pop(struct board *b, unsigned int ring)
{
	struct bd_ring *r = &b->rings->ring[ring % BD_RINGS];
	uint8_t *mem;

	if (!r->words || r->tail == r->head)
		return 0;
	mem = place(b, r);
	if (!mem)
		return 0;
	return bd_get32(mem + 4 * (--r->tail & (r->words - 1)));
}

/* ---- work queues ---- */

static struct bd_workq *workq(struct board *b, unsigned int ring)
{
	for (unsigned int i = 0; i < b->rings->workqs; i++)
		if (b->rings->workq[i].ring == ring)
			return &b->rings->workq[i];
	return NULL;
}

int board_workq_work(struct board *b, unsigned int ring, const uint32_t *w, unsigned int n)
{
	struct bd_workq *q = workq(b, ring);
	struct board_thread *t;

	if (!q || q->head == q->tail)
		return board_ring_put(b, ring, w, n);
	t = &q->thread[q->head % BD_WORKQ_THREADS];
	if (t->n != n)
		return -EINVAL;
	q->head++;
	memcpy(t->data, w, 4 * n);
	t->done(t);
	return 0;
}

static struct bd_workq *workq_new(struct board *b, unsigned int ring)
{
	struct bd_workq *q;

	if (b->rings->workqs == BD_WORKQS)
		return NULL;
	q = &b->rings->workq[b->rings->workqs++];
	q->ring = ring;
	q->head = 0;
	q->tail = 0;
	return q;
}

int board_workq_thread(struct board *b, unsigned int ring, const struct board_thread *t)
{
	struct bd_workq *q = workq(b, ring);
	struct bd_ring *r;

	if (ring >= BD_RINGS || !t->n)
		return -EINVAL;
	r = &b->rings->ring[ring];
	if (!r->words)
		return -ENOENT;
	if (r->tail != r->head) {
		/*
		 * A get that fails means that the thread waits for work of another size.
		 */
		if (board_ring_get(b, ring, t->data, t->n))
			return -EINVAL;
		t->done(t);
		return 0;
	}
	if (!q)
		q = workq_new(b, ring);
	if (!q || q->tail - q->head == BD_WORKQ_THREADS)
		return -ENOSPC;
	q->thread[q->tail++ % BD_WORKQ_THREADS] = *t;
	return 0;
}
