// SPDX-License-Identifier: BSD-2-Clause
/*
 * guard.c - signal handlers that name the firmware context that has crashed, or that does not
 * swap.
 *
 * The handlers run on their own stack, because the stack of the context may be used up. They call
 * only async-signal-safe functions.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "guard.h"
#include "hal.h"

#define TICKS		10	/* ticks in a second of CPU time */

static const struct crash {
	int sig;
	const char *name;
} crashes[] = {
	{ SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" }, { SIGFPE, "SIGFPE" },
	{ SIGILL, "SIGILL" }, { SIGABRT, "SIGABRT" },
};

#define CRASHES	(sizeof(crashes) / sizeof(crashes[0]))

static struct sigaction before[CRASHES];
static char stack[64 * 1024] __attribute__((aligned(16)));

/* ---- a line of text ---- */

struct line {
	size_t len;
	char text[256];
};

static void add(struct line *l, const char *s)
{
	while (*s && l->len < sizeof(l->text))
		l->text[l->len++] = *s++;
}

static void add_number(struct line *l, unsigned long n, unsigned int base)
{
	char digits[3 * sizeof(n) + 1];
	char *p = digits + sizeof(digits);

	*--p = '\0';
	do
		*--p = "0123456789abcdef"[n % base];
	while (n /= base);
	add(l, p);
}

static void add_context(struct line *l, const struct hal_turn *t)
{
	add(l, "i");
	add_number(l, t->island, 10);
	add(l, ".me");
	add_number(l, t->me, 10);
	add(l, ".");
	add_number(l, t->ctx, 10);
	add(l, " ");
	add(l, t->process);
}

static void print(struct line *l)
{
	ssize_t n;

	add(l, "\n");
	n = write(STDERR_FILENO, l->text, l->len);
	(void)n;
}

/* ---- crashes ---- */

static void add_crash(struct line *l, const char *name, const siginfo_t *si)
{
	const char *addr = si->si_addr;
	bool fault = si->si_code > 0;	/* a real fault: not sent by kill() or abort() */
	struct hal_turn t;

	if (!hal_turn(&t)) {
		add(l, name);
		add(l, " outside of the firmware");
	} else if (fault && addr >= t.guard && addr < t.stack) {
		add_context(l, &t);
		add(l, ": stack overflow (");
		add(l, name);
		add(l, "): HAL_STACK in fw/emu/hal/hal_int.h is a stack's size");
		return;
	} else {
		add_context(l, &t);
		add(l, ": ");
		add(l, name);
	}
	if (fault) {
		add(l, " at address 0x");
		add_number(l, (uintptr_t)addr, 16);
	}
}

/*
 * Print the context, and restore the previous action of the signal. A real fault then happens
 * again, when the handler returns to the faulting instruction. A signal that was sent is raised
 * again here.
 */
static void crashed(int sig, siginfo_t *si, void *context)
{
	struct line l = { 0 };
	unsigned int i = 0;

	(void)context;
	while (crashes[i].sig != sig)
		i++;
	sigaction(sig, &before[i], NULL);
	add(&l, "nfpboard: crit: ");
	add_crash(&l, crashes[i].name, si);
	print(&l);
	if (si->si_code <= 0)
		raise(sig);
}

int guard_crashes(void)
{
	const stack_t alt = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction sa = { .sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	if (sigaltstack(&alt, NULL))
		return -errno;
	for (unsigned int i = 0; i < CRASHES; i++)
		if (sigaction(crashes[i].sig, &sa, &before[i]))
			return -errno;
	return 0;
}

/* ---- turns that do not end ---- */

/* The number of the turn at the last tick, and the ticks since this turn began. */
static struct {
	unsigned int limit;
	unsigned int ticks;
	unsigned long number;
} watch;

/*
 * Is SIGTERM or SIGINT pending? The main loop would handle the signal, but does not run until the
 * context swaps.
 */
static bool told_to_end(void)
{
	sigset_t set;

	return !sigpending(&set) && (sigismember(&set, SIGTERM) == 1 ||
				     sigismember(&set, SIGINT) == 1);
}

static void tick(int sig)
{
	struct line l = { 0 };
	struct hal_turn t;

	(void)sig;
	if (!hal_turn(&t))
		return;
	if (t.number != watch.number) {
		watch.number = t.number;
		watch.ticks = 0;
		return;
	}
	watch.ticks++;
	if (watch.ticks < watch.limit && !(watch.ticks >= TICKS && told_to_end()))
		return;
	add(&l, "nfpboard: error: ");
	add_context(&l, &t);
	add(&l, " has run for ");
	add_number(&l, watch.ticks / TICKS, 10);
	add(&l, " s without a swap");
	if (watch.ticks == watch.limit)
		add(&l, " (limit: --set watchdog=)");
	print(&l);
	_exit(GUARD_EXIT);
}

/*
 * The timer counts this process's CPU time in user mode, so neither load by other processes nor a
 * stop in a debugger counts. The handler counts ticks instead of reading the clock: if the clock
 * jumps, it has only one tick.
 */
int guard_turns(unsigned int seconds)
{
	const struct itimerval it = {
		.it_interval.tv_usec = 1000000 / TICKS,
		.it_value.tv_usec = 1000000 / TICKS,
	};
	struct sigaction sa = { .sa_handler = tick, .sa_flags = SA_RESTART | SA_ONSTACK };

	if (!seconds)
		return 0;
	watch.limit = seconds * TICKS;
	if (sigaction(SIGVTALRM, &sa, NULL) || setitimer(ITIMER_VIRTUAL, &it, NULL))
		return -errno;
	return 0;
}
