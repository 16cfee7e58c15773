// SPDX-License-Identifier: BSD-2-Clause
/* capitals.c - an ME process that sends texts back in capital letters (capitals.chan). */
#include <nfp/mem_bulk.h>

#include "chan.h"

#define CAPITALS_MAX	256	/* the largest message, as capitals.chan has it */
#define CAPITALS_WORDS	16	/* words in transfer registers at a time */

/* The message. The channel managers read and write it by DMA, so it lies in EMEM. */
__export __emem __align8 uint8_t capitals_buf[CAPITALS_MAX];

/* Change the four letters of a word. */
static uint32_t to_upper(uint32_t word)
{
	unsigned int shift;
	uint32_t letter;

	for (shift = 0; shift < 32; shift += 8) {
		letter = word >> shift & 0xff;
		if (letter >= 'a' && letter <= 'z')
			word -= (uint32_t)('a' - 'A') << shift;
	}
	return word;
}

void capitals_main(void)
{
	__xread uint32_t from[CAPITALS_WORDS];
	__xwrite uint32_t to[CAPITALS_WORDS];
	unsigned int len, at, i;

	chan_attach();
	for (;;) {
		len = chan_recv(CHAN_ID_CAPITALS_IN, emem40(capitals_buf), sizeof(capitals_buf));
		for (at = 0; at < len; at += sizeof(from)) {
			mem_read64(from, emem40(capitals_buf + at), sizeof(from));
			for (i = 0; i < CAPITALS_WORDS; i++)
				to[i] = to_upper(from[i]);
			mem_write64(to, emem40(capitals_buf + at), sizeof(to));
		}
		chan_send(CHAN_ID_CAPITALS_OUT, emem40(capitals_buf), len);
	}
}
