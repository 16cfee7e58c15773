/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* bounds.h - bounds of array arguments. */
#ifndef NCLC_BOUNDS_H
#define NCLC_BOUNDS_H

#include "nclc.h"

/*
 * Take the window sizes of @k from _spec() and from array bounds such as "int data[16]". Leave @k
 * unchanged if an array has neither.
 */
void read_bounds(struct kernel *k);

#endif /* NCLC_BOUNDS_H */
