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
 * Return the instructions of fn(arg), with call and return. A repeated string instruction stops
 * the child once for each repetition, at the same address, and counts as one. What fn() changes in
 * memory, it changes in the child only.
 */
uint64_t insn_count(void (*fn)(void *arg), void *arg);

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
