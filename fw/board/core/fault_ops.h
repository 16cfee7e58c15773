/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fault_ops.h - the calls by which a unit asks whether a fault strikes. b->fault is
 * NULL without option fault.
 */
#ifndef FAULT_OPS_H
#define FAULT_OPS_H

#include "board_int.h"

/**
 * struct bd_fault_ops - what a fault has to say of the card's work
 * @gone: the card answers nothing
 * @halted: nothing runs on the microengines
 * @sram_read: the host has read @buf from SRAM, which may change
 * @doorbell: true: this write to the queue controller is lost
 * @dma: true: the fault has dealt with the transfer, as @status says
 * @msix: true: the message is not to be delivered
 * @reset: the host was restarted, or has changed
 * @flr: the function was reset
 * @exit: the board goes
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

/* The function answers nothing: by a fault, or by a bad store. */
static inline bool bd_gone(const struct board *b)
{
	return b->lost || (b->fault && b->fault->gone(b));
}

#endif /* FAULT_OPS_H */
