/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hal.h - the firmware, in the form that the emulated board runs.
 */
#ifndef HAL_H
#define HAL_H

#include "board_fw.h"

/*
 * Argument of board_create(). The firmware keeps its state in static memory,
 * so only one board of a program can run it at a time. If a second board starts
 * the firmware before the first has stopped it, the program ends.
 */
extern const struct board_fw hal_firmware;

/*
 * Where a context gives up the processor, apart from its explicit waits for signals:
 *
 * HAL_SWAP_WAIT     nowhere
 * HAL_SWAP_COMMAND  at each command for whose signal the context waits on an NFP (hal_swap.c)
 * HAL_SWAP_RANDOM   at some of these commands, chosen at random
 *
 * The environment variable HAL_SWAP selects the mode: "wait", "command", "random", or a number,
 * which is the seed of random swaps. A random run logs its seed, and a run with the same seed
 * makes the same random choices. Events that depend on the host's clock or threads may still
 * differ.
 */
enum hal_swap { HAL_SWAP_WAIT, HAL_SWAP_COMMAND, HAL_SWAP_RANDOM };

/* Set the mode. HAL_SWAP_RANDOM uses @seed, the other modes ignore it. */
void hal_swap_set(enum hal_swap mode, uint64_t seed);
enum hal_swap hal_swap_get(void);
/* Make one in 16 of the random delays up to @rounds turns of each other context long. */
void hal_swap_slow(unsigned int rounds);

/**
 * struct hal_turn - a context that has the processor
 * @process: its name
 * @island: island of the microengine
 * @me: number of the microengine in the island
 * @ctx: number of the context in the microengine
 * @number: number of this turn, unique in a run of the program
 * @stack: lowest address of the context's stack; the guard ends here
 * @guard: lowest address of the guard, which is mapped without access
 */
struct hal_turn {
	const char *process;
	unsigned int island;
	unsigned int me;
	unsigned int ctx;
	unsigned long number;
	const char *stack;
	const char *guard;
};

/*
 * Describe the context that is running; false if none is. Handlers of fatal signals in the
 * board's thread call this function.
 */
bool hal_turn(struct hal_turn *t);

#endif /* HAL_H */
