/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dma_map.h - which DMA addresses reach which memory, for front ends.
 */
#ifndef DMA_MAP_H
#define DMA_MAP_H

#include <stddef.h>
#include <stdint.h>

#define DMA_MAP_READ	0x1u	/* the card may read */
#define DMA_MAP_WRITE	0x2u	/* the card may write */

/**
 * struct dma_region - a range of DMA addresses
 * @addr: first address
 * @last: last address: an end would not fit when the range ends at 2^64
 * @mem: the memory, or NULL: the range is known, but cannot be reached
 * @prot: DMA_MAP_*
 */
struct dma_region {
	uint64_t addr;
	uint64_t last;
	uint8_t *mem;
	unsigned int prot;
};

/* Sorted by address. All zero is an empty map; @hit is a guess, no more. */
struct dma_map {
	struct dma_region *regions;
	size_t count;
	size_t room;
	size_t hit;
};

/*
 * dma_map_add() - 0, -EEXIST when an address of it is mapped, -ENOMEM,
 * -EINVAL for a size of 0 or a range beyond 2^64.
 */
int dma_map_add(struct dma_map *m, uint64_t addr, uint64_t size, void *mem,
		unsigned int prot);
/* The region that is exactly this range, or NULL. */
struct dma_region *dma_map_find(struct dma_map *m, uint64_t addr, uint64_t size);
/* Forget a region; its memory is the caller's to release. */
void dma_map_del(struct dma_map *m, struct dma_region *r);

/*
 * Forget the regions from @addr to @last; @gone releases the memory of each. How many there
 * were, or -EINVAL when one lies there in part: then all of them stay.
 */
int dma_map_del_range(struct dma_map *m, uint64_t addr, uint64_t last,
		      void (*gone)(struct dma_region *r));
void dma_map_free(struct dma_map *m);

/*
 * Catch SIGBUS in the process from here on: for maps of a peer's files, which
 * it can truncate. Without it that ends the process.
 */
void dma_map_guard(void);

/*
 * Both split at region borders and check every byte first: -EFAULT when one
 * cannot be reached, and then nothing was copied; or when the memory's file
 * was truncated under us, and then what came before it was.
 */
int dma_map_read(struct dma_map *m, uint64_t addr, void *buf, size_t len);
int dma_map_write(struct dma_map *m, uint64_t addr, const void *buf, size_t len);

#endif /* DMA_MAP_H */
