/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pinned.h - count long-term pinned pages. */
#ifndef PINNED_H
#define PINNED_H

#include <stdio.h>
#include <string.h>
#include "calls.h"

/* Return the number of pinned pages of the whole system. */
static inline long pinned(void)
{
	char name[64];
	long n, sum = 0;
	FILE *f;

	file_put("/proc/sys/vm/stat_refresh", "1");
	f = fopen("/proc/vmstat", "r");
	while (f && fscanf(f, "%63s %ld", name, &n) == 2) {
		if (!strcmp(name, "nr_foll_pin_acquired"))
			sum += n;
		else if (!strcmp(name, "nr_foll_pin_released"))
			sum -= n;
	}
	if (f)
		fclose(f);
	return sum;
}

#endif /* PINNED_H */
