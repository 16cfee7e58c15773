// SPDX-License-Identifier: BSD-2-Clause
/* encode.c - instruction words: operands, register files, classes. See encode.h. */
#include "encode.h"

#define BITS(v, at)	((uint64_t)(v) << (at))

#define UR_NONE		0x300
#define RE_NONE		0x020

static const struct en_opnd none;
static const char *refusal;

const char *encode_refusal(void)
{
	return refusal;
}

static bool refuse(const char *why)
{
	refusal = why;
	return false;
}

static uint64_t no(const char *why)
{
	refusal = why;
	return 0;
}

/* Unrestricted operand, 10 bits. An absent source is 0. */
static bool ur(struct en_opnd o, bool dst, uint64_t *v)
{
	switch (o.k) {
	case EN_NONE:
		*v = dst ? UR_NONE : 0;
		return true;
	case EN_A:
	case EN_B:
		*v = o.n;
		return o.n < 32 || refuse("register above 31");
	case EN_XFER:
		*v = 0x180 | (o.n & 31) | (o.n & 32) << 1;
		return o.n < 64 || refuse("transfer register above 63");
	case EN_LM:
		*v = 0x200 | (o.p & 1) << 5 | o.n;
		return (o.n < 16 && o.p < 4) || refuse("local memory offset above 15");
	case EN_IMM:
		*v = UR_NONE | o.n;
		return (!dst && o.n < 256) || refuse("immediate above 255");
	default:
		return refuse("register is not allocated");
	}
}

/* Restricted operand, 8 bits. Bit 7 of an immediate is in another field: see bit7(). */
static bool re(struct en_opnd o, bool dst, uint64_t *v)
{
	switch (o.k) {
	case EN_NONE:
		*v = dst ? RE_NONE : 0;
		return true;
	case EN_XFER:
		*v = 0x80 | (o.n & 31) | (o.n & 32) << 1;
		return o.n < 64 || refuse("transfer register above 63");
	case EN_LM:
		*v = 0x50 | (o.p & 1) << 3 | o.n;
		return (o.n < 8 && o.p < 4) || refuse("local memory offset above 7");
	case EN_IMM:
		*v = RE_NONE | (o.n & 0x1f) | (o.n & 0x60) << 1;
		return (!dst && o.n < 256) || refuse("immediate above 255");
	default:
		return ur(o, dst, v);
	}
}

static uint64_t bit7(struct en_opnd a, struct en_opnd b)
{
	return (a.k == EN_IMM && a.n & 0x80) || (b.k == EN_IMM && b.n & 0x80);
}

/*
 * Two sources come from different register files: each bank of GPRs is one, local memory another.
 */
static bool pair(struct en_opnd a, struct en_opnd b)
{
	if (a.k != EN_NONE && a.k == b.k)
		return refuse("both sources are in the same register file");
	return true;
}

/* Does @a have to be in the B field? */
static bool swapped(struct en_opnd a, struct en_opnd b)
{
	return a.k == EN_B || b.k == EN_A;
}

/* Choice of local memory pointers 2 and 3, by sources and by destination */
static bool high(struct en_opnd o)
{
	return o.k == EN_LM && o.p > 1;
}

static bool same_half(struct en_opnd a, struct en_opnd b)
{
	if (a.k == EN_LM && b.k == EN_LM && high(a) != high(b))
		return refuse("two local memory pointers of different halves");
	return true;
}

static uint64_t lm_bits(struct en_opnd d, struct en_opnd a, struct en_opnd b)
{
	return BITS(high(a) || high(b), 42) | BITS(high(d), 43);
}

static uint64_t alu(const struct en_insn *in)
{
	bool sw = swapped(in->a, in->b);
	uint64_t a, b, d;

	if (!pair(in->a, in->b) || !ur(in->a, false, &a) || !ur(in->b, false, &b) ||
	    !ur(in->d, true, &d))
		return 0;
	return BITS(0xa0, 32) | (sw ? b : a) | BITS(sw ? a : b, 10) | BITS(d, 20) |
	       BITS(sw, 30) | BITS(in->op, 31) | BITS(in->d.k == EN_B, 36) |
	       lm_bits(in->d, in->a, in->b);
}

/* Return: the amount as encoded, or a number above 31. An amount of 0 means indirect. */
static unsigned int amount(const struct en_insn *in)
{
	if (in->n == EN_IND)
		return in->sc == EN_ROT ? 32 : 0;
	if (in->sc == EN_ROT)
		return in->n;
	if (!in->n)
		return 32;
	return in->sc == EN_SHL ? 32u - in->n : in->n;
}

static uint64_t shf(const struct en_insn *in)
{
	bool sw = swapped(in->a, in->b);
	unsigned int n = amount(in);
	uint64_t a, b, d;

	if (n > 31)
		return no("shift amount is not 1 to 31");
	if ((in->op == EN_SHF_ASR && in->sc != EN_SHR) || (in->sc == EN_DBL && in->op))
		return no("shift of this kind does not exist");
	if (!pair(in->a, in->b) || !re(in->a, false, &a) || !re(in->b, false, &b) ||
	    !re(in->d, true, &d))
		return 0;
	return BITS(0x80, 32) | (sw ? b : a) | BITS(in->sc, 8) | BITS(sw ? a : b, 10) |
	       BITS(bit7(in->a, in->b), 18) | BITS(sw, 19) | BITS(d, 20) | BITS(n, 28) |
	       BITS(in->op, 33) | BITS(in->d.k == EN_B, 36) | lm_bits(in->d, in->a, in->b);
}

/* ld_field writes to the register of a source field, so its destination counts as a source. */
static uint64_t ld_field(const struct en_insn *in)
{
	bool sw = swapped(in->d, in->b);
	unsigned int n = in->sc == EN_ROT ? in->n : amount(in);
	uint64_t d, b;

	if (n > 31 || (in->sc && !n) || in->sc == EN_DBL)
		return no("shift amount is not 1 to 31");
	if (in->d.k != EN_A && in->d.k != EN_B && in->d.k != EN_LM)
		return no("ld_field writes registers and local memory only");
	if (!pair(in->d, in->b) || !same_half(in->d, in->b) || !re(in->d, false, &d) ||
	    !re(in->b, false, &b))
		return 0;
	return BITS(0xc0, 32) | (sw ? b : d) | BITS(in->sc, 8) | BITS(sw ? d : b, 10) |
	       BITS(bit7(in->d, in->b), 18) | BITS(sw, 19) | BITS(in->flag, 20) |
	       BITS(in->mask & 15, 24) | BITS(n, 28) | lm_bits(in->d, in->d, in->b);
}

static uint64_t immed(const struct en_insn *in)
{
	bool half = in->class == EN_IMMED_W1, in_b = in->d.k == EN_B;
	uint64_t low = UR_NONE | (in->imm & 0xff), d;

	if (in->imm > 0xffff)
		return no("immediate above 16 bits");
	if (!half && in->n > 2)
		return no("immediate is shifted by more than 2 bytes");
	if (!ur(in->d, true, &d))
		return 0;
	return BITS(0xf0, 32) | (in_b ? low : d) | BITS(in_b ? d : low, 10) |
	       BITS(in->imm >> 8, 20) | BITS(half, 30) | BITS(in->flag, 31) |
	       BITS(half ? 2 : in->n, 33) | lm_bits(in->d, in->d, in->b);
}

/* Steps: see struct en_insn. */
static uint64_t mul(const struct en_insn *in)
{
	static const struct {
		uint8_t type, steps;
	} kind[] = {
		[EN_MUL_32X32] = { 3, 4 }, [EN_MUL_16X16] = { 2, 2 }, [EN_MUL_24X8] = { 1, 1 },
	};
	unsigned int type = in->op ? kind[in->n].type : 0, step = in->op ? in->op - 1 : 0;
	bool last = in->op > 4, sw = !last && swapped(in->a, in->b);
	uint64_t a, b = 0;

	if (in->op > 6)
		return no("step of a multiplication above last2");
	if (in->n && (in->op == 6 || (in->op < 5 && in->op > kind[in->n].steps)))
		return no("step that a short multiplication does not have");
	if (last ? !ur(in->d, true, &a) :
	    !pair(in->a, in->b) || !ur(in->a, false, &a) || !ur(in->b, false, &b))
		return 0;
	return BITS(0xf8, 32) | (sw ? b : a) | BITS(sw ? a : b, 10) | BITS(step, 20) |
	       BITS(last && in->d.k == EN_B, 23) | BITS(sw, 30) | BITS(type, 31) |
	       (last ? lm_bits(in->d, none, none) : lm_bits(none, in->a, in->b));
}

static uint64_t csr_rd(const struct en_insn *in)
{
	if (!encode_csr_name(in->imm))
		return no("no such CSR");
	return BITS(0xfc, 32) | BITS(in->imm / 4, 22);
}

static uint64_t csr_wr(const struct en_insn *in)
{
	bool in_b = in->b.k == EN_B || in->b.k == EN_IMM;
	uint64_t v;

	if (!encode_csr_name(in->imm))
		return no("no such CSR");
	if (!ur(in->b, false, &v))
		return 0;
	return BITS(0xfc, 32) | (in_b && in->b.k == EN_B ? UR_NONE : v) |
	       BITS(in_b ? v : UR_NONE, 10) | BITS(1, 21) | BITS(in->imm / 4, 22) |
	       lm_bits(none, in->b, none);
}

static bool target(uint32_t addr, uint64_t *v)
{
	*v = BITS(addr & 0x1fff, 22) | BITS(addr >> 13, 40);
	return addr < EN_TARGETS || refuse("branch target above 16383");
}

static uint64_t br(const struct en_insn *in)
{
	uint64_t to;

	bool sig = in->op == EN_SIG || in->op == EN_NO_SIG;

	if (in->slots > (in->op == EN_ALWAYS ? 2 : 3))
		return no("defer slots of a branch above 3, or 2 without condition");
	if (sig && (!in->sig || in->sig > 15))
		return no("signals are 1 to 15");
	if (!target(in->imm, &to))
		return 0;
	return BITS(0xd8, 32) | 0x20 | in->op | BITS(sig ? 2 : in->op != EN_ALWAYS, 8) |
	       BITS(sig ? in->sig : 2, 14) | BITS(in->slots, 20) | to;
}

static uint64_t br_bit(const struct en_insn *in)
{
	struct en_opnd n = { EN_IMM, 0, in->n + 1u };
	bool sw = in->b.k == EN_B;
	uint64_t bit, v, to;

	if (in->n > 31)
		return no("bit above 31");
	if (in->b.k != EN_A && in->b.k != EN_B)
		return no("bit of something that is no register");
	if (in->slots > 3)
		return no("defer slots of a branch above 3, or 2 without condition");
	if (!re(n, false, &bit) || !re(in->b, false, &v) || !target(in->imm, &to))
		return 0;
	return BITS(0xd0, 32) | (sw ? bit : v) | BITS(sw ? v : bit, 10) | BITS(in->op, 18) |
	       BITS(in->slots, 20) | to;
}

static uint64_t rtn(const struct en_insn *in)
{
	bool sw = in->b.k == EN_B;
	uint64_t v;

	if (in->b.k != EN_A && in->b.k != EN_B)
		return no("return to something that is no register");
	if (!ur(in->b, false, &v))
		return 0;
	return BITS(0xe8, 32) | (sw ? UR_NONE : v) | BITS(sw ? v : UR_NONE, 10);
}

static uint64_t ctx_arb(const struct en_insn *in)
{
	if (in->op)
		return in->imm || in->flag ? no("signals of a CSR, and others") :
					     BITS(0xe0, 32) | BITS(1, 19);
	if (in->imm > 0xffff || (in->imm & 1 && in->imm != 1))
		return no("signals are 1 to 15");
	if (in->flag && in->imm < 2)
		return no("any of no signals");
	/* To wait for any of no signals is kill. */
	return BITS(0xe0, 32) | in->imm | BITS(in->flag || !in->imm, 16);
}

/* Commands to a memory unit; the address is (b << 8) + a. They swap out and wait for a signal. */
static uint64_t cmd(const struct en_insn *in)
{
	static const struct {
		uint8_t cmd, token;
	} code[] = {
		[EN_READ8] = { 0x43, 1 }, [EN_READ32_SWAP] = { 0x5c, 2 },
		[EN_WRITE8_SWAP] = { 0x42, 2 }, [EN_WRITE32_SWAP] = { 0x5f, 2 },
		[EN_READ32] = { 0x5c, 0 }, [EN_WRITE32] = { 0x5f, 0 },
		[EN_READ64] = { 0x40, 0 }, [EN_WRITE64] = { 0x41, 0 },
		[EN_ADD_WORK] = { 0x53, 2 },
		[EN_ATOMIC_SET] = { 0x45, 0 }, [EN_ATOMIC_TEST_SET] = { 0x45, 1 },
		[EN_ATOMIC_CLR] = { 0x46, 0 }, [EN_ATOMIC_TEST_CLR] = { 0x46, 1 },
		[EN_ATOMIC_ADD] = { 0x47, 0 }, [EN_ATOMIC_TEST_ADD] = { 0x47, 1 },
	};
	unsigned int xfer = in->d.n;
	uint64_t a, b;

	if (in->n < 1 || in->n > 8)
		return no("length of a command is not 1 to 8");
	/* A longer length of these adds numbers of 64 bits. */
	if ((in->op == EN_ATOMIC_ADD || in->op == EN_ATOMIC_TEST_ADD) && in->n > 4)
		return no("length of an addition is not 1 to 4");
	if (!in->sig || in->sig > 15)
		return no("signals are 1 to 15");
	if (in->slots > 2)
		return no("defer slots of a command above 2");
	if (in->d.k != EN_XFER || xfer > 63)
		return no("data of a command is no transfer register");
	if (in->a.k == EN_B || in->b.k == EN_A || in->a.k == EN_LM || in->b.k == EN_LM)
		return no("address of a command is in the wrong register file");
	if (bit7(in->a, in->b))
		return no("immediate of a command above 127");
	if (!pair(in->a, in->b) || !re(in->a, false, &a) || !re(in->b, false, &b))
		return 0;
	return a | BITS(in->slots, 8) | BITS(b, 10) | BITS(code[in->op].token, 18) |
	       BITS(xfer & 31, 20) | BITS(in->n - 1u, 25) | BITS(in->sig, 28) | BITS(code[in->op].cmd, 32) |
	       BITS(xfer >> 5, 40) | BITS(1, 42);
}

uint64_t encode(const struct en_insn *in)
{
	static uint64_t (*const class[])(const struct en_insn *in) = {
		[EN_ALU] = alu, [EN_SHF] = shf, [EN_LDF] = ld_field, [EN_IMMED] = immed,
		[EN_IMMED_W1] = immed, [EN_MUL] = mul, [EN_CSR_WR] = csr_wr,
		[EN_CSR_RD] = csr_rd, [EN_BR] = br,
		[EN_BR_BIT] = br_bit, [EN_RTN] = rtn, [EN_ARB] = ctx_arb, [EN_CMD] = cmd,
	};

	if (in->class == EN_NOP)
		return BITS(0xf0, 32) | BITS(UR_NONE, 10) | UR_NONE;
	return class[in->class](in);
}
