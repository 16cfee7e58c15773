/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guard.h - nfpboard's signal handlers: they name the context of the firmware
 * that crashes, or that keeps the processor. Part of the program, not of the
 * board: they are the process's, and know the hal.
 */
#ifndef GUARD_H
#define GUARD_H

#define GUARD_SECONDS	5
#define GUARD_EXIT	3	/* a context has kept the processor */

/*
 * Say which context runs when a signal ends the program. The signal then does
 * what it did before. 0 or -errno.
 */
int guard_crashes(void);

/*
 * End the program with GUARD_EXIT when one turn of a context takes @seconds of
 * CPU time, or one second while SIGTERM or SIGINT is pending; never for 0. 0 or
 * -errno. After guard_crashes(), whose stack it uses.
 */
int guard_turns(unsigned int seconds);

#endif /* GUARD_H */
