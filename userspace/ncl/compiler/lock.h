/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* lock.h - which kernels take the lock. */
#ifndef NCLC_LOCK_H
#define NCLC_LOCK_H

#include "nclc.h"

/* File name in the #line directives of the lock's code, by which explain_place.c finds it */
#define LOCK_LINES	"nclc.lock."

void lock_decide(struct place *at);

#endif /* NCLC_LOCK_H */
