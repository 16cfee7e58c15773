// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* gen_stack.c - statements that use the stack: near (LM0), far, and through pointers. */
#include "gen.h"

static bool is_init(const struct gen *g, int off, int size)
{
	int i;

	for (i = 0; i < size; i++)
		if (!g->s.init[-off - 1 - i])
			return false;
	return true;
}

int stack_place(struct gen *g, int size, bool init)
{
	int tries, off;

	for (tries = 16; tries; tries--) {
		off = -(int)((1 + below(g, g->stack / size)) * size);
			/* A part of a pointer must not be overwritten. */
		if (init ? is_init(g, off, size) : size == 8 || !g->s.slot[(-off - 1) / 8].kind)
			return off;
	}
	return 0;
}

void stack_write(struct gen *g, int off, int size)
{
	int i;

	for (i = 0; i < size; i++) {
		int at = -off - 1 - i;

		if (g->s.slot[at / 8].kind) {
				/* The rest of a pointer is not a number. */
			g->s.slot[at / 8] = (struct reg){ .kind = K_NONE };
		}
		g->s.init[at] = true;
	}
}

bool st_stack_store(struct gen *g)
{
	int size = 1 << below(g, 4), off = stack_place(g, size, false), src = pick(g, K_SCALAR);

	if (!off || src < 0)
		return false;
	emit(g, mem_code(BPF_STX, size), R10, src, off, 0);
	stack_write(g, off, size);
	return true;
}

bool st_stack_load(struct gen *g)
{
	int size = 1 << below(g, 4), off = stack_place(g, size, true), dst = pick_dst(g);

	if (!off || dst < 0)
		return false;
	emit(g, mem_code(BPF_LDX, size), dst, R10, off, 0);
	set_scalar(g, dst);
	return true;
}

/* Access the stack through another register than R10. */
bool st_stack_pointer(struct gen *g)
{
	int size = 1 << below(g, 4), off = stack_place(g, size, false), p = pick_temp(g);
	int src = pick(g, K_SCALAR), by;

	if (!off || p < 0 || src < 0 || p == src)
		return false;
	by = -(int)below(g, g->stack);
	mov(g, p, R10);
	add_imm(g, p, by);
	emit(g, mem_code(BPF_STX, size), p, src, off - by, 0);
	stack_write(g, off, size);
	emit(g, mem_code(BPF_LDX, size), p, p, off - by, 0);
	if (g->s.locked)
		forget(g, p);
	else
		set_scalar(g, p);
	return true;
}

/* Access one of two places of the stack, by a condition. Both hold numbers. */
bool st_stack_either(struct gen *g)
{
	int size = 1 << below(g, 4), a = stack_place(g, size, false), b = stack_place(g, size, false);
	int p = pick_temp(g), src = pick(g, K_SCALAR);
	unsigned int jump;

		/* The JIT relies on the offset within a word, so it must be the same for both. */
	if (!a || !b || (a - b) % 4 || p < 0 || src < 0 || p == src)
		return false;
	emit(g, mem_code(BPF_STX, size), R10, src, a, 0);
	stack_write(g, a, size);
	emit(g, mem_code(BPF_STX, size), R10, src, b, 0);
	stack_write(g, b, size);
	mov(g, p, R10);
	add_imm(g, p, a);
	jump = emit(g, BPF_JMP | BPF_JSGT | BPF_K, src, 0, 0, any_imm(g));
	add_imm(g, p, b - a);
	land(g, jump);
	src = pick(g, K_SCALAR);
	if (src >= 0 && src != p)
		emit(g, mem_code(BPF_STX, size), p, src, 0, 0);
	emit(g, mem_code(BPF_LDX, size), p, p, 0, 0);
	if (g->s.locked)
		forget(g, p);
	else
		set_scalar(g, p);
	g->s.joined = true;
	return true;
}

/* Spill a pointer or a number of 8 bytes. */
bool st_spill(struct gen *g)
{
	static const enum kind kinds[] = { K_SCALAR, K_PKT, K_PKT, K_VALUE, K_STACK };
	int off = stack_place(g, 8, false), r = pick(g, kinds[below(g, 5)]), i;

	if (!off || r < 0 || (g->s.locked && g->s.r[r].kind != K_SCALAR))
		return false;
	emit(g, mem_code(BPF_STX, 8), R10, r, off, 0);
	stack_write(g, off, 8);
	if (g->s.r[r].kind != K_SCALAR) {
		g->s.slot[-off / 8 - 1] = g->s.r[r];
		for (i = 0; i < 8; i++)
			g->s.init[-off - 1 - i] = false;
	}
	return true;
}

bool st_fill(struct gen *g)
{
	int dst = pick_dst(g);
	unsigned int i;

	if (dst < 0 || g->s.locked)
		return false;
	for (i = 0; i < g->stack / 8; i++) {
		if (!g->s.slot[i].kind || g->s.slot[i].kind == K_LOST)
			continue;
		emit(g, mem_code(BPF_LDX, 8), dst, R10, -8 * (int)(i + 1), 0);
		g->s.r[dst] = g->s.slot[i];
		return true;
	}
	return false;
}

/* Access the 16 bytes of its caller's stack that a function was given. */
bool st_caller_stack(struct gen *g)
{
	int p = pick(g, K_STACK), size = one_in(g, 2) ? 4 : 8, dst = pick_dst(g);
	int src = pick(g, K_SCALAR), off;

	if (p < 0)
		return false;
	if (allowed(g, AVOID_CALL_BYTE) && one_in(g, 2))
		size = 1;
	off = below(g, 16 / size) * size;
	if (size == 1)
			off |= 3;	/* byte accesses at other offsets do not load */
	if (src >= 0 && one_in(g, 2)) {
		emit(g, mem_code(BPF_STX, size), p, src, off, 0);
		return true;
	}
	if (dst < 0)
		return false;
	emit(g, mem_code(BPF_LDX, size), dst, p, off, 0);
	set_scalar(g, dst);
	return true;
}
