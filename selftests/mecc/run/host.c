// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * host.c - run the entries of a test program on the host: -DPROGRAM='"FILE.c"'.
 *
 * usage: PROGRAM SEED COUNT. Prints a line for each run: the entry, its number, out[].
 */
#include <stdio.h>
#include <stdlib.h>

#include PROGRAM
#include "inputs.h"
#include "microengine.h"

uint32_t me_add(uint32_t *p, uint32_t v)
{
	uint32_t old = *p;

	*p += v;
	return old;
}

uint32_t me_set(uint32_t *p, uint32_t bits)
{
	uint32_t old = *p;

	*p |= bits;
	return old;
}

uint32_t me_clear(uint32_t *p, uint32_t bits)
{
	uint32_t old = *p;

	*p &= ~bits;
	return old;
}

static void run(const char *name, void (*entry)(void), uint64_t seed, unsigned int count)
{
	uint64_t x = inputs_start(seed, name);

	for (unsigned int n = 0; n < count; n++) {
		inputs_next(&x, in);
		entry();
		printf("%s %u", name, n);
		for (unsigned int i = 0; i < OUT_WORDS; i++)
			printf(" %08x", out[i]);
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
#define RUN(f) run(#f, f, strtoull(argv[1], NULL, 0), atoi(argv[2]));
	ENTRIES(RUN)
	return 0;
}
