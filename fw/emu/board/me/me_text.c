// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_text.c - print instructions in the syntax of the vendor's assembler.
 *
 * The text is made from the decoded form. So if it equals the output of another disassembler, the
 * decoder is right. Code addresses are absolute: ".123".
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "me_int.h"

struct text {
	char *buf;
	size_t len;
	size_t used;
};

__attribute__((format(printf, 2, 3)))
static void put(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->used, t->len - t->used, fmt, ap);
	va_end(ap);
	t->used += (size_t)n < t->len - t->used ? (size_t)n : t->len - t->used - 1;
}

static void operand(struct text *t, unsigned int o)
{
	if (o & ME_LM) {
		put(t, "*l$index%u", ME_LM_PTR(o));
		if (o & ME_LM_POST)
			put(t, "%s", o & 1 ? "--" : "++");
		else if (o & ME_LM_OFF)
			put(t, "[%u]", o & ME_LM_OFF);
	} else if (o < ME_R_B) {
		put(t, "gprA_%u", o - ME_R_A);
	} else if (o < ME_R_IN) {
		put(t, "gprB_%u", o - ME_R_B);
	} else if (o < ME_R_K) {
		put(t, "$xfer_%u", (o - ME_R_IN) % ME_XFERS);
	} else if (o < ME_R_NONE) {
		put(t, "0x%x", o - ME_R_K);
	} else {
		put(t, "--");
	}
}

static void close_dst(struct text *t, const struct me_insn *in)
{
	put(t, "]%s", in->d1 != in->d0 ? ", gpr_wrboth" : "");
}

static void text_alu(struct text *t, const struct me_insn *in, unsigned int op)
{
	static const char *const name[] = {
		[ME_OP_ALU_B] = "B", [ME_OP_ALU_NOT] = "~B", [ME_OP_ALU_AND] = "AND",
		[ME_OP_ALU_ANDNOT] = "AND~", [ME_OP_ALU_NOTAND] = "~AND",
		[ME_OP_ALU_OR] = "OR", [ME_OP_ALU_XOR] = "XOR", [ME_OP_ALU_ADD] = "+",
		[ME_OP_ALU_ADDC] = "+carry", [ME_OP_ALU_ADD16] = "+16",
		[ME_OP_ALU_SUB] = "-", [ME_OP_ALU_SUBC] = "-carry",
	};

	put(t, "alu[");
	operand(t, in->d0);
	put(t, ", ");
	if (op == ME_OP_ALU_B || op == ME_OP_ALU_NOT)
		put(t, "--");
	else
		operand(t, in->a);
	put(t, ", %s, ", name[op]);
	operand(t, in->b);
	close_dst(t, in);
}

static void text_shf(struct text *t, const struct me_insn *in, unsigned int op)
{
	bool dbl = op == ME_OP_SHF_DBL || op == ME_OP_SHF_DBL_IND;
	bool asr = op == ME_OP_SHF_ASR || op == ME_OP_SHF_ASR_IND;
	bool left = op == ME_OP_SHF_SHL || op == ME_OP_SHF_SHL_IND;

	put(t, dbl ? "dbl_shf[" : asr ? "asr[" : "alu_shf[");
	operand(t, in->d0);
	put(t, ", ");
	if (!asr) {
		if (in->y == ME_SHF_B && !dbl)
			put(t, "--");
		else
			operand(t, in->a);
		put(t, ", ");
		if (!dbl)
			put(t, "%s, ", in->y == ME_SHF_B ? "B" :
				       in->y == ME_SHF_OR ? "OR" : "AND");
	}
	operand(t, in->b);
	put(t, ", %s", left ? "<<" : ">>");
	if (op >= ME_OP_SHF_SHR_IND)
		put(t, "indirect");
	else
		put(t, "%s%u", op == ME_OP_SHF_ROR ? "rot" : "", in->x);
	close_dst(t, in);
}

static void text_ld_field(struct text *t, const struct me_insn *in, unsigned int op)
{
	put(t, "ld_field%s[", in->y ? "_w_clr" : "");
	operand(t, in->d0);
	put(t, ", %u%u%u%u, ", in->imm >> 24 & 1, in->imm >> 16 & 1, in->imm >> 8 & 1,
	    in->imm & 1);
	operand(t, in->b);
	if (op == ME_OP_LDF_SHL)
		put(t, ", <<%u", in->x);
	else if (in->x)
		put(t, ", >>%s%u", op == ME_OP_LDF_ROR ? "rot" : "", in->x);
	close_dst(t, in);
}

static void text_immed(struct text *t, const struct me_insn *in, unsigned int op)
{
	bool inv = in->y & ME_IMMED_INV;
	uint32_t v = ((inv ? ~in->imm : in->imm) >> (8 * in->x)) & 0xffff;

	if (in->y & ME_IMMED_NODST && !v) {
		put(t, "nop");
		return;
	}
	put(t, "immed");
	if (op == ME_OP_IMMED_W)
		put(t, "_w%u", in->x / 2);
	put(t, "[");
	operand(t, in->d0);
	put(t, ", 0x%x", inv ? ~v : v);
	if (in->x && op != ME_OP_IMMED_W)
		put(t, ", <<%u", 8 * in->x);
	close_dst(t, in);
}

static void text_mul(struct text *t, const struct me_insn *in)
{
	const char *type = in->y == ME_MUL_32 ? "32x32" : "16x16";

	put(t, "mul_step[");
	operand(t, in->op == ME_OP_MUL_LAST ? in->d0 : in->a);
	put(t, ", ");
	operand(t, in->op == ME_OP_MUL_LAST ? (unsigned int)ME_R_NONE : in->b);
	put(t, "], ");
	if (in->op == ME_OP_MUL_START)
		put(t, "start");
	else if (in->op == ME_OP_MUL_STEP)
		put(t, "%s_step%u", type, in->x + 1);
	else
		put(t, "%s_%s%s", type, in->x == ME_MUL_LAST2 ? "last2" : "last",
		    in->d1 != in->d0 ? ", gpr_wrboth" : "");
}

static void text_csr(struct text *t, const struct me_insn *in)
{
	if (in->op == ME_OP_CSR_RD) {
		put(t, "local_csr_rd[PseudoRndNum]");
		return;
	}
	put(t, "local_csr_wr[ActLMAddr%u, ",
	    in->d0 == ME_CSR_LM0 ? 0 : in->d0 == ME_CSR_LM1 ? 1 : in->d0 == ME_CSR_LM2 ? 2 : 3);
	operand(t, in->a);
	put(t, "]");
}

static void text_branch(struct text *t, const struct me_insn *in)
{
	static const char *const name[] = {
		[ME_OP_BEQ] = "beq", [ME_OP_BNE] = "bne", [ME_OP_BMI] = "bmi",
		[ME_OP_BHS] = "bcs", [ME_OP_BLO] = "bcc", [ME_OP_BGE] = "bge",
		[ME_OP_BLT] = "blt", [ME_OP_BR] = "br", [ME_OP_BR_BSET] = "br_bset",
		[ME_OP_BR_BCLR] = "br_bclr", [ME_OP_BR_BYTE_EQ] = "br=byte",
		[ME_OP_BR_BYTE_NE] = "br!=byte", [ME_OP_RTN] = "rtn",
	};

	put(t, "%s[", name[in->op]);
	if (in->op > ME_OP_BR)
		operand(t, in->a);
	if (in->op > ME_OP_BR && in->op != ME_OP_RTN)
		put(t, ", %u, ", in->d0);
	if (in->op == ME_OP_BR_BYTE_EQ || in->op == ME_OP_BR_BYTE_NE) {
		operand(t, in->b);
		put(t, ", ");
	}
	if (in->op != ME_OP_RTN)
		put(t, ".%u", in->d1);
	put(t, "]");
	if (in->x)
		put(t, ", defer[%u]", in->x);
}

static void text_arb(struct text *t, const struct me_insn *in)
{
	const char *sep = "";
	unsigned int i;

	put(t, "ctx_arb[");
	if (in->d0 == 1)
		put(t, "voluntary");
	for (i = 1; i < 16; i++) {
		if (!(in->d0 >> i & 1))
			continue;
		put(t, "%ssig%u", sep, i);
		sep = ", ";
	}
	put(t, "]%s", in->x ? ", any" : "");
}

static void text_cmd(struct text *t, const struct me_insn *in)
{
	static const char *const name[] = {
		[ME_ACT_READ32_SWAP] = "read32_swap", [ME_ACT_READ8] = "read8",
		[ME_ACT_WRITE8_SWAP] = "write8_swap", [ME_ACT_WRITE32_SWAP] = "write32_swap",
		[ME_ACT_ADD] = "add", [ME_ACT_ADD_IMM] = "add_imm",
	};
	unsigned int defer = in->d1 & ME_CMD_CTX;

	put(t, "mem[%s%s, $xfer_%u, ", name[in->act],
	    in->act == ME_ACT_ADD && in->x ? "64" : "", in->d0);
	if (in->d1 & ME_CMD_MU) {
		operand(t, in->b);
		put(t, ", <<8, ");
		operand(t, in->a);
	} else {
		operand(t, in->a);
		put(t, ", ");
		operand(t, in->b);
	}
	put(t, ", %u]%s", in->x + 1, in->d1 & ME_CMD_INDIR ? ", indirect_ref" : "");
	if (defer != ME_CMD_NO_SWAP)
		put(t, ", ctx_swap[sig%u]", in->y);
	else if (in->y)
		put(t, ", sig_done[sig%u]", in->y);
	if (defer && defer != ME_CMD_NO_SWAP)
		put(t, ", defer[%u]", defer);
}

int me_text(uint64_t insn, char *buf, size_t len)
{
	struct text t = { buf, len, 0 };
	struct me_insn in = { 0 };
	unsigned int op;

	me_decode(insn, &in);
	/* The assembler has one mnemonic for the two forms of a data instruction. */
	op = in.op < ME_OP_MUL_START ? in.op & ~1u : in.op;
	if (op == ME_OP_FAULT) {
		put(&t, "<%s>", me_fault_text(in.x));
		return -EINVAL;
	}
	if (op <= ME_OP_ALU_SUBC)
		text_alu(&t, &in, op);
	else if (op <= ME_OP_SHF_ASR_IND)
		text_shf(&t, &in, op);
	else if (op <= ME_OP_LDF_SHL)
		text_ld_field(&t, &in, op);
	else if (op <= ME_OP_IMMED_W)
		text_immed(&t, &in, op);
	else if (op <= ME_OP_MUL_LAST)
		text_mul(&t, &in);
	else if (op <= ME_OP_CSR_RD)
		text_csr(&t, &in);
	else if (op <= ME_OP_RTN)
		text_branch(&t, &in);
	else if (op == ME_OP_CTX_ARB)
		text_arb(&t, &in);
	else
		text_cmd(&t, &in);
	return 0;
}
