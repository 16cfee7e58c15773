// SPDX-License-Identifier: BSD-2-Clause
/*
 * frame_fifo.c - a queue of frames, in order, in one block of memory that is allocated once.
 *
 * An entry is a header and the frame's bytes, and is contiguous. If an entry does not fit before
 * the end of the block, a header with @skip fills the rest of the block, and the entry starts at
 * the beginning.
 */
#include <stdlib.h>
#include <string.h>

#include "frame_fifo.h"

struct entry {
	uint64_t ts_ns;
	uint32_t len;
	uint32_t skip;		/* not 0: no frame here, the next entry is @skip bytes on */
};

#define ALIGN		((uint32_t)sizeof(struct entry))

bool frame_fifo_init(struct frame_fifo *q)
{
	*q = (struct frame_fifo){ .mem = malloc(FRAME_FIFO_SIZE) };
	return q->mem;
}

void frame_fifo_exit(struct frame_fifo *q)
{
	free(q->mem);
	q->mem = NULL;
}

static uint32_t used(const struct frame_fifo *q)
{
	return q->tail - q->head;
}

bool frame_fifo_room(const struct frame_fifo *q)
{
	return used(q) < FRAME_FIFO_SIZE / 2;
}

static struct entry *at(const struct frame_fifo *q, uint32_t pos)
{
	return (struct entry *)(q->mem + pos % FRAME_FIFO_SIZE);
}

static uint32_t size_of(uint32_t len)
{
	return ALIGN + (len + ALIGN - 1) / ALIGN * ALIGN;
}

bool frame_fifo_put(struct frame_fifo *q, const struct board_frame *f)
{
	uint32_t size = size_of(f->caplen), end = FRAME_FIFO_SIZE - q->tail % FRAME_FIFO_SIZE;
	uint32_t skip = size > end ? end : 0;
	struct entry *e;

	if (f->caplen > FRAME_FIFO_SIZE / 2 || size + skip > FRAME_FIFO_SIZE - used(q))
		return false;
	if (skip) {
		*at(q, q->tail) = (struct entry){ .skip = skip };
		q->tail += skip;
	}
	e = at(q, q->tail);
	*e = (struct entry){ .ts_ns = f->ts_ns, .len = f->caplen };
	if (f->caplen)
		memcpy(e + 1, f->data, f->caplen);
	q->tail += size;
	return true;
}

/* Return the first entry with a frame, and its position in @pos. */
static struct entry *first(const struct frame_fifo *q, uint32_t *pos)
{
	struct entry *e = at(q, q->head);

	*pos = q->head + e->skip;
	return e->skip ? at(q, *pos) : e;
}

bool frame_fifo_first(const struct frame_fifo *q, struct board_frame *f)
{
	struct entry *e;
	uint32_t pos;

	if (q->head == q->tail)
		return false;
	e = first(q, &pos);
	*f = (struct board_frame){
		.data = (uint8_t *)(e + 1), .caplen = e->len, .len = e->len, .ts_ns = e->ts_ns,
	};
	return true;
}

void frame_fifo_drop(struct frame_fifo *q)
{
	uint32_t pos;

	if (q->head == q->tail)
		return;
	q->head = size_of(first(q, &pos)->len) + pos;
	/*
	 * An empty queue starts at the beginning again: a short queue then reuses the same cache
	 * lines.
	 */
	if (q->head == q->tail) {
		q->head = 0;
		q->tail = 0;
	}
}

unsigned int frame_fifo_clear(struct frame_fifo *q)
{
	unsigned int n = 0;

	for (; q->head != q->tail; n++)
		frame_fifo_drop(q);
	return n;
}
