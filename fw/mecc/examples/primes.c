// SPDX-License-Identifier: BSD-2-Clause
/*
 * primes.c - a first program for a microengine: it looks for prime numbers in local memory, and
 * writes what it has found to EMEM, where `ethtool -w` reads it. userspace/doc/GRAFT.rst runs it.
 */
#define LIMIT	512
#define WORDS	4

static const char text[4 * WORDS] = "made by mecc";
static unsigned char composite[LIMIT];

__emem struct {
	char text[4 * WORDS];
	unsigned int limit;
	unsigned int count;	/* prime numbers below the limit */
	unsigned int last;
	unsigned int done;	/* 1 when the other fields are complete */
} primes;

void find_primes(void)
{
	unsigned int i, n, count = 0, last = 0;

	for (i = 0; i < sizeof(text); i++)
		primes.text[i] = text[i];
	for (n = 2; n < LIMIT; n++) {
		if (composite[n])
			continue;
		count++;
		last = n;
		for (i = 2 * n; i < LIMIT; i += n)
			composite[i] = 1;
	}
	primes.limit = LIMIT;
	primes.count = count;
	primes.last = last;
	primes.done = 1;
}
