/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* desc_out.h - the description of the program. */
#ifndef NCLC_DESC_OUT_H
#define NCLC_DESC_OUT_H

#include "nclc.h"

void program_hash(struct program *p);
char *description(const struct program *p);

#endif /* NCLC_DESC_OUT_H */
