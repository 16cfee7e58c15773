/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ring_map.h - map memory twice, back to back, as user space maps a ring. */
#ifndef RING_MAP_H
#define RING_MAP_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static inline void *map_twice(size_t len)
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

#endif /* RING_MAP_H */
