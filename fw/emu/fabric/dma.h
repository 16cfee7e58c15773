/* SPDX-License-Identifier: BSD-2-Clause */
/* dma.h - a node's writes and reads of any length, split into TLPs. */
#ifndef FAB_DMA_H
#define FAB_DMA_H

#include "fabric.h"

/*
 * Called when all data has arrived; @step brought the last of it. If !@good, the read was
 * refused, and the buffer's contents are undefined.
 */
typedef void (*fab_read_done)(void *ctx, uint64_t arg, bool good, uint32_t step);

struct fab_job;

struct fab_tag {
	struct fab_job *job;
	uint32_t at, left;
};

/**
 * struct fab_dma - DMA of a node with one link
 *
 * Writes are sent in the order of their calls, and so are reads. There is no order between a
 * write and a read. A TLP is made when the link has room.
 */
struct fab_dma {
	struct fab_node *n;
	struct fab_job *all, *writes, **writes_end, *reads, **reads_end;
	struct fab_tag tag[256];
	uint32_t tags_used;
};

void fab_dma_init(struct fab_dma *d, struct fab_node *n);
/* Free all jobs, also those that are not done. */
void fab_dma_free(struct fab_dma *d);
/* The data is copied. */
void fab_dma_write(struct fab_dma *d, uint64_t addr, const void *data, uint32_t len,
		   uint32_t op, uint32_t cause);
void fab_dma_read(struct fab_dma *d, uint64_t addr, void *to, uint32_t len, uint32_t op,
		  uint32_t cause, fab_read_done done, void *ctx, uint64_t arg);
/* The link has room now: send more. */
void fab_dma_run(struct fab_dma *d);
/* Handle completion @t, and free @t. */
void fab_dma_complete(struct fab_dma *d, struct fab_tlp *t);

#endif /* FAB_DMA_H */
