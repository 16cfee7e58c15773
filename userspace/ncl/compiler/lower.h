/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* lower.h - loads and stores of variables become map accesses. */
#ifndef NCLC_LOWER_H
#define NCLC_LOWER_H

#include "nclc.h"

void lower(struct place *at);

#endif /* NCLC_LOWER_H */
