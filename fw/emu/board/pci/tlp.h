/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tlp.h - counters of PCIe transactions, by purpose.
 */
#ifndef TLP_H
#define TLP_H

#include "board_int.h"

struct bd_tlp {
	struct board_tlp_count n[BOARD_TLP_PURPOSES];
};

void bd_tlp_config(struct board *b, size_t len);
void bd_tlp_mmio(struct board *b, enum board_tlp purpose, bool write, size_t len);
void bd_tlp_dma(struct board *b, enum board_tlp purpose, bool to_host,
		uint64_t addr, size_t len);
void bd_tlp_msix(struct board *b);

#endif /* TLP_H */
