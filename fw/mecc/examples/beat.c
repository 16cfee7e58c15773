// SPDX-License-Identifier: BSD-2-Clause
/*
 * beat.c - a first program for a microengine: a record in EMEM that changes each second.
 *
 *	mecc fw/mecc/examples/beat.c -o beat.o --me 36.8
 *	nfpchan firmware graft --base VENDORFILE beat.o --output beat.nffw
 *
 * With that file loaded (userspace/doc/GRAFT.rst):
 *
 *	ethtool -W eth0 1000; ethtool -w eth0 data FILE; nfpchan firmware dump FILE
 *
 * The file has one entry, so context 0 alone runs. No card has run this.
 */
#include "../microengine.h"

#define NUMBERS	1024

struct record {
	char text[24];
	uint64_t seconds;	/* since the program began */
	uint64_t ticks;		/* the time stamp */
	uint32_t primes;	/* prime numbers that were found, one each second */
	uint32_t last;		/* the last of them */
};

/* A global object in EMEM becomes a run-time symbol of the file. */
__emem struct record beat;

/* In local memory, from where one command copies it */
static struct record now = { "made by mecc" };
static uint8_t composite[NUMBERS];

static void sieve(void)
{
	for (uint32_t i = 2; i < NUMBERS; i++)
		for (uint32_t n = 2 * i; n < NUMBERS && !composite[i]; n += i)
			composite[n] = 1;
}

static uint32_t next_prime(uint32_t n)
{
	do
		n++;
	while (n < NUMBERS && composite[n]);
	return n;
}

void count(void)
{
	uint64_t next = me_ticks(), time;
	uint32_t prime = 1;

	sieve();
	for (;;) {
		now.ticks = me_ticks();
		prime = next_prime(prime);
		if (prime < NUMBERS) {
			now.primes++;
			now.last = prime;
		}
		beat = now;
		now.seconds++;
		next += ME_TICK_HZ;
		time = me_ticks();
		if (next > time)
			me_sleep(next - time);
	}
}
