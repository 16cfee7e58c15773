/* SPDX-License-Identifier: BSD-2-Clause */
/* fw_code.h - instruction words of a microengine, as firmware files have them. */
#ifndef FW_CODE_H
#define FW_CODE_H

#include <stdint.h>

#define FW_CODE_MAX	8192	/* words of a code store */

/* Return: @insn with its ECC in bits 51:45 (nfp_asm.c). */
uint64_t fw_ecc(uint64_t insn);

/* Relocations of an instruction (binutils, include/elf/nfp.h). A and B: the field of the low byte */
#define FW_REL_LO16_A	6	/* immed of bits 15:0 */
#define FW_REL_LO16_B	7
#define FW_REL_HI16_A	12	/* immed of bits 31:16 */
#define FW_REL_HI16_B	13

/*
 * Put bits of @value into the immediate of an instruction. Return: 0, or -EINVAL: the type is
 * unknown.
 */
int fw_relocate(uint64_t *word, unsigned int type, uint64_t value);

/* Code that does nothing: NOPs, and then each context ends itself, as the vendor's code does. */
#define FW_IDLE_WORDS	8
extern const uint64_t fw_idle_code[FW_IDLE_WORDS];	/* without ECC */

#endif /* FW_CODE_H */
