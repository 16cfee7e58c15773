/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * encode.h - make instruction words of a microengine from structs of operands.
 *
 * Positions of fields are facts of the kernel's nfp_asm.h and of binutils' nfp-dis.c. A function
 * returns the word without ECC, or 0 when the instruction cannot be encoded: no instruction word
 * is 0. encode_refusal() then has the reason. encode_text() prints what an instruction was meant
 * to be, and reads no word, so that tests can compare it with a disassembler.
 */
#ifndef ENCODE_H
#define ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum en_kind { EN_NONE, EN_A, EN_B, EN_XFER, EN_LM, EN_IMM, EN_VREG };

/**
 * struct en_opnd - an operand
 * @n: number of the register, offset in words (EN_LM), or value (EN_IMM)
 * @p: local memory pointer, 0 to 3 (EN_LM)
 * EN_VREG is a register that is not allocated yet: no word can be made of it.
 */
struct en_opnd {
	uint8_t k;
	uint8_t p;
	uint32_t n;
};

enum en_class {
	EN_ALU, EN_SHF, EN_LDF, EN_IMMED, EN_IMMED_W1, EN_MUL, EN_CSR_WR, EN_CSR_RD, EN_BR,
	EN_BR_BIT, EN_RTN, EN_ARB, EN_CMD, EN_NOP,
};

/* Operations of alu[], as encoded */
enum en_alu {
	EN_ALU_B = 0x00, EN_ADD = 0x01, EN_NOT = 0x04, EN_AND = 0x08, EN_NOTAND = 0x0c,
	EN_SUBC = 0x0d, EN_ANDNOT = 0x10, EN_ADDC = 0x11, EN_OR = 0x14, EN_SUB = 0x15,
	EN_XOR = 0x18,
};

/* alu_shf[], dbl_shf[], asr[]: the operation and the shift control, as encoded */
enum en_shf { EN_SHF_B = 0, EN_SHF_AND = 2, EN_SHF_OR = 5, EN_SHF_ASR = 6 };
/* Bits of the factors of a multiplication; the B operand has 8 of 24X8. */
enum en_mul { EN_MUL_32X32, EN_MUL_16X16, EN_MUL_24X8 };
enum en_sc { EN_ROT, EN_SHR, EN_SHL, EN_DBL };
enum en_cond {
	EN_EQ = 0, EN_NE = 1, EN_MI = 2, EN_HS = 4, EN_LO = 5, EN_GE = 8, EN_LT = 9,
	EN_SIG = 0x12, EN_NO_SIG = 0x13, EN_ALWAYS = 0x18,
};
enum en_csr { EN_CSR_LM0 = 0x64, EN_CSR_LM1 = 0x6c, EN_CSR_LM2 = 0x94, EN_CSR_LM3 = 0x9c };
/* Commands: units of bytes, of 32 bits, of 64 bits; atomic ones, on words of 32 bits */
enum en_cmd {
	EN_READ8, EN_READ32_SWAP, EN_WRITE8_SWAP, EN_WRITE32_SWAP, EN_READ32, EN_WRITE32,
	EN_READ64, EN_WRITE64, EN_ADD_WORK, EN_ATOMIC_SET, EN_ATOMIC_CLR, EN_ATOMIC_ADD, EN_ATOMIC_TEST_SET,
	EN_ATOMIC_TEST_CLR, EN_ATOMIC_TEST_ADD, EN_CMDS
};

#define EN_TARGETS	(1u << 14)	/* code addresses */
#define EN_IND		0xff		/* shift amount: the A operand of the previous word */

/**
 * struct en_insn - an instruction
 * @class: decides which of the other fields count
 * @op: EN_ALU, EN_SHF: operation. EN_MUL: step, 0 is start, 1 to 4, 5 is last, 6 is last2. EN_BR:
 *	condition. EN_BR_BIT: 1 if the branch is taken when the bit is set. EN_CMD: command
 * @sc: EN_SHF, EN_LDF: shift control
 * @n: EN_SHF, EN_LDF: shift amount or EN_IND. EN_IMMED: shift in bytes. EN_BR_BIT: the bit.
 *	EN_CMD: number of units. EN_MUL: enum en_mul
 * @mask: EN_LDF: bytes, bit 3 is the leftmost one
 * @slots: EN_BR, EN_BR_BIT, EN_CMD: words after it that are executed before it takes effect
 * @flag: EN_LDF: clear the other bytes. EN_IMMED: invert
 * @sig: EN_CMD: signal that the context waits for. EN_BR with EN_SIG, EN_NO_SIG: signal that is tested, and
 *	taken if it is there
 * @imm: EN_IMMED, EN_IMMED_W1: 16 bits. EN_CSR_WR, EN_CSR_RD: address. EN_BR, EN_BR_BIT: code address.
 *	EN_ARB: signals; 0 is kill. @flag: any of them; @op: those of CSR ActCtxWkpEvt
 */
struct en_insn {
	uint8_t class;
	uint8_t op;
	uint8_t sc;
	uint8_t n;
	uint8_t mask;
	uint8_t flag;
	uint8_t sig;
	uint8_t slots;
	uint32_t imm;
	struct en_opnd d, a, b;
};

uint64_t encode(const struct en_insn *in);
const char *encode_refusal(void);

void encode_text(const struct en_insn *in, char *buf, size_t len);

/* Return: the name of a local CSR, or NULL if mecc does not have it. */
const char *encode_csr_name(uint32_t addr);

/* Return: the inverse of a condition that compares. */
static inline enum en_cond en_inverse(enum en_cond c)
{
	return c ^ 1;
}

#endif /* ENCODE_H */
