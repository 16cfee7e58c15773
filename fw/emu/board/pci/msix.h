/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * msix.h - MSI-X messages, for units that interrupt the host (board_msix()).
 */
#ifndef MSIX_H
#define MSIX_H

#include "board_int.h"

struct bd_msix {
	/* the message waits until this many DMA descriptors are completed */
	uint64_t behind[BOARD_MSIX_VECTORS];
	uint64_t again[BOARD_MSIX_VECTORS];
	uint64_t queued[BOARD_MSIX_VECTORS / 64];
	uint64_t pending[BOARD_MSIX_VECTORS / 64];
	uint64_t sent;
	uint64_t deferred;	/* not delivered at the first try */
};

void bd_msix_reset(struct board *b);
void bd_msix_armed(struct board *b, unsigned int vector, bool armed);
void bd_msix_run(struct board *b);
void bd_msix_retry(struct board *b);	/* bus mastering was enabled */
uint32_t bd_msix_pba(const struct board *b, unsigned int word);

#endif /* MSIX_H */
