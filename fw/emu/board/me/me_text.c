// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_text.c - print instructions in the syntax of the vendor's assembler: those that move data.
 *
 * The text is made from the decoded form. So if it equals the output of another disassembler, the
 * decoder is right. Code addresses are absolute: ".123".
 */
#include <errno.h>

#include "me_int.h"

static void close_dst(struct me_put *t, const struct me_insn *in)
{
	static const char *const cc[] = { "", ", no_cc", ", load_cc" };

	me_put(t, "]%s%s", cc[in->act], in->d1 != in->d0 ? ", gpr_wrboth" : "");
}

static void text_alu(struct me_put *t, const struct me_insn *in, unsigned int op)
{
	static const char *const name[] = {
		[ME_OP_ALU_B] = "B", [ME_OP_ALU_NOT] = "~B", [ME_OP_ALU_AND] = "AND",
		[ME_OP_ALU_ANDNOT] = "AND~", [ME_OP_ALU_NOTAND] = "~AND",
		[ME_OP_ALU_OR] = "OR", [ME_OP_ALU_XOR] = "XOR", [ME_OP_ALU_ADD] = "+",
		[ME_OP_ALU_ADDC] = "+carry", [ME_OP_ALU_ADD16] = "+16",
		[ME_OP_ALU_SUB] = "-", [ME_OP_ALU_SUBC] = "-carry", [ME_OP_ALU_ADD8] = "+8",
		[ME_OP_ALU_RSUB] = "B-A", [ME_OP_ALU_FFS] = "ffs",
	};

	me_put(t, op == ME_OP_ALU_FFS ? "ffs[" : "alu[");
	me_put_operand(t, in->d0);
	me_put(t, ", ");
	if (op == ME_OP_ALU_FFS) {
		me_put_operand(t, in->b);
		close_dst(t, in);
		return;
	}
	if (op == ME_OP_ALU_B || op == ME_OP_ALU_NOT)
		me_put(t, "--");
	else
		me_put_operand(t, in->a);
	me_put(t, ", %s, ", name[op]);
	me_put_operand(t, in->b);
	close_dst(t, in);
}

static void text_align(struct me_put *t, const struct me_insn *in, unsigned int op)
{
	me_put(t, "byte_align_%s[", op == ME_OP_ALIGN_LE ? "le" : "be");
	me_put_operand(t, in->d0);
	me_put(t, ", ");
	me_put_operand(t, in->b);
	close_dst(t, in);
}

/* The left operand and the operation of alu_shf */
static void text_combine(struct me_put *t, const struct me_insn *in, unsigned int op)
{
	static const char *const not[] = {
		[ME_SHF_NOT_B] = "~B", [ME_SHF_NOT_AND] = "~AND", [ME_SHF_AND_NOT] = "AND~",
	};
	const char *name = in->y == ME_SHF_B ? "B" : in->y == ME_SHF_OR ? "OR" : "AND";

	/* ME_SHF_B and ME_SHF_NOT_B are equal. */
	if (in->y == ME_SHF_B)
		me_put(t, "--");
	else
		me_put_operand(t, in->a);
	me_put(t, ", %s, ", op == ME_OP_SHF_NOT ? not[in->y] : name);
}

static void text_shf(struct me_put *t, const struct me_insn *in, unsigned int op)
{
	bool dbl = op == ME_OP_SHF_DBL || op == ME_OP_SHF_DBL_IND;
	bool asr = op == ME_OP_SHF_ASR || op == ME_OP_SHF_ASR_IND;
	bool not = op == ME_OP_SHF_NOT, rot = op == ME_OP_SHF_ROR || (not && in->imm == 0);
	bool left = op == ME_OP_SHF_SHL || op == ME_OP_SHF_SHL_IND || (not && in->imm == 2);

	me_put(t, dbl ? "dbl_shf[" : asr ? "asr[" : "alu_shf[");
	me_put_operand(t, in->d0);
	me_put(t, ", ");
	if (dbl) {
		me_put_operand(t, in->a);
		me_put(t, ", ");
	} else if (!asr) {
		text_combine(t, in, op);
	}
	me_put_operand(t, in->b);
	me_put(t, ", %s", left ? "<<" : ">>");
	if (op == ME_OP_SHF_SHR_IND || op == ME_OP_SHF_SHL_IND || op == ME_OP_SHF_DBL_IND ||
	    op == ME_OP_SHF_ASR_IND || (not && !rot && !in->x))
		me_put(t, "indirect");
	else
		me_put(t, "%s%u", rot ? "rot" : "", in->x);
	close_dst(t, in);
}

static void text_ld_field(struct me_put *t, const struct me_insn *in, unsigned int op)
{
	me_put(t, "ld_field%s[", in->y ? "_w_clr" : "");
	me_put_operand(t, in->d0);
	me_put(t, ", %u%u%u%u, ", in->imm >> 24 & 1, in->imm >> 16 & 1, in->imm >> 8 & 1,
	    in->imm & 1);
	me_put_operand(t, in->b);
	if (op == ME_OP_LDF_SHL)
		me_put(t, ", <<%u", in->x);
	else if (in->x)
		me_put(t, ", >>%s%u", op == ME_OP_LDF_ROR ? "rot" : "", in->x);
	close_dst(t, in);
}

static void text_immed(struct me_put *t, const struct me_insn *in, unsigned int op)
{
	bool inv = in->y & ME_IMMED_INV;
	uint32_t v = ((inv ? ~in->imm : in->imm) >> (8 * in->x)) & 0xffff;

	if (in->y & ME_IMMED_NODST && !v) {
		me_put(t, "nop");
		return;
	}
	me_put(t, "immed");
	if (op == ME_OP_IMMED_W)
		me_put(t, "_w%u", in->x / 2);
	else if (op == ME_OP_IMMED_B)
		me_put(t, "_b%u", in->x);
	me_put(t, "[");
	me_put_operand(t, in->d0);
	me_put(t, ", 0x%x", inv ? ~v : v);
	if (in->x && op == ME_OP_IMMED)
		me_put(t, ", <<%u", 8 * in->x);
	close_dst(t, in);
}

static void text_mul(struct me_put *t, const struct me_insn *in)
{
	const char *type = in->y == ME_MUL_32 ? "32x32" : in->y == ME_MUL_16 ? "16x16" : "24x8";

	me_put(t, "mul_step[");
	me_put_operand(t, in->op == ME_OP_MUL_LAST ? in->d0 : in->a);
	me_put(t, ", ");
	me_put_operand(t, in->op == ME_OP_MUL_LAST ? (unsigned int)ME_R_NONE : in->b);
	me_put(t, "], ");
	if (in->op == ME_OP_MUL_START)
		me_put(t, "start");
	else if (in->op == ME_OP_MUL_STEP)
		me_put(t, "%s_step%u", type, in->x + 1);
	else
		me_put(t, "%s_%s%s", type, in->x == ME_MUL_LAST2 ? "last2" : "last",
		    in->d1 != in->d0 ? ", gpr_wrboth" : "");
}

int me_text_mode(uint64_t insn, enum me_mode mode, char *buf, size_t len)
{
	struct me_put t = { buf, len, 0 };
	struct me_insn in = { 0 };
	unsigned int op;

	me_decode(insn, mode, &in);
	op = me_op(in.op);
	if (op == ME_OP_FAULT) {
		me_put(&t, "<%s>", me_fault_text(in.x));
		return -EINVAL;
	}
	/* Commands of the driver's programs are some of those of whole microengines. */
	if (op == ME_OP_CMD || op == ME_OP_CMD_DEFER)
		me_decode(insn, ME_CTX4, &in);
	if (op <= ME_OP_ALU_FFS)
		text_alu(&t, &in, op);
	else if (op == ME_OP_ALIGN_BE || op == ME_OP_ALIGN_LE)
		text_align(&t, &in, op);
	else if (op <= ME_OP_SHF_NOT)
		text_shf(&t, &in, op);
	else if (op <= ME_OP_LDF_SHL)
		text_ld_field(&t, &in, op);
	else if (op <= ME_OP_IMMED_B)
		text_immed(&t, &in, op);
	else if (op <= ME_OP_MUL_LAST)
		text_mul(&t, &in);
	else
		me_text_flow(&t, &in);
	return 0;
}

int me_text(uint64_t insn, char *buf, size_t len)
{
	return me_text_mode(insn, ME_CTX4, buf, len);
}
