/* SPDX-License-Identifier: BSD-2-Clause */
/* dma_map.h - maps DMA addresses to memory, for front ends. */
#ifndef DMA_MAP_H
#define DMA_MAP_H

#include <stddef.h>
#include <stdint.h>

#define DMA_MAP_READ	0x1u	/* the card may read */
#define DMA_MAP_WRITE	0x2u	/* the card may write */

/**
 * struct dma_region - a range of DMA addresses
 * @addr: first address
 * @last: last address. The address after it does not fit in 64 bits if the range ends at
 *	2^64
 * @mem: the memory, or NULL if the range is known but has no accessible memory
 * @prot: DMA_MAP_*
 */
struct dma_region {
	uint64_t addr;
	uint64_t last;
	uint8_t *mem;
	unsigned int prot;
};

/*
 * Sorted by address. All zero is an empty map. @hit is the index of the last lookup, as a hint.
 */
struct dma_map {
	struct dma_region *regions;
	size_t count;
	size_t room;
	size_t hit;
};

/*
 * dma_map_add() - return 0, -EEXIST if an address of the range is mapped already, -ENOMEM, or
 * -EINVAL for a size of 0 or a range beyond 2^64.
 */
int dma_map_add(struct dma_map *m, uint64_t addr, uint64_t size, void *mem,
		unsigned int prot);
/* Find the region that is exactly this range, or return NULL. */
struct dma_region *dma_map_find(struct dma_map *m, uint64_t addr, uint64_t size);
/* Remove a region. The caller releases its memory. */
void dma_map_del(struct dma_map *m, struct dma_region *r);

/*
 * Remove the regions from @addr to @last. @gone releases the memory of each. Return the number of
 * regions, or -EINVAL if a region is only partly in the range; then no region is removed.
 */
int dma_map_del_range(struct dma_map *m, uint64_t addr, uint64_t last,
		      void (*gone)(struct dma_region *r));
void dma_map_free(struct dma_map *m);

/*
 * Install a handler for SIGBUS: a client can truncate the files of its mappings, and without a
 * handler the SIGBUS would end this process.
 */
void dma_map_guard(void);

/*
 * Copy a range, which may span regions. Return -EFAULT with nothing copied if a byte cannot be
 * accessed. Return -EFAULT with a part copied if the memory's file was truncated during the copy.
 */
int dma_map_read(struct dma_map *m, uint64_t addr, void *buf, size_t len);
int dma_map_write(struct dma_map *m, uint64_t addr, const void *buf, size_t len);

#endif /* DMA_MAP_H */
