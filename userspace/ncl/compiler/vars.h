/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* vars.h - types and sizes of variables of the network. */
#ifndef NCLC_VARS_H
#define NCLC_VARS_H

#include "nclc.h"

/* Check the variables of @p, and read their types. */
void vars_read(struct program *p);

#endif /* NCLC_VARS_H */
