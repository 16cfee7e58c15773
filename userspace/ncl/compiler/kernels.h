/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* kernels.h - arguments, windows and numbers of kernels. */
#ifndef NCLC_KERNELS_H
#define NCLC_KERNELS_H

#include "nclc.h"

/* Check the kernels of @p, number them, and lay out their windows. */
void kernels_read(struct program *p);

#endif /* NCLC_KERNELS_H */
