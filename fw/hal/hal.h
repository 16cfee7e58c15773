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

/*
 * When a context gives up the processor, besides its waits:
 * never; at every command whose signal it waits for on a card (hal_swap.c); at some of these,
 * at random. The environment variable HAL_SWAP is "wait", "command", "random" or a seed: a
 * number, with which the random swaps are those of an earlier run. A random run's seed is
 * logged. What depends on the host's clock or threads may differ with the same seed.
 */
enum hal_swap { HAL_SWAP_WAIT, HAL_SWAP_COMMAND, HAL_SWAP_RANDOM };

/* Set the mode from now on. @seed: of HAL_SWAP_RANDOM. */
void hal_swap_set(enum hal_swap mode, uint64_t seed);
enum hal_swap hal_swap_get(void);
/* Make one in 16 of the random delays as long as so many rounds of the other contexts. */
void hal_swap_slow(unsigned int rounds);

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
