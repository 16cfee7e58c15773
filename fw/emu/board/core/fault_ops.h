/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fault_ops.h - calls with which a unit asks whether a fault applies. b->fault is NULL without
 * option fault.
 */
#ifndef FAULT_OPS_H
#define FAULT_OPS_H

#include "board_int.h"

/**
 * struct bd_fault_ops - how faults change the card's work
 * @gone: true: the card does not respond
 * @halted: true: nothing runs on the microengines
 * @sram_read: the host has read @buf from SRAM; a fault may change @buf
 * @doorbell: true: this write to the queue controller is lost
 * @dma: true: the fault has handled the transfer, with result @status
 * @msix: true: do not deliver the message
 * @reset: the host was restarted, or a new host has attached
 * @flr: the function was reset
 * @exit: the board is destroyed
 */
struct bd_fault_ops {
	bool (*gone)(const struct board *b);
	bool (*halted)(const struct board *b);
	void (*sram_read)(struct board *b, uint32_t off, uint8_t *buf, size_t len);
	bool (*doorbell)(struct board *b, unsigned int queue);
	bool (*dma)(struct board *b, struct board_dma *d, int *status);
	bool (*msix)(struct board *b, unsigned int vector);
	void (*reset)(struct board *b);
	void (*flr)(struct board *b);
	void (*exit)(struct board *b);
};

/* True if the function does not respond, after a fault or a bad store. */
static inline bool bd_gone(const struct board *b)
{
	return b->lost || (b->fault && b->fault->gone(b));
}

#endif /* FAULT_OPS_H */
