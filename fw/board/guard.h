/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guard.h - nfpboard's signal handlers. They print the name of the firmware context that crashes,
 * or that does not give up the processor. They belong to the program and not to libboard, because
 * signal handlers are global to a process and because they use fw/hal.
 */
#ifndef GUARD_H
#define GUARD_H

#define GUARD_SECONDS	5
#define GUARD_EXIT	3	/* a context did not give up the processor */

/*
 * When a signal ends the program, print the context that runs. The signal then has the effect
 * that it had before this call. Return 0 or -errno.
 */
int guard_crashes(void);

/*
 * End the program with GUARD_EXIT when one turn of a context takes @seconds of CPU time, or one
 * second while SIGTERM or SIGINT is pending. With 0 there is no limit. Return 0 or -errno. Call
 * guard_crashes() first: its signal stack is used.
 */
int guard_turns(unsigned int seconds);

#endif /* GUARD_H */
