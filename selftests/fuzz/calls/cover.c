// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cover.c - coverage: the results of each operation, and with KCOV the places of the module that
 * programs have reached.
 *
 * Processes set bits in shared memory, and count the bits that they are the first to set: these
 * are the new coverage of a program.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/kcov.h>

#include "fuzz.h"

#define WORDS	16384		/* size of a thread's KCOV buffer */
#define KCOV	"/sys/kernel/debug/kcov"

/**
 * struct op_sum - calls of an operation
 * @ns: time of all calls
 * @calls: number of calls by errno; 0: those that succeeded
 */
struct op_sum {
	uint64_t ns;
	uint64_t calls[256];
};

static uint8_t *bits;		/* shared */
static struct op_sum *sums;	/* shared, one for each operation */
static unsigned int *news;	/* shared: bits that each job has newly set */
static unsigned int *my_news;	/* of this process's job */
static unsigned int *failing;	/* shared: threads for which KCOV could not be enabled */
static unsigned long text, text_size;

static __thread uint64_t *trace;

static void set(unsigned int bit)
{
	uint8_t *at = &bits[bit / 8], one = 1 << bit % 8;

	/* Usually the bit is set already: only read it then, to keep the cache line shared. */
	if (!(__atomic_load_n(at, __ATOMIC_RELAXED) & one) &&
	    !(__atomic_fetch_or(at, one, __ATOMIC_RELAXED) & one))
		__atomic_fetch_add(my_news, 1, __ATOMIC_RELAXED);
}

static unsigned int count(unsigned int from, unsigned int to)
{
	unsigned int n = 0, i;

	for (i = from / 8; i < to / 8; i++)
		n += __builtin_popcount(bits[i]);
	return n;
}

static void *shared(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Return true with KCOV. Only root can read the module's address. */
bool cover_init(void)
{
	char line[256], *at;
	FILE *f;

	bits = shared(COVER_BITS / 8);
	sums = shared(op_count * sizeof(*sums));
	news = shared(JOBS * sizeof(*news));
	failing = shared(sizeof(*failing));
	if (!bits || !sums || !news || !failing)
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

/* Make this process the one of job @job. */
void cover_job(unsigned int job)
{
	my_news = &news[job];
	*my_news = 0;
}

/* Enable KCOV for this thread; return its buffer, or NULL. */
static uint64_t *trace_start(int fd)
{
	uint64_t *t;

	if (ioctl(fd, KCOV_INIT_TRACE, (unsigned long)WORDS))
		return NULL;
	t = mmap(NULL, WORDS * sizeof(*t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (t == MAP_FAILED)
		return NULL;
	/* The buffer is this thread's: a fork need not copy it. */
	if (!ioctl(fd, KCOV_ENABLE, KCOV_TRACE_PC) &&
	    !madvise(t, WORDS * sizeof(*t), MADV_DONTFORK))
		return t;
	munmap(t, WORDS * sizeof(*t));
	return NULL;
}

/* Begin coverage of this thread. Call this before giving up privileges. */
void cover_thread(void)
{
	int fd;

	trace = NULL;
	if (!text)
		return;
	fd = open(KCOV, O_RDWR | O_CLOEXEC);
	if (fd >= 0) {
		trace = trace_start(fd);
		close(fd);
	}
	/* A thread without KCOV goes on and finds nothing new: count it, to report it. */
	if (!trace)
		__atomic_fetch_add(failing, 1, __ATOMIC_RELAXED);
}

/* Return the number of threads without coverage: all threads, on a kernel without KCOV. */
unsigned int cover_failing(void)
{
	return __atomic_load_n(failing, __ATOMIC_RELAXED);
}

/* End coverage in a child: KCOV does not follow a fork. */
void cover_child(void)
{
	trace = NULL;
}

/* Record a call that took @ns. */
void cover_call(const struct call *c, long ret, uint64_t ns)
{
	struct op_sum *sum = &sums[c->op % op_count];
	uint64_t i, n, pc;

	__atomic_fetch_add(&sum->ns, ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sum->calls[ret < 0 ? -ret & 0xff : 0], 1, __ATOMIC_RELAXED);

	/* A result is the operation, three bits of an argument, and the errno. */
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

static uint64_t op_calls(unsigned int op)
{
	uint64_t n = 0;
	unsigned int err;

	for (err = 0; err < 256; err++)
		n += __atomic_load_n(&sums[op].calls[err], __ATOMIC_RELAXED);
	return n;
}

uint64_t cover_calls(void)
{
	uint64_t n = 0;
	unsigned int op;

	for (op = 0; op < op_count; op++)
		n += op_calls(op);
	return n;
}

static const char *err_name(unsigned int err)
{
	return err ? strerrorname_np(err) ?: "?" : "ok";
}

/* Print an operation's number of calls, mean time, and results. */
static void op_print(unsigned int op)
{
	uint64_t calls = op_calls(op);
	unsigned int err;

	printf("# %-8s %8" PRIu64 " %7" PRIu64 " us:", ops[op].name, calls,
	       calls ? sums[op].ns / calls / 1000 : 0);
	for (err = 0; err < 256; err++)
		if (sums[op].calls[err])
			printf(" %s %" PRIu64, err_name(err), sums[op].calls[err]);
	printf("\n");
}

/* Print the results of all calls; with @ops_too also of each operation. */
void cover_print(bool ops_too)
{
	uint64_t all = cover_calls(), n;
	unsigned int op, err;

	for (op = 0; ops_too && op < op_count; op++)
		op_print(op);
	printf("# results:");
	for (err = 0; err < 256; err++) {
		for (op = 0, n = 0; op < op_count; op++)
			n += sums[op].calls[err];
		if (n)
			printf(" %s %" PRIu64 " (%.1f %%)", err_name(err), n, 100. * n / all);
	}
	printf("\n");
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

/* Return how many bits the job's program, which has ended, has newly set. */
unsigned int cover_news(unsigned int job)
{
	return __atomic_load_n(&news[job], __ATOMIC_RELAXED);
}
