/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fault.h - faults that the board injects on request (option "fault").
 *
 * A fault changes what passes between the firmware and the host (fault_ops.h). The firmware is
 * unchanged and does not know about faults.
 */
#ifndef BD_FAULT_H
#define BD_FAULT_H

#include <stdbool.h>

struct board;

/* Option fault. Return false if @text has an error. */
bool bd_fault_set(struct board *b, const char *text);

#endif /* BD_FAULT_H */
