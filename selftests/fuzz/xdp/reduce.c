// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * reduce.c - reduce a program that differs, as long as it still differs.
 *
 * Remove sequences of instructions, long ones first, and simplify numbers. A program that the
 * verifier no longer accepts does not count as different, so this needs no knowledge of what an
 * instruction depends on.
 */
#include <string.h>

#include "fuzz.h"

static unsigned int tried;

static bool differs(const struct program *p)
{
	tried++;
	return card_try(p) == DIFFERENT;
}

/* Return the target of a jump or call, -1 for other instructions. */
static int target(const struct program *p, unsigned int at)
{
	const struct bpf_insn *i = &p->insn[at];

	if (is_jump(i))
		return at + 1 + i->off;
	return is_call(i) ? (int)at + 1 + i->imm : -1;
}

/* Remove @n instructions from @at on. Jumps to them go to the next instruction. */
static void cut(const struct program *p, unsigned int at, unsigned int n, struct program *out)
{
	unsigned int i, k = 0;

	*out = *p;
	for (i = 0; i < p->n; i++) {
		int to = target(p, i), from = i >= at ? i - n : i;

		if (i >= at && i < at + n)
			continue;
		out->insn[k] = p->insn[i];
		out->unit[k] = p->unit[i];
		if (to >= 0) {
			if (to >= (int)(at + n))
				to -= n;
			else if (to > (int)at)
				to = at;
			if (is_call(&p->insn[i]))
				out->insn[k].imm = to - from - 1;
			else
				out->insn[k].off = to - from - 1;
		}
		k++;
	}
	out->n = k;
}

/* Say whether an instruction and the next one can only be removed together. */
static bool together(const struct program *p, unsigned int at)
{
	return is_wide(&p->insn[at]) ||
	       (at + 1 < p->n && p->unit[at] && p->unit[at] == p->unit[at + 1]);
}

/* Try to remove each sequence of @n instructions, and what belongs to its last one. */
static bool without(struct program *p, unsigned int n)
{
	static struct program smaller;
	bool any = false;
	int at;

	for (at = (int)p->n - (int)n; at >= (int)p->head; at--) {
		unsigned int len = n;

		if (at + n > p->n || together(p, at - 1))
			continue;
		while (together(p, at + len - 1))
			len++;
		cut(p, at, len, &smaller);
		if (!differs(&smaller))
			continue;
		*p = smaller;
		any = true;
	}
	return any;
}

/* Try to replace each instruction by a simpler one. */
static bool simpler(struct program *p)
{
	static struct program other;
	bool any = false;
	unsigned int at;

	for (at = p->head; at < p->n; at++) {
		struct bpf_insn *i = &other.insn[at];

		if (p->unit[at])
			continue;
		if (BPF_CLASS(p->insn[at].code) == BPF_LD) {
			at++;
			continue;
		}
		other = *p;
		if (is_jump(i) && BPF_OP(i->code) != BPF_JA)
			*i = (struct bpf_insn){ .code = BPF_JMP | BPF_JA, .off = i->off };
		else if (BPF_CLASS(i->code) == BPF_LDX)
			*i = (struct bpf_insn){
				.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = i->dst_reg,
			};
		else if ((BPF_CLASS(i->code) == BPF_ALU64 || BPF_CLASS(i->code) == BPF_ALU) &&
			 BPF_OP(i->code) == BPF_MOV && BPF_SRC(i->code) == BPF_K && i->imm > 1)
			i->imm = 1;
		else
			continue;
		if (differs(&other)) {
			*p = other;
			any = true;
		}
	}
	return any;
}

unsigned int reduce(struct program *p)
{
	unsigned int n;
	bool any;

	tried = 0;
	do {
		any = false;
		for (n = p->n / 2; n; n /= 2)
			any |= without(p, n);
		any |= simpler(p);
	} while (any);
	/* Keep only the maps to which the program still refers. */
	p->maps = 0;
	for (n = 0; n < p->n; n++)
		if (is_wide(&p->insn[n]) && p->insn[n].src_reg == BPF_PSEUDO_MAP_FD)
			p->maps |= 1u << p->insn[n].imm;
	return tried;
}
