/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guard.h - nfpboard's signal handlers. They name the firmware context that crashes or that does
 * not swap. They belong to the program and not to the board: signal handlers are per process, and
 * these know the hal.
 */
#ifndef GUARD_H
#define GUARD_H

#define GUARD_SECONDS	5
#define GUARD_EXIT	3	/* exit status: a context did not swap */

/*
 * When a signal ends the program, print which context was running. The signal then takes its
 * previous action. Return: 0 or -errno.
 */
int guard_crashes(void);

/*
 * End the program with GUARD_EXIT when a context takes @seconds of CPU time without a swap, or
 * one second while SIGTERM or SIGINT is pending. 0: never. Call guard_crashes() first: the
 * handlers share its stack. Return: 0 or -errno.
 */
int guard_turns(unsigned int seconds);

#endif /* GUARD_H */
