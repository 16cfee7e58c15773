// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* me_asm.c - see me_asm.h. */
#define FW_HOST_PLAIN
#include "me_asm.h"

/* Encode an unrestricted operand (10 bits). An absent source is 0, an absent destination 0x300. */
static uint64_t asm_ur(opnd o, bool dst)
{
	switch (o.k) {
	case AK_NONE:
		return dst ? 0x300 : 0;
	case AK_X:
		return 0x180 | (o.n & 31) | (o.n & 32) << 1;
	case AK_LM:
		assert(o.n < 16);
		return 0x200 | (o.p & 1) << 5 | o.n;
	case AK_INC:
	case AK_DEC:
		return 0x210 | (o.p & 1) << 5 | (o.k == AK_DEC);
	case AK_IMM:
		assert(o.n < 256);
		return 0x300 | o.n;
	case AK_X8:
		return 0x180 | (o.n & 15) | (o.n & 16) << 2;
	case AK_ABS_A:
	case AK_ABS_B:
		return 0x80 | o.n;
	case AK_INDEX:
		return 0x140 | o.n << 1;
	default:
		assert(o.n < 32);
		return o.n;
	}
}

/* Encode a restricted operand (8 bits). asm_i8() encodes bit 7 of an immediate. */
static uint64_t asm_re(opnd o, bool dst)
{
	switch (o.k) {
	case AK_NONE:
		return dst ? 0x20 : 0;
	case AK_X:
		return 0x80 | (o.n & 31) | (o.n & 32) << 1;
	case AK_LM:
		assert(o.n < 8);
		return 0x50 | (o.p & 1) << 3 | o.n;
	case AK_IMM:
		return 0x20 | (o.n & 0x1f) | (o.n & 0x60) << 1;
	case AK_X8:
		return 0x80 | (o.n & 15) | (o.n & 16) << 2;
	case AK_INDEX:
		return 0x40 | o.n << 1;
	default:
		assert(o.n < 32);
		return o.n;
	}
}

static bool in_b(opnd o)
{
	return o.k == AK_B || o.k == AK_ABS_B;
}

/* Say whether the assembler has to put @l into the B field. */
static bool asm_swap(opnd l, opnd r)
{
	return in_b(l) || r.k == AK_A || r.k == AK_ABS_A;
}

static uint64_t asm_i8(opnd l, opnd r)
{
	return (l.k == AK_IMM && l.n & 0x80) || (r.k == AK_IMM && r.n & 0x80);
}

/*
 * Encode the bits that all instructions with a destination have: write to both banks, and use of
 * local memory pointers 2 and 3.
 */
static uint64_t asm_common(opnd d, opnd l, opnd r)
{
	return (uint64_t)(d.k == AK_BOTH) << 41 |
	       (uint64_t)((is_lm(l) && l.p > 1) || (is_lm(r) && r.p > 1)) << 42 |
	       (uint64_t)(is_lm(d) && d.p > 1) << 43;
}

uint64_t alu(opnd d, opnd l, enum alu_op op, opnd r)
{
	bool sw = asm_swap(l, r);

	return 0xa000000000 | asm_common(d, l, r) | asm_ur(sw ? r : l, false) |
	       asm_ur(sw ? l : r, false) << 10 | asm_ur(d, true) << 20 | (uint64_t)sw << 30 |
	       (uint64_t)op << 31 | (uint64_t)in_b(d) << 36;
}

uint64_t shf_op(opnd d, opnd l, unsigned int op, opnd r, enum shf_sc sc, unsigned int n)
{
	bool sw = asm_swap(l, r);

	if (sc == SHL && n)
		n = 32 - n;
	return 0x8000000000 | asm_common(d, l, r) | asm_re(sw ? r : l, false) |
	       (uint64_t)sc << 8 | asm_re(sw ? l : r, false) << 10 | asm_i8(l, r) << 18 |
	       (uint64_t)sw << 19 | asm_re(d, true) << 20 | (uint64_t)n << 28 |
	       (uint64_t)op << 33 | (uint64_t)in_b(d) << 36;
}

uint64_t ld_field_any(opnd d, unsigned int mask, opnd s, enum shf_sc sc, unsigned int n, bool clr)
{
	bool sw = asm_swap(d, s);

	if (sc == SHL)
		n = 32 - n;
	return 0xc000000000 | asm_common(d, d, s) | asm_re(sw ? s : d, false) |
	       (uint64_t)sc << 8 | asm_re(sw ? d : s, false) << 10 | asm_i8(d, s) << 18 |
	       (uint64_t)sw << 19 | (uint64_t)clr << 20 | (uint64_t)mask << 24 |
	       (uint64_t)n << 28;
}

uint64_t immed_any(opnd d, unsigned int v, unsigned int shift, bool inv, bool half)
{
	bool b = in_b(d);
	uint64_t reg = asm_ur(d, true), low = 0x300 | (v & 0xff);

	return 0xf000000000 | asm_common(d, d, NONE) | (b ? low : reg) |
	       (b ? reg : low) << 10 | (uint64_t)(v >> 8) << 20 | (uint64_t)half << 30 |
	       (uint64_t)inv << 31 | (uint64_t)shift << 33;
}

uint64_t mul_any(opnd d, opnd l, unsigned int type, unsigned int step, opnd r)
{
	bool last = step >= 4, sw = !last && asm_swap(l, r);

	return 0xf800000000 | asm_common(d, l, r) |
	       (last ? asm_ur(d, true) : asm_ur(sw ? r : l, false)) |
	       (last ? 0 : asm_ur(sw ? l : r, false)) << 10 | (uint64_t)step << 20 |
	       (uint64_t)in_b(d) << 23 | (uint64_t)sw << 30 | (uint64_t)type << 31;
}

uint64_t csr_wr(unsigned int csr, opnd s)
{
	uint64_t a = in_b(s) ? 0x300 : asm_ur(s, false);
	uint64_t b = in_b(s) || s.k == AK_IMM ? asm_ur(s, false) : 0x300;

	return 0xfc00000000 | asm_common(NONE, s, NONE) | a | b << 10 | 1 << 21 |
	       (uint64_t)csr / 4 << 22;
}

static uint64_t asm_target(unsigned int addr, unsigned int defer)
{
	return (uint64_t)(addr & 0x1fff) << 22 | (uint64_t)(addr >> 13) << 40 |
	       (uint64_t)defer << 20;
}

uint64_t br(enum br_cond cond, unsigned int addr, unsigned int defer)
{
	return 0xd800000020 | cond | (uint64_t)(cond != ALWAYS) << 8 | 2 << 14 |
	       asm_target(addr, defer);
}

uint64_t br_bit(opnd s, unsigned int bit, bool set, unsigned int addr, unsigned int defer)
{
	bool sw = asm_swap(s, NONE);
	uint64_t i = asm_re(I(bit + 1), false), reg = asm_re(s, false);

	return 0xd000000000 | asm_common(NONE, s, NONE) | (sw ? i : reg) |
	       (sw ? reg : i) << 10 | (uint64_t)set << 18 | asm_target(addr, defer);
}

uint64_t br_byte(opnd s, unsigned int byte, unsigned int v, bool eq, unsigned int addr,
		 unsigned int defer)
{
	bool sw = asm_swap(s, NONE);
	uint64_t i = asm_re(I(v), false), reg = asm_re(s, false);

	return 0xc800000000 | asm_common(NONE, s, NONE) | (sw ? i : reg) |
	       (uint64_t)byte << 8 | (sw ? reg : i) << 10 | asm_i8(NONE, I(v)) << 18 |
	       (uint64_t)eq << 19 | asm_target(addr, defer);
}

uint64_t br_state(enum br_cond cond, unsigned int n, unsigned int addr, unsigned int defer)
{
	bool signal = cond == SIGNALLED || cond == NOT_SIGNALLED;

	return 0xd800000020 | cond | (signal ? 2 << 8 : 0) | n << 14 | asm_target(addr, defer);
}

uint64_t jump(opnd s, unsigned int base, unsigned int defer)
{
	bool sw = asm_swap(s, NONE);

	return rtn(s, defer) | (uint64_t)(base & 0xff) << (sw ? 0 : 10) |
	       (uint64_t)(base >> 8) << 22;
}

uint64_t rtn(opnd s, unsigned int defer)
{
	bool sw = asm_swap(s, NONE);
	uint64_t reg = asm_ur(s, false);

	return 0xe800000000 | asm_common(NONE, s, NONE) | (sw ? 0x300 : reg) |
	       (sw ? reg : 0x300) << 10 | (uint64_t)defer << 20;
}

uint64_t cmd(unsigned int act, enum cmd_mode mode, unsigned int xfer, opnd l, opnd r,
	     unsigned int len, enum cmd_swap swp)
{
	return asm_re(l, false) | (uint64_t)swp << 8 | asm_re(r, false) << 10 |
	       (uint64_t)(act & 3) << 18 | (uint64_t)(xfer & 31) << 20 |
	       (uint64_t)len << 25 | (uint64_t)(swp != NO_SWAP) << 28 |
	       (uint64_t)(act >> 2) << 32 | (uint64_t)(xfer >> 5) << 40 |
	       (uint64_t)mode << 42;
}
