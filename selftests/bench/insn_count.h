/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * insn_count.h - count the instructions that a function executes.
 *
 * A child process runs the function, and its parent single-steps the child. The count is exact, is
 * the same on every machine of a kind, and does not depend on other load.
 */
#ifndef INSN_COUNT_H
#define INSN_COUNT_H

#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if !defined(__x86_64__)
#error "the counted function ends with the x86 instruction ud2: x86-64 only"
#endif

/*
 * Each step of the child wakes its parent. This takes ten times as long, in a VM at least, if the
 * parent is on another CPU that went idle. So parent and child stay on the current CPU. @old: the
 * CPUs that were allowed before.
 */
static inline void insn_count_pin(cpu_set_t *old)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	if (sched_getaffinity(0, sizeof(*old), old) || sched_setaffinity(0, sizeof(here), &here)) {
		perror("insn_count: cannot pin the process to a CPU");
		exit(1);
	}
}

/*
 * Return the instructions of fn(arg), with call and return. A repeated string instruction stops
 * the child once for each repetition, at the same address, and counts as one. What fn() changes in
 * memory, it changes in the child only.
 */
static inline uint64_t insn_count(void (*fn)(void *arg), void *arg)
{
	uint64_t n = 0;
	long at, last = 0;
	cpu_set_t old;
	int status;
	pid_t pid;

	fflush(NULL);
	insn_count_pin(&old);
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		__asm__ volatile("int3");
		fn(arg);
		__asm__ volatile("ud2");
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) {
		perror("insn_count: cannot trace a child");
		exit(1);
	}
	for (;;) {
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) ||
		    waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			break;
		if (WSTOPSIG(status) != SIGTRAP)
			break;
		at = ptrace(PTRACE_PEEKUSER, pid, offsetof(struct user, regs.rip), NULL);
		n += at != last;
		last = at;
	}
	if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGILL) {
		fprintf(stderr, "insn_count: the child ended, status %#x\n", status);
		exit(1);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	sched_setaffinity(0, sizeof(old), &old);
	return n;
}

static inline void insn_nothing(void *arg)
{
}

/* Return the instructions of fn(arg), less those of an empty function. */
static inline uint64_t insn_cost(void (*fn)(void *arg), void *arg)
{
	return insn_count(fn, arg) - insn_count(insn_nothing, arg);
}

/* Print the instructions for each of the @n messages that fn(arg) handles. */
static inline void insn_print(const char *kind, const char *what, void (*fn)(void *arg), void *arg,
			      unsigned int n)
{
	printf("%s_insn_%s %.1f\n", kind, what, (double)insn_cost(fn, arg) / n);
}

#endif /* INSN_COUNT_H */
