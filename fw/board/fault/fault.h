/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fault.h - faults that the board injects on request (option "fault").
 *
 * A fault sits where a failing card would show it: between the firmware, which
 * stays honest and knows nothing of it, and the host: see fault_ops.h.
 */
#ifndef BD_FAULT_H
#define BD_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct board;

/*
 * Configuration space in which the host's tests give orders; there only with the
 * option. Characters written to TEXT, up to four at a time, make a line, which
 * is an option's value; NUL or newline ends it. RESULT is then 0 or an errno,
 * HITS how often faults have struck, HELD how many DMA writes they hold back,
 * FLRS how often the function was reset.
 */
#define BD_FAULT_PORT	0x5c0
#define BD_FAULT_TEXT	0x0
#define BD_FAULT_RESULT	0x4
#define BD_FAULT_HITS	0x8
#define BD_FAULT_HELD	0xc
#define BD_FAULT_FLRS	0x10
#define BD_FAULT_SIZE	0x14

bool bd_fault_set(struct board *b, const char *text);
uint32_t bd_fault_port_read(const struct board *b, unsigned int off);
void bd_fault_port_write(struct board *b, unsigned int off, const uint8_t *buf, size_t len);

#endif /* BD_FAULT_H */
