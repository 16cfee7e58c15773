/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* alloc.h - allocate memory, or end the process. No caller can recover from a lack of memory. */
#ifndef EXPLAIN_ALLOC_H
#define EXPLAIN_ALLOC_H

#include <stdio.h>
#include <stdlib.h>

static inline void *xrealloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p) {
		fputs("nfpchan: out of memory\n", stderr);
		abort();
	}
	return p;
}

static inline void *xzalloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	return p ? p : xrealloc(NULL, size);
}

#endif /* EXPLAIN_ALLOC_H */
