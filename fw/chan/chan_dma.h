/* SPDX-License-Identifier: BSD-2-Clause */
/* chan_dma.h - DMA between card and host, for managers and ME processes. */
#ifndef CHAN_DMA_H
#define CHAN_DMA_H

#include <nfp.h>

#define CHAN_PCIE_ISL	0	/* of the PCIe islands: the first */

__swaps void chan_dma_host(int to_host, unsigned int cfg, uint64_t host, __mem40 void *mem,
			   uint32_t len, SIGNAL *sig);

#endif /* CHAN_DMA_H */
