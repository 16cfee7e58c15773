// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* insn_count.c - see insn_count.h. */
#define _GNU_SOURCE
#include "bench/insn_count.h"

/*
 * Each step of the child wakes its parent. This takes ten times as long, in a VM at least, if the
 * parent is on another CPU that went idle. So parent and child stay on the current CPU. @old: the
 * CPUs that were allowed before.
 */
static void insn_count_pin(cpu_set_t *old)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	if (sched_getaffinity(0, sizeof(*old), old) || sched_setaffinity(0, sizeof(here), &here)) {
		perror("insn_count: cannot pin the process to a CPU");
		exit(1);
	}
}

uint64_t insn_count(void (*fn)(void *arg), void *arg)
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
