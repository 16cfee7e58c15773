// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* text.c - format an instruction as the verifier's log does. */
#include <stdio.h>
#include "explain.h"

static const char *const alu_ops[] = { "+=", "-=", "*=", "/=", "|=", "&=", "<<=", ">>=", NULL,
				       "%=", "^=", "=", "s>>=" };
static const char *const jump_ops[] = { NULL, "==", ">", ">=", "&", "!=", "s>", "s>=", NULL,
					NULL, "<", "<=", "s<", "s<=" };
static const char *const sizes[] = { "u32", "u16", "u8", "u64" };

#define OP(table, code) \
	((size_t)((code) >> 4) < sizeof(table) / sizeof(*table) && table[(code) >> 4] ? \
	 table[(code) >> 4] : "?")

static void operand(const struct bpf_insn *insn, char letter, char *buf, size_t len)
{
	if (BPF_SRC(insn->code) == BPF_X)
		snprintf(buf, len, "%c%u", letter, insn->src_reg);
	else
		snprintf(buf, len, "%d", insn->imm);
}

static void alu_text(const struct bpf_insn *insn, char *buf, size_t len)
{
	char letter = BPF_CLASS(insn->code) == BPF_ALU64 ? 'r' : 'w', src[16];

	operand(insn, letter, src, sizeof(src));
	if (BPF_OP(insn->code) == BPF_END)
		snprintf(buf, len, "r%u = %s%d r%u", insn->dst_reg,
			 BPF_CLASS(insn->code) == BPF_ALU64 ? "bswap" :
			 BPF_SRC(insn->code) == BPF_X ? "be" : "le", insn->imm, insn->dst_reg);
	else if (BPF_OP(insn->code) == BPF_NEG)
		snprintf(buf, len, "%c%u = -%c%u", letter, insn->dst_reg, letter, insn->dst_reg);
	else if (BPF_OP(insn->code) == BPF_MOV && insn->off)
		snprintf(buf, len, "%c%u = (s%d)%s", letter, insn->dst_reg, insn->off, src);
	else
		snprintf(buf, len, "%c%u %s%s %s", letter, insn->dst_reg, insn->off ? "s" : "",
			 OP(alu_ops, insn->code), src);
}

static void jump_text(const struct bpf_insn *insn, char *buf, size_t len)
{
	char letter = BPF_CLASS(insn->code) == BPF_JMP ? 'r' : 'w', src[16];

	operand(insn, letter, src, sizeof(src));
	switch (BPF_OP(insn->code)) {
	case BPF_JA:
		snprintf(buf, len, "goto %+d",
			 BPF_CLASS(insn->code) == BPF_JMP ? insn->off : insn->imm);
		break;
	case BPF_CALL:
		if (insn->src_reg)
			snprintf(buf, len, "call %+d", insn->imm);
		else
			snprintf(buf, len, "call %s", helper_name(insn->imm));
		break;
	case BPF_EXIT:
		snprintf(buf, len, "exit");
		break;
	default:
		snprintf(buf, len, "if %c%u %s %s goto %+d", letter, insn->dst_reg,
			 OP(jump_ops, insn->code), src, insn->off);
	}
}

static void memory_text(const struct bpf_insn *insn, char *buf, size_t len)
{
	const char *size = sizes[BPF_SIZE(insn->code) >> 3];

	if (BPF_CLASS(insn->code) == BPF_LDX)
		snprintf(buf, len, "r%u = *(%s *)(r%u %+d)", insn->dst_reg, size, insn->src_reg,
			 insn->off);
	else if (BPF_CLASS(insn->code) == BPF_ST)
		snprintf(buf, len, "*(%s *)(r%u %+d) = %d", size, insn->dst_reg, insn->off,
			 insn->imm);
	else if (BPF_MODE(insn->code) == BPF_ATOMIC)
		snprintf(buf, len, "atomic 0x%x *(%s *)(r%u %+d), r%u", insn->imm, size,
			 insn->dst_reg, insn->off, insn->src_reg);
	else
		snprintf(buf, len, "*(%s *)(r%u %+d) = r%u", size, insn->dst_reg, insn->off,
			 insn->src_reg);
}

unsigned int insn_bytes(const struct bpf_insn *insn)
{
	static const uint8_t bytes[] = { 4, 2, 1, 8 };

	return bytes[BPF_SIZE(insn->code) >> 3];
}

void insn_text(const struct bpf_insn *insn, char *buf, size_t len)
{
	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		alu_text(insn, buf, len);
		break;
	case BPF_JMP:
	case BPF_JMP32:
		jump_text(insn, buf, len);
		break;
	case BPF_LD:
		snprintf(buf, len, "r%u = %s", insn->dst_reg,
			 insn->src_reg ? "map" : "a constant of 64 bits");
		break;
	default:
		memory_text(insn, buf, len);
	}
}
