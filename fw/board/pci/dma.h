/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dma.h - the PCIe DMA engine, for firmware by descriptors (board_fw.h), for
 * units of the card at once.
 */
#ifndef DMA_H
#define DMA_H

#include "board_int.h"

#define BD_DMA_QUEUE	256

struct bd_dma {
	struct board_dma ring[BD_DMA_QUEUE];
	uint64_t head;		/* completed */
	uint64_t tail;		/* enqueued */
	uint64_t descs;
	uint64_t faults;
	uint64_t bytes[2];	/* from host, to host */
	bool master_warned;
};

void bd_dma_reset(struct board *b);
unsigned int bd_dma_run(struct board *b, unsigned int budget);
/* At once, for units that keep their own order (vNIC); counted as any other. */
int bd_dma_now(struct board *b, bool to_host, enum board_tlp purpose,
	       uint64_t host, void *mem, size_t len);

#endif /* DMA_H */
