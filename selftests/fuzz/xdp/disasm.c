// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * disasm.c - print programs in clang's syntax for inline assembly, except that jumps have the
 * number of their target.
 */
#include <inttypes.h>
#include <stdio.h>

#include "fuzz.h"

static const char *const alu_op[16] = {
	"+=", "-=", "*=", "/=", "|=", "&=", "<<=", ">>=", NULL, "%=", "^=", "=", "s>>=",
};

static const char *const jmp_op[16] = {
	NULL, "==", ">", ">=", "&", "!=", "s>", "s>=", NULL, NULL, "<", "<=", "s<", "s<=",
};

static void alu(const struct bpf_insn *i)
{
	char c = BPF_CLASS(i->code) == BPF_ALU ? 'w' : 'r';
	const char *op = alu_op[BPF_OP(i->code) >> 4];

	if (BPF_OP(i->code) == BPF_NEG)
		printf("%c%u = -%c%u", c, i->dst_reg, c, i->dst_reg);
	else if (BPF_OP(i->code) == BPF_END)
		printf("r%u = be%d r%u", i->dst_reg, i->imm, i->dst_reg);
	else if (!op)
		printf("alu 0x%02x", i->code);
	else if (BPF_SRC(i->code) == BPF_K)
		printf("%c%u %s %d", c, i->dst_reg, op, i->imm);
	else
		printf("%c%u %s %c%u", c, i->dst_reg, op, c, i->src_reg);
	/* version 4 of the instruction set */
	if (i->off)
		printf("\t; signed, %d", i->off);
}

static void jump(const struct bpf_insn *i, unsigned int at)
{
	char c = BPF_CLASS(i->code) == BPF_JMP32 ? 'w' : 'r';

	if (BPF_OP(i->code) == BPF_EXIT)
		printf("exit");
	else if (is_call(i))
		printf("call %u", at + 1 + i->imm);
	else if (BPF_OP(i->code) == BPF_CALL)
		printf("call helper %d", i->imm);
	else if (BPF_OP(i->code) == BPF_JA)
		printf("goto %u", at + 1 + i->off);
	else if (BPF_SRC(i->code) == BPF_K)
		printf("if %c%u %s %d goto %u", c, i->dst_reg, jmp_op[BPF_OP(i->code) >> 4],
		       i->imm, at + 1 + i->off);
	else
		printf("if %c%u %s %c%u goto %u", c, i->dst_reg, jmp_op[BPF_OP(i->code) >> 4], c,
		       i->src_reg, at + 1 + i->off);
}

static void mem(const struct bpf_insn *i)
{
	static const unsigned int bits[4] = { 32, 16, 8, 64 };
	unsigned int n = bits[BPF_SIZE(i->code) >> 3];

	if (BPF_CLASS(i->code) == BPF_LDX)
		printf("r%u = *(u%u *)(r%u %+d)", i->dst_reg, n, i->src_reg, i->off);
	else if (BPF_MODE(i->code) == BPF_ATOMIC)
		printf("lock *(u%u *)(r%u %+d) += r%u", n, i->dst_reg, i->off, i->src_reg);
	else
		printf("*(u%u *)(r%u %+d) = r%u", n, i->dst_reg, i->off, i->src_reg);
}

static void wide(const struct bpf_insn *i)
{
	if (i->src_reg == BPF_PSEUDO_MAP_FD)
		printf("r%u = map %s", i->dst_reg, map_def[i->imm].name);
	else
		printf("r%u = 0x%" PRIx64 " ll", i->dst_reg,
		       (uint64_t)(uint32_t)i[1].imm << 32 | (uint32_t)i->imm);
}

void disasm(const struct program *p, const char *prefix)
{
	unsigned int at;

	for (at = 0; at < p->n; at++) {
		const struct bpf_insn *i = &p->insn[at];

		printf("%s%4u: ", prefix, at);
		switch (BPF_CLASS(i->code)) {
		case BPF_ALU:
		case BPF_ALU64:
			alu(i);
			break;
		case BPF_JMP:
		case BPF_JMP32:
			jump(i, at);
			break;
		case BPF_LD:
			wide(i);
			at++;
			break;
		default:
			mem(i);
		}
		putchar('\n');
	}
}
