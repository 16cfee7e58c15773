/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * whole.h - what board.c and options.c share.
 */
#ifndef WHOLE_H
#define WHOLE_H

#include "board_int.h"

void bd_tables_build(struct board *b);
void bd_asked(struct board *b);	/* resets that were asked for */

#endif /* WHOLE_H */
