// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* size_mem.c - count the microengine instructions (words) of loads and stores. */
#include <stdlib.h>
#include "alloc.h"
#include "xlate.h"

/* One instruction sets 16 bits, which begin at a byte, and makes all other bits 0, or all 1. */
unsigned int words_immed(uint32_t imm)
{
	static const uint32_t rest[] = { 0xffff0000, 0xff0000ff, 0x0000ffff };
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (!(imm & rest[i]) || !(~imm & rest[i]))
			return 1;
	return 2;
}

unsigned int words_operand(uint32_t imm)
{
	return imm <= 0xff ? 0 : words_immed(imm);
}

unsigned int words_operand_short(uint32_t imm)
{
	return imm <= 0x7f ? 0 : words_immed(imm);
}

/* ---- the stack ---- */

/**
 * struct lmem - an access to local memory
 * @store: a store, else a load
 * @window: an address register is set first, to a window of 32 bytes
 * @step: the address register advances from word to word
 */
struct lmem {
	bool store, window, step;
};

/*
 * Return the number of instructions that the JIT emits for a part of a stack access: @size bytes
 * that lie in one word (4 bytes) of local memory and in one register. @first, @last: the part begins
 * or ends the access. @begins: it is the first part in its register. An instruction that changes
 * some bytes of a word can address words 0 to 7 only. The JIT copies a later word (far) to a
 * register first, and back after a store (wrp_lmem_load() and wrp_lmem_store() of the driver's
 * jit.c). It moves the address register with an instruction more.
 */
static unsigned int lmem_part(const struct lmem *m, int off, int size, bool first, bool begins,
			      bool last)
{
	bool moves = m->step && begins && !last, far = off / 4 > 7;
	unsigned int n = 1;

	if (size == 4)
		return 1;
	if (m->store) {
		n += far && (first || last);
		n += (begins || last) && far;
		n += (begins || last) && moves;
	} else {
		n += far && (first || !begins);
		n += moves;
	}
	return n;
}

static unsigned int words_stack(const struct xlate *t, const struct xinsn *x, bool is_store)
{
	const struct insn_info *i = x->info;
	int off = (int)t->depth[x->func] + x->insn.off + i->ptr.off + (int)i->ptr.at;
	int size = insn_bytes(&x->insn), byte = 0, gpr = 0, was = -1, part, room;
	bool narrow = !is_store && size < 8, first = true;
	struct lmem m = { .store = is_store, .window = true };
	unsigned int n = 0;

	if ((i->ptr_moves || i->caller_stack) && off < 0 && off % 4)
		issue_add(&t->w->p->issues, WHY_CALLER_BYTE, x - t->x, "a byte within a word of a "
			  "caller's stack, deeper there than this function's stack is: the JIT "
			  "accesses another byte");
	if (i->ptr_moves || i->caller_stack) {
		n += words_operand(x->insn.off) + 1;
		m.step = true;
	} else if (off + size <= 64) {
		m.window = false;
	} else if ((off & ~31) == ((off + size - 1) & ~31)) {
		n += words_operand(off & ~31) + 1;
		off %= 32;
	} else {
		n += words_operand(off & ~3) + 1;
		m.step = true;
	}
	if (m.window)
		n += 1 + (narrow && i->zext ? 2 : 3);
	if (narrow)
		n += words_zext(x);
	for (; size; size -= part, off += part) {
		part = size < 4 - byte ? size : 4 - byte;
		room = 4 - (off & 3);
		if (part > room)
			part = room;
		if (m.step)
			off &= 3;
		n += lmem_part(&m, off, part, first, gpr != was, part == size);
		was = gpr;
		first = false;
		byte += part;
		if (byte >= 4) {
			byte -= 4;
			gpr++;
		}
	}
	return n;
}

/* ---- the packet ---- */

static unsigned int words_cached(const struct xinsn *x)
{
	int size = insn_bytes(&x->insn), len = x->cache_to - x->cache_from;
	unsigned int at = (uint8_t)(x->insn.off - x->cache_from) % 4, n = 0;

	if (x->cache_load)
		n += words_operand_short(x->cache_from) + (len > 32) + 1;
	if (!at)
		return n + (size == 8 ? 2 : 1 + words_zext(x));
	if (size <= (int)(4 - at))
		return n + 1 + words_zext(x);
	return n + (size <= 4 ? 2 + words_zext(x) : 4);
}

/* Words of a copy: one command reads, one or two write */
static unsigned int words_copy(const struct xlate *t, const struct xinsn *x)
{
	const struct bpf_insn *st = &t->x[x->pair].insn;
	int len = abs(x->gather), xfer = (len + 3) / 4;
	unsigned int n = words_operand_short(x->insn.off);

	if (x->info->ptr.type == T_VALUE && x->insn.off)
		n += 2;
	n += (len > 32) + 1 + xfer;
	n += words_operand_short(st->off);
	if (len <= 8 || (len <= 32 && len % 4 == 0))
		n += 1;
	else if (len <= 32 || len % 4 == 0)
		n += 2;
	else if (len <= 40)
		n += 1 + words_operand_short(st->off + 32) + 1;
	else
		n += 2 + words_operand_short((uint8_t)(st->off + (xfer - 1) * 4)) + 1;
	/* The register of the last load is loaded, too. */
	return n + (insn_bytes(&x->insn) == 8 ? 2 : 1 + 1);
}

enum later {
	LATER_NOT,
	LATER_READ,
	LATER_OVER,	/* the register is written first, or the path ends */
};

static enum later later_of(const struct bpf_insn *insn, unsigned int reg)
{
	uint8_t class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);
	bool jump = class == BPF_JMP || class == BPF_JMP32;
	bool alu = (class == BPF_ALU || class == BPF_ALU64) && op != BPF_END;
	bool src = insn->src_reg == reg && (class == BPF_LDX || class == BPF_STX ||
		   ((alu || jump) && BPF_SRC(insn->code) == BPF_X));

	if (jump && op == BPF_EXIT)
		return reg ? LATER_OVER : LATER_READ;
	if (jump && op == BPF_CALL)
		return reg > 5 ? LATER_NOT : reg ? LATER_READ : LATER_OVER;
	if (src || (jump && op != BPF_JA && insn->dst_reg == reg))
		return LATER_READ;
	if (insn->dst_reg != reg || jump)
		return LATER_NOT;
	return class == BPF_LDX || class == BPF_LD || op == BPF_MOV ? LATER_OVER : LATER_READ;
}

/* Whether an instruction from @at on may read @reg before one writes it. */
static bool read_later(const struct xlate *t, int at, unsigned int reg)
{
	enum later what = LATER_NOT;
	struct reach r;

	reach_begin(&r, t->n, at);
	while (what != LATER_READ && r.count) {
		at = r.todo[--r.count];
		what = later_of(&t->x[at].insn, reg);
		if (what == LATER_NOT)
			reach_from(&r, &t->x[at].insn, at);
	}
	reach_end(&r);
	return what == LATER_READ;
}

/*
 * Warn when the register of the copy is used later. Except in the cases that return at once,
 * the JIT leaves a wrong value in it.
 */
static void note_copy_last(const struct xlate *t, const struct xinsn *x, int pairs)
{
	int size = insn_bytes(&x->insn), len = abs(x->gather);
	bool down = x->gather < 0;

	if (size == 8 || (size == 4 && down) || (size < 4 && !down) ||
	    (size == 2 && len % 4 == 2) || (size == 1 && len % 4 == 1))
		return;
	if (read_later(t, x - t->x + 2 * pairs, x->insn.dst_reg))
		issue_add(&t->w->p->issues, WHY_COPY_LAST, x - t->x, "r%u is used after a copy of "
			  "packet bytes, but the JIT does not leave its last value there",
			  x->insn.dst_reg);
}

/* Warn of a load that should read what an earlier store of the same copy has written. */
static void note_copy_overlap(const struct xlate *t, const struct xinsn *x, int pairs)
{
	const struct bpf_insn *raw = &t->w->p->insn[x - t->x];
	const struct insn_info *st = t->x[x->pair].info;
	int size = insn_bytes(raw), i, j, ld, to;

	if (x->info->ptr.type != st->ptr.type || x->info->ptr.id != st->ptr.id)
		return;
	for (i = 1; i < pairs; i++) {
		ld = raw[2 * i].off + x->info->ptr.off;
		for (j = 0; j < i; j++) {
			to = raw[2 * j + 1].off + st->ptr.off;
			if (ld < to + size && to < ld + size) {
				issue_add(&t->w->p->issues, WHY_COPY_OVERLAP, x - t->x + 2 * i,
					  "it loads bytes that were stored just before; the JIT "
					  "does all loads first");
				return;
			}
		}
	}
}

static void note_copy_tail(const struct xlate *t, const struct xinsn *x)
{
	const struct bpf_insn *st = &t->x[x->pair].insn;
	int len = abs(x->gather), to = st->off + ((len + 3) / 4 - 1) * 4;

	if (len > 40 && len % 4 && to != (uint8_t)to)
		issue_add(&t->w->p->issues, WHY_COPY_TAIL, x - t->x,
			  "of a copy of %d bytes, the JIT stores the last %d at offset %d, not %d",
			  len, len % 4, (uint8_t)to, to);
}

unsigned int words_load(const struct xlate *t, const struct xinsn *x)
{
	int size = insn_bytes(&x->insn);
	unsigned int n;

	if (x->gather) {
		if (x->pair < 0)
			return 0;
		note_copy_tail(t, x);
		note_copy_last(t, x, abs(x->gather) / insn_bytes(&x->insn));
		note_copy_overlap(t, x, abs(x->gather) / insn_bytes(&x->insn));
		return words_copy(t, x);
	}
	switch (x->info->ptr.type) {
	case T_CTX:
		return 2;
	case T_STACK:
		return words_stack(t, x, false);
	case T_PACKET:
		if (x->cache_to)
			return words_cached(x);
		break;
	}
	n = words_operand_short(x->insn.off) + 1;
	if (x->info->ptr.type == T_VALUE && x->insn.off)
		n += 2;
	return n + (size == 8 ? 2 : 1 + words_zext(x));
}

unsigned int words_store(const struct xlate *t, const struct xinsn *x)
{
	if (x->info->ptr.type == T_CTX)
		return 5;
	if (x->info->ptr.type == T_STACK)
		return words_stack(t, x, true);
	return words_operand_short(x->insn.off) + (insn_bytes(&x->insn) + 3) / 4 + 1;
}

/* A command holds an addend of 16 bits. The JIT emits two variants when it may be longer. */
unsigned int words_add(const struct xinsn *x)
{
	bool within = x->info->add_within, over = x->info->add_over;
	unsigned int n = words_operand(x->insn.off);

	n += x->insn.off ? 2 : 0;
	n += within ? 3 : 0;
	n += over ? 2 + (insn_bytes(&x->insn) == 8) : 0;
	return n + (within && over ? 5 : 0);
}
