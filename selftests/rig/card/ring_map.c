// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ring_map.c - see ring_map.h. */
#define _GNU_SOURCE
#include "ring_map.h"

void *map_twice(size_t len)
{
	int fd = memfd_create("ring", MFD_CLOEXEC);
	uint8_t *p;

	if (fd < 0 || ftruncate(fd, (off_t)len))
		abort();
	p = mmap(NULL, 2 * len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED ||
	    mmap(p, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED ||
	    mmap(p + len, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		abort();
	close(fd);
	return p;
}
