/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* slowly.h - limits of time on slow machines and slow kernels. */
#ifndef SLOWLY_H
#define SLOWLY_H

#include <stdlib.h>

/*
 * Return @limit, in any unit, times NFPCHAN_SLOW: how many times as slow as two idle CPUs the machine
 * is. scripts/check-one sets it; scripts/vm multiplies it by the factor of the kernel.
 */
static inline int slowly(int limit)
{
	const char *slow = getenv("NFPCHAN_SLOW");

	return limit * (slow ? atoi(slow) : 1);
}

#endif /* SLOWLY_H */
