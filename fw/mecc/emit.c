// SPDX-License-Identifier: BSD-2-Clause
/* emit.c - instructions of the operations of a function, branch targets, waits for pointers. */
#include <stdlib.h>

#include "emit_int.h"

#define SIGNAL		1	/* of commands */
#define SIGNAL_PAIR	2	/* of those that pull and push: this and the next one (me_bus.c) */

static struct word *append(struct emit *e, const struct en_insn *in)
{
	struct image *img = e->img;

	img->w = room(img->w, img->n, sizeof(*img->w));
	img->w[img->n] = (struct word){ .in = *in, .at = e->at };
	return &img->w[img->n++];
}

/* Wait until the pointer of an operand has its new value. */
static void wait_for(struct emit *e, struct en_opnd o)
{
	while (o.k == EN_LM && e->img->n < e->ready[o.p])
		append(e, &(struct en_insn){ .class = EN_NOP });
}

struct word *emit_put(struct emit *e, struct en_insn in)
{
	in.d = mir_register(e->f, in.d);
	in.a = mir_register(e->f, in.a);
	in.b = mir_register(e->f, in.b);
	wait_for(e, in.d);
	wait_for(e, in.a);
	wait_for(e, in.b);
	return append(e, &in);
}

static void alu(struct emit *e, struct en_opnd d, struct en_opnd a, enum en_alu op,
		struct en_opnd b)
{
	emit_put(e, (struct en_insn){ .class = EN_ALU, .op = op, .d = d, .a = a, .b = b });
}

static const struct en_opnd none;

void emit_imm(struct emit *e, struct en_opnd d, uint32_t v)
{
	struct en_insn in = { .class = EN_IMMED, .d = d };
	unsigned int n;

	for (n = 0; n < 6; n++) {
		uint32_t x = n < 3 ? v : ~v;
		unsigned int shift = 8 * (n % 3);

		if ((x >> shift & 0xffff) << shift != x)
			continue;
		in.n = n % 3;
		in.flag = n >= 3;
		in.imm = x >> shift;
		emit_put(e, in);
		return;
	}
	in.imm = v & 0xffff;
	emit_put(e, in);
	emit_put(e, (struct en_insn){ .class = EN_IMMED_W1, .d = d, .imm = v >> 16 });
}

void emit_mov(struct emit *e, struct en_opnd d, struct en_opnd v)
{
	struct en_opnd to = mir_register(e->f, d), from = mir_register(e->f, v);

	if (v.k == EN_IMM)
		emit_imm(e, d, v.n);
	else if (to.k != from.k || to.n != from.n || to.p != from.p || to.k == EN_XFER)
		alu(e, d, none, EN_ALU_B, v);
}

static void address(struct emit *e, const struct minsn *in)
{
	struct word *w = emit_put(e, (struct en_insn){ .class = EN_IMMED, .d = in->d });

	w->reloc = RELOC_LO16;
	w->sym = in->sym;
	w->addend = in->imm;
	w = emit_put(e, (struct en_insn){ .class = EN_IMMED_W1, .d = in->d });
	w->reloc = RELOC_HI16;
	w->sym = in->sym;
	w->addend = in->imm;
}

/* A shift by a register: the amount is the A operand of the instruction before it. */
static void indirect(struct emit *e, struct en_insn in, struct en_opnd n, struct en_opnd sign)
{
	alu(e, none, n, EN_OR, sign);
	in.class = EN_SHF;
	in.n = EN_IND;
	emit_put(e, in);
}

/* asr takes the sign from the result of the instruction before it. */
static void asr(struct emit *e, struct en_opnd d, struct en_opnd v, unsigned int n)
{
	emit_put(e, (struct en_insn){ .class = EN_SHF, .op = EN_SHF_ASR, .sc = EN_SHR, .n = n, .d = d,
				 .b = v });
}

static void multiply(struct emit *e, const struct minsn *in)
{
	static const uint8_t steps[] = {
		[EN_MUL_32X32] = 4, [EN_MUL_16X16] = 2, [EN_MUL_24X8] = 1,
	};
	struct en_insn step = { .class = EN_MUL, .n = in->n, .a = in->s[0], .b = in->s[1] };

	for (step.op = 0; step.op <= steps[in->n]; step.op++)
		emit_put(e, step);
	emit_put(e, (struct en_insn){ .class = EN_MUL, .op = 5, .n = in->n, .d = in->d });
	if (in->d1.k != EN_NONE)
		emit_put(e, (struct en_insn){ .class = EN_MUL, .op = 6, .d = in->d1 });
}

static void compare(struct emit *e, const struct minsn *in)
{
	alu(e, none, in->s[0], EN_SUB, in->s[1]);
	if (in->wide)
		alu(e, none, in->s[2], EN_SUBC, in->s[3]);
}

/* Return: how many words were moved behind the last one, which belongs to the @words before it. */
static unsigned int fill(struct emit *e, unsigned int words, unsigned int max)
{
	unsigned int n = slots_fill(e->img, e->begin, words + 1, max);

	e->begin = e->img->n;
	return n;
}

/* Append a branch. The @words before it compare what it decides by. */
static void branch(struct emit *e, struct en_insn in, unsigned int block, unsigned int words)
{
	unsigned int n;

	emit_put(e, in);
	n = fill(e, words, in.class == EN_BR && in.op == EN_ALWAYS ? 2 : 3);
	e->fix = room(e->fix, e->fixes, sizeof(*e->fix));
	e->fix[e->fixes++] = (struct fixup){ e->img->n - 1 - n, block };
}

/* Skip the next instruction if the condition holds. */
static void skip_if(struct emit *e, enum en_cond cond)
{
	append(e, &(struct en_insn){ .class = EN_BR, .op = cond, .imm = e->img->n + 2 });
}

static void set(struct emit *e, const struct minsn *in)
{
	compare(e, in);
	emit_imm(e, in->d, 1);
	skip_if(e, in->alu);
	emit_imm(e, in->d, 0);
}

static void test_signal(struct emit *e, const struct minsn *in)
{
	emit_imm(e, in->d, 1);
	append(e, &(struct en_insn){ .class = EN_BR, .op = EN_SIG, .sig = in->n,
				     .imm = e->img->n + 2 });
	emit_imm(e, in->d, 0);
}

bool emit_same(const struct emit *e, struct en_opnd a, struct en_opnd b)
{
	a = mir_register(e->f, a);
	b = mir_register(e->f, b);
	return a.k == b.k && a.n == b.n && a.p == b.p;
}

static void choose(struct emit *e, const struct minsn *in)
{
	emit_mov(e, in->d, in->s[5]);
	if (emit_same(e, in->d, in->s[4]))
		internal("%s: select overwrites its source", e->f->name);
	compare(e, in);
	skip_if(e, en_inverse(in->alu));
	emit_mov(e, in->d, in->s[4]);
}

static void pointer(struct emit *e, unsigned int p, struct en_opnd v)
{
	static const unsigned int csr[] = { EN_CSR_LM0, EN_CSR_LM1, EN_CSR_LM2, EN_CSR_LM3 };

	emit_put(e, (struct en_insn){ .class = EN_CSR_WR, .imm = csr[p], .b = v });
	e->ready[p] = e->img->n + LM_LATENCY;
}

/* Pointers 2 and 3 lead to the registers that are kept in local memory. */
void emit_frame_pointers(struct emit *e)
{
	struct en_opnd t = e->f->program->calls ? scratch() : (struct en_opnd){ EN_A, 0, 0 };

	for (unsigned int i = 0; i < 2 && e->f->spilled > i * FRAME_POINTER; i++) {
		emit_imm(e, t, e->f->frame + i * 4 * FRAME_POINTER);
		if (routine_shared(e->f->self))
			alu(e, t, t, EN_ADD, ctx_base());
		pointer(e, 2 + i, t);
	}
}


/* Shifts; the fields of the word are those of the operation. */
static void emit_shift(struct emit *e, const struct minsn *in)
{
	const struct en_opnd *s = in->s;
	struct en_insn shf = {
		.class = EN_SHF, .op = in->alu, .sc = in->sc, .n = in->n, .d = in->d, .b = s[0],
	};

	switch (in->op) {
	case M_DBL:
	case M_DBLI:
		shf.sc = EN_DBL;
		/* fall through */
	case M_SHF:
		shf.a = s[0];
		shf.b = s[1];
		if (in->op == M_DBLI)
			indirect(e, shf, s[2], imm8(0));
		else
			emit_put(e, shf);
		break;
	case M_SHI:
		indirect(e, shf, s[1], imm8(0));
		break;
	case M_ASRI:
		shf.op = EN_SHF_ASR;
		shf.sc = EN_SHR;
		indirect(e, shf, s[1], s[0]);
		break;
	case M_ASR:
		alu(e, none, none, EN_ALU_B, s[0]);
		asr(e, in->d, s[0], in->n);
		break;
	case M_SEXT:
		shf.sc = EN_SHL;
		emit_put(e, shf);
		asr(e, in->d, in->d, in->n);
		break;
	}
}

static void emit_flow(struct emit *e, const struct minsn *in, unsigned int next)
{
	struct en_insn br = { .class = EN_BR, .op = in->alu };

	switch (in->op) {
	case M_BCC:
		compare(e, in);
		branch(e, br, in->imm, 1 + in->wide);
		break;
	case M_BBIT:
		br.class = EN_BR_BIT;
		br.n = in->n;
		br.b = in->s[0];
		branch(e, br, in->imm, 0);
		break;
	case M_BR:
		br.op = EN_ALWAYS;
		if (in->imm != next)
			branch(e, br, in->imm, 0);
		break;
	case M_RET:
		emit_return(e, in);
		break;
	}
}

static void command(struct emit *e, const struct minsn *in)
{
	unsigned int signal = in->op == M_ATOMIC && in->alu >= EN_ATOMIC_TEST_SET ? SIGNAL_PAIR :
			      SIGNAL;

	emit_put(e, (struct en_insn){ .class = EN_CMD, .op = in->alu, .n = in->n, .sig = signal,
				 .d = xfer(in->imm), .a = in->s[0], .b = in->s[1] });
	fill(e, 0, 2);
}

static void emit_insn(struct emit *e, const struct minsn *in, unsigned int next)
{
	const struct en_opnd *s = in->s;

	switch ((enum mop)in->op) {
	case M_IMM:
		emit_imm(e, in->d, in->imm);
		break;
	case M_ADDR:
		address(e, in);
		break;
	case M_MOV:
		emit_mov(e, in->d, s[0]);
		break;
	case M_ALU:
		alu(e, in->d, s[0], in->alu, s[1]);
		break;
	case M_LDF:
		emit_put(e, (struct en_insn){ .class = EN_LDF, .sc = in->sc, .n = in->n,
					 .mask = in->mask, .flag = in->flag, .d = in->d,
					 .b = s[0] });
		break;
	case M_MUL:
		multiply(e, in);
		break;
	case M_WIDE:
		alu(e, in->d, s[0], in->alu, s[1]);
		alu(e, in->d1, s[2], in->alu == EN_ADD ? EN_ADDC : EN_SUBC, s[3]);
		break;
	case M_SET:
		set(e, in);
		break;
	case M_SEL:
		choose(e, in);
		break;
	case M_LMP:
		pointer(e, in->n, s[0]);
		break;
	case M_READ:
	case M_WRITE:
	case M_ATOMIC:
		command(e, in);
		break;
	case M_CSR_RD:
		emit_put(e, (struct en_insn){ .class = EN_CSR_RD, .imm = in->imm });
		emit_put(e, (struct en_insn){ .class = EN_IMMED, .d = in->d });
		break;
	case M_CSR_WR:
		emit_put(e, (struct en_insn){ .class = EN_CSR_WR, .imm = in->imm, .b = s[0] });
		break;
	case M_ARB:
		emit_put(e, (struct en_insn){ .class = EN_ARB, .imm = in->imm, .flag = in->flag,
					 .op = in->alu });
		break;
	case M_SIGNAL:
		test_signal(e, in);
		break;
	case M_SHF:
	case M_SHI:
	case M_ASR:
	case M_ASRI:
	case M_DBL:
	case M_DBLI:
	case M_SEXT:
		emit_shift(e, in);
		break;
	case M_PARAM:
		break;		/* It is where it is. */
	case M_CALL:
		emit_call(e, in);
		break;
	case M_BCC:
	case M_BBIT:
	case M_BR:
	case M_RET:
		emit_flow(e, in, next);
		break;
	}
}

static void prologue(struct emit *e)
{
	if (e->f->self->entry && e->f->program->area)
		emit_imm(e, ctx_base(), e->f->program->base);
	emit_frame_pointers(e);
}

/* Turn a branch that skips a branch around: if the block after this one is its target. */
static void turn(struct mblock *b, unsigned int next)
{
	struct minsn *in, *br;

	if (b->n < 2)
		return;
	in = &b->insn[b->n - 2];
	br = &b->insn[b->n - 1];
	if (br->op != M_BR || in->imm != next || (in->op != M_BCC && in->op != M_BBIT))
		return;
	in->imm = br->imm;
	in->alu = in->op == M_BCC ? en_inverse(in->alu) : !in->alu;
	br->imm = next;
}

static void fix(const struct emit *e)
{
	for (unsigned int i = 0; i < e->fixes; i++)
		e->img->w[e->fix[i].word].in.imm = e->start[e->fix[i].block];
}

void emit_function(struct image *img, const struct mfunc *f)
{
	struct emit e = { .img = img, .f = f };
	unsigned int first = img->n;

	f->self->start = first;
	e.start = need(f->blocks, sizeof(*e.start));
	prologue(&e);
	for (unsigned int nb = 0; nb < f->blocks; nb++) {
		e.start[nb] = e.begin = img->n;
		turn(&f->block[nb], nb + 1);
		for (unsigned int i = 0; i < f->block[nb].n; i++) {
			e.at = f->block[nb].insn[i].at;
			emit_insn(&e, &f->block[nb].insn[i], nb + 1);
		}
	}
	fix(&e);
	img->fn = room(img->fn, img->fns, sizeof(*img->fn));
	img->fn[img->fns++] = (struct image_function){ f->name, first, img->n - first,
						       f->self->entry };
	if (img->n > STORE_WORDS)
		refuse(f->at, f->name,
		       "the code has %u words with this function, and a code store %u: leave out entries",
		       img->n, STORE_WORDS);
	free(e.start);
	free(e.fix);
}
