// SPDX-License-Identifier: BSD-2-Clause
/* sim.c - discrete events, and the trace of steps and their causes. */
#include <stdio.h>
#include <stdlib.h>

#include "sim.h"

struct fab_event {
	fab_time at;
	uint64_t order;
	fab_fn fn;
	void *ctx;
	uint64_t arg;
};

void *fab_alloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p) {
		fprintf(stderr, "nfpfabric: no memory for %zu times %zu bytes\n", n, size);
		exit(1);
	}
	return p;
}

/* Make room for entry @n of an array with entries of @size bytes. */
static void *grown(void *p, size_t n, uint64_t *have, size_t size)
{
	if (n < *have)
		return p;
	*have = *have ? 2 * *have : 256;
	p = realloc(p, *have * size);
	if (!p) {
		fprintf(stderr, "nfpfabric: no memory for a trace of %zu entries\n", n);
		exit(1);
	}
	return p;
}

void fab_sim_init(struct fab_sim *s)
{
	*s = (struct fab_sim){ 0 };
	/* Entry 0 means "none". */
	fab_step(s, FAB_WIRE, 0, 0, 0, 0);
	fab_op(s, FAB_DMA_WR, "", 0, 0);
}

void fab_sim_free(struct fab_sim *s)
{
	free(s->heap);
	free(s->step);
	free(s->op);
	*s = (struct fab_sim){ 0 };
}

static int before(const struct fab_event *a, const struct fab_event *b)
{
	return a->at < b->at || (a->at == b->at && a->order < b->order);
}

void fab_after(struct fab_sim *s, fab_time in, fab_fn fn, void *ctx, uint64_t arg)
{
	struct fab_event e = { s->now + in, s->order++, fn, ctx, arg };
	uint64_t have = s->heap_size;
	size_t i = s->events;

	s->heap = grown(s->heap, s->events, &have, sizeof(*s->heap));
	s->heap_size = have;
	s->events++;
	for (; i && before(&e, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = e;
}

static struct fab_event heap_pop(struct fab_sim *s)
{
	struct fab_event first = s->heap[0], last = s->heap[--s->events];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < s->events) {
		if (child + 1 < s->events && before(&s->heap[child + 1], &s->heap[child]))
			child++;
		if (!before(&s->heap[child], &last))
			break;
		s->heap[i] = s->heap[child];
		i = child;
	}
	s->heap[i] = last;
	return first;
}

void fab_sim_run(struct fab_sim *s)
{
	while (s->events) {
		struct fab_event e = heap_pop(s);

		s->now = e.at;
		e.fn(e.ctx, e.arg);
	}
}

uint32_t fab_step(struct fab_sim *s, enum fab_kind kind, uint8_t node, uint32_t cause,
		  uint32_t op, uint32_t bytes)
{
	uint64_t have = s->step_size;

	s->step = grown(s->step, s->steps, &have, sizeof(*s->step));
	s->step_size = have;
	s->step[s->steps] = (struct fab_step){
		.end = s->now, .cause = cause, .op = op, .bytes = bytes,
		.kind = kind, .node = node,
	};
	return s->steps++;
}

fab_time fab_step_begin(const struct fab_sim *s, uint32_t step)
{
	uint32_t cause = s->step[step].cause;

	return cause ? s->step[cause].end : s->step[step].end;
}

uint32_t fab_op(struct fab_sim *s, enum fab_op_kind kind, const char *what, uint8_t from,
		uint8_t to)
{
	uint64_t have = s->op_size;

	s->op = grown(s->op, s->ops, &have, sizeof(*s->op));
	s->op_size = have;
	s->op[s->ops] = (struct fab_op){ .what = what, .kind = kind, .from = from, .to = to };
	return s->ops++;
}

/* FNV-1a, with eight bytes in each step */
static uint64_t mixed(uint64_t h, uint64_t v)
{
	return (h ^ v) * 0x100000001b3ull;
}

uint64_t fab_trace_hash(const struct fab_sim *s)
{
	uint64_t h = 0xcbf29ce484222325ull;
	uint32_t i;

	for (i = 0; i < s->steps; i++) {
		const struct fab_step *t = &s->step[i];

		h = mixed(mixed(h, t->end), (uint64_t)t->cause << 32 | t->op);
		h = mixed(h, (uint64_t)t->bytes << 16 | t->kind << 8 | t->node);
	}
	return h;
}
