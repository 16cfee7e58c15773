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

struct board;

/* Option fault. False: not understood. */
bool bd_fault_set(struct board *b, const char *text);

#endif /* BD_FAULT_H */
