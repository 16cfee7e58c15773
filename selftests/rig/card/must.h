/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * must.h - abort if a condition fails. For code that cannot use cmocka's assertions: threads
 * other than the test's, and benchmarks.
 */
#ifndef MUST_H
#define MUST_H

#include <stdio.h>
#include <stdlib.h>

#define must(x) do { \
	if (!(x)) { \
		printf("# %s:%d: failed: %s\n", __FILE__, __LINE__, #x); \
		fflush(stdout); \
		abort(); \
	} \
} while (0)

#endif /* MUST_H */
