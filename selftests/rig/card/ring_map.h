/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ring_map.h - map memory twice, back to back, as user space maps a ring. */
#ifndef RING_MAP_H
#define RING_MAP_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *map_twice(size_t len);

#endif /* RING_MAP_H */
