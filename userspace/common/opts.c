// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* opts.c - options of a caller that was compiled with another version of the library. */
#include <errno.h>
#include <string.h>
#include "opts.h"

int opts_copy(void *to, size_t known, const void *from, size_t given)
{
	const char *p = from;
	size_t i;

	memset(to, 0, known);
	if (given < sizeof(size_t))
		return -EINVAL;
	for (i = known; i < given; i++)
		if (p[i])
			return -E2BIG;
	memcpy(to, from, given < known ? given : known);
	return 0;
}
