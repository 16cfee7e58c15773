// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* capitals.c - the work of the ME process capitals: a text in EMEM gets capital letters. */
#include "prog.h"

#define TEXT_WORDS	64

static __emem u32 text[TEXT_WORDS];

/* Change the four letters of a word. */
static u32 to_upper(u32 word)
{
	u32 shift, letter;

	for (shift = 0; shift < 32; shift += 8) {
		letter = word >> shift & 0xff;
		if (letter >= 'a' && letter <= 'z')
			word -= (u32)('a' - 'A') << shift;
	}
	return word;
}

void capitals(void)
{
	u32 i, len = in[0] % (4 * TEXT_WORDS);

	for (i = 0; i < TEXT_WORDS; i++)
		text[i] = 0x20202020 * (i & 3) + in[i & 7];
	for (i = 0; 4 * i < len; i++)
		text[i] = to_upper(text[i]);
	for (i = 0; i < 8; i++)
		out[i] = 0;
	for (i = 0; i < TEXT_WORDS; i++)
		out[i & 7] = out[i & 7] * 31 + text[i];
}

#define ENTRIES(X) X(capitals)
