// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* avoid.c - names of the known differences that the generator avoids. */
#include <string.h>

#include "fuzz.h"

static const char *const names[AVOIDS] = {
	[AVOID_IMM_MIN] = "imm_min",
	[AVOID_DIV_ONE] = "div_one",
	[AVOID_DIV_UPPER] = "div_upper",
	[AVOID_SHIFT_64] = "shift_64",
	[AVOID_ASHR_SIGN] = "ashr_sign",
	[AVOID_COPY_TAIL] = "copy_tail",
	[AVOID_COPY_OVERLAP] = "copy_overlap",
	[AVOID_COPY_LAST] = "copy_last",
	[AVOID_CACHE_PATHS] = "cache_paths",
	[AVOID_CALL_BYTE] = "call_byte",
	[AVOID_CALL_KEY] = "call_key",
	[AVOID_VALUE_BELOW] = "value_below",
	[AVOID_PRUNED] = "pruned",
	[AVOID_MOVSX] = "movsx",
	[AVOID_SDIV] = "sdiv",
	[AVOID_HEADROOM] = "headroom",
	[AVOID_TAIL_GROW] = "tail_grow",
	[AVOID_TAIL_ZERO] = "tail_zero",
	[AVOID_HEAD_UNCHECKED] = "head_unchecked",
};

const char *avoid_name(enum avoid a)
{
	return names[a];
}

uint32_t avoid_bits(const char *name)
{
	unsigned int i;

	if (!strcmp(name, "all"))
		return (1u << AVOIDS) - 1;
	for (i = 0; i < AVOIDS; i++)
		if (!strcmp(name, names[i]))
			return 1u << i;
	return 0;
}
