// SPDX-License-Identifier: BSD-2-Clause
/* fw_code.c - instruction words: their ECC, and relocations in them. */
#include <errno.h>

#include "fw_code.h"

#define INSN_BITS	45
#define INSN_MASK	((1ULL << INSN_BITS) - 1)

/* Fields of immed (nfp_asm.h) */
#define IMMED_HIGH_AT	20	/* bits 15:8 of the immediate */
#define IMMED_A_AT	0	/* bits 7:0, where the A or the B operand is */
#define IMMED_B_AT	10

#define NOP		0xf0000c0300ull	/* immed[--, 0x0] */
#define KILL		0xe000010000ull	/* ctx_arb[kill] */

const uint64_t fw_idle_code[FW_IDLE_WORDS] = { NOP, NOP, NOP, NOP, NOP, NOP, NOP, KILL };

uint64_t fw_ecc(uint64_t insn)
{
	/* nfp_ustore_ecc_polynomials in nfp_asm.c */
	static const uint64_t poly[] = {
		0x0ff800007fff, 0x11f801ff801f, 0x1e387e0781e1, 0x17cb8e388e22,
		0x1af5b2c93244, 0x1f56d5525488, 0x0daf69a46910,
	};
	uint64_t ecc = 0;
	unsigned int i;

	insn &= INSN_MASK;
	for (i = 0; i < sizeof(poly) / sizeof(*poly); i++)
		ecc |= (uint64_t)__builtin_parityll(poly[i] & insn) << i;
	return insn | ecc << INSN_BITS;
}

int fw_relocate(uint64_t *word, unsigned int type, uint64_t value)
{
	unsigned int low_at = type == FW_REL_LO16_A || type == FW_REL_HI16_A ? IMMED_A_AT :
			      IMMED_B_AT;
	uint64_t w = *word;

	switch (type) {
	case FW_REL_LO16_A:
	case FW_REL_LO16_B:
		break;
	case FW_REL_HI16_A:
	case FW_REL_HI16_B:
		value >>= 16;
		break;
	default:
		return -EINVAL;
	}
	w &= ~(0xffull << IMMED_HIGH_AT | 0xffull << low_at);
	w |= (value >> 8 & 0xff) << IMMED_HIGH_AT | (value & 0xff) << low_at;
	*word = fw_ecc(w);
	return 0;
}
