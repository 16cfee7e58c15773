/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* states.h - read the state files of this machine. */
#ifndef NCL_STATES_H
#define NCL_STATES_H

#include <stdbool.h>
#include "ncl_state.h"

/**
 * struct states - state files, sorted by program and place
 * @n: number of entries of @state
 * @state: contents of the files
 */
struct states {
	unsigned int n;
	struct state *state;
};

/*
 * Read the state files of a program, or all state files if @program is NULL. Returns 0, or prints
 * what is wrong and returns the exit status of ncl.
 */
int states_read(struct states *s, const char *program);
void states_free(struct states *s);

#endif /* NCL_STATES_H */
