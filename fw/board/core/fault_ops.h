/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fault_ops.h - calls by which a unit asks whether an injected fault (option fault) applies.
 * b->fault is NULL without that option.
 */
#ifndef FAULT_OPS_H
#define FAULT_OPS_H

#include "board_int.h"

/**
 * struct bd_fault_ops - the fault injection's answers and notifications
 * @gone: true if the card answers no access
 * @halted: true if the microengines stand still
 * @sram_read: the host has read @buf from SRAM; the fault may change @buf
 * @doorbell: true if this write to the queue controller is lost
 * @dma: true if the fault has handled the transfer; @status is the result then
 * @msix: true if the message must not be delivered
 * @reset: the host was restarted, or another host is attached
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

/* The function answers nothing, because of a fault or of a forbidden store. */
static inline bool bd_gone(const struct board *b)
{
	return b->lost || (b->fault && b->fault->gone(b));
}

#endif /* FAULT_OPS_H */
