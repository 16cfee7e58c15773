// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * trim.c - remove constants and copies that nothing reads.
 *
 * A tail call has the map and the index as arguments. Once the call is a jump, the
 * instructions that set them are of no use, but would take room on the card.
 */
#include <stdlib.h>
#include "alloc.h"
#include "linker.h"

#define ARGS	0x3e	/* R1 to R5 */
#define BIT(n)	(1u << (n))

/* Registers that an instruction reads */
static unsigned int reads(const struct bpf_insn *i)
{
	unsigned int dst = BIT(i->dst_reg), src = BIT(i->src_reg);
	uint8_t op = BPF_OP(i->code);

	switch (BPF_CLASS(i->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		if (op == BPF_NEG || op == BPF_END)
			return dst;
		return (op == BPF_MOV ? 0 : dst) | (BPF_SRC(i->code) == BPF_X ? src : 0);
	case BPF_LDX:
		return src;
	case BPF_ST:
		return dst;
	case BPF_STX:
		return dst | src | (i->imm == BPF_CMPXCHG ? BIT(0) : 0);
	case BPF_JMP:
	case BPF_JMP32:
		if (op == BPF_CALL)
			return ARGS;
		if (op == BPF_EXIT)
			return BIT(0);
		return op == BPF_JA ? 0 : dst | (BPF_SRC(i->code) == BPF_X ? src : 0);
	}
	/* BPF_ABS and BPF_IND read the packet through R6. */
	return BPF_MODE(i->code) == BPF_IMM ? 0 : BIT(6) | src;
}

/* Registers that an instruction overwrites */
static unsigned int writes(const struct bpf_insn *i)
{
	switch (BPF_CLASS(i->code)) {
	case BPF_ALU:
	case BPF_ALU64:
	case BPF_LDX:
		return BIT(i->dst_reg);
	case BPF_LD:
		return BPF_MODE(i->code) == BPF_IMM ? BIT(i->dst_reg) : BIT(0);
	case BPF_JMP:
		return BPF_OP(i->code) == BPF_CALL ? BIT(0) | ARGS : 0;
	}
	return 0;
}

/* Whether an instruction has no effect except to set a register. */
static bool only_writes(const struct bpf_insn *i)
{
	uint8_t class = BPF_CLASS(i->code);

	return is_wide(i) || ((class == BPF_ALU || class == BPF_ALU64) && BPF_OP(i->code) == BPF_MOV);
}

/* Return the registers that are read after node @at before they are overwritten. */
static unsigned int read_later(const struct lfunc *f, const unsigned int *before, int at)
{
	const struct node *n = &f->node[at];
	const struct bpf_insn *i = &n->insn;
	unsigned int regs = 0;

	if (n->to >= 0 && n->to < f->nodes)
		regs = before[n->to];
	at += is_wide(i) ? 2 : 1;
	if (at < f->nodes && i->code != (BPF_JMP | BPF_EXIT) && i->code != (BPF_JMP | BPF_JA) &&
	    i->code != (BPF_JMP32 | BPF_JA))
		regs |= before[at];
	return regs;
}

static bool is_half(const struct lfunc *f, int at)
{
	return at && is_wide(&f->node[at - 1].insn) && !f->node[at].insn.code;
}

/* For each node, find the registers that are read from there on. Removed nodes do not count. */
static void find_reads(const struct lfunc *f, unsigned int *before)
{
	bool more = true;
	unsigned int regs;
	int at;

	for (at = 0; at < f->nodes; at++)
		before[at] = 0;
	while (more) {
		more = false;
		for (at = f->nodes; at--;) {
			const struct bpf_insn *i = &f->node[at].insn;

			if (is_half(f, at))
				continue;
			regs = read_later(f, before, at);
			if (!f->node[at].gone)
				regs = (regs & ~writes(i)) | reads(i);
			more |= regs != before[at];
			before[at] = regs;
		}
	}
}

static bool take_out(struct lfunc *f, const unsigned int *before)
{
	bool any = false;
	int at;

	for (at = 0; at < f->nodes; at++) {
		struct node *n = &f->node[at];

		if (n->gone || is_half(f, at) || !only_writes(&n->insn) ||
		    read_later(f, before, at) & BIT(n->insn.dst_reg))
			continue;
		n->gone = any = true;
		if (is_wide(&n->insn))
			f->node[at + 1].gone = true;
	}
	return any;
}

int link_trim(struct link *l)
{
	unsigned int *before;
	int fi;

	for (fi = 0; fi < l->funcs; fi++) {
		struct lfunc *f = &l->func[fi];

		before = xzalloc((f->nodes + 1) * sizeof(*before));
		do {
			find_reads(f, before);
		} while (take_out(f, before));
		free(before);
	}
	return 0;
}
