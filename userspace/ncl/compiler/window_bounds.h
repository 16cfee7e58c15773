/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* window_bounds.h - bounds of accesses to arrays of the window. */
#ifndef NCLC_WINDOW_BOUNDS_H
#define NCLC_WINDOW_BOUNDS_H

#include "nclc.h"

void window_lower(struct place *at);

#endif /* NCLC_WINDOW_BOUNDS_H */
