// SPDX-License-Identifier: BSD-2-Clause
/*
 * sched.c - fill the wait for local memory pointers with other operations.
 *
 * Registers are chosen already. In each block, of the operations that could be next, the one with
 * the longest way to the block's end is taken: waits count as a part of the way.
 */
#include <stdlib.h>

#include "emit.h"
#include "sched.h"

/* What an operation reads or writes, a bit for each */
struct touch {
	uint64_t gpr;		/* bank A, then bank B */
	uint64_t xfer_in, xfer_out;
	uint32_t frame;		/* words behind pointers 2 and 3 */
	uint8_t pointer;
	bool memory;		/* what pointers 0 and 1 and commands access */
	bool flow;
};

struct node {
	struct touch read, write;
	unsigned int words;
	unsigned int height;	/* words from here to the end of the block, with waits */
	unsigned int ready;	/* the earliest word */
	unsigned int before;	/* operations that have to come before, and are not placed */
	bool placed;
};

struct block {
	const struct mfunc *f;
	struct minsn *insn;
	struct node *node;
	unsigned int n;
};

static void touch(const struct mfunc *f, struct touch *t, struct touch *pointer, struct en_opnd o,
		  bool out)
{
	const struct mvreg *v;

	switch (o.k) {
	case EN_VREG:
		v = &f->vreg[o.n];
		t->gpr |= 1ull << (v->reg + (v->bank == BANK_B ? 32 : 0));
		break;
	case EN_XFER:
		*(out ? &t->xfer_out : &t->xfer_in) |= 1ull << o.n;
		break;
	case EN_LM:
		pointer->pointer |= 1u << o.p;
		if (o.p < 2)
			t->memory = true;
		else
			t->frame |= 1u << (o.n + FRAME_POINTER * (o.p - 2));
		break;
	}
}

/* How many words an operation becomes, at most */
static unsigned int words(const struct minsn *in)
{
	switch (in->op) {
	case M_IMM:
	case M_ADDR:
	case M_SHI:
	case M_ASR:
	case M_ASRI:
	case M_DBLI:
	case M_SEXT:
	case M_WIDE:
	case M_CSR_RD:
		return 2;
	case M_BCC:
		return 2 + in->wide;
	case M_MUL:
		return in->d1.k == EN_NONE ? 6 : 7;
	case M_SIGNAL:
		return 3;
	case M_SET:
	case M_SEL:
		return 4 + in->wide;
	default:
		return 1;
	}
}

static void describe(const struct mfunc *f, const struct minsn *in, struct node *n)
{
	*n = (struct node){ .words = words(in) };
	for (unsigned int i = 0; i < M_SRCS; i++)
		touch(f, &n->read, &n->read, in->s[i], false);
	touch(f, &n->write, &n->read, in->d, true);
	touch(f, &n->write, &n->read, in->d1, true);
	if (mir_reads_dst(in))
		touch(f, &n->read, &n->read, in->d, true);
	switch (in->op) {
	case M_LMP:
		n->write.pointer |= 1u << in->n;
		break;
	case M_READ:
		n->write.xfer_in = UINT64_MAX;
		n->write.memory = true;
		break;
	case M_WRITE:
		n->read.xfer_out = UINT64_MAX;
		n->write.memory = true;
		break;
	case M_ATOMIC:
		n->read.xfer_out = n->write.xfer_in = UINT64_MAX;
		n->write.memory = true;
		break;
	/* The order in time counts. Others may run in a wait, and write transfer registers. */
	case M_ARB:
	case M_SIGNAL:
		n->write.xfer_in = UINT64_MAX;
		n->write.memory = true;
		break;
	case M_CSR_RD:
	case M_CSR_WR:
		n->write.memory = true;
		break;
	case M_PARAM:
	case M_CALL:
	case M_BCC:
	case M_BBIT:
	case M_BR:
	case M_RET:
		n->write.flow = true;
		break;
	}
}

static bool meet(const struct touch *a, const struct touch *b)
{
	return a->gpr & b->gpr || a->xfer_in & b->xfer_in || a->xfer_out & b->xfer_out ||
	       a->frame & b->frame || a->pointer & b->pointer || (a->memory && b->memory);
}

/* Return: words from the begin of @a to that of @b, which comes later; 0 if their order is free. */
static unsigned int distance(const struct node *a, const struct node *b)
{
	if (a->write.pointer & b->read.pointer)
		return a->words + LM_LATENCY;
	if (b->write.flow || a->write.flow || meet(&a->write, &b->read) ||
	    meet(&a->read, &b->write) || meet(&a->write, &b->write))
		return a->words;
	return 0;
}

static void measure(struct block *b)
{
	for (unsigned int i = b->n; i--;) {
		struct node *n = &b->node[i];

		n->height = n->words;
		for (unsigned int j = i + 1; j < b->n; j++) {
			unsigned int d = distance(n, &b->node[j]);

			if (!d)
				continue;
			b->node[j].before++;
			if (n->height < d + b->node[j].height)
				n->height = d + b->node[j].height;
		}
	}
}

/* Return: the operation that comes next at word @now. */
static unsigned int choose(const struct block *b, unsigned int now)
{
	unsigned int best = b->n;

	for (unsigned int i = 0; i < b->n; i++) {
		const struct node *n = &b->node[i], *o = &b->node[best];

		if (n->placed || n->before)
			continue;
		if (best == b->n) {
			best = i;
		} else if (n->ready <= now) {
			if (o->ready > now || n->height > o->height)
				best = i;
		} else if (n->ready < o->ready) {
			best = i;
		}
	}
	return best;
}

static void place(struct block *b, unsigned int i, unsigned int now)
{
	b->node[i].placed = true;
	for (unsigned int j = i + 1; j < b->n; j++) {
		unsigned int d = distance(&b->node[i], &b->node[j]);

		if (!d)
			continue;
		b->node[j].before--;
		if (b->node[j].ready < now + d)
			b->node[j].ready = now + d;
	}
}

static void schedule_block(const struct mfunc *f, struct mblock *m)
{
	struct block b = { .f = f, .insn = m->insn, .n = m->n };
	struct minsn *order = need(m->n, sizeof(*order));
	unsigned int i, at, now = 0;

	b.node = need(m->n, sizeof(*b.node));
	for (i = 0; i < b.n; i++)
		describe(f, &b.insn[i], &b.node[i]);
	measure(&b);
	for (at = 0; at < b.n; at++) {
		i = choose(&b, now);
		if (now < b.node[i].ready)
			now = b.node[i].ready;
		place(&b, i, now);
		now += b.node[i].words;
		order[at] = b.insn[i];
	}
	for (i = 0; i < b.n; i++)
		m->insn[i] = order[i];
	free(order);
	free(b.node);
}

void schedule(struct mfunc *f)
{
	for (unsigned int nb = 0; nb < f->blocks; nb++)
		schedule_block(f, &f->block[nb]);
}
