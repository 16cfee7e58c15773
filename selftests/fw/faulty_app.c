// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * faulty_app.c - an ME process with a fault. It replaces the process "echo" (i35.me1.0) in the board
 * that selftests/fw/faulty_board builds. The environment variable FW_FAULT selects the fault.
 */
#define _GNU_SOURCE		/* memfd_create */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <nfp/me.h>

#include "chan.h"

__export __emem __align8 uint8_t fault_buf[2048];

static void *volatile nowhere;
static volatile int zero;

static void spin(void)
{
	for (;;)
		zero = 0;
}

/* Run for 3 s of CPU time, in short turns. The watchdog must not end the board. */
static void busy(void)
{
	while (clock() < 3 * CLOCKS_PER_SEC) {
		for (int i = 0; i < 100000; i++)
			zero = 0;
		ctx_yield();
	}
	abort();
}

static void segv(void)
{
	*(volatile int *)nowhere = 1;
}

static void ill(void)
{
	__builtin_trap();
}

/* Access a mapping past the end of its file. */
static void bus(void)
{
	volatile char *p = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, memfd_create("empty", 0), 0);

	(void)*p;
}

static void fpe(void)
{
	raise(SIGFPE);
}

/* Overflow the stack. The condition keeps the compiler from a warning about infinite recursion. */
static __attribute__((noinline)) int deep(int n)
{
	volatile char frame[1000];

	frame[n % 1000] = (char)n;
	return n == INT_MAX ? 0 : deep(n + 1) + frame[n % 1000];
}

static void overflow(void)
{
	deep(zero);
}

static void small(void)
{
	chan_attach();
	chan_recv(CHAN_ID_ECHO_IN, fault_buf, 8);
}

static const struct {
	const char *name;
	void (*fn)(void);
} faults[] = {
	{ "spin", spin }, { "busy", busy }, { "segv", segv }, { "ill", ill }, { "bus", bus },
	{ "fpe", fpe }, { "abrt", abort }, { "overflow", overflow }, { "small", small },
};

void echo_main(void)
{
	const char *fault = getenv("FW_FAULT");

	for (unsigned int i = 0; fault && i < sizeof(faults) / sizeof(faults[0]); i++)
		if (!strcmp(fault, faults[i].name))
			faults[i].fn();
}
