/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pcie_island.h - the PCIe island: SRAM and queue controllers, for the CPP bus.
 */
#ifndef PCIE_ISLAND_H
#define PCIE_ISLAND_H

#include "board_int.h"

#define BD_SRAM_SIZE	0x10000
#define BD_QUEUES	256
#define BD_QC_BASE	0x80000
#define BD_QC_STRIDE	0x800
#define QC_PTR_MASK	0x3ffffu
#define BD_PCIE_SIZE	0x100000

struct bd_queue {
	uint32_t wptr;
	uint32_t rptr;
	bool events;
};

struct bd_pcie {
	uint8_t sram[BD_SRAM_SIZE];
	struct bd_queue queue[BD_QUEUES];
	uint64_t event[BD_QUEUES / 64];	/* events that the firmware has not got yet */
	const struct bd_regs *regs;
	bool (*doorbell)(struct board *b, unsigned int queue);
};

void bd_pcie_reset(struct board *b);
void bd_pcie_regs(struct board *b, const struct bd_regs *r);	/* between SRAM and queues */
/* The island's address space of 1 MiB: SRAM, window CSRs, queues. */
void bd_pcie_read(struct board *b, uint64_t addr, void *buf, size_t len);
void bd_pcie_write(struct board *b, uint64_t addr, const void *buf, size_t len);
/*
 * Call @bell when the host has moved a queue's write pointer. If @bell returns true, the queue is
 * not the firmware's, and the firmware gets no event.
 */
void bd_pcie_doorbell(struct board *b, bool (*bell)(struct board *b, unsigned int queue));
bool bd_pcie_events(struct board *b);
/*
 * Return true if the host may store @buf at @addr. If not, the function is lost, and the log says
 * why.
 */
bool bd_pcie_store_ok(struct board *b, uint64_t addr, const void *buf, size_t len);
enum board_tlp bd_pcie_purpose(uint64_t addr);

#endif /* PCIE_ISLAND_H */
