/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dma.h - the PCIe DMA engine. Firmware enqueues descriptors (board_fw.h); units of the card
 * transfer at once.
 */
#ifndef DMA_H
#define DMA_H

#include "board_int.h"

#define BD_DMA_QUEUE	256

struct bd_dma {
	struct board_dma ring[BD_DMA_QUEUE];
	uint64_t head;		/* descriptors completed */
	uint64_t tail;		/* descriptors enqueued */
	uint64_t descs;
	uint64_t faults;
	uint64_t bytes[2];	/* [0]: from the host, [1]: to the host */
	bool master_warned;
};

void bd_dma_reset(struct board *b);
unsigned int bd_dma_run(struct board *b, unsigned int budget);
/*
 * Transfer at once, without the queue, for units that keep their own order (vNICs). Counted like
 * a descriptor.
 */
int bd_dma_now(struct board *b, bool to_host, enum board_tlp purpose,
	       uint64_t host, void *mem, size_t len);

#endif /* DMA_H */
