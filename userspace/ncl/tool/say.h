/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* say.h - what libbpf, the verifier and drivers say, kept until something fails. */
#ifndef NCL_SAY_H
#define NCL_SAY_H

#include <stdbool.h>

#define SAY_LINE	256

/* Forget what was said, and keep what comes. */
void say_begin(void);

/*
 * The line that most likely says why something failed: the last one of a driver, else the
 * last of the verifier that is no statistics, else the last. false: nothing was said.
 */
bool say_worst(char line[SAY_LINE]);

#endif /* NCL_SAY_H */
