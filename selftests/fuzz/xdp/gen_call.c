// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* gen_call.c - statements that call: map helpers, other helpers, functions. */
#include <stdlib.h>

#include "gen.h"

#define SUB_MAX		84	/* bytes of headroom that the card has before a packet */
#define ADD_MAX		120	/* bytes that the card lets a program remove from its head */

const struct map_def map_def[MAPS] = {
	[MAP_ARRAY] = { "array", BPF_MAP_TYPE_ARRAY, 4, 48, 6, 6 },
	[MAP_HASH] = { "hash", BPF_MAP_TYPE_HASH, 8, 32, 6, 3 },
	[MAP_COUNTS] = { "counts", BPF_MAP_TYPE_ARRAY, 4, 24, 5, 5, true },
	[MAP_HASH_COUNTS] = { "hash_counts", BPF_MAP_TYPE_HASH, 4, 16, 8, 5, true },
};

/* Say whether a call is allowed: it overwrites registers 0 to 5, which a loop may need. */
static bool may_call(const struct gen *g)
{
	int r;

	if (g->s.no_calls)
		return false;
	for (r = 0; r <= 5; r++)
		if (g->pinned >> r & 1)
			return false;
	return true;
}

static void map_ref(struct gen *g, enum fuzz_map m)
{
	emit(g, BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, m);
	emit(g, 0, 0, 0, 0, 0);
	g->p->maps |= 1u << m;
}

/* Put a key on the stack, and its address into R2. Return false if there is no room. */
static bool key(struct gen *g, enum fuzz_map m)
{
	int off = stack_place(g, map_def[m].key, false), r = opaque(g, 1);

	if (r < 0)
		r = pick(g, K_SCALAR);
	if (r < 0 || !off)
		return false;
	if (allowed(g, AVOID_CALL_KEY) && map_def[m].key == 4 && pick(g, K_STACK) >= 0) {
		mov(g, 2, pick(g, K_STACK));
		add_imm(g, 2, 4 * below(g, 4));
		return true;
	}
	mov(g, 2, r);
	emit(g, BPF_ALU64 | BPF_AND | BPF_K, 2, 0, 0, 7);
	emit(g, mem_code(BPF_STX, map_def[m].key), R10, 2, off, 0);
	stack_write(g, off, map_def[m].key);
	mov(g, 2, R10);
	add_imm(g, 2, off);
	return true;
}

static void helper(struct gen *g, int id)
{
	emit(g, BPF_JMP | BPF_CALL, 0, 0, 0, id);
	forget_caller_saved(g);
	set_scalar(g, 0);
}

/* Add atomically to a value: an unknown number, or a constant of less or more than 16 bits. */
static bool count(struct gen *g, int p)
{
	const struct reg *v = &g->s.r[p];
	int r, size = one_in(g, 2) ? 4 : 8, off;

	off = below(g, v->range / size) * size;
	if (off < v->off && !allowed(g, AVOID_VALUE_BELOW))
		return false;
	if (one_in(g, 2)) {
		r = opaque(g, 1 << below(g, 4));
	} else {
		r = pick_temp(g);
		if (r >= 0 && r != p) {
			mov_imm(g, r, any_imm(g));
			set_scalar(g, r);
		}
	}
	if (allowed(g, AVOID_PRUNED) && one_in(g, 2))
		r = pick(g, K_SCALAR);
	if (r < 0 || r == p)
		return false;
	emit(g, BPF_STX | BPF_ATOMIC | (size == 4 ? BPF_W : BPF_DW), p, r, off - v->off, BPF_ADD);
	return true;
}

static void use_value(struct gen *g, enum fuzz_map m)
{
	unsigned int n = 1 + below(g, 4);
	int r = pick_temp(g);

	if (r > 0 && !g->s.locked && one_in(g, 2)) {
		mov(g, r, 0);
		g->s.r[r] = g->s.r[0];
		g->s.r[r].off = 8 * below(g, map_def[m].value / 8);
		add_imm(g, r, g->s.r[r].off);
	} else {
		r = 0;
	}

	if (m == MAP_COUNTS || m == MAP_HASH_COUNTS) {
		while (n--) {
			g->unit = ++g->units;
			if (g->s.r[r].kind == K_VALUE)
				count(g, r);
			g->unit = 0;
		}
		block(g, below(g, 3));
		return;
	}
	block(g, n);
}

bool st_lookup(struct gen *g)
{
	enum fuzz_map m = below(g, MAPS);
	struct state other;
	unsigned int out;

	if (!may_call(g) || g->nesting >= 3 || !key(g, m))
		return false;
	map_ref(g, m);
	helper(g, BPF_FUNC_map_lookup_elem);
	out = emit(g, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 0, 0);
	forget(g, 0);
	other = g->s;
	g->s.r[0] = (struct reg){ .kind = K_VALUE, .range = map_def[m].value, .map = m };
	g->nesting++;
	use_value(g, m);
	g->nesting--;
	land(g, out);
	/* In the next round of a loop R0 must not be a pointer either. */
	if (g->s.r[0].kind == K_VALUE)
		forget(g, 0);
	merge(g, &other);
	return true;
}

bool st_update(struct gen *g)
{
	enum fuzz_map m = one_in(g, 2) ? MAP_ARRAY : MAP_HASH;
	int size = map_def[m].value, value, i, r = pick(g, K_SCALAR);

	/* The value lies below the key on the stack. */
	if (!may_call(g) || g->stack < map_def[m].value + 16 || r < 0)
		return false;
	value = -(int)g->stack + 4 * (int)below(g, 3);
	if (value % 8)
		value -= 4;
	for (i = 0; i < size; i += 8)
		emit(g, mem_code(BPF_STX, 8), R10, r, value + i, 0);
	stack_write(g, value, size);
	if (!key(g, m))
		return false;
	mov(g, 3, R10);
	add_imm(g, 3, value);
	mov_imm(g, 4, below(g, 3));
	map_ref(g, m);
	helper(g, BPF_FUNC_map_update_elem);
	return true;
}

bool st_delete(struct gen *g)
{
	if (!may_call(g) || !key(g, MAP_HASH))
		return false;
	map_ref(g, MAP_HASH);
	helper(g, BPF_FUNC_map_delete_elem);
	return true;
}

/* Call get_prandom_u32() and discard the number, which differs between card and host. */
bool st_random(struct gen *g)
{
	if (!may_call(g))
		return false;
	helper(g, BPF_FUNC_get_prandom_u32);
	emit(g, BPF_ALU64 | BPF_AND | BPF_K, 0, 0, 0, 0);
	return true;
}

/* ---- the ends of the packet ---- */

static void moved(struct gen *g, bool grown)
{
	unsigned int i;

	for (i = 0; i < R10; i++)
		if (g->s.r[i].kind == K_PKT)
			forget(g, i);
	for (i = 0; i < STACK_MAX / 8; i++)
		if (g->s.slot[i].kind == K_PKT)
			g->s.slot[i] = (struct reg){ .kind = K_LOST };
	/* The result of the helper is a number: keep it over the reload. */
	mov(g, 1, 0);
	set_scalar(g, 1);
	g->pinned |= 1u << 1;
	g->uninit |= grown;
	reload(g, 60);
	/* Overwrite the new bytes in front, which differ between card and host. */
	for (i = 0; grown && i < 40; i += 8)
		emit(g, mem_code(BPF_STX, 8), g->pkt, 1, i, 0);
	g->pinned &= ~(1u << 1);
}

static bool may_move(const struct gen *g)
{
	return g->ctx >= 0 && may_call(g) && !g->s.locked;
}

/* Cut the packet at its end, so that most packets are too short to be cut at the head as well. */
static void cut(struct gen *g)
{
	mov_imm(g, 2, -30 - (int)below(g, 16));
	mov(g, 1, g->ctx);
	helper(g, BPF_FUNC_xdp_adjust_tail);
	g->adjusted_tail = true;
}

bool st_head(struct gen *g)
{
	bool constant = one_in(g, 2);
	int by, r;

	if (!may_move(g))
		return false;
		/*
		 * The card does not check a single call by a constant, because each packet is long
		 * enough for it, but not a packet that another call has shortened.
		 */
	if (constant && (g->adjusted_head || g->adjusted_tail) &&
	    !allowed(g, AVOID_HEAD_UNCHECKED))
		return false;
	by = allowed(g, AVOID_HEADROOM) && one_in(g, 2) ? -100 : (int)below(g, 72) - 36;
	if (allowed(g, AVOID_HEAD_UNCHECKED))
		by = 20 + below(g, 16);
	if (!allowed(g, AVOID_HEADROOM) &&
	    (g->head + abs(by) > ADD_MAX || g->head_back + abs(by) > SUB_MAX))
		return false;
	if (constant) {
		if (allowed(g, AVOID_HEAD_UNCHECKED))
			cut(g);
		mov_imm(g, 2, by);
	} else {
		r = opaque(g, 1);
		if (r < 0)
			return false;
		mov(g, 2, r);
		emit(g, BPF_ALU64 | BPF_AND | BPF_K, 2, 0, 0, 15);
		if (by < 0)
			emit(g, BPF_ALU64 | BPF_NEG, 2, 0, 0, 0);
		by = by < 0 ? -15 : 15;
	}
	g->head += abs(by);
	g->head_back += abs(by);
	g->adjusted_head = true;
	mov(g, 1, g->ctx);
	helper(g, BPF_FUNC_xdp_adjust_head);
	moved(g, by < 0);
	return true;
}

bool st_tail(struct gen *g)
{
	int r;

	if (!may_move(g) || (g->adjusted_head && !allowed(g, AVOID_HEAD_UNCHECKED) &&
			     !g->adjusted_tail && one_in(g, 2)))
		return false;
	g->adjusted_tail = true;
	if (allowed(g, AVOID_TAIL_ZERO) && one_in(g, 3)) {
		mov_imm(g, 2, 0);
	} else if (allowed(g, AVOID_TAIL_GROW) && one_in(g, 3)) {
		mov_imm(g, 2, 1 + below(g, 20));
	} else if (one_in(g, 2)) {
		mov_imm(g, 2, -1 - (int)below(g, one_in(g, 4) ? 300 : 20));
	} else {
		r = opaque(g, 1);
		if (r < 0)
			return false;
		mov(g, 2, r);
		emit(g, BPF_ALU64 | BPF_OR | BPF_K, 2, 0, 0, 1);
		emit(g, BPF_ALU64 | BPF_NEG, 2, 0, 0, 0);
	}
	mov(g, 1, g->ctx);
	helper(g, BPF_FUNC_xdp_adjust_tail);
	moved(g, false);
	return true;
}

/* ---- functions ---- */

/* Return a function that may be called from here, an existing or a new one; -1: none. */
static int function(struct gen *g)
{
	unsigned int i, n = 0;

	for (i = 0; i < g->funcs; i++)
		if (g->func[i].level == g->level + 1 && !g->func[i].start && one_in(g, 2))
			return i;
	if (g->funcs == FUNCS || g->level >= 2)
		return -1;
	n = g->funcs++;
	g->func[n] = (struct func){ .level = g->level + 1 };
	switch (below(g, 3)) {
	case 0:
		g->func[n].arg = K_STACK;
		break;
	case 1:
		g->func[n].arg = K_PKT;
		break;
	}
	return n;
}

/* Put an argument of kind @k into R3. Return false if there is none. */
static bool argument(struct gen *g, enum kind k)
{
	int r, off;

	if (k == K_PKT) {
		r = pick(g, K_PKT);
		if (r < 0 || g->s.r[r].range - g->s.r[r].off < 16)
			return false;
		mov(g, 3, r);
	} else if (k == K_STACK) {
		if (g->stack < 16)
			return false;
		off = -(int)(16 + 8 * below(g, g->stack / 8 - 1));
		r = pick(g, K_SCALAR);
		if (r < 0)
			return false;
		emit(g, mem_code(BPF_STX, 8), R10, r, off, 0);
		emit(g, mem_code(BPF_STX, 8), R10, r, off + 8, 0);
		stack_write(g, off, 16);
		mov(g, 3, R10);
		add_imm(g, 3, off);
	}
	return true;
}

bool st_call(struct gen *g)
{
	unsigned int before = g->funcs;
	int f, a, b;

	if (!may_call(g) || g->stack > 128 || g->calls == sizeof(g->call) / sizeof(g->call[0]))
		return false;
	f = function(g);
	if (f < 0 || !argument(g, g->func[f].arg)) {
		g->funcs = before;
		return false;
	}
	a = pick(g, K_SCALAR);
	b = pick(g, K_SCALAR);
	/* R3 is the pointer by now, and R1 may be the number meant for R2. */
	if (a < 0 || a == 3)
		mov_imm(g, 1, any_imm(g));
	else
		mov(g, 1, a);
	if (b < 0 || b == 3)
		mov_imm(g, 2, any_imm(g));
	else
		mov(g, 2, b);
	g->call[g->calls].at = emit(g, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0);
	g->call[g->calls].func = f;
	g->calls++;
	forget_caller_saved(g);
	set_scalar(g, 0);
	/* The function may have several paths, which join here. */
	g->s.joined = true;
	return true;
}
