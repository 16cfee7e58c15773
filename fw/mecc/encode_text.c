// SPDX-License-Identifier: BSD-2-Clause
/* encode_text.c - print an instruction, from its operands, in the vendor's assembler syntax. */
#include <stdarg.h>
#include <stdio.h>

#include "encode.h"

struct out {
	char *s;
	size_t len;
};

__attribute__((format(printf, 2, 3)))
static void put(struct out *o, const char *fmt, ...)
{
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	n = vsnprintf(o->s, o->len, fmt, ap);
	va_end(ap);
	if (n >= o->len)
		n = o->len ? o->len - 1 : 0;
	o->s += n;
	o->len -= n;
}

static void operand(struct out *o, struct en_opnd v)
{
	switch (v.k) {
	case EN_NONE:
		put(o, "--");
		break;
	case EN_A:
		put(o, "gprA_%u", v.n);
		break;
	case EN_B:
		put(o, "gprB_%u", v.n);
		break;
	case EN_XFER:
		put(o, "$xfer_%u", v.n);
		break;
	case EN_LM:
		put(o, v.n ? "*l$index%u[%u]" : "*l$index%u", v.p, v.n);
		break;
	case EN_IMM:
		put(o, "0x%x", v.n);
		break;
	default:
		put(o, "v%u", v.n);
	}
}

static void list(struct out *o, const char *name, struct en_opnd d, struct en_opnd a)
{
	put(o, "%s[", name);
	operand(o, d);
	put(o, ", ");
	operand(o, a);
}

static void shift(struct out *o, const struct en_insn *in)
{
	if (in->sc == EN_ROT && !in->n)
		return;
	put(o, ", %s", in->sc == EN_SHL ? "<<" : in->sc == EN_ROT ? ">>rot" : ">>");
	if (in->n == EN_IND)
		put(o, "indirect");
	else
		put(o, "%u", in->n);
}

static void text_alu(struct out *o, const struct en_insn *in)
{
	static const char *const name[] = {
		[EN_ALU_B] = "B", [EN_ADD] = "+", [EN_NOT] = "~B", [EN_AND] = "AND",
		[EN_NOTAND] = "~AND", [EN_SUBC] = "-carry", [EN_ANDNOT] = "AND~",
		[EN_ADDC] = "+carry", [EN_OR] = "OR", [EN_SUB] = "-", [EN_XOR] = "XOR",
	};

	list(o, "alu", in->d, in->a);
	put(o, ", %s, ", name[in->op]);
	operand(o, in->b);
	put(o, "]");
}

static void text_shf(struct out *o, const struct en_insn *in)
{
	if (in->op == EN_SHF_ASR) {
		put(o, "asr[");
		operand(o, in->d);
	} else if (in->sc == EN_DBL) {
		list(o, "dbl_shf", in->d, in->a);
	} else {
		list(o, "alu_shf", in->d, in->a);
		put(o, ", %s", in->op == EN_SHF_B ? "B" : in->op == EN_SHF_OR ? "OR" : "AND");
	}
	put(o, ", ");
	operand(o, in->b);
	if (in->sc == EN_ROT && !in->n)
		put(o, ", >>rot0");
	shift(o, in);
	put(o, "]");
}

static void text_ld_field(struct out *o, const struct en_insn *in)
{
	put(o, "ld_field%s[", in->flag ? "_w_clr" : "");
	operand(o, in->d);
	put(o, ", %u%u%u%u, ", in->mask >> 3 & 1, in->mask >> 2 & 1, in->mask >> 1 & 1,
	    in->mask & 1);
	operand(o, in->b);
	shift(o, in);
	put(o, "]");
}

static void text_immed(struct out *o, const struct en_insn *in)
{
	put(o, in->class == EN_IMMED_W1 ? "immed_w1[" : "immed[");
	operand(o, in->d);
	put(o, ", 0x%x", in->flag ? ~in->imm : in->imm);
	if (in->n && in->class == EN_IMMED)
		put(o, ", <<%u", 8 * in->n);
	put(o, "]");
}

static void slots(struct out *o, const struct en_insn *in)
{
	if (in->slots)
		put(o, ", defer[%u]", in->slots);
}

static void text_mul(struct out *o, const struct en_insn *in)
{
	static const char *const kind[] = {
		[EN_MUL_32X32] = "32x32", [EN_MUL_16X16] = "16x16", [EN_MUL_24X8] = "24x8",
	};

	if (in->op > 4) {
		list(o, "mul_step", in->d, in->a);
		put(o, "], %s_%s", kind[in->n], in->op == 5 ? "last" : "last2");
		return;
	}
	list(o, "mul_step", in->a, in->b);
	if (in->op)
		put(o, "], %s_step%u", kind[in->n], in->op);
	else
		put(o, "], start");
}

const char *encode_csr_name(uint32_t addr)
{
	/* Addresses and names are those of flowenv's nfp_me.h and of binutils. */
	static const char *const name[] = {
		[0x44 / 4] = "ActCtxStatus", [0x54 / 4] = "ActCtxWkpEvt",
		[0x5c / 4] = "ActCtxFtrCnt",
		[0x64 / 4] = "ActLMAddr0", [0x6c / 4] = "ActLMAddr1",
		[0x7c / 4] = "ActFtrCntSgl", [0x94 / 4] = "ActLMAddr2",
		[0x9c / 4] = "ActLMAddr3", [0xc0 / 4] = "TimestampLow",
		[0xc4 / 4] = "TimestampHgh", [0x108 / 4] = "SameMESignal",
	};

	return addr % 4 || addr / 4 >= sizeof(name) / sizeof(name[0]) ? NULL : name[addr / 4];
}

static void text_csr_wr(struct out *o, const struct en_insn *in)
{
	put(o, "local_csr_wr[%s, ", encode_csr_name(in->imm));
	operand(o, in->b);
	put(o, "]");
}

static void text_csr_rd(struct out *o, const struct en_insn *in)
{
	put(o, "local_csr_rd[%s]", encode_csr_name(in->imm));
}

static void text_br(struct out *o, const struct en_insn *in)
{
	static const char *const name[] = {
		[EN_EQ] = "beq", [EN_NE] = "bne", [EN_MI] = "bmi", [EN_HS] = "bcs",
		[EN_LO] = "bcc", [EN_GE] = "bge", [EN_LT] = "blt", [EN_ALWAYS] = "br",
	};

	if (in->op == EN_SIG || in->op == EN_NO_SIG)
		put(o, "br_%ssignal[%u, .%u]", in->op == EN_SIG ? "" : "!", in->sig, in->imm);
	else
		put(o, "%s[.%u]", name[in->op], in->imm);
	slots(o, in);
}

static void text_br_bit(struct out *o, const struct en_insn *in)
{
	put(o, in->op ? "br_bset[" : "br_bclr[");
	operand(o, in->b);
	put(o, ", %u, .%u]", in->n, in->imm);
	slots(o, in);
}

static void text_arb(struct out *o, const struct en_insn *in)
{
	const char *sep = "";

	if (in->op) {
		put(o, "ctx_arb[--]");
		return;
	}
	put(o, "ctx_arb[%s", !in->imm ? "kill" : in->imm == 1 ? "voluntary" : "");
	for (unsigned int i = 1; i < 16; i++) {
		if (!(in->imm >> i & 1))
			continue;
		put(o, "%ssig%u", sep, i);
		sep = ", ";
	}
	put(o, "]%s", in->flag ? ", any" : "");
}

static void text_cmd(struct out *o, const struct en_insn *in)
{
	static const char *const name[] = {
		[EN_READ8] = "read8", [EN_READ32_SWAP] = "read32_swap",
		[EN_WRITE8_SWAP] = "write8_swap", [EN_WRITE32_SWAP] = "write32_swap",
		[EN_READ32] = "read32", [EN_WRITE32] = "write32",
		[EN_READ64] = "read", [EN_WRITE64] = "write",
		[EN_ADD_WORK] = "ctm.packet_complete_multicast/emem.qadd_work",
		[EN_ATOMIC_SET] = "set", [EN_ATOMIC_TEST_SET] = "test_set",
		[EN_ATOMIC_CLR] = "clr", [EN_ATOMIC_TEST_CLR] = "test_clr",
		[EN_ATOMIC_ADD] = "add", [EN_ATOMIC_TEST_ADD] = "test_add",
	};

	put(o, "mem[%s, ", name[in->op]);
	operand(o, in->d);
	put(o, ", ");
	operand(o, in->b);
	put(o, ", <<8, ");
	operand(o, in->a);
	put(o, ", %u], ctx_swap[sig%u]", in->n, in->sig);
	slots(o, in);
}

static void text_rtn(struct out *o, const struct en_insn *in)
{
	put(o, "rtn[");
	operand(o, in->b);
	put(o, "]");
}

void encode_text(const struct en_insn *in, char *buf, size_t len)
{
	static void (*const class[])(struct out *o, const struct en_insn *in) = {
		[EN_ALU] = text_alu, [EN_SHF] = text_shf, [EN_LDF] = text_ld_field,
		[EN_IMMED] = text_immed, [EN_IMMED_W1] = text_immed, [EN_MUL] = text_mul,
		[EN_CSR_WR] = text_csr_wr,
		[EN_CSR_RD] = text_csr_rd, [EN_BR] = text_br, [EN_BR_BIT] = text_br_bit,
		[EN_RTN] = text_rtn, [EN_ARB] = text_arb, [EN_CMD] = text_cmd,
	};
	struct out o = { buf, len };

	if (in->class == EN_NOP)
		put(&o, "nop");
	else
		class[in->class](&o, in);
}
