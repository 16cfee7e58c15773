// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_mecc_encode.c - mecc: instruction words, against the decoder of the emulated microengine.
 *
 * With the argument "gen", this program prints random instructions for mecc.t: the word, and the
 * text of what was meant.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "encode.h"
#include "fw_code.h"
#include "me.h"
#include "random.h"

#define A(i)		{ EN_A, 0, (i) }
#define B(i)		{ EN_B, 0, (i) }
#define X(i)		{ EN_XFER, 0, (i) }
#define I(v)		{ EN_IMM, 0, (v) }
#define LM(ptr, off)	{ EN_LM, (ptr), (off) }

static const struct {
	const char *text;
	struct en_insn in;
} good[] = {
	{ "alu[gprA_3, gprB_1, -carry, *l$index2[4]]",
	  { EN_ALU, EN_SUBC, .d = A(3), .a = B(1), .b = LM(2, 4) } },
	{ "alu[--, gprA_2, OR, 0x0]", { EN_ALU, EN_OR, .a = A(2), .b = I(0) } },
	{ "alu[*l$index1[15], --, B, $xfer_40]", { EN_ALU, EN_ALU_B, .d = LM(1, 15), .b = X(40) } },
	{ "alu_shf[gprB_9, 0xc8, OR, gprA_1, <<5]",
	  { EN_SHF, EN_SHF_OR, EN_SHL, 5, .d = B(9), .a = I(200), .b = A(1) } },
	{ "alu_shf[gprB_9, --, B, gprB_1, >>indirect]",
	  { EN_SHF, EN_SHF_B, EN_SHR, EN_IND, .d = B(9), .b = B(1) } },
	{ "alu_shf[gprB_9, --, B, gprB_1, >>rot8]",
	  { EN_SHF, EN_SHF_B, EN_ROT, 8, .d = B(9), .b = B(1) } },
	{ "dbl_shf[gprA_0, gprB_31, gprA_7, >>31]",
	  { EN_SHF, EN_SHF_B, EN_DBL, 31, .d = A(0), .a = B(31), .b = A(7) } },
	{ "asr[gprA_0, gprA_7, >>1]", { EN_SHF, EN_SHF_ASR, EN_SHR, 1, .d = A(0), .b = A(7) } },
	{ "ld_field[*l$index0[7], 0110, gprB_3, <<8]",
	  { EN_LDF, .sc = EN_SHL, .n = 8, .mask = 6, .d = LM(0, 7), .b = B(3) } },
	{ "ld_field_w_clr[gprA_3, 0001, *l$index3]",
	  { EN_LDF, .mask = 1, .flag = 1, .d = A(3), .b = LM(3, 0) } },
	{ "immed[gprB_3, 0xffff0000, <<16]",
	  { EN_IMMED, .n = 2, .imm = 0xffff, .flag = 1, .d = B(3) } },
	{ "immed_w1[gprB_3, 0xbeef]", { EN_IMMED_W1, .imm = 0xbeef, .d = B(3) } },
	{ "mul_step[gprB_3, 0x7], start", { EN_MUL, 0, .a = B(3), .b = I(7) } },
	{ "mul_step[gprB_3, gprA_2], 32x32_step4", { EN_MUL, 4, .a = B(3), .b = A(2) } },
	{ "mul_step[gprB_3, --], 32x32_last2", { EN_MUL, 6, .d = B(3) } },
	{ "local_csr_wr[ActLMAddr3, gprB_4]", { EN_CSR_WR, .imm = EN_CSR_LM3, .b = B(4) } },
	{ "local_csr_wr[ActLMAddr1, 0x80]", { EN_CSR_WR, .imm = EN_CSR_LM1, .b = I(128) } },
	{ "bge[.16383]", { EN_BR, EN_GE, .imm = 16383 } },
	{ "mul_step[gprA_3, gprB_2], 24x8_step1", { EN_MUL, 1, .n = 2, .a = A(3), .b = B(2) } },
	{ "mul_step[gprA_3, --], 16x16_last", { EN_MUL, 5, .n = 1, .d = A(3) } },
	{ "bne[.7], defer[3]", { EN_BR, EN_NE, .slots = 3, .imm = 7 } },
	{ "br_bset[gprA_2, 0, .9], defer[1]", { EN_BR_BIT, 1, .slots = 1, .imm = 9, .b = A(2) } },
	{ "mem[read32, $xfer_0, gprB_2, <<8, gprA_1, 1], ctx_swap[sig1], defer[2]",
	  { EN_CMD, EN_READ32, .n = 1, .sig = 1, .slots = 2, .d = X(0), .a = A(1), .b = B(2) } },
	{ "br[.0]", { EN_BR, EN_ALWAYS, .imm = 0 } },
	{ "br_bclr[gprB_2, 31, .9000]", { EN_BR_BIT, 0, .n = 31, .imm = 9000, .b = B(2) } },
	{ "ctx_arb[kill]", { EN_ARB, .imm = 0 } },
	{ "rtn[gprA_5]", { EN_RTN, .b = A(5) } },
	{ "ctx_arb[sig1, sig15], any", { EN_ARB, .imm = 0x8002, .flag = 1 } },
	{ "mem[read8, $xfer_33, gprB_2, <<8, gprA_1, 8], ctx_swap[sig3]",
	  { EN_CMD, EN_READ8, .n = 8, .sig = 3, .d = X(33), .a = A(1), .b = B(2) } },
	{ "mem[write32_swap, $xfer_0, gprB_2, <<8, 0x7f, 1], ctx_swap[sig1]",
	  { EN_CMD, EN_WRITE32_SWAP, .n = 1, .sig = 1, .d = X(0), .a = I(127), .b = B(2) } },
	{ "mem[read, $xfer_0, gprB_2, <<8, gprA_1, 8], ctx_swap[sig1]",
	  { EN_CMD, EN_READ64, .n = 8, .sig = 1, .d = X(0), .a = A(1), .b = B(2) } },
	{ "mem[write32, $xfer_4, gprB_2, <<8, gprA_1, 2], ctx_swap[sig1]",
	  { EN_CMD, EN_WRITE32, .n = 2, .sig = 1, .d = X(4), .a = A(1), .b = B(2) } },
	{ "mem[test_add, $xfer_0, gprB_2, <<8, gprA_1, 1], ctx_swap[sig2]",
	  { EN_CMD, EN_ATOMIC_TEST_ADD, .n = 1, .sig = 2, .d = X(0), .a = A(1), .b = B(2) } },
	{ "local_csr_wr[SameMESignal, gprA_4]", { EN_CSR_WR, .imm = 0x108, .b = A(4) } },
	{ "nop", { .class = EN_NOP } },
};

static void words(void **state)
{
	char buf[128];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		uint64_t w = encode(&good[i].in);

		if (!w)
			fail_msg("%s: %s", good[i].text, encode_refusal());
		assert_int_equal(fw_ecc(w) & ~(0x7full << 45), w);
		encode_text(&good[i].in, buf, sizeof(buf));
		assert_string_equal(buf, good[i].text);
		assert_int_equal(me_text(w, buf, sizeof(buf)), 0);
		assert_string_equal(buf, good[i].text);
	}
}

static const struct {
	const char *why;
	struct en_insn in;
} bad[] = {
	{ "both sources are in the same register file", { EN_ALU, EN_ADD, .a = A(3), .b = A(2) } },
	{ "both sources are in the same register file", { EN_ALU, EN_ADD, .a = I(3), .b = I(3) } },
	{ "both sources are in the same register file",
	  { EN_ALU, EN_ADD, .a = LM(0, 1), .b = LM(2, 1) } },
	{ "both sources are in the same register file",
	  { EN_LDF, .mask = 1, .d = B(3), .b = B(2) } },
	{ "both sources are in the same register file", { EN_MUL, 1, .a = B(3), .b = B(2) } },
	{ "register above 31", { EN_ALU, EN_ADD, .a = A(32), .b = B(2) } },
	{ "register is not allocated", { EN_ALU, EN_ADD, .a = { EN_VREG, 0, 1 }, .b = B(2) } },
	{ "immediate above 255", { EN_ALU, EN_ADD, .a = A(3), .b = I(256) } },
	{ "local memory offset above 15", { EN_ALU, EN_ALU_B, .d = A(3), .b = LM(0, 16) } },
	{ "local memory offset above 7", { EN_LDF, .mask = 1, .d = A(3), .b = LM(0, 8) } },
	{ "shift amount is not 1 to 31", { EN_SHF, EN_SHF_B, EN_SHR, 32, .d = A(1), .b = B(1) } },
	{ "shift amount is not 1 to 31", { EN_SHF, EN_SHF_B, EN_SHL, 0, .d = A(1), .b = B(1) } },
	{ "shift of this kind does not exist",
	  { EN_SHF, EN_SHF_ASR, EN_SHL, 1, .d = A(1), .b = B(1) } },
	{ "immediate above 16 bits", { EN_IMMED, .imm = 0x10000, .d = A(1) } },
	{ "immediate is shifted by more than 2 bytes", { EN_IMMED, .n = 3, .d = A(1) } },
	{ "branch target above 16383", { EN_BR, EN_EQ, .imm = 16384 } },
	{ "defer slots of a branch above 3, or 2 without condition",
	  { EN_BR, EN_ALWAYS, .slots = 3, .imm = 1 } },
	{ "defer slots of a command above 2",
	  { EN_CMD, .n = 1, .sig = 1, .slots = 3, .d = X(0), .a = A(1), .b = B(2) } },
	{ "step that a short multiplication does not have",
	  { EN_MUL, 2, .n = EN_MUL_24X8, .a = A(3), .b = B(2) } },
	{ "bit above 31", { EN_BR_BIT, 1, .n = 32, .b = A(1) } },
	{ "bit of something that is no register", { EN_BR_BIT, 1, .b = X(1) } },
	{ "return to something that is no register", { EN_RTN, .b = I(1) } },
	{ "signals are 1 to 15", { EN_ARB, .imm = 0x10000 } },
	{ "signals are 1 to 15", { EN_ARB, .imm = 3 } },
	{ "any of no signals", { EN_ARB, .imm = 1, .flag = 1 } },
	{ "signals are 1 to 15", { EN_CMD, .n = 1, .d = X(0), .a = A(1), .b = B(2) } },
	{ "length of a command is not 1 to 8",
	  { EN_CMD, .n = 9, .sig = 1, .d = X(0), .a = A(1), .b = B(2) } },
	{ "address of a command is in the wrong register file",
	  { EN_CMD, .n = 1, .sig = 1, .d = X(0), .a = B(1), .b = A(2) } },
	{ "immediate of a command above 127",
	  { EN_CMD, .n = 1, .sig = 1, .d = X(0), .a = I(128), .b = B(2) } },
	{ "no such CSR", { EN_CSR_WR, .imm = 0x65, .b = A(1) } },
	{ "no such CSR", { EN_CSR_RD, .imm = 0x84 } },
	{ "length of an addition is not 1 to 4",
	  { EN_CMD, EN_ATOMIC_ADD, .n = 5, .sig = 1, .d = X(0), .a = A(1), .b = B(2) } },
	{ "step of a multiplication above last2", { EN_MUL, 7, .d = A(1) } },
};

static void refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(encode(&bad[i].in), 0);
		assert_string_equal(encode_refusal(), bad[i].why);
	}
}

/* ---- random instructions ---- */

static struct en_opnd any(uint64_t *x)
{
	struct en_opnd o = { .k = random_below(x, EN_VREG), .p = random_below(x, 4) };

	o.n = random_below(x, o.k == EN_IMM ? 256 : o.k == EN_XFER ? 64 : o.k == EN_LM ? 16 : 32);
	return o;
}

static bool next(uint64_t *x, struct en_insn *in)
{
	static const uint8_t alus[] = {
		EN_ALU_B, EN_ADD, EN_NOT, EN_AND, EN_NOTAND, EN_SUBC, EN_ANDNOT, EN_ADDC, EN_OR,
		EN_SUB, EN_XOR,
	};
	static const uint8_t shfs[] = { EN_SHF_B, EN_SHF_AND, EN_SHF_OR, EN_SHF_ASR };
	static const uint8_t conds[] = {
		EN_EQ, EN_NE, EN_MI, EN_HS, EN_LO, EN_GE, EN_LT, EN_ALWAYS,
	};
	static const uint16_t csrs[] = {
		EN_CSR_LM0, EN_CSR_LM1, EN_CSR_LM2, EN_CSR_LM3, 0x44, 0x5c, 0x7c, 0xc0, 0xc4, 0x108,
	};

	*in = (struct en_insn){
		.class = random_below(x, EN_NOP), .sc = random_below(x, 4),
		.n = random_below(x, 32),
		.mask = random_below(x, 16), .flag = random_below(x, 2), .sig = random_below(x, 16),
		.slots = random_below(x, 4),
		.imm = random_below(x, 0x10000), .d = any(x), .a = any(x), .b = any(x),
	};
	switch (in->class) {
	case EN_ALU:
		in->op = alus[random_below(x, sizeof(alus))];
		if (in->op == EN_ALU_B || in->op == EN_NOT)
			in->a.k = EN_NONE;
		break;
	case EN_SHF:
		in->op = shfs[random_below(x, sizeof(shfs))];
		if ((in->op == EN_SHF_B && in->sc != EN_DBL) || in->op == EN_SHF_ASR)
			in->a.k = EN_NONE;
		if (!in->n && in->sc != EN_ROT)
			in->n = EN_IND;
		break;
	case EN_IMMED_W1:
		in->flag = 0;
		break;
	case EN_MUL:
		in->op = random_below(x, 7);
		in->n = in->n % 3;
		if (in->op > 4)
			in->a.k = EN_NONE;
		break;
	case EN_CSR_WR:
	case EN_CSR_RD:
		in->imm = csrs[random_below(x, sizeof(csrs) / sizeof(csrs[0]))];
		break;
	case EN_BR:
		in->op = conds[random_below(x, sizeof(conds))];
		break;
	case EN_BR_BIT:
		in->op = random_below(x, 2);
		break;
	case EN_CMD:
		in->op = random_below(x, EN_CMDS);
		in->d.k = EN_XFER;
		break;
	}
	if (in->b.k == EN_NONE)
		in->b = (struct en_opnd)I(1);
	/* binutils prints the absent destination of a product as a number. */
	if (in->class == EN_MUL && in->op > 4 && in->d.k == EN_NONE)
		return false;
	/* Operations of two sources need both, and immed a destination. */
	if (in->a.k == EN_NONE &&
	    ((in->class == EN_ALU && in->op != EN_ALU_B && in->op != EN_NOT) ||
	     (in->class == EN_SHF &&
	      (in->sc == EN_DBL || in->op == EN_SHF_AND || in->op == EN_SHF_OR)) ||
	     (in->class == EN_MUL && in->op < 5) || in->class == EN_CMD))
		return false;
	if (in->d.k == EN_NONE && (in->class == EN_IMMED || in->class == EN_IMMED_W1))
		return false;
	return encode(in);
}

static int gen(void)
{
	uint64_t x = 88172645463325252ull;

	for (unsigned int n = 0; n < 30000;) {
		struct en_insn in;
		char buf[128];

		if (!next(&x, &in))
			continue;
		encode_text(&in, buf, sizeof(buf));
		printf("%llx\t%s\n", (unsigned long long)encode(&in), buf);
		n++;
	}
	return 0;
}

/*
 * What the encoder makes is what the decoder reads, except for forms that the core does not have.
 */
static void random_words(void **state)
{
	uint64_t x = random_seed(1);
	unsigned int known = 0;

	(void)state;
	for (unsigned int n = 0; n < 100000; n++) {
		struct en_insn in;
		char want[128], got[128];

		if (!next(&x, &in))
			continue;
		encode_text(&in, want, sizeof(want));
		if (me_text(encode(&in), got, sizeof(got)))
			continue;
		assert_string_equal(got, want);
		known++;
	}
	print_message("# %u words\n", known);
	assert_true(known > 10000);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(refused),
		cmocka_unit_test(random_words),
	};

	if (argc == 2 && !strcmp(argv[1], "gen"))
		return gen();
	return cmocka_run_group_tests_name("mecc_encode", tests, NULL, NULL);
}
