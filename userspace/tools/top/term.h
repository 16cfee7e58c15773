/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* term.h - a terminal without line editing and echo, that shows another screen. */
#ifndef NFPCHAN_TERM_H
#define NFPCHAN_TERM_H

#include <stdbool.h>

/* May the standard input and output be used as a terminal with escape codes? */
bool term_usable(void);

/* Take the terminal, or take it again. Returns 0 or -errno. */
int term_take(void);

/* Restore the terminal as it was before the first term_take(), if it is taken. */
void term_restore(void);

/* Restore it, stop as SIGTSTP does, and take it again when the process goes on. SIGTSTP is blocked. */
int term_stop(void);

/* Size of its window: lines and characters in a line */
void term_size(unsigned int *rows, unsigned int *cols);

#endif /* NFPCHAN_TERM_H */
