/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cfg.h - PCI configuration space. Units that cross PCIe ask it what the host has enabled.
 */
#ifndef CFG_H
#define CFG_H

#include "board_int.h"

struct bd_cfg {
	uint8_t space[BOARD_CFG_SIZE];
	const struct bd_regs *regs[3];
};

void bd_cfg_reset(struct board *b);
uint64_t bd_bar_size(unsigned int bar);	/* 0: there is no such BAR */
void bd_cfg_read(struct board *b, unsigned int off, void *buf, size_t len);
void bd_cfg_write(struct board *b, unsigned int off, const void *buf, size_t len);
void bd_cfg_regs(struct board *b, const struct bd_regs *r);	/* must not overlap others */
void bd_cfg_serial(struct board *b);
bool bd_cfg_mem_enabled(const struct board *b);
bool bd_cfg_master(const struct board *b);
uint32_t bd_cfg_mrrs(const struct board *b);

#endif /* CFG_H */
