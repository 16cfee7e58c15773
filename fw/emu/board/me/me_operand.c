// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_operand.c - decode the operands of instructions.
 *
 * Next-neighbour registers are not supported. A bit that eight-context mode does not need must be
 * 0 there.
 */
#include "me_dec.h"

/* Return: true if @v has the number of a register of the context, which goes to @n. */
static bool number(enum me_mode mode, unsigned int v, unsigned int *n)
{
	*n = v & (mode == ME_CTX8 ? 0xf : 0x1f);
	return *n == (v & 0x3f);
}

static bool gpr(enum me_mode mode, unsigned int v, enum me_reg bank, uint16_t *o)
{
	unsigned int n;
	bool ok = number(mode, v, &n);

	*o = bank + n;
	return ok;
}

static bool xfer(enum me_mode mode, unsigned int v, bool dst, uint16_t *o)
{
	unsigned int n;
	bool ok = number(mode, v & 0x3f, &n);

	*o = (dst ? ME_R_OUT : ME_R_IN) + n + BIT(v, 6) * (mode == ME_CTX8 ? 16 : 32);
	return ok;
}

/* A GPR by its number in the bank of 128: the registers of contexts follow each other. */
static bool absolute(enum me_mode mode, unsigned int v, enum me_reg bank, uint16_t *o)
{
	unsigned int n = v & 0x7f, per = mode == ME_CTX8 ? 16 : 32;

	*o = ME_ABS | (bank == ME_R_B ? ME_ABS_B : 0) | (n - n % per) / 16 << 5 | n % per;
	return true;
}

static bool indexed(unsigned int v, uint16_t *o)
{
	*o = ME_XIDX | (v >> 1 & 3);
	return !(v & 1) && v < 6;
}

bool me_ur(enum me_mode mode, unsigned int v, enum me_reg bank, bool lm_hi, bool dst, uint16_t *o)
{
	switch (v >> 6) {
	case 0x0:
		return gpr(mode, v, bank, o);
	case 0x2:
	case 0x3:
		return absolute(mode, v, bank, o);
	case 0x5:
		return indexed(v & 0x3f, o);
	case 0x6:
	case 0x7:
		return xfer(mode, v & 0x7f, dst, o);
	case 0x8:
		*o = ME_LM | (BIT(v, 5) + 2 * lm_hi) << 5 | (v & 0x1f);
		return !(v & ME_LM_POST) || !(v & 0xe);
	case 0xc ... 0xf:	/* immediate; as a destination: none */
		*o = dst ? (unsigned int)ME_R_NONE : ME_R_K + (v & 0xff);
		return true;
	default:
		return false;
	}
}

bool me_re(enum me_mode mode, unsigned int v, enum me_reg bank, bool lm_hi, bool i8, bool dst,
	   uint16_t *o)
{
	if (v & 0x20) {
		*o = dst ? (unsigned int)ME_R_NONE :
		     ME_R_K + (i8 << 7 | BITS(v, 7, 6) << 5 | (v & 0x1f));
		return true;
	}
	switch (v >> 6) {
	case 0:
		return gpr(mode, v, bank, o);
	case 1:
		if (!(v & 0x10))
			return indexed(v & 0xf, o);
		*o = ME_LM | (BIT(v, 3) + 2 * lm_hi) << 5 | (v & 7);
		return true;
	default:
		return xfer(mode, v & 0x5f, dst, o);
	}
}

enum me_file me_file(unsigned int o)
{
	switch (o & ME_KIND) {
	case ME_LM:
		return FILE_LM;
	case ME_ABS:
		return o & ME_ABS_B ? FILE_B : FILE_A;
	case ME_XIDX:
		return FILE_XFER;
	}
	return o < ME_R_B ? FILE_A : o < ME_R_IN ? FILE_B : o < ME_R_K ? FILE_XFER : FILE_IMM;
}

bool me_pair_ok(struct me_insn *in)
{
	if (me_file(in->a) != me_file(in->b))
		return true;
	me_refuse(in, ME_FAULT_OPERANDS);
	return false;
}
