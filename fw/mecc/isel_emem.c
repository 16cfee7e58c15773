// SPDX-License-Identifier: BSD-2-Clause
/*
 * isel_emem.c - choose operations: commands that read and write EMEM.
 *
 * Words at addresses that are a multiple of 4 are read and written in the order of memory, so that
 * the first byte is in bits 31:24 of a register. Anything else is accessed by bytes.
 */
#include <string.h>

#include "front.h"
#include "isel.h"

#define EMEM_HIGH	0x20000000u	/* bits 39:32 of an address in EMEM of island 24, << 24 */
#define UNITS		8		/* of one command */

void sel_command(struct sel *s, enum en_cmd cmd, const struct access *a, unsigned int at,
		 unsigned int units, unsigned int first)
{
	struct en_opnd low = vreg(mir_vreg(s->f, BANK_A)), high = vreg(mir_vreg(s->f, BANK_B));
	enum mop op = cmd == EN_WRITE8_SWAP || cmd == EN_WRITE32 || cmd == EN_WRITE64 ? M_WRITE :
		      cmd >= EN_ATOMIC_SET ? M_ATOMIC : M_READ;

	sel_mov(s, low, sel_pointer(s, a, at));
	sel_add(s, (struct minsn){ .op = M_IMM, .d = high, .imm = EMEM_HIGH });
	sel_add(s, (struct minsn){ .op = op, .alu = cmd, .n = units, .imm = first,
				   .s = { low, high } });
}

static bool whole_words(const struct access *a, unsigned int at, unsigned int n)
{
	return a->known && !((a->addr + at) & 3) && !(n & 3);
}

/* Transfer whole words between EMEM and $xfer_0 and up, by units of 64 bits where possible. */
static void words(struct sel *s, bool write, const struct access *a, unsigned int at,
		  unsigned int n)
{
	unsigned int end = at + n, begin = at, units;

	for (; at < end; at += n) {
		n = a->align >= 8 && !(at & 7) && end - at >= 8 ? 8 : 4;
		units = (end - at) / n;
		if (units > UNITS)
			units = UNITS;
		sel_command(s, n == 8 ? (write ? EN_WRITE64 : EN_READ64) :
			    write ? EN_WRITE32 : EN_READ32, a, at, units, (at - begin) / 4);
		n *= units;
	}
}

/* Load @n bytes, at most 4. read8 puts the first byte into bits 31:24. */
static struct en_opnd load(struct sel *s, const struct access *a, unsigned int at, unsigned int n)
{
	struct en_opnd d = sel_reg(s);

	if (whole_words(a, at, n))
		words(s, false, a, at, n);
	else
		sel_command(s, EN_READ8, a, at, n, 0);
	if (n == 4)
		sel_mov(s, d, xfer(0));
	else
		sel_add(s, (struct minsn){ .op = M_SHF, .alu = EN_SHF_B, .sc = EN_SHR,
					   .n = 32 - 8 * n, .d = d, .s = { { 0 }, xfer(0) } });
	return d;
}

void sel_emem_load(struct sel *s, const struct access *a, struct num d, unsigned int bytes)
{
	if (bytes < 8) {
		if (bytes > 4)
			sel_mov(s, d.hi, load(s, a, 0, bytes - 4));
		sel_mov(s, d.lo, load(s, a, bytes > 4 ? bytes - 4 : 0, bytes > 4 ? 4 : bytes));
		return;
	}
	if (whole_words(a, 0, 8))
		words(s, false, a, 0, 8);
	else
		sel_command(s, EN_READ8, a, 0, 8, 0);
	sel_mov(s, d.hi, xfer(0));
	sel_mov(s, d.lo, xfer(1));
}

/* write8_swap takes the first byte from bits 7:0, so the bytes of a number are swapped. */
static struct en_opnd swapped(struct sel *s, struct en_opnd v, unsigned int size)
{
	struct en_opnd d = sel_reg(s), high;

	switch (size) {
	case 1:
		return v;
	case 2:
		sel_add(s, (struct minsn){ .op = M_LDF, .flag = 1, .mask = 1, .sc = EN_SHR, .n = 8,
					   .d = d, .s = { v } });
		sel_add(s, (struct minsn){ .op = M_LDF, .mask = 2, .sc = EN_SHL, .n = 8, .d = d,
					   .s = { v } });
		return d;
	case 3:
		high = sel_reg(s);
		sel_shift(s, high, v, EN_SHL, 8);
		return swapped(s, high, 4);
	default:
		sel_add(s, (struct minsn){ .op = M_LDF, .flag = 1, .mask = 0xa, .sc = EN_ROT,
					   .n = 8, .d = d, .s = { v } });
		sel_add(s, (struct minsn){ .op = M_LDF, .mask = 5, .sc = EN_ROT, .n = 24, .d = d,
					   .s = { v } });
		return d;
	}
}

/* Store @n bytes, at most 4. */
static void store(struct sel *s, const struct access *a, unsigned int at, unsigned int n,
		  struct en_opnd v)
{
	if (whole_words(a, at, n)) {
		sel_mov(s, xfer(0), v);
		words(s, true, a, at, n);
	} else {
		sel_mov(s, xfer(0), swapped(s, sel_in_reg(s, v), n));
		sel_command(s, EN_WRITE8_SWAP, a, at, n, 0);
	}
}

void sel_emem_store(struct sel *s, const struct access *a, struct num v, unsigned int bytes)
{
	if (bytes < 8) {
		if (bytes > 4)
			store(s, a, 0, bytes - 4, v.hi);
		store(s, a, bytes > 4 ? bytes - 4 : 0, bytes > 4 ? 4 : bytes, v.lo);
	} else if (whole_words(a, 0, 8)) {
		sel_mov(s, xfer(0), v.hi);
		sel_mov(s, xfer(1), v.lo);
		words(s, true, a, 0, 8);
	} else {
		sel_mov(s, xfer(0), swapped(s, sel_in_reg(s, v.hi), 4));
		sel_mov(s, xfer(1), swapped(s, sel_in_reg(s, v.lo), 4));
		sel_command(s, EN_WRITE8_SWAP, a, 0, 8, 0);
	}
}

/* A word of four times the byte that fills memory */
static struct en_opnd four_times(struct sel *s, struct en_opnd v)
{
	struct en_opnd two = sel_reg(s), four = sel_reg(s), x = sel_in_reg(s, v), y = sel_reg(s);

	if (v.k == EN_IMM)
		return sel_imm(s, v.n * 0x01010101u);
	sel_mov(s, y, x);
	sel_add(s, (struct minsn){ .op = M_SHF, .alu = EN_SHF_OR, .sc = EN_SHL, .n = 8, .d = two,
				   .s = { x, y } });
	y = sel_reg(s);
	sel_mov(s, y, two);
	sel_add(s, (struct minsn){ .op = M_SHF, .alu = EN_SHF_OR, .sc = EN_SHL, .n = 16, .d = four,
				   .s = { two, y } });
	return four;
}

/* llvm.memcpy and llvm.memset of whole words: to, from or value, length; see legal.c. */
void sel_copy(struct sel *s, LLVMValueRef inst)
{
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(inst), &(size_t){ 0 });
	unsigned int n = LLVMConstIntGetZExtValue(LLVMGetOperand(inst, 2)), at, part, i;
	bool fill = !strncmp(name, "llvm.memset.", 12);
	struct access to = sel_access(s, LLVMGetOperand(inst, 0), copy_alignment(inst, 0)), from = to;
	/* Bytes in transfer registers at a time: a multiple of 8, so that the rest stays aligned. */
	const unsigned int most = options.xfers * 4 & ~7u;
	struct en_opnd v = { 0 };

	if (fill)
		v = four_times(s, sel_value(s, LLVMGetOperand(inst, 1)).lo);
	else
		from = sel_access(s, LLVMGetOperand(inst, 1), copy_alignment(inst, 1));
	for (at = 0; at < n; at += part) {
		part = n - at < most ? n - at : most;
		if (!fill && from.space == SPACE_EMEM)
			words(s, false, &from, at, part);
		for (i = 0; i < part; i += 4) {
			if (!fill)
				v = from.space == SPACE_EMEM ? xfer(i / 4) :
				    sel_lm_word(s, &from, at + i);
			sel_mov(s, to.space == SPACE_EMEM ? xfer(i / 4) :
				sel_lm_word(s, &to, at + i), v);
		}
		if (to.space == SPACE_EMEM)
			words(s, true, &to, at, part);
	}
}
