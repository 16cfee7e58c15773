/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dma.h - a node asks: writes and reads of any length, cut into TLPs.
 */
#ifndef FAB_DMA_H
#define FAB_DMA_H

#include "fabric.h"

/*
 * All of the data is there; @step is the one that brought the last of it. Or !@good: the
 * read was refused, and what is in the buffer means nothing.
 */
typedef void (*fab_read_done)(void *ctx, uint64_t arg, bool good, uint32_t step);

struct fab_job;

struct fab_tag {
	struct fab_job *job;
	uint32_t at, left;
};

/**
 * struct fab_dma - of a node with one link
 *
 * Writes leave in the order of their calls, and so do reads; between a write and a read
 * there is no order before the link. Their TLPs are made when the link has room.
 */
struct fab_dma {
	struct fab_node *n;
	struct fab_job *all, *writes, **writes_end, *reads, **reads_end;
	struct fab_tag tag[256];
	uint32_t tags_used;
};

void fab_dma_init(struct fab_dma *d, struct fab_node *n);
/* Jobs that were not done are forgotten. */
void fab_dma_free(struct fab_dma *d);
/* The data is copied. */
void fab_dma_write(struct fab_dma *d, uint64_t addr, const void *data, uint32_t len,
		   uint32_t op, uint32_t cause);
void fab_dma_read(struct fab_dma *d, uint64_t addr, void *to, uint32_t len, uint32_t op,
		  uint32_t cause, fab_read_done done, void *ctx, uint64_t arg);
/* The link has room. */
void fab_dma_run(struct fab_dma *d);
/* Completion @t, the callee's, has come. */
void fab_dma_complete(struct fab_dma *d, struct fab_tlp *t);

#endif /* FAB_DMA_H */
