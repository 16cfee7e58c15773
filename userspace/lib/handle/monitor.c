// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * monitor.c - have the CPU wait until a cache line is written: UMONITOR and
 * UMWAIT (Intel, WAITPKG), MONITORX and MWAITX (AMD).
 *
 * While the CPU waits, the other hardware thread of its core has all of the core. A store to
 * the line, an interrupt or the time limit ends the wait; it may also end without a reason.
 * Linux limits the length of a UMWAIT (/sys/devices/system/cpu/umwait_control).
 */
#include "policy.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>

#define WAITPKG		(1u << 5)	/* CPUID 7.0, ECX */
#define MWAITX		(1u << 29)	/* CPUID 80000001, ECX */
#define MWAITX_TIMER	0x2		/* EBX has a time limit */
#define C0_1		1		/* the lighter of the two states, which wakes faster */
#define TICKS_MAX	100000ull	/* TSC ticks of one wait; the caller then reads the clock */

enum { UNKNOWN, NONE, UMWAIT, AMD_MWAITX };

static int monitor_kind(void)
{
	static int kind;
	unsigned int a, b, c, d;
	int k = __atomic_load_n(&kind, __ATOMIC_RELAXED);

	if (k != UNKNOWN)
		return k;
	k = NONE;
	if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && c & WAITPKG)
		k = UMWAIT;
	else if (__get_cpuid(0x80000001, &a, &b, &c, &d) && c & MWAITX)
		k = AMD_MWAITX;
	__atomic_store_n(&kind, k, __ATOMIC_RELAXED);
	return k;
}

bool monitor_able(void)
{
	return monitor_kind() != NONE;
}

static __attribute__((target("waitpkg")))
void wait_intel(const volatile void *line, bool (*changed)(void *arg), void *arg, uint64_t ticks)
{
	_umonitor((void *)line);
	if (!changed(arg))
		_umwait(C0_1, __rdtsc() + ticks);
}

static __attribute__((target("mwaitx")))
void wait_amd(const volatile void *line, bool (*changed)(void *arg), void *arg, uint64_t ticks)
{
	_mm_monitorx((void *)line, 0, 0);
	if (!changed(arg))
		_mm_mwaitx(MWAITX_TIMER, 0, (unsigned int)ticks);
}

/* A tick of the TSC is shorter than 1 ns on all CPUs with these instructions. */
void monitor_wait(const volatile void *line, bool (*changed)(void *arg), void *arg, uint64_t ns)
{
	uint64_t ticks = ns < TICKS_MAX ? ns : TICKS_MAX;

	if (monitor_kind() == UMWAIT)
		wait_intel(line, changed, arg, ticks);
	else
		wait_amd(line, changed, arg, ticks);
}

#else

bool monitor_able(void)
{
	return false;
}

void monitor_wait(const volatile void *line, bool (*changed)(void *arg), void *arg, uint64_t ns)
{
	(void)line;
	(void)changed;
	(void)arg;
	(void)ns;
}

#endif
