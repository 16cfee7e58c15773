// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* gen_pkt.c - statements with pointers into the packet, and into map values. */
#include <linux/if_ether.h>

#include "gen.h"

#define COPY_MAX	128	/* bytes */
#define COPY_SPARE	200	/* instructions that may come after a copy */

static int any_size(struct gen *g)
{
	return 1 << below(g, 4);
}

/* Choose an offset from pointer @r for @size bytes. Return false if there is no room. */
static bool place(struct gen *g, int r, int size, int *off)
{
	const struct reg *p = &g->s.r[r];
	int room = p->range - size;

	if (room < 0)
		return false;
	*off = (int)below(g, room + 1) - p->off;
	/* For an offset below the pointer, the JIT computes a wrong address in a value. */
	if (p->kind == K_VALUE && *off < 0 && !allowed(g, AVOID_VALUE_BELOW))
		return false;
	return true;
}

static int pick_source(struct gen *g)
{
	int r = one_in(g, 3) ? pick(g, K_VALUE) : -1;

	/* A program must not read words that it adds to atomically. */
	if (r >= 0 && g->s.r[r].map != MAP_ARRAY && g->s.r[r].map != MAP_HASH)
		r = -1;
	return r < 0 ? pick(g, K_PKT) : r;
}

/* Emit some loads in a row, which the JIT may combine into one read. */
bool st_load(struct gen *g)
{
	int src = pick_source(g), n = 1 + below(g, 4), size, dst, off;

	if (src < 0)
		return false;
	while (n--) {
		size = any_size(g);
		dst = pick_dst(g);
		if (dst < 0 || !place(g, src, size, &off))
			break;
		emit(g, mem_code(BPF_LDX, size), dst, src, off, 0);
		set_scalar(g, dst);
		if (dst == src)
			break;
	}
	return true;
}

bool st_store(struct gen *g)
{
	int dst = pick(g, K_PKT), src = pick(g, K_SCALAR), size = any_size(g), off;
	const struct bpf_insn *last = &g->p->insn[g->p->n - 1];

	if (dst < 0 || src < 0 || !place(g, dst, size, &off))
		return false;
		/* The JIT would make a load and its store one copy: only st_copy() makes these. */
	if (last->code == mem_code(BPF_LDX, size) && last->dst_reg == src)
		mov(g, src, src);
	emit(g, mem_code(BPF_STX, size), dst, src, off, 0);
	return true;
}

/* ---- copies ---- */

struct copy {
	int src, dst;		/* registers */
	int from, to;		/* offsets of the lowest byte from the registers */
	int width, count;
	bool down;
};

static bool overlap_partly(const struct gen *g, const struct copy *c)
{
	const struct reg *s = &g->s.r[c->src], *d = &g->s.r[c->dst];
	int by = (d->off + c->to) - (s->off + c->from), len = c->width * c->count;

	/* With different bases the JIT assumes nothing about an overlap. */
	return s->kind == K_PKT && s->id == d->id && by > -len && by < len && by % c->width;
}

/* Say whether the JIT puts the last bytes, which follow whole words, 256 bytes off. */
static bool tail_lost(const struct copy *c)
{
	int len = c->width * c->count;

	return len > 40 && len % 4 && c->to + len / 4 * 4 > 255;
}

static void copy_emit(struct gen *g, const struct copy *c, int t)
{
	int i;

	for (i = 0; i < c->count; i++) {
		int at = (c->down ? c->count - 1 - i : i) * c->width;

		emit(g, mem_code(BPF_LDX, c->width), t, c->src, c->from + at, 0);
		emit(g, mem_code(BPF_STX, c->width), c->dst, t, c->to + at, 0);
	}
	set_scalar(g, t);
	/* Overwrite the register: after a combined copy the JIT leaves it unset. */
	if (!allowed(g, AVOID_COPY_LAST) || one_in(g, 2))
		mov_imm(g, t, any_imm(g));
}

bool st_copy(struct gen *g)
{
	struct copy c = { .width = any_size(g), .down = one_in(g, 3) };
	int t = pick_temp(g), len;

	/* Up to the largest copy that the JIT combines */
	c.count = 1 + below(g, one_in(g, 4) ? COPY_MAX / c.width : 20);
	if (allowed(g, AVOID_COPY_TAIL) && one_in(g, 2)) {
		c.width = 1;
		c.count = 41 + below(g, COPY_MAX - 41);
	}
	c.src = pick_source(g);
	c.dst = pick(g, K_PKT);
	if (c.src < 0 || c.dst < 0 || t < 0 || t == c.src || t == c.dst)
		return false;
	len = c.width * c.count;
	if (!place(g, c.src, len, &c.from) || !place(g, c.dst, len, &c.to))
		return false;
	/* Choose an offset that far on purpose, since it rarely is so by chance. */
	if (allowed(g, AVOID_COPY_TAIL) && one_in(g, 2))
		c.to = g->s.r[c.dst].range - len - g->s.r[c.dst].off;
	if (overlap_partly(g, &c) && !allowed(g, AVOID_COPY_OVERLAP))
		return false;
	if (tail_lost(&c) && !allowed(g, AVOID_COPY_TAIL))
		return false;
	if (g->p->n + 2 * c.count + COPY_SPARE > INSNS_MAX)
		return false;
	copy_emit(g, &c, t);
	return true;
}

/* ---- pointers ---- */

/* Make another pointer of the same base. */
bool st_pointer(struct gen *g)
{
	int src = one_in(g, 3) ? pick(g, K_VALUE) : -1, dst = pick_temp(g), by;

	if (src < 0)
		src = pick(g, K_PKT);
	if (src < 0 || dst < 0 || dst == src || g->s.locked ||
	    g->s.r[src].range < g->s.r[src].off)
		return false;
	by = below(g, g->s.r[src].range - g->s.r[src].off + 1);
	mov(g, dst, src);
	g->s.r[dst] = g->s.r[src];
	if (by) {
		add_imm(g, dst, by);
		g->s.r[dst].off += by;
	}
		/* Subtract again. */
	if (by > 1 && g->s.r[src].kind == K_PKT && one_in(g, 3)) {
		add_imm(g, dst, -1);
		g->s.r[dst].off--;
	}
	return true;
}

/* Emit a check that the packet has @range bytes from @r, else a jump. @t, @t2 are overwritten. */
static unsigned int check(struct gen *g, int r, int range, int t, int t2)
{
	static const uint8_t ops[] = { BPF_JGT, BPF_JLT, BPF_JGE, BPF_JLE };
	unsigned int op = below(g, 4), ok, out;

	mov(g, t, r);
	add_imm(g, t, range);
	emit(g, mem_code(BPF_LDX, 4), t2, g->ctx, 4, 0);
	forget(g, t);
	forget(g, t2);
	if (op < 2)
		return emit(g, BPF_JMP | ops[op] | BPF_X, op ? t2 : t, op ? t : t2, 0, 0);
	/* Invert the condition: jump over the exit if the bytes are there. */
	ok = emit(g, BPF_JMP | ops[op] | BPF_X, op == 2 ? t2 : t, op == 2 ? t : t2, 0, 0);
	out = emit(g, BPF_JMP | BPF_JA, 0, 0, 0, 0);
	land(g, ok);
	return out;
}

static void checked(struct gen *g, unsigned int id, int range)
{
	unsigned int i;

	for (i = 0; i < R10; i++)
		if (g->s.r[i].kind == K_PKT && g->s.r[i].id == id && g->s.r[i].range < range)
			g->s.r[i].range = range;
	for (i = 0; i < STACK_MAX / 8; i++)
		if (g->s.slot[i].kind == K_PKT && g->s.slot[i].id == id &&
		    g->s.slot[i].range < range)
			g->s.slot[i].range = range;
}

/* Choose two temporary registers that are not @r. */
static bool two_temps(struct gen *g, int r, int *t, int *t2)
{
	*t = pick_temp(g);
	*t2 = pick_temp(g);
	return *t >= 0 && *t2 >= 0 && *t != *t2 && *t != r && *t2 != r;
}

/* Make a pointer whose base depends on the packet. */
bool st_variable(struct gen *g)
{
	int n, dst, t, t2, range = 1 + below(g, 24);
	struct state other;
	unsigned int out;

	if (g->ctx < 0 || g->s.locked || g->nesting >= 3)
		return false;
	dst = pick_temp(g);
	if (dst < 0 || !two_temps(g, dst, &t, &t2))
		return false;
	n = opaque(g, 1);
	if (n < 0 || n == dst || n == t || n == t2)
		return false;
	emit(g, BPF_ALU64 | BPF_AND | BPF_K, n, 0, 0, one_in(g, 2) ? 31 : 127);
	mov(g, dst, g->pkt);
	emit(g, BPF_ALU64 | BPF_ADD | BPF_X, dst, n, 0, 0);
	g->s.r[dst] = (struct reg){ .kind = K_PKT, .id = ++g->ids };
	out = check(g, dst, range, t, t2);
	other = g->s;
	checked(g, g->s.r[dst].id, range);
	g->nesting++;
	block(g, 1 + below(g, 4));
	g->nesting--;
	land(g, out);
	merge(g, &other);
	return true;
}

/* Access more of the packet, if it is long enough. */
bool st_check(struct gen *g)
{
	int t, t2, range = 61 + below(g, 300);
	struct state other;
	unsigned int out;

	if (g->ctx < 0 || g->s.locked || g->nesting >= 2 || !two_temps(g, -1, &t, &t2))
		return false;
	out = check(g, g->pkt, range, t, t2);
	other = g->s;
	checked(g, 0, range);
	g->nesting++;
	block(g, 1 + below(g, 6));
	g->nesting--;
	land(g, out);
	merge(g, &other);
	return true;
}

void reload(struct gen *g, int range)
{
	unsigned int out, on;
	int t, t2;

	while (!two_temps(g, g->pkt, &t, &t2))
		;
	emit(g, mem_code(BPF_LDX, 4), g->pkt, g->ctx, 0, 0);
	g->s.r[g->pkt] = (struct reg){ .kind = K_PKT };
	out = check(g, g->pkt, range, t, t2);
	on = emit(g, BPF_JMP | BPF_JA, 0, 0, 0, 0);
	land(g, out);
	mov_imm(g, 0, g->uninit ? XDP_DROP : below(g, 4));
	emit(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	land(g, on);
	checked(g, 0, range);
}

/* Make a pointer that differs by path, and load through it and through another pointer. */
bool st_paths(struct gen *g)
{
	int p = pick_temp(g), a, b;
	unsigned int jump;

	if (!allowed(g, AVOID_CACHE_PATHS) || p < 0 || g->pkt < 0 || !two_temps(g, p, &a, &b) ||
	    g->s.r[g->pkt].range < 40)
		return false;
	mov(g, p, g->pkt);
	emit(g, mem_code(BPF_LDX, 1), a, g->pkt, 14, 0);
	jump = emit(g, BPF_JMP | BPF_JGT | BPF_K, a, 0, 0, 127);
	add_imm(g, p, 4);
	land(g, jump);
	emit(g, mem_code(BPF_LDX, 4), a, p, 16, 0);
	emit(g, mem_code(BPF_LDX, 4), b, g->pkt, 20, 0);
	set_scalar(g, a);
	set_scalar(g, b);
	forget(g, p);
	g->s.joined = true;
	return true;
}
