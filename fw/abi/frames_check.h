/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frames_check.h - check a filter of "frames", a program of classic BPF. Host and card use the same
 * check, so the card refuses what the host has not checked.
 *
 * The program ends: all jumps go forward, and the last instruction is a return. It reads and writes
 * existing cells of the scratch memory only. Reads of the frame are checked when they happen.
 */
#ifndef FRAMES_CHECK_H
#define FRAMES_CHECK_H

#include <nfpchan/nfp_chan_frames.h>

/* Fields of an opcode. The names and values are those of BSD's BPF. */
#define CBPF_CLASS(code)	((code) & 0x07)
#define CBPF_LD		0x00
#define CBPF_LDX	0x01
#define CBPF_ST		0x02
#define CBPF_STX	0x03
#define CBPF_ALU	0x04
#define CBPF_JMP	0x05
#define CBPF_RET	0x06
#define CBPF_MISC	0x07

#define CBPF_SIZE(code)	((code) & 0x18)
#define CBPF_W		0x00
#define CBPF_H		0x08
#define CBPF_B		0x10

#define CBPF_MODE(code)	((code) & 0xe0)
#define CBPF_IMM	0x00
#define CBPF_ABS	0x20
#define CBPF_IND	0x40
#define CBPF_MEM	0x60
#define CBPF_LEN	0x80
#define CBPF_MSH	0xa0

#define CBPF_OP(code)	((code) & 0xf0)
#define CBPF_ADD	0x00
#define CBPF_SUB	0x10
#define CBPF_MUL	0x20
#define CBPF_DIV	0x30
#define CBPF_OR		0x40
#define CBPF_AND	0x50
#define CBPF_LSH	0x60
#define CBPF_RSH	0x70
#define CBPF_NEG	0x80
#define CBPF_MOD	0x90
#define CBPF_XOR	0xa0

#define CBPF_JA		0x00
#define CBPF_JEQ	0x10
#define CBPF_JGT	0x20
#define CBPF_JGE	0x30
#define CBPF_JSET	0x40

#define CBPF_X		0x08	/* operand is the index register, not k */
#define CBPF_A		0x10	/* return the accumulator */
#define CBPF_TXA	0x80

#define CBPF_CELLS	16		/* of the scratch memory */
#define CBPF_OFFSET_MAX	0x7fffffff	/* larger ones are of Linux alone */

/* An instruction in the byte order of the machine that checks it. */
struct cbpf {
	__u16 code;
	__u8 jt;
	__u8 jf;
	__u32 k;
};

static __inline unsigned int cbpf_check_load(const struct cbpf *i)
{
	int x = CBPF_CLASS(i->code) == CBPF_LDX;

	if (CBPF_MODE(i->code) == CBPF_MSH)
		return !x || CBPF_SIZE(i->code) != CBPF_B ? NFP_FRAMES_BAD_CODE :
		       i->k > CBPF_OFFSET_MAX ? NFP_FRAMES_BAD_OFFSET : NFP_FRAMES_OK;
	if (CBPF_MODE(i->code) == CBPF_ABS || CBPF_MODE(i->code) == CBPF_IND) {
		if (x || CBPF_SIZE(i->code) == 0x18)
			return NFP_FRAMES_BAD_CODE;
		/* An offset from the index register may be negative: X + k wraps. */
		return CBPF_MODE(i->code) == CBPF_ABS && i->k > CBPF_OFFSET_MAX ?
		       NFP_FRAMES_BAD_OFFSET : NFP_FRAMES_OK;
	}
	if (CBPF_SIZE(i->code) != CBPF_W)
		return NFP_FRAMES_BAD_CODE;
	if (CBPF_MODE(i->code) == CBPF_MEM)
		return i->k < CBPF_CELLS ? NFP_FRAMES_OK : NFP_FRAMES_BAD_MEM;
	return CBPF_MODE(i->code) == CBPF_IMM || CBPF_MODE(i->code) == CBPF_LEN ?
	       NFP_FRAMES_OK : NFP_FRAMES_BAD_CODE;
}

static __inline unsigned int cbpf_check_alu(const struct cbpf *i)
{
	unsigned int op = CBPF_OP(i->code);

	if (op > CBPF_XOR)
		return NFP_FRAMES_BAD_CODE;
	if (i->code & CBPF_X)
		return op == CBPF_NEG ? NFP_FRAMES_BAD_CODE : NFP_FRAMES_OK;
	if ((op == CBPF_DIV || op == CBPF_MOD) && !i->k)
		return NFP_FRAMES_BAD_CONST;
	if ((op == CBPF_LSH || op == CBPF_RSH) && i->k > 31)
		return NFP_FRAMES_BAD_CONST;
	return NFP_FRAMES_OK;
}

/* @left: instructions behind this one */
static __inline unsigned int cbpf_check_jump(const struct cbpf *i, __u32 left)
{
	if (CBPF_OP(i->code) > CBPF_JSET)
		return NFP_FRAMES_BAD_CODE;
	if (CBPF_OP(i->code) != CBPF_JA)
		return i->jt < left && i->jf < left ? NFP_FRAMES_OK : NFP_FRAMES_BAD_JUMP;
	if (i->code & CBPF_X)
		return NFP_FRAMES_BAD_CODE;
	return i->k < left ? NFP_FRAMES_OK : NFP_FRAMES_BAD_JUMP;
}

/*
 * Check an instruction with @left instructions behind it. Return: NFP_FRAMES_OK or NFP_FRAMES_BAD_*.
 */
static __inline unsigned int cbpf_check(const struct cbpf *i, __u32 left)
{
	if (i->code > 0xff)
		return NFP_FRAMES_BAD_CODE;
	if (!left && CBPF_CLASS(i->code) != CBPF_RET)
		return NFP_FRAMES_BAD_END;
	switch (CBPF_CLASS(i->code)) {
	case CBPF_LD:
	case CBPF_LDX:
		return cbpf_check_load(i);
	case CBPF_ST:
	case CBPF_STX:
		if (i->code != CBPF_CLASS(i->code))
			return NFP_FRAMES_BAD_CODE;
		return i->k < CBPF_CELLS ? NFP_FRAMES_OK : NFP_FRAMES_BAD_MEM;
	case CBPF_ALU:
		return cbpf_check_alu(i);
	case CBPF_JMP:
		return cbpf_check_jump(i, left);
	case CBPF_RET:
		return i->code == CBPF_RET || i->code == (CBPF_RET | CBPF_A) ?
		       NFP_FRAMES_OK : NFP_FRAMES_BAD_CODE;
	default:
		return i->code == CBPF_MISC || i->code == (CBPF_MISC | CBPF_TXA) ?
		       NFP_FRAMES_OK : NFP_FRAMES_BAD_CODE;
	}
}

#endif /* FRAMES_CHECK_H */
