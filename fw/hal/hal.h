/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hal.h - the firmware of this tree as a board runs it.
 */
#ifndef HAL_H
#define HAL_H

#include "board_fw.h"

/*
 * For board_create(). The firmware's memory is that of the process, so one
 * board at a time runs it; a start before the last one was stopped ends the
 * program.
 */
extern const struct board_fw hal_firmware;

/**
 * struct hal_turn - a context that has the processor
 * @entry: name of its entry function
 * @island: of its microengine
 * @me: its microengine in that
 * @ctx: its number in that
 * @number: of this turn; no two turns have the same
 * @stack: lowest address of its stack, end of its guard
 * @guard: lowest address of its guard, which nobody can read or write
 */
struct hal_turn {
	const char *entry;
	unsigned int island;
	unsigned int me;
	unsigned int ctx;
	unsigned long number;
	const char *stack;
	const char *guard;
};

/* Whose turn it is; false for nobody's. For signal handlers of the board's thread. */
bool hal_turn(struct hal_turn *t);

#endif /* HAL_H */
