/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* states.h - all that is deployed on this machine. */
#ifndef NCL_STATES_H
#define NCL_STATES_H

#include <stdbool.h>
#include "ncl_state.h"

/**
 * struct states - what is deployed, by program and place
 * @n: how many places
 * @state: they
 */
struct states {
	unsigned int n;
	struct state *state;
};

/* Those of a program, or all for NULL. 0, or the exit status with what is wrong printed. */
int states_read(struct states *s, const char *program);
void states_free(struct states *s);

#endif /* NCL_STATES_H */
