// SPDX-License-Identifier: BSD-2-Clause
/*
 * hal_swap.c - decide at which commands a context gives up the processor.
 *
 * On an NFP a command to a memory, to the PCIe island or to a ring takes 100 to 500 cycles.
 * The SDK's functions for these commands wait for the command's signal (ctx_swap), so the
 * other contexts run meanwhile. Commands that have no signal do not swap: mem_incr,
 * mem_add_imm, signals to contexts. Source: flowenv me/lib/nfp.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>

#include "hal.h"
#include "hal_int.h"
#include <nfp/me.h>

/* Maximum of turns that each other context gets during one command */
#define ROUNDS	4

enum hal_swap hal_swap_mode;
static uint64_t state;
static unsigned int slow_rounds = ROUNDS;

/* xorshift64 */
static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> 32;
}

static uint64_t new_seed(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_nsec % 1000000 + 1;
}

enum hal_swap hal_swap_get(void)
{
	hal_swap_start();
	return hal_swap_mode;
}

void hal_swap_set(enum hal_swap mode, uint64_t seed)
{
	hal_swap_mode = mode;
	/* Spread the bits, so that the sequences of successive seeds differ from the first number. */
	state = seed * 0x9e3779b97f4a7c15ull;
	if (!state)
		state = 1;
}

void hal_swap_slow(unsigned int rounds)
{
	slow_rounds = rounds;
}

/* Set the mode from the environment, in the first call only: hal_swap_set() may change it later. */
void hal_swap_start(void)
{
	const char *env = getenv("HAL_SWAP");
	static bool done;
	uint64_t seed;
	char *end;

	if (done)
		return;
	done = true;
	if (!env || !strcmp(env, "wait"))
		return;
	if (!strcmp(env, "command")) {
		hal_swap_set(HAL_SWAP_COMMAND, 0);
		return;
	}
	seed = strtoull(env, &end, 0);
	if (!strcmp(env, "random"))
		seed = new_seed();
	else if (end == env || *end)
		hal_bug("HAL_SWAP=%s is not wait, command, random or a seed", env);
	board_log(LOG_NOTICE, "hal: contexts swap at random, again with HAL_SWAP=%" PRIu64, seed);
	hal_swap_set(HAL_SWAP_RANDOM, seed);
}

static void others(unsigned int turns)
{
	while (turns--) {
		/* Do not count the switch back to this context. */
		hal.budget++;
		/*
		 * Sometimes end fw_run(). The board then completes DMA and reports events before
		 * this context continues.
		 */
		if (hal_swap_mode == HAL_SWAP_RANDOM && !(next() & 7))
			hal.budget = 0;
		hal_ctx_yield();
	}
}

/* In one of two calls, let the other contexts run for a random number of rounds. */
static void delay(void)
{
	uint64_t r = next();

	if (r & 1)
		others(1 + (unsigned int)(r >> 8) % (r & 0x1e ? ROUNDS : slow_rounds));
}

/* A command has been issued, and has not taken effect yet. */
void hal_swap_issued(void)
{
	if (hal.cur && hal_swap_mode == HAL_SWAP_RANDOM)
		delay();
}

/* The command has taken effect, and its context has not got the signal yet. */
void hal_swap_done(void)
{
	if (!hal.cur)
		return;
	if (hal_swap_mode == HAL_SWAP_COMMAND)
		others(1);
	else
		delay();
}
