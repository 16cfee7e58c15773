// SPDX-License-Identifier: BSD-2-Clause
/*
 * sdev.c - a stream-native device: it processes the bytes that are pushed to its input, message
 * by message, and pushes the output to the next stream. That stream's address is the only one it
 * knows.
 */
#include <stdlib.h>
#include <string.h>

#include "endpoint.h"

struct message {
	struct fab_sdev *s;
	uint64_t seq;
	uint8_t *in, *out;
};

/* If there is no room, the write and its credits stay in the receiver's buffer. */
bool fab_sdev_may(const struct fab_sdev *s, const struct fab_tlp *t)
{
	return s->received - s->freed + t->len <= s->size;
}

void fab_push(struct fab_dma *dma, uint64_t to, uint32_t size, uint64_t *pushed,
	      const void *data, uint32_t len, uint32_t op, uint32_t cause)
{
	uint32_t at = *pushed % size;
	uint32_t first = len < size - at ? len : size - at;

	fab_dma_write(dma, to + at, data, first, op, cause);
	if (first < len)
		fab_dma_write(dma, to, (const uint8_t *)data + first, len - first, op, cause);
	*pushed += len;
}

static void worked(void *ctx, uint64_t arg, uint32_t step)
{
	struct message *m = ctx;
	struct fab_sdev *s = m->s;
	struct fab_sim *sim = &s->d->n->f->sim;
	int len = 0;

	(void)arg;
	if (s->got)
		s->got(s->ctx, m->seq, m->in, s->message, step);
	else
		len = s->work(s->ctx, m->seq, m->in, s->message, m->out);
	if (len < 0)
		s->d->n->f->n.bad++;
	if (len > 0 && s->to)
		fab_push(&s->d->dma, s->to, s->to_size, &s->pushed, m->out, len,
			 fab_op(sim, s->kind, s->output, s->d->n->id, FAB_NOBODY), step);
	free(m->in);
	free(m->out);
	free(m);
	s->freed += s->message;
	fab_node_look(s->d->n);
}

/* Begin a message. Its room in the ring is freed when the engine has finished. */
static void message_begin(struct fab_sdev *s, uint32_t step)
{
	struct message *m = fab_alloc(1, sizeof(*m));
	uint32_t at = s->begun % s->size;
	uint32_t first = s->message < s->size - at ? s->message : s->size - at;

	m->s = s;
	m->seq = s->seq++;
	m->in = fab_alloc(1, s->message);
	m->out = fab_alloc(1, s->message + FAB_RESULT_MAX);
	memcpy(m->in, s->ring + at, first);
	memcpy(m->in + first, s->ring, s->message - first);
	s->begun += s->message;
	fab_engine_do(&s->engine, s->message, step, worked, m, 0);
}

void fab_sdev_take(struct fab_sdev *s, const struct fab_tlp *t)
{
	if (t->addr - s->base != s->received % s->size) {
		s->d->n->f->n.bad++;	/* not the next byte of the stream */
		return;
	}
	memcpy(s->ring + (t->addr - s->base), t->data, t->len);
	s->received += t->len;
	if (s->most < s->received - s->freed)
		s->most = s->received - s->freed;
	while (s->received - s->begun >= s->message)
		message_begin(s, t->step);
}
