/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fault.h - faults that the board injects on request (option "fault").
 *
 * Faults change transfers between the firmware and the host, so the host sees what a failing card
 * would show. The firmware itself is not changed (fault_ops.h).
 */
#ifndef BD_FAULT_H
#define BD_FAULT_H

#include <stdbool.h>

struct board;

/* Set faults by the text of the option "fault". Return: false if the text is not valid. */
bool bd_fault_set(struct board *b, const char *text);

#endif /* BD_FAULT_H */
