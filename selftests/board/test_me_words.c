// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_me_words.c - microengine: images, and the decoding of instruction words.
 *
 * With an argument, this program is a tool for me_disasm.t: "gen" prints some hundred thousand
  * words in hexadecimal, "text" reads such words and prints their disassembly.
 */
#include "fw_code.h"
#include "me_rig.h"
#include "random.h"

/* ---- images ---- */

/* The expected values were calculated by hand from the polynomials in nfp_asm.c. */
static void ecc(void **state)
{
	(void)state;
	assert_int_equal(fw_ecc(0), 0);
	/* bit 0 is in polynomials 0, 1 and 2 */
	assert_int_equal(fw_ecc(1), 1ull | 7ull << 45);
	/* bit 44 is in polynomials 1 to 5 */
	assert_int_equal(fw_ecc(1ull << 44), 1ull << 44 | 0x3eull << 45);
	/* ECC bits in the input do not matter */
	assert_int_equal(fw_ecc(1 | 0x7full << 45), fw_ecc(1));
}

static void image_refused(void **state)
{
	uint64_t w[4] = { fw_ecc(NOP), fw_ecc(NOP), fw_ecc(NOP), fw_ecc(NOP) };
	unsigned int bad = 77;

	(void)state;
	errno = 0;
	assert_null(me_image_new(0, w, 0, &bad));
	assert_int_equal(errno, EINVAL);
	assert_null(me_image_new(ME_USTORE - 3, w, 4, &bad));
	assert_int_equal(errno, EINVAL);
	assert_null(me_image_new(0, w, UINT32_MAX, &bad));
	assert_int_equal(errno, EINVAL);
	assert_int_equal(bad, 77);
	/* flip one bit of the instruction, then of the ECC, then of the unused bits */
	w[2] ^= 1ull << 20;
	assert_null(me_image_new(0, w, 4, &bad));
	assert_int_equal(errno, EBADMSG);
	assert_int_equal(bad, 2);
	w[2] = fw_ecc(NOP) ^ 1ull << 51;
	w[3] = 0;
	assert_null(me_image_new(0, w, 4, &bad));
	assert_int_equal(bad, 2);
	w[2] = fw_ecc(NOP) | 1ull << 52;
	assert_null(me_image_new(0, w, 4, NULL));
	assert_int_equal(errno, EBADMSG);
	me_image_put(NULL);
}

/* A control store full of branches with defer slots: decoding needs most memory for it. */
static void image_largest(void **state)
{
	uint64_t *w = calloc(ME_USTORE, sizeof(*w));
	struct me_image *img;
	struct me me;
	unsigned int i;

	(void)state;
	assert_non_null(w);
	me_init(&me, &rig_ops, NULL);
	for (i = 0; i < ME_USTORE - 1; i++)
		w[i] = fw_ecc(br(EQ, (i + ME_USTORE / 2) % ME_USTORE, 3));
	/* Load half of it: the branches lead to the other half, where no code is. */
	img = me_image_new(0, w, ME_USTORE / 2, NULL);
	assert_non_null(img);
	me_start(&me, 0, img, 0);
	assert_int_equal(me_run(&me, 0, BUDGET), ME_FAULT);
	assert_int_equal(me.ctx[0].fault.reason, ME_FAULT_SLOT);
	assert_int_equal(me.ctx[0].fault.pc, 1);
	me_image_put(img);
	w[i] = fw_ecc(br(ALWAYS, 0, 2));
	img = me_image_new(0, w, ME_USTORE, NULL);
	assert_non_null(img);
	me_start(&me, 0, img, ME_USTORE - 1);
	/* The slots of the last branch would be beyond the store's end. */
	assert_int_equal(me_run(&me, 0, BUDGET), ME_FAULT);
	assert_int_equal(me.ctx[0].fault.reason, ME_FAULT_NO_CODE);
	assert_int_equal(me.ctx[0].fault.pc, ME_USTORE);
	me_image_put(img);
	me_exit(&me);
	free(w);
}

/* ---- text ---- */

static void text_of(uint64_t insn, const char *want)
{
	char buf[128];

	assert_int_equal(me_text(insn, buf, sizeof(buf)), 0);
	assert_string_equal(buf, want);
}

/* One instruction of each kind; me_disasm.t compares many more with binutils. */
static void texts(void **state)
{
	char buf[8];

	(void)state;
	text_of(alu(AB(3), LMINC(2), SUBC, A(1)),
		"alu[gprA_3, *l$index2++, -carry, gprA_1], gpr_wrboth");
	text_of(shf_or(X(40), A(1), I(200), SHL, 5), "alu_shf[$xfer_40, gprA_1, OR, 0xc8, <<5]");
	text_of(ld_field_clr(B(7), 5, X(3), SHR, 8), "ld_field_w_clr[gprB_7, 0101, $xfer_3, >>8]");
	text_of(immed_any(A(1), 0x1234, 1, true, false), "immed[gprA_1, 0xffffedcb, <<8]");
	text_of(immed_w1(LM(3, 2), 7), "immed_w1[*l$index3[2], 0x7]");
	text_of(NOP, "nop");
	text_of(csr_wr(CSR_LM(3), B(21)), "local_csr_wr[ActLMAddr3, gprB_21]");
	text_of(mul_last2(AB(5)), "mul_step[gprA_5, --], 32x32_last2, gpr_wrboth");
	text_of(br(LT, 9000, 3), "blt[.9000], defer[3]");
	text_of(br_bit(B(2), 5, true, 12, 0), "br_bset[gprB_2, 5, .12]");
	text_of(br_byte(A(2), 3, 0xfe, false, 12, 1), "br!=byte[gprA_2, 3, 0xfe, .12], defer[1]");
	text_of(rtn(B(21), 3), "rtn[gprB_21], defer[3]");
	text_of(ctx_arb(0x0a, true), "ctx_arb[sig1, sig3], any");
	text_of(cmd_indir(READ32_SWAP, MU, 5, A(2), B(3), 7, SWAP),
		"mem[read32_swap, $xfer_5, gprB_3, <<8, gprA_2, 8], indirect_ref, ctx_swap[sig1]");
	/* buffers shorter than the text */
	assert_int_equal(me_text(NOP, buf, 3), 0);
	assert_string_equal(buf, "no");
	assert_int_equal(me_text(rtn(B(21), 3), buf, sizeof(buf)), 0);
	assert_string_equal(buf, "rtn[gpr");
}

/* The decoder refuses instructions whose meaning is not known, or that need what it lacks. */
static void forms_refused(void **state)
{
	const uint64_t add = alu(A(1), A(1), ADD, B(1)), two = br(EQ, 5, 0);
	const uint64_t words[] = {
		add | 1ull << 44,				/* predicate_cc */
		alu(A(1), A(1), 0x03, B(1)),			/* pop_count3 */
		alu(A(1), A(1), 0x12, B(1)),			/* crc_be */
		add | 0x20,					/* reserved bit */
		alu(A(1), X(1), ADD, B(1)) & ~0xc0ull,		/* *$index without its bit */
		add | 0x280,					/* next neighbour */
		alu(X(1), A(1), ADD, B(1)) | 1ull << 41,	/* transfer register, both banks */
		alu(LMINC(0), LMINC(0), ADD, B(1)),		/* pointer modified twice */
		alu(INDEXINC, INDEXINC, ADD, B(1)),
		shf_op(A(1), A(1), 7, B(1), SHR, 1),		/* byte_align with an amount */
		shf_op(A(1), A(1), 7, LM(2, 0), SHR, 0),
		shf_op(A(1), A(1), 1, B(1), DBL, 1),
		shf_op(A(1), A(1), 6, B(1), SHL, 1), shf_op(A(1), A(1), 2, B(1), DBL, 1),
		ld_field(A(1), 1, B(1), SHR, 0), ld_field(A(1), 1, B(1), DBL, 3),
		ld_field(X(1), 1, B(1), ROT, 0), ld_field(LM(2, 1), 1, A(1), ROT, 0) ^ 1ull << 42,
		ld_field(INDEX, 1, B(1), ROT, 0),
		immed_b(A(1), 0x100, 0), immed_any(A(1), 1, 0, true, false) | 1ull << 29,
		immed_any(A(1), 1, 3, false, false), immed_any(A(1), 1, 1, false, true),
		immed_any(LMINC(0), 1, 0, false, true), immed_w1(INDEX, 1),
		mul_any(NONE, A(1), 1, 1, B(1)),		/* 24x8_step2 */
		mul_step(A(1), 16, 3, B(1)), mul_any(A(1), NONE, 2, 5, NONE),
		csr_wr(4, A(1)), csr_rd(0xc0) | 1,
		br(3, 5, 0) ^ 1 << 8, two ^ 1 << 8, two | 1 << 14, br(ALWAYS, 5, 3),
		br(0x0c, 5, 0), br_state(IS_CTX, 8, 5, 0), br_state(IS_CTX, 1, 5, 3),
		br_state(SIGNALLED, 0, 5, 0), br(0x14, 5, 0),	/* br_inp_state */
		jump(A(1), ME_USTORE, 0), rtn(A(1), 0) | 1ull << 31,
		ctx_arb(0, false), ctx_arb(3, false), ctx_arb(1, true), ARB_KILL | 1 << 18,
		ctx_arb(2, false) | 1 << 22, ARB_CSR | 2, ARB_BPT | 2, arb_defer(ctx_arb(2,
											 false), 3),
		cmd(MEM(16, 3) + 4 * 8, MU, 0, A(1), I(0), 0, SWAP),	/* no such action */
		cmd(READ32_SWAP, 2, 0, A(1), I(0), 0, SWAP), cmd(READ32_SWAP, 5, 0, A(1), I(0),
								 0, SWAP),
		cmd(MEM(13, 0), MU, 0, A(1), B(1), 1, SWAP),
	};
	char buf[128];

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!me_text(words[i], buf, sizeof(buf)))
			fail_msg("word %zu is %s", i, buf);
		assert_string_equal(buf, "<an instruction whose meaning is not known>");
	}
}

/* Programs of the driver have six commands. Other modes number registers in another way. */
static void modes(void **state)
{
	const uint64_t ffs = alu(A(16), I(0), FFS, B(1)), read = cmd(MEM(28, 0), MU, 40, A(1), B(1),
								   0, SWAP);
	char buf[192];

	(void)state;
	assert_int_equal(me_text_mode(read, ME_BPF, buf, sizeof(buf)), -EINVAL);
	assert_int_equal(me_text_mode(read, ME_CTX4, buf, sizeof(buf)), 0);
	assert_string_equal(buf, "mem[read32, $xfer_40, gprB_1, <<8, gprA_1, 1], ctx_swap[sig1]");
	assert_int_equal(me_text_mode(read, ME_CTX8, buf, sizeof(buf)), -EINVAL);
	assert_int_equal(me_text_mode(ffs, ME_CTX4, buf, sizeof(buf)), 0);
	assert_string_equal(buf, "ffs[gprA_16, gprB_1]");
	assert_int_equal(me_text_mode(ffs, ME_CTX8, buf, sizeof(buf)), -EINVAL);
	assert_int_equal(me_text_mode(alu(X8(17), NONE, B_, X8(31)), ME_CTX8, buf, sizeof(buf)), 0);
	assert_string_equal(buf, "alu[$xfer_17, --, B, $xfer_31]");
}

/* ---- some hundred thousand words, the same in every run ---- */

static uint64_t next(uint64_t *x)
{
	return random_next(x) >> 19;
}

static unsigned int upto(uint64_t *x, unsigned int n)
{
	return next(x) % n;
}

/* Operands that only firmware of whole microengines has */
static opnd whole_operand(uint64_t *x, bool restricted)
{
	switch (upto(x, restricted ? 2 : 4)) {
	case 0:
		return X8(upto(x, 32));
	case 1:
		return (opnd){ AK_INDEX, upto(x, 3), 0 };
	case 2:
		return ABS_A(upto(x, 128));
	default:
		return ABS_B(upto(x, 128));
	}
}

/* Make any operand; with @restricted, one that fits a field of eight bits. */
static opnd operand(uint64_t *x, bool restricted, bool dst)
{
	unsigned int k = upto(x, 9), p = upto(x, 4);

	switch (k) {
	case 0:
		return A(upto(x, 32));
	case 1:
		return B(upto(x, 32));
	case 2:
		return X(upto(x, 64));
	case 3:
		return LM(p, upto(x, restricted ? 8 : 16));
	case 4:
		return restricted ? LM(p, 0) : upto(x, 2) ? LMINC(p) : LMDEC(p);
	case 5:
		return dst ? NONE : I(upto(x, 256));
	case 8:
		return whole_operand(x, restricted);
	default:
		return dst ? AB(upto(x, 32)) : k == 6 ? A(upto(x, 32)) : B(upto(x, 32));
	}
}

static uint64_t gen_alu(uint64_t *x)
{
	static const enum alu_op ops[] = {
		B_, ADD, NOT_, ADD16, AND_, NOTAND, SUBC, ANDNOT, ADDC, OR_, SUB, XOR_, ADD8, RSUB,
		FFS,
	};

	return alu(operand(x, false, true), operand(x, false, false), ops[upto(x, 15)],
		   operand(x, false, false)) | (upto(x, 4) ? 0 : 1ull << 40);
}

static uint64_t gen_shf(uint64_t *x)
{
	unsigned int op = upto(x, 8);

	return shf_op(operand(x, true, true), operand(x, true, false), op, operand(x, true, false),
		      upto(x, 4), op == 7 ? 0 : upto(x, 32)) | (upto(x, 4) ? 0 : 1ull << 40);
}

static uint64_t gen_ld_field(uint64_t *x)
{
	return ld_field_any(operand(x, true, true), upto(x, 16), operand(x, true, false),
			    upto(x, 3), 1 + upto(x, 31), upto(x, 2)) |
	       (upto(x, 4) ? 0 : 1ull << 34);
}

static uint64_t gen_immed(uint64_t *x)
{
	if (!upto(x, 8))
		return immed_b(operand(x, false, true), upto(x, 0x100), upto(x, 4));
	return immed_any(operand(x, false, true), upto(x, 0x10000), upto(x, 3), upto(x, 2),
			 upto(x, 4) == 0);
}

static uint64_t gen_mul(uint64_t *x)
{
	return mul_any(upto(x, 2) ? operand(x, false, true) : NONE, operand(x, false, false),
		       upto(x, 4), upto(x, 6), operand(x, false, false));
}

static uint64_t gen_csr(uint64_t *x)
{
	if (upto(x, 2))
		return csr_wr(CSR_LM(upto(x, 4)), operand(x, false, false));
	return upto(x, 2) ? csr_wr(4 * upto(x, 110), operand(x, false, false)) :
	       csr_rd(4 * upto(x, 110));
}

static uint64_t gen_br(uint64_t *x)
{
	unsigned int addr = upto(x, ME_USTORE), slots = upto(x, 4), cond = upto(x, 13);

	switch (upto(x, 6)) {
	case 0:
		return br(cond == 12 ? (enum br_cond)ALWAYS : (enum br_cond)cond, addr, slots);
	case 3:
		return br_state(IS_CTX + upto(x, 4), upto(x, 16), addr, slots);
	case 4:
		return jump(operand(x, false, false), addr, slots);
	case 1:
		return br_bit(operand(x, true, false), upto(x, 32), upto(x, 2), addr, slots);
	case 2:
		return br_byte(operand(x, true, false), upto(x, 4), upto(x, 256), upto(x, 2),
			       addr, slots);
	default:
		return rtn(operand(x, false, false), slots);
	}
}

static uint64_t gen_arb(uint64_t *x)
{
	uint64_t w = ctx_arb(upto(x, 9) ? upto(x, 0x8000) << 1 : 1, upto(x, 2));

	w = upto(x, 20) ? w : upto(x, 2) ? ARB_CSR : upto(x, 2) ? ARB_KILL : ARB_BPT;
	w = upto(x, 2) ? w : arb_br(w, upto(x, ME_USTORE));
	return arb_defer(w, upto(x, 3));
}

static uint64_t gen_cmd(uint64_t *x)
{
	static const enum cmd_act acts[] = {
		READ32_SWAP, READ8, WRITE8_SWAP, WRITE32_SWAP, CADD, CADD_IMM,
	};
	unsigned int act = upto(x, 4) ? upto(x, 512) : acts[upto(x, 6)], mode = upto(x, 3);
	opnd l = operand(x, true, false), r = operand(x, true, false);

	l = l.k == AK_B || is_lm(l) ? A(l.n) : l;
	r = r.k == AK_A || is_lm(r) ? B(r.n) : r;
	return cmd(act, mode == 2 ? PKT : mode ? MU : A_HIGH, upto(x, 64), l, r, upto(x, 8),
		   upto(x, 4)) |
	       (upto(x, 2) ? 1ull << 41 : 0);
}

/* Print assembled words of each class, the same words with one bit flipped, and random words. */
static int gen(void)
{
	static const struct {
		uint64_t (*gen)(uint64_t *x);
		unsigned int n;
	} classes[] = {
		{ gen_alu, 60000 }, { gen_shf, 40000 }, { gen_ld_field, 20000 },
		{ gen_immed, 20000 }, { gen_mul, 20000 }, { gen_csr, 5000 },
		{ gen_br, 60000 }, { gen_arb, 8000 }, { gen_cmd, 60000 },
	};
	uint64_t x = 88172645463325252ull;

	for (unsigned int c = 0; c < sizeof(classes) / sizeof(classes[0]); c++) {
		for (unsigned int i = 0; i < classes[c].n; i++) {
			uint64_t w = classes[c].gen(&x);

			printf("%llx\n", (unsigned long long)w);
			printf("%llx\n", (unsigned long long)(w ^ 1ull << upto(&x, 45)));
		}
	}
	for (unsigned int i = 0; i < 100000; i++)
		printf("%llx\n", (unsigned long long)next(&x) & 0x1fffffffffff);
	return 0;
}

static int text(enum me_mode mode)
{
	char line[64], buf[192];

	while (fgets(line, sizeof(line), stdin)) {
		me_text_mode(strtoull(line, NULL, 16), mode, buf, sizeof(buf));
		puts(buf);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ecc),
		cmocka_unit_test(image_refused),
		cmocka_unit_test(image_largest),
		cmocka_unit_test(texts),
		cmocka_unit_test(forms_refused),
		cmocka_unit_test(modes),
	};

	if (argc == 2 && !strcmp(argv[1], "gen"))
		return gen();
	if (argc >= 2 && !strcmp(argv[1], "text"))
		return text(argc > 2 && !strcmp(argv[2], "ctx8") ? ME_CTX8 : ME_CTX4);
	return cmocka_run_group_tests_name("me_words", tests, NULL, NULL);
}
