// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cover.c - what programs have come to: results of each operation, and where the
 * kernel has KCOV, the places of the module they went through.
 *
 * Processes set bits of a memory that all share; the one that starts them counts
 * what was not there before.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/kcov.h>

#include "fuzz.h"

#define WORDS	65536		/* of a thread's KCOV memory */
#define KCOV	"/sys/kernel/debug/kcov"

static uint8_t *bits;		/* shared */
static unsigned int known[2];	/* results, places */
static unsigned long text, text_size;

static __thread uint64_t *trace;

static void set(unsigned int bit)
{
	__atomic_fetch_or(&bits[bit / 8], 1 << bit % 8, __ATOMIC_RELAXED);
}

static unsigned int count(unsigned int from, unsigned int to)
{
	unsigned int n = 0, i;

	for (i = from / 8; i < to / 8; i++)
		n += __builtin_popcount(bits[i]);
	return n;
}

/* True with KCOV. Where the module is, root alone is told. */
bool cover_init(void)
{
	char line[256], *at;
	FILE *f;

	bits = mmap(NULL, COVER_BITS / 8, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		    0);
	if (bits == MAP_FAILED)
		return false;
	f = fopen("/proc/modules", "r");
	while (f && fgets(line, sizeof(line), f)) {
		at = strstr(line, "0x");
		if (strncmp(line, "nfp_chan ", 9) || !at)
			continue;
		text_size = strtoul(line + 9, NULL, 10);
		text = strtoul(at, NULL, 16);
	}
	if (f)
		fclose(f);
	return text && !access(KCOV, R_OK | W_OK);
}

/* Called before privileges are given up. */
void cover_thread(void)
{
	int fd;

	trace = NULL;
	if (!text)
		return;
	fd = open(KCOV, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!ioctl(fd, KCOV_INIT_TRACE, (unsigned long)WORDS)) {
		trace = mmap(NULL, WORDS * sizeof(*trace), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			     0);
		if (trace == MAP_FAILED || ioctl(fd, KCOV_ENABLE, KCOV_TRACE_PC))
			trace = NULL;
	}
	close(fd);
}

void cover_call(const struct call *c, long ret)
{
	uint64_t i, n, pc;

	/* Which operation, one of its kinds, what became of it. */
	set(((c->op % op_count) << 11 | (c->x & 7) << 8 | (ret < 0 ? -ret & 0xff : 0)) %
	    COVER_PLACES);
	if (!trace)
		return;
	n = __atomic_load_n(&trace[0], __ATOMIC_RELAXED);
	for (i = 1; i <= n && i < WORDS; i++) {
		pc = trace[i] - text;
		if (pc < text_size && pc < COVER_BITS - COVER_PLACES)
			set(COVER_PLACES + pc);
	}
	__atomic_store_n(&trace[0], 0, __ATOMIC_RELAXED);
}

/* A line for each operation: the errors it came to. */
void cover_print(void)
{
	unsigned int op, err, kind, at;
	bool found;

	for (op = 0; op < op_count; op++) {
		printf("# %s:", ops[op].name);
		for (err = 0; err < 256; err++) {
			for (kind = 0, found = false; kind < 8; kind++) {
				at = op << 11 | kind << 8 | err;
				found |= bits[at / 8] >> at % 8 & 1;
			}
			if (found)
				printf(" %s", err ? strerrorname_np(err) ?: "?" : "0");
		}
		printf("\n");
	}
}

unsigned int cover_results(void)
{
	return count(0, COVER_PLACES);
}

unsigned int cover_places(void)
{
	unsigned long end = COVER_PLACES + (text_size + 7) / 8 * 8;

	return count(COVER_PLACES, end < COVER_BITS ? end : COVER_BITS);
}

/* How much there is that was not there at the last call. */
unsigned int cover_news(void)
{
	unsigned int now[2] = { cover_results(), cover_places() };
	unsigned int news = now[0] - known[0] + now[1] - known[1];

	memcpy(known, now, sizeof(known));
	return news;
}
