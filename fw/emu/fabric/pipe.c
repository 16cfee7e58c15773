// SPDX-License-Identifier: BSD-2-Clause
/* pipe.c - matches TLPs with entries, and runs the entries' programs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pipe.h"

int fab_pipe_add(struct fab_pipe *p, uint8_t port, enum fab_class cls, uint64_t lo,
		 uint64_t hi, const struct fab_stage *prog, unsigned int stages)
{
	struct fab_entry *e = &p->entry[p->entries];
	unsigned int i;

	if (port >= FAB_PORTS || hi <= lo || (cls != FAB_P && cls != FAB_NP) || !stages)
		return -EINVAL;
	if (stages > FAB_PROGRAM)
		return -E2BIG;
	for (i = 0; i < stages; i++) {
		if (prog[i].prim >= FAB_PRIMS || prog[i].arg >= FAB_STREAMS)
			return -EINVAL;
	}
	for (i = 0; i < p->entries; i++) {
		const struct fab_entry *o = &p->entry[i];

		if (o->port == port && o->cls == cls && lo < o->hi && o->lo < hi)
			return -EEXIST;
	}
	if (p->entries == FAB_ENTRIES)
		return -ENOSPC;
	*e = (struct fab_entry){
		.port = port, .cls = cls, .lo = lo, .hi = hi, .stages = stages,
	};
	memcpy(e->prog, prog, stages * sizeof(*prog));
	p->entries++;
	return 0;
}

struct fab_entry *fab_pipe_match(struct fab_pipe *p, uint8_t port, const struct fab_tlp *t)
{
	unsigned int i;

	for (i = 0; i < p->entries; i++) {
		struct fab_entry *e = &p->entry[i];

		/* An entry matches only if the whole TLP is in its range. */
		if (e->port == port && e->cls == t->cls && t->addr >= e->lo &&
		    t->addr < e->hi && t->len <= e->hi - t->addr)
			return e;
	}
	return NULL;
}

void fab_stream_buffer(struct fab_pipe *p, uint8_t s, uint32_t slots, uint32_t slot_size)
{
	struct fab_stream *st = &p->stream[s];

	st->base = FAB_STREAM(s);
	st->slots = slots;
	st->slot_size = slot_size;
	st->buffer = fab_alloc(slots, slot_size);
	st->full = fab_alloc(slots, sizeof(*st->full));
	st->len = fab_alloc(slots, sizeof(*st->len));
	st->seq = fab_alloc(slots, sizeof(*st->seq));
}

void fab_pipe_free(struct fab_pipe *p)
{
	unsigned int i;

	for (i = 0; i < FAB_STREAMS; i++) {
		free(p->stream[i].buffer);
		free(p->stream[i].full);
		free(p->stream[i].len);
		free(p->stream[i].seq);
	}
}

/* ---- can a program run? ---- */

/* A slot accepts data until its message is complete, and again after the message was freed. */
static bool store_may(const struct fab_stream *s, const struct fab_tlp *t)
{
	uint64_t at = t->addr - s->base;

	return at + t->len > (uint64_t)s->slots * s->slot_size || !s->full[at / s->slot_size];
}

static bool stage_may(const struct fab_pipe *p, const struct fab_entry *e,
		      const struct fab_stage *g, const struct fab_tlp *t)
{
	const struct fab_stream *s = &p->stream[g->arg];
	struct fab_lane *const *tx = p->n->tx;

	switch (g->prim) {
	case FAB_ROUTE:
		return fab_lane_room(tx[fab_port_of(t->addr)], t->cls);
	case FAB_MOVE:
		return fab_lane_room(tx[fab_port_of(s->target)], t->cls);
	case FAB_STORE:
		return store_may(s, t);
	case FAB_NOTIFY:
		return !s->doorbell || fab_lane_room(tx[fab_port_of(s->doorbell)], FAB_P);
	case FAB_DESC:
	case FAB_DATA:
		return fab_answer_room(tx[e->port]);
	default:
		return true;
	}
}

bool fab_pipe_may(const struct fab_pipe *p, const struct fab_entry *e,
		  const struct fab_tlp *t)
{
	unsigned int i;

	for (i = 0; i < e->stages; i++) {
		if (!stage_may(p, e, &e->prog[i], t))
			return false;
	}
	return true;
}

/* ---- the primitives ---- */

static bool store(struct fab_pipe *p, struct fab_stream *s, const struct fab_tlp *t)
{
	uint64_t at = t->addr - s->base;

	if (at + t->len > (uint64_t)s->slots * s->slot_size)
		return false;
	memcpy(s->buffer + at, t->data, t->len);
	p->n->f->sim.op[t->op].to = p->n->id;
	return true;
}

/* Decode the completion in @t and find its slot. Return true if it is a successful completion. */
static bool done_of(const struct fab_stream *s, const struct fab_tlp *t, struct fab_done *d,
		    uint32_t *slot)
{
	if (t->len != sizeof(*d))
		return false;
	memcpy(d, t->data, sizeof(*d));
	*slot = d->seq % s->slots;
	return !d->status;
}

static bool complete(struct fab_pipe *p, struct fab_stream *s, const struct fab_tlp *t)
{
	struct fab_done d;
	uint32_t slot;

	if (!done_of(s, t, &d, &slot) || d.len > s->slot_size)
		return false;
	s->len[slot] = d.len;
	s->seq[slot] = d.seq;
	s->full[slot] = true;
	p->n->f->sim.op[t->op].to = p->n->id;
	return true;
}

/* Count data of a message. The data arrives in order, because one device sends posted writes. */
static bool counted(struct fab_stream *s, const struct fab_tlp *t)
{
	uint32_t slot = s->tail % s->slots;

	s->count += t->len;
	if (s->count < s->message)
		return false;
	s->count = 0;
	s->len[slot] = s->message;
	s->seq[slot] = s->tail;
	s->full[slot] = true;
	return true;
}

static bool slot_free(struct fab_pipe *p, struct fab_stream *s, const struct fab_tlp *t)
{
	struct fab_done d;
	uint32_t slot;

	/* Free the slot also if the device reports that the message has failed. */
	if (!done_of(s, t, &d, &slot) && t->len != sizeof(d))
		return false;
	s->full[slot] = false;
	p->n->f->sim.op[t->op].to = p->n->id;
	fab_node_look(p->n);
	return true;
}

static void notify(struct fab_pipe *p, struct fab_stream *s, const struct fab_tlp *t)
{
	struct fab_node *n = p->n;
	struct fab_tlp *bell;
	uint32_t op;

	s->tail++;
	if (!s->doorbell)
		return;
	op = fab_op(&n->f->sim, FAB_MMIO_WR, s->notice, n->id, FAB_NOBODY);
	bell = fab_tlp_new(FAB_P, s->doorbell, sizeof(s->tail), t->step, op);
	bell->requester = n->id;
	memcpy(bell->data, &s->tail, sizeof(s->tail));
	fab_lane_put(n->tx[fab_port_of(s->doorbell)], bell);
}

/* A descriptor is made when a device reads it, from the state of the stream. */
static void desc_fetch(void *ctx, uint64_t addr, void *to, uint32_t len)
{
	const struct fab_pipe *p = ((struct fab_node *)ctx)->unit;
	const struct fab_stream *s = &p->stream[(addr - FAB_WINDOW) >> 32];
	const struct fab_stream *next = &p->stream[s->next];
	uint64_t at = addr - s->base - FAB_RING;
	uint32_t slot = at / sizeof(struct fab_desc), i;
	struct fab_desc d;

	for (i = 0; i + sizeof(d) <= len && slot < s->slots; i += sizeof(d), slot++) {
		d = (struct fab_desc){
			.src = s->base + (uint64_t)slot * s->slot_size,
			.dst = next->base + s->seq[slot] % (next->slots ? next->slots : 1) *
			       next->slot_size,
			.len = s->len[slot], .cmd = s->cmd, .seq = s->seq[slot],
		};
		memcpy((uint8_t *)to + i, &d, sizeof(d));
	}
}

static void data_fetch(void *ctx, uint64_t addr, void *to, uint32_t len)
{
	const struct fab_pipe *p = ((struct fab_node *)ctx)->unit;
	const struct fab_stream *s = &p->stream[(addr - FAB_WINDOW) >> 32];
	uint64_t at = addr - s->base;

	if (at + len <= (uint64_t)s->slots * s->slot_size)
		memcpy(to, s->buffer + at, len);
}

enum then { GO_ON, SENT, DONE, BAD };

static enum then stage_run(struct fab_pipe *p, struct fab_entry *e, const struct fab_stage *g,
			   struct fab_tlp *t)
{
	struct fab_stream *s = &p->stream[g->arg];
	struct fab_node *n = p->n;

	switch (g->prim) {
	case FAB_MOVE:
		t->addr = s->target + (t->addr - e->lo);
		/* fall through */
	case FAB_ROUTE:
		fab_lane_put(n->tx[fab_port_of(t->addr)], t);
		return SENT;
	case FAB_STORE:
		return store(p, s, t) ? GO_ON : BAD;
	case FAB_COMPLETE:
		return complete(p, s, t) ? GO_ON : BAD;
	case FAB_COUNT:
		return counted(s, t) ? GO_ON : DONE;
	case FAB_NOTIFY:
		notify(p, s, t);
		return GO_ON;
	case FAB_DESC:
		fab_answer(n->tx[e->port], t, t->step, desc_fetch, n);
		return GO_ON;
	case FAB_DATA:
		fab_answer(n->tx[e->port], t, t->step, data_fetch, n);
		return GO_ON;
	case FAB_FREE:
		return slot_free(p, s, t) ? GO_ON : BAD;
	case FAB_PUSH:
		p->push(n, s->target, t);
		return GO_ON;
	default:
		return BAD;
	}
}

bool fab_pipe_run(struct fab_pipe *p, struct fab_entry *e, struct fab_tlp *t)
{
	enum then then = GO_ON;
	unsigned int i;

	e->tlps++;
	e->bytes += t->cls == FAB_NP ? 0 : t->len;
	for (i = 0; i < e->stages && then == GO_ON; i++)
		then = stage_run(p, e, &e->prog[i], t);
	/* A primitive that fails ends the program. Count it. */
	p->n->f->n.bad += then == BAD;
	return then == SENT;
}
