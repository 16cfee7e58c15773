// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * gen.c - generate programs: registers, blocks, and the frame of each program.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "random.h"

#define PKT_MIN		60	/* smallest length of a packet */
#define SPARE		220	/* instructions reserved for the end of a program and a statement */

/* ---- random choices ---- */

static uint64_t draw(struct gen *g)
{
	return random_mix(&g->rng);
}

uint32_t below(struct gen *g, uint32_t n)
{
	return draw(g) % n;
}

bool one_in(struct gen *g, uint32_t n)
{
	return !below(g, n);
}

int32_t any_imm(struct gen *g)
{
	static const int32_t edge[] = {
		0, 1, -1, 2, 3, 7, 8, 31, 32, 63, 64, 127, 128, 255, 256, -128, -256, 0x7fff,
		0x8000, 0xffff, 0x10000, -0x8000, -0x10000, 0xff00, 0xff0000, 0x12340000,
		INT32_MAX, INT32_MIN + 1, 0x55555555,
	};
	uint32_t v = draw(g);

	switch (below(g, 4)) {
	case 0:
		return edge[below(g, sizeof(edge) / sizeof(edge[0]))];
	case 1:
		return (int32_t)v >> (v & 31);
	case 2:
		return v & 0xffff;
	}
	if (v == 1u << 31 || (allowed(g, AVOID_IMM_MIN) && one_in(g, 4)))
		return allowed(g, AVOID_IMM_MIN) ? INT32_MIN : 1;
	return v;
}

bool allowed(const struct gen *g, enum avoid a)
{
	return g->allow >> a & 1;
}

/* ---- instructions ---- */

unsigned int emit(struct gen *g, uint8_t code, int dst, int src, int off, int32_t imm)
{
	struct program *p = g->p;

	if (p->n == INSNS_MAX)
		abort();
	p->insn[p->n] = (struct bpf_insn){
		.code = code, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm,
	};
	p->unit[p->n] = g->unit;
	return p->n++;
}

void mov(struct gen *g, int dst, int src)
{
	emit(g, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

void mov_imm(struct gen *g, int dst, int32_t imm)
{
	emit(g, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

void add_imm(struct gen *g, int dst, int32_t imm)
{
	emit(g, BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, imm);
}

void land(struct gen *g, unsigned int at)
{
	g->p->insn[at].off = g->p->n - at - 1;
}

uint8_t mem_code(int class, int size)
{
	int s = size == 1 ? BPF_B : size == 2 ? BPF_H : size == 4 ? BPF_W : BPF_DW;

	return class | BPF_MEM | s;
}

/* ---- registers ---- */

static int pick_of(struct gen *g, uint32_t regs)
{
	unsigned int n = __builtin_popcount(regs), k;
	int r;

	if (!n)
		return -1;
	k = below(g, n);
	for (r = 0; k || !(regs >> r & 1); r++)
		k -= regs >> r & 1;
	return r;
}

int pick(struct gen *g, enum kind k)
{
	uint32_t regs = 0;
	int r;

	for (r = 0; r < R10; r++)
		if (g->s.r[r].kind == k)
			regs |= 1u << r;
	return pick_of(g, regs);
}

static uint32_t free_regs(struct gen *g, bool temp)
{
	uint32_t regs = 0;
	int r;

	for (r = 0; r < R10; r++) {
		enum kind k = g->s.r[r].kind;

		if (g->pinned >> r & 1)
			continue;
		if (!g->s.locked || k == K_NONE || (k == K_SCALAR && !temp))
			regs |= 1u << r;
	}
	return regs;
}

int pick_dst(struct gen *g)
{
	return pick_of(g, free_regs(g, false));
}

int pick_temp(struct gen *g)
{
	return pick_of(g, free_regs(g, true));
}

void set_scalar(struct gen *g, int r)
{
	g->s.r[r] = (struct reg){ .kind = K_SCALAR };
}

void forget(struct gen *g, int r)
{
	g->s.r[r] = (struct reg){ .kind = K_NONE };
}

void forget_caller_saved(struct gen *g)
{
	int r;

	for (r = 0; r <= 5; r++)
		forget(g, r);
}

/* Return a register that holds a number; make one if there is none. */
static int scalar(struct gen *g)
{
	int r = pick(g, K_SCALAR);

	if (r < 0) {
		r = pick_dst(g);
		if (r >= 0) {
			mov_imm(g, r, any_imm(g));
			set_scalar(g, r);
		}
	}
	return r;
}

int opaque(struct gen *g, int size)
{
	int base = pick(g, K_PKT), dst = pick_dst(g), room;

	if (base < 0 || dst < 0 || dst == base)
		return -1;
	room = g->s.r[base].range - g->s.r[base].off - size;
	if (room < 0)
		return -1;
	emit(g, mem_code(BPF_LDX, size), dst, base, below(g, room + 1), 0);
	set_scalar(g, dst);
	return dst;
}

/* ---- merging the states of paths ---- */

static bool same_reg(const struct reg *a, const struct reg *b)
{
	return a->kind == b->kind && a->off == b->off && a->id == b->id && a->map == b->map;
}

static void merge_reg(struct reg *a, const struct reg *b)
{
	if (!same_reg(a, b))
		*a = (struct reg){ .kind = K_NONE };
	else if (b->range < a->range)
		a->range = b->range;
}

void merge(struct gen *g, const struct state *other)
{
	struct state *s = &g->s;
	unsigned int i;

	for (i = 0; i < R10; i++)
		merge_reg(&s->r[i], &other->r[i]);
	for (i = 0; i < STACK_MAX / 8; i++) {
		bool pointer = s->slot[i].kind || other->slot[i].kind;

		merge_reg(&s->slot[i], &other->slot[i]);
		if (pointer && !s->slot[i].kind)
			s->slot[i].kind = K_LOST;
	}
	for (i = 0; i < STACK_MAX; i++)
		s->init[i] = s->init[i] && other->init[i];
	s->joined = true;
}

/* ---- control flow ---- */

unsigned int condition(struct gen *g)
{
	static const uint8_t ops[] = {
		BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE, BPF_JSGT, BPF_JSGE,
		BPF_JSLT, BPF_JSLE, BPF_JSET,
	};
	int class = one_in(g, 2) ? BPF_JMP : BPF_JMP32, dst = scalar(g), src = pick(g, K_SCALAR);
	uint8_t op = ops[below(g, sizeof(ops))];

	if (dst < 0) {
		dst = 0;	/* no register is free: use R0, with any value */
		mov_imm(g, 0, 0);
		set_scalar(g, 0);
	}
	if (src < 0 || one_in(g, 2))
		return emit(g, class | op | BPF_K, dst, 0, 0, any_imm(g));
	return emit(g, class | op | BPF_X, dst, src, 0, 0);
}

static bool st_if(struct gen *g)
{
	unsigned int jump, end;
	struct state other;

	if (g->nesting >= 3 || (g->s.locked && pick(g, K_SCALAR) < 0))
		return false;
	jump = condition(g);
	other = g->s;
	g->nesting++;
	block(g, 1 + below(g, 4));
	if (one_in(g, 2)) {
		land(g, jump);
	} else {
		struct state s = g->s;

		end = emit(g, BPF_JMP | BPF_JA, 0, 0, 0, 0);
		land(g, jump);
		g->s = other;
		block(g, 1 + below(g, 4));
		land(g, end);
		other = s;
	}
	merge(g, &other);
	g->nesting--;
	return true;
}

/* Return a verdict, usually XDP_PASS or XDP_TX, for which the packet can be compared. */
static int any_verdict(struct gen *g)
{
	return one_in(g, 4) ? below(g, 5) : XDP_PASS + below(g, 2);
}

/* Exit with a verdict, under a condition. */
static bool st_exit(struct gen *g)
{
	unsigned int jump;

	if (g->s.locked && pick(g, K_SCALAR) < 0)
		return false;
	jump = condition(g);
	mov_imm(g, 0, any_verdict(g));
	emit(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	land(g, jump);
	/* R0's state is unchanged: the path that wrote to R0 has ended. */
	return true;
}

static bool st_loop(struct gen *g)
{
	unsigned int head;
	int n = 6 + below(g, 4);

	if (g->s.locked || g->nesting >= 2 || g->pinned >> n & 1)
		return false;
	mov_imm(g, n, 1 + below(g, 3));
	set_scalar(g, n);
	g->pinned |= 1u << n;
	g->s.no_calls = one_in(g, 2);
	if (!g->s.no_calls)
		forget_caller_saved(g);
	g->s.joined = true;
	g->s.locked = true;
	head = g->p->n;
	g->nesting++;
	block(g, 1 + below(g, 4));
	g->nesting--;
	add_imm(g, n, -1);
	emit(g, BPF_JMP | BPF_JNE | BPF_K, n, 0, (int)head - (int)g->p->n - 1, 0);
	g->s.locked = false;
	g->s.no_calls = false;
	g->pinned &= ~(1u << n);
	return true;
}

/*
 * @whole: a reduction must not remove a part of the statement, because the rest could be one of the
 *	avoided differences
 */
static const struct {
	statement *emit;
	unsigned int weight;
	bool whole;
} statements[] = {
	{ st_alu, 6, false }, { st_mov, 2, false }, { st_shift_imm, 2, false },
	{ st_shift_reg, 2, true }, { st_mul, 2, true }, { st_div, 1, true },
	{ st_end, 1, false }, { st_neg, 1, false }, { st_wide, 1, false },
	{ st_load, 4, false }, { st_store, 2, false }, { st_copy, 2, true },
	{ st_pointer, 1, false }, { st_variable, 1, false }, { st_check, 1, false },
	{ st_paths, 1, false }, { st_stack_store, 2, false }, { st_stack_load, 2, false },
	{ st_stack_pointer, 1, false }, { st_stack_either, 1, false }, { st_spill, 1, false },
	{ st_fill, 1, false }, { st_caller_stack, 1, false }, { st_lookup, 2, false },
	{ st_update, 1, false }, { st_delete, 1, false }, { st_random, 1, true },
	{ st_head, 1, true }, { st_tail, 1, true }, { st_call, 1, false }, { st_if, 3, false },
	{ st_exit, 1, false }, { st_loop, 1, false },
};

#define STATEMENTS	(sizeof(statements) / sizeof(statements[0]))

/* Add the last result to the sum: otherwise it may be overwritten and never compared. */
static void digest(struct gen *g)
{
	static const uint8_t ops[] = { BPF_ADD, BPF_SUB, BPF_XOR };
	int r = g->p->insn[g->p->n - 1].dst_reg;

	if (g->sum >= 0 && r < R10 && g->s.r[r].kind == K_SCALAR && r != g->sum && one_in(g, 2))
		emit(g, BPF_ALU64 | ops[below(g, 3)] | BPF_X, g->sum, r, 0, 0);
}

static bool any_statement(struct gen *g)
{
	unsigned int i, sum = 0, outer = g->unit;
	bool done;

	for (i = 0; i < STATEMENTS; i++)
		sum += statements[i].weight;
	sum = below(g, sum);
	for (i = 0; sum >= statements[i].weight; i++)
		sum -= statements[i].weight;
	if (statements[i].whole)
		g->unit = ++g->units;
	done = statements[i].emit(g);
	g->unit = outer;
	if (done)
		digest(g);
	return done;
}

void block(struct gen *g, unsigned int n)
{
	unsigned int tries;

	for (tries = 8 * n; n && tries; tries--) {
		if (g->p->n > INSNS_MAX - SPARE - 40 * g->nesting)
			return;
		n -= any_statement(g);
	}
}

/* ---- the program ---- */

/* Load random numbers into some registers. */
static void numbers(struct gen *g, unsigned int n)
{
	while (n--) {
		int r = pick_dst(g);

		if (r < 0)
			return;
		mov_imm(g, r, any_imm(g));
		set_scalar(g, r);
	}
}

static void begin_sum(struct gen *g)
{
	do
		g->sum = 6 + below(g, 4);
	while (g->pinned >> g->sum & 1);
	mov_imm(g, g->sum, 0);
	set_scalar(g, g->sum);
	g->pinned |= 1u << g->sum;
}

/* Handle the marks: pass one, send the other back. */
static void marks(struct gen *g)
{
	int r = pick_temp(g);
	unsigned int next;

	emit(g, mem_code(BPF_LDX, 2), r, g->pkt, 12, 0);
	next = emit(g, BPF_JMP | BPF_JNE | BPF_K, r, 0, 0, htons(MARK_PASS));
	mov_imm(g, 0, XDP_PASS);
	emit(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	land(g, next);
	next = emit(g, BPF_JMP | BPF_JNE | BPF_K, r, 0, 0, htons(MARK_TX));
	mov_imm(g, 0, XDP_TX);
	emit(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	land(g, next);
	forget(g, r);
}

static void begin(struct gen *g)
{
	g->ctx = 6 + below(g, 4);
	do
		g->pkt = 6 + below(g, 4);
	while (g->pkt == g->ctx);
	g->pinned = 1u << g->ctx | 1u << g->pkt;
	mov(g, g->ctx, 1);
	g->s.r[g->ctx].kind = K_CTX;
	reload(g, one_in(g, 8) ? PKT_MIN + below(g, 200) : PKT_MIN);
	marks(g);
}

/* Write results to the packet, where they are compared. */
static void show(struct gen *g)
{
	int at = 14, off, r;

	emit(g, mem_code(BPF_STX, 8), g->pkt, g->sum, at, 0);
	at += 8;
	for (r = 0; r < R10; r++) {
		if (g->s.r[r].kind != K_SCALAR || at > PKT_MIN - 8 || one_in(g, 4) ||
		    r == g->sum)
			continue;
		emit(g, mem_code(BPF_STX, 8), g->pkt, r, at, 0);
		at += 8;
	}
	for (r = 0; r < 3 && at <= PKT_MIN - 8; r++) {
		off = stack_place(g, 8, true);
		if (!off)
			continue;
		emit(g, mem_code(BPF_LDX, 8), 0, R10, off, 0);
		set_scalar(g, 0);
		emit(g, mem_code(BPF_STX, 8), g->pkt, 0, at, 0);
		at += 8;
	}
}

static void verdict(struct gen *g)
{
	int r = pick(g, K_SCALAR);

	if (r < 0 || one_in(g, 8)) {
		mov_imm(g, 0, any_verdict(g));
	} else {
		mov(g, 0, r);
		/* usually XDP_PASS or XDP_TX, so that the packet can be compared */
		if (!one_in(g, 4)) {
			emit(g, BPF_ALU64 | BPF_AND | BPF_K, 0, 0, 0, 1);
			add_imm(g, 0, XDP_PASS);
		} else if (!one_in(g, 4)) {
			emit(g, BPF_ALU | BPF_AND | BPF_K, 0, 0, 0, 3);
		}
	}
	emit(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static void function(struct gen *g, struct func *f)
{
	int r;

	memset(&g->s, 0, sizeof(g->s));
	f->start = g->p->n;
	g->level = f->level;
	g->ctx = -1;
	g->pkt = -1;
	g->sum = -1;
	g->pinned = 0;
	g->stack = 8 + 8 * below(g, 6);
	g->s.joined = true;
	set_scalar(g, 1);
	set_scalar(g, 2);
	g->s.r[3] = (struct reg){ .kind = f->arg, .range = 16, .id = ++g->ids };
	if (f->arg != K_NONE && one_in(g, 2)) {
		r = 6 + below(g, 4);
		mov(g, r, 3);
		g->s.r[r] = g->s.r[3];
		g->pinned = 1u << r;
	}
	/* A function that does not use registers 6 to 9 is called in a different way. */
	if (one_in(g, 2))
		begin_sum(g);
	/* Make the combination on purpose: by chance hardly any function has it. */
	if (f->arg == K_STACK && allowed(g, AVOID_CALL_BYTE) && st_caller_stack(g))
		digest(g);
	block(g, 2 + below(g, 8));
	r = g->sum < 0 ? pick(g, K_SCALAR) : g->sum;
	if (r < 0)
		mov_imm(g, 0, any_imm(g));
	else
		mov(g, 0, r);
	emit(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

void generate(struct program *p, uint64_t seed, uint32_t allow)
{
	struct gen g = { .p = p, .rng = seed, .allow = allow };
	unsigned int i;

	memset(p, 0, sizeof(*p));
	p->seed = seed;
	g.stack = 8 * (1 + below(&g, one_in(&g, 3) ? STACK_MAX / 8 : 12));
	begin(&g);
	p->head = p->n;
	begin_sum(&g);
	numbers(&g, 1 + below(&g, 4));
	block(&g, 4 + below(&g, 24));
	show(&g);
	verdict(&g);
	/* Functions may add further functions, which come after them. */
	for (i = 0; i < g.funcs; i++)
		function(&g, &g.func[i]);
	for (i = 0; i < g.calls; i++)
		p->insn[g.call[i].at].imm = (int)g.func[g.call[i].func].start -
					    (int)g.call[i].at - 1;
}
