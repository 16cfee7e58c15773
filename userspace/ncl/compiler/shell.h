/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* shell.h - generated C code of a place. */
#ifndef NCLC_SHELL_H
#define NCLC_SHELL_H

#include "nclc.h"

/* C code that parses a frame and calls the kernels */
char *shell_text(const struct place *at);
/* C code of the maps, and of the accesses to them */
char *maps_text(const struct place *at);

#endif /* NCLC_SHELL_H */
