// SPDX-License-Identifier: BSD-2-Clause
/* mir.c - operations of struct mfunc: what each of them demands of its operands; print. */
#include <stdio.h>
#include <stdlib.h>

#include "mir.h"

unsigned int mir_vreg(struct mfunc *f, enum bank fixed)
{
	f->vreg = room(f->vreg, f->vregs, sizeof(*f->vreg));
	f->vreg[f->vregs] = (struct mvreg){ .fixed = fixed };
	return f->vregs++;
}

struct en_opnd mir_register(const struct mfunc *f, struct en_opnd o)
{
	const struct mvreg *v;

	if (!is_vreg(o))
		return o;
	v = &f->vreg[o.n];
	return (struct en_opnd){ v->bank == BANK_A ? EN_A : EN_B, 0, v->reg };
}

struct minsn *mir_add(struct mblock *b, const struct minsn *in)
{
	b->insn = room(b->insn, b->n, sizeof(*b->insn));
	b->insn[b->n] = *in;
	return &b->insn[b->n++];
}

void mir_free(struct mfunc *f)
{
	for (unsigned int i = 0; i < f->blocks; i++)
		free(f->block[i].insn);
	free(f->block);
	free(f->vreg);
}

bool mir_reads_dst(const struct minsn *in)
{
	return in->op == M_LDF && !in->flag;
}

static unsigned int add_pair(struct en_opnd *pair[3][2], unsigned int n, const struct en_opnd *a,
			     const struct en_opnd *b)
{
	if (!is_vreg(*a) || !is_vreg(*b))
		return n;
	pair[n][0] = (struct en_opnd *)a;
	pair[n][1] = (struct en_opnd *)b;
	return n + 1;
}

unsigned int mir_pairs(const struct minsn *in, struct en_opnd *pair[3][2])
{
	unsigned int n = 0;

	switch (in->op) {
	case M_ALU:
	case M_SHF:
	case M_DBL:
	case M_MUL:
	case M_ASRI:
	case M_READ:
	case M_WRITE:
	case M_ATOMIC:
		return add_pair(pair, n, &in->s[0], &in->s[1]);
	case M_DBLI:
		n = add_pair(pair, n, &in->s[0], &in->s[1]);
		return n;
	case M_LDF:
		return add_pair(pair, n, &in->d, &in->s[0]);
	case M_WIDE:
	case M_SET:
	case M_SEL:
	case M_BCC:
		n = add_pair(pair, n, &in->s[0], &in->s[1]);
		if (in->op == M_WIDE || in->wide)
			n = add_pair(pair, n, &in->s[2], &in->s[3]);
		return n;
	default:
		return 0;
	}
}

unsigned int mir_late(const struct minsn *in)
{
	switch (in->op) {
	case M_WIDE:
		return 0xc;	/* the low word of the result is written first */
	case M_SEL:
		/* The compare comes after the move of s5. */
		return in->wide ? 0x1f : 0x13;
	default:
		return 0;
	}
}

static const char *const names[] = {
	[M_IMM] = "imm", [M_ADDR] = "addr", [M_MOV] = "mov", [M_ALU] = "alu", [M_SHF] = "shf",
	[M_SHI] = "shi", [M_ASR] = "asr", [M_ASRI] = "asri", [M_DBL] = "dbl", [M_DBLI] = "dbli",
	[M_SEXT] = "sext", [M_LDF] = "ldf", [M_MUL] = "mul", [M_WIDE] = "wide", [M_SET] = "set",
	[M_SEL] = "sel", [M_BCC] = "bcc", [M_BBIT] = "bbit", [M_BR] = "br", [M_LMP] = "lmp",
	[M_READ] = "read", [M_WRITE] = "write", [M_ATOMIC] = "atomic", [M_CSR_RD] = "csr_rd",
	[M_CSR_WR] = "csr_wr", [M_ARB] = "arb", [M_SIGNAL] = "signal", [M_PARAM] = "param", [M_CALL] = "call",
	[M_RET] = "ret",
};

static void print_opnd(const struct mfunc *f, struct en_opnd o)
{
	static const char kind[] = { '-', 'a', 'b', '$', '*', '#', 'v' };
	const struct mvreg *v = is_vreg(o) ? &f->vreg[o.n] : NULL;

	if (o.k == EN_NONE)
		return;
	printf(" %c%u", kind[o.k], o.n);
	if (o.k == EN_LM)
		printf("@%u", o.p);
	if (v && v->bank)
		printf("=%c%u", "?ab"[v->bank], v->reg);
}

void mir_print(const struct mfunc *f, const char *title)
{
	printf("%s %s\n", title, f->name);
	for (unsigned int b = 0; b < f->blocks; b++) {
		printf("%u:\n", b);
		for (unsigned int i = 0; i < f->block[b].n; i++) {
			const struct minsn *in = &f->block[b].insn[i];

			printf("\t%s", names[in->op]);
			print_opnd(f, in->d);
			print_opnd(f, in->d1);
			printf(" =");
			for (unsigned int s = 0; s < M_SRCS; s++)
				print_opnd(f, in->s[s]);
			printf(" op %x sc %u n %u mask %x flag %u imm %x line %u\n", in->alu,
			       in->sc, in->n, in->mask, in->flag, in->imm, in->at.line);
		}
	}
}
