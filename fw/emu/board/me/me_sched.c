// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_sched.c - the contexts of a whole microengine by turns.
 *
 * A context is never interrupted, as in the manual of the IXP2800: it runs until it executes
 * ctx_arb or a command that swaps. A signal wakes a sleeping context, and consumes its turn when
 * it is next in the order of numbers.
 */
#include "me_int.h"

#define IN_USE_4	(1u << 31)	/* CtxEnables: four-context mode */
#define ENABLE_SHIFT	8

static bool enabled(const struct me *me, unsigned int ctx)
{
	return me->ctx[ctx].img && me->ctx_enables >> (ENABLE_SHIFT + ctx) & 1;
}

void me_start_all(struct me *me, struct me_image *img, unsigned int ctxs, unsigned int pc)
{
	bool four = img->mode != ME_CTX8;
	unsigned int i;

	ctxs &= four ? 0x55 : 0xff;
	me->ctx_enables = (four ? IN_USE_4 : 0) | ctxs << ENABLE_SHIFT;
	me->current = ME_CTXS - 1;
	me->midway = false;
	for (i = 0; i < ME_CTXS; i++)
		if (ctxs >> i & 1)
			me_start(me, i, img, pc);
}

/* Return: the context that runs next, or -1. */
static int next_ready(const struct me *me)
{
	unsigned int i, ctx;

	if (me->midway && enabled(me, me->current))
		return me->current;
	for (i = 1; i <= ME_CTXS; i++) {
		ctx = (me->current + i) % ME_CTXS;
		if (enabled(me, ctx) && !me->ctx[ctx].ended && me_ready(&me->ctx[ctx]))
			return ctx;
	}
	return -1;
}

static enum me_status sleeping(const struct me *me)
{
	unsigned int i;

	for (i = 0; i < ME_CTXS; i++)
		if (enabled(me, i) && !me->ctx[i].ended)
			return ME_WAIT;
	return ME_DONE;
}

enum me_status me_run_all(struct me *me, uint64_t budget)
{
	enum me_status st;
	struct me_ctx *c;
	uint64_t before;
	int ctx;

	/* A fault stops the microengine, until me_start() starts its context again. */
	if (me->ctx[me->current].fault.reason)
		return ME_FAULT;
	while (budget) {
		me_alarms(me);
		ctx = next_ready(me);
		if (ctx < 0)
			return sleeping(me);
		c = &me->ctx[ctx];
		me->current = ctx;
		before = c->insns;
		st = me_run_ctx(me, c, budget, false);
		me->midway = st == ME_BUDGET;
		if (st == ME_FAULT)
			return ME_FAULT;
		if (st == ME_DONE)
			c->ended = true;
		budget -= c->insns - before > budget ? budget : c->insns - before;
	}
	return ME_BUDGET;
}
