/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SCHED_H
#define SCHED_H

#include "mir.h"

/* Order the operations of each block so that others come between a pointer and its use. */
void schedule(struct mfunc *f);

#endif /* SCHED_H */
