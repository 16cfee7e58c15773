/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* program.h - read what the user's file defines. */
#ifndef NCLC_PROGRAM_H
#define NCLC_PROGRAM_H

#include "nclc.h"

void program_read(struct program *p);
/* After all places are compiled: refuse a kernel that no device can run. */
void program_check(const struct program *p);

#endif /* NCLC_PROGRAM_H */
