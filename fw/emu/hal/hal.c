// SPDX-License-Identifier: BSD-2-Clause
/*
 * hal.c - run the contexts of the microengines as coroutines, for the board
 * (struct board_fw).
 *
 * The ready list has the contexts in the order in which they became ready. A
 * context that swaps out and is ready again goes to the end of the list, so
 * each context waits for at most one turn of each other context. Reflect
 * commands and signals complete between two switches.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <syslog.h>

#include "hal.h"
#include "hal_int.h"
#include <nfp/me.h>
#include <nfp/remote_me.h>

/*
 * AddressSanitizer keeps the poison of an unmapped stack. A new stack may be mapped at the same
 * address, so its poison is cleared first.
 */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(addr, size) ((void)(addr), (void)(size))
#endif

/*
 * ThreadSanitizer keeps a clock and a call stack for each fiber. It needs a
 * call immediately before each switch of stacks.
 */
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#else
#define __tsan_create_fiber(flags)		NULL
#define __tsan_destroy_fiber(fiber)		((void)(fiber))
#define __tsan_get_current_fiber()		NULL
#define __tsan_switch_to_fiber(fiber, flags)	((void)(fiber))
#endif

struct hal hal;

/* By island, ME and context number: index in hal.ctx plus 1, or 0 for no such context. */
static uint8_t ctx_index[64][16][8];

void hal_bug(const char *fmt, ...)
{
	struct hal_turn t;
	char what[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (hal_turn(&t))
		board_log(LOG_CRIT, "firmware: i%u.me%u.%u %s: %s", t.island, t.me, t.ctx,
			  t.process, what);
	else
		board_log(LOG_CRIT, "firmware: hal: %s", what);
	abort();
}

void hal_fatal(const char *what, long value)
{
	hal_bug("%s %ld", what, value);
}

static bool satisfied(const struct hal_ctx *c)
{
	return c->any ? (c->sigs & c->want) : (c->sigs & c->want) == c->want;
}

static void make_ready(struct hal_ctx *c)
{
	c->state = HAL_READY;
	c->next = NULL;
	*hal.ready_tail = c;
	hal.ready_tail = &c->next;
}

void hal_signal(struct hal_ctx *c, unsigned int sig)
{
	c->sigs |= 1u << sig;
	if (c->state == HAL_WAITING && satisfied(c))
		make_ready(c);
}

struct hal_ctx *hal_ctx_find(unsigned int island, unsigned int me, unsigned int ctx_num)
{
	unsigned int i = 0;

	if (island < 64 && me < 16 && ctx_num < 8)
		i = ctx_index[island][me][ctx_num];
	if (!i)
		hal_fatal("command for a context that is not there",
			  island << 16 | me << 8 | ctx_num);
	return &hal.ctx[i - 1];
}

/* Take the next context from the ready list. */
static struct hal_ctx *next_ready(void)
{
	struct hal_ctx *c = hal.ready;

	hal.budget--;
	hal.ready = c->next;
	if (!hal.ready)
		hal.ready_tail = &hal.ready;
	c->state = HAL_RUNNING;
	hal.cur = c;
	hal.turns++;
	return c;
}

/* Switch to the next ready context, or to fw_run() if there is none or the budget is used up. */
static void swap_out(void)
{
	struct hal_ctx *c = hal.cur, *next;

	hal_cmd_run();
	if (!hal.ready || !hal.budget) {
		__tsan_switch_to_fiber(hal.main_fiber, 0);
		hal_switch(&c->sp, hal.main_sp);
		return;
	}
	next = next_ready();
	if (next == c)
		return;
	__tsan_switch_to_fiber(next->fiber, 0);
	hal_switch(&c->sp, next->sp);
}

/*
 * If the signals have come already, the other contexts run first, as with the
 * context arbiter of an NFP. If no other context is ready and no command is
 * pending, the context continues without a switch.
 */
void hal_wait(uint32_t mask, int any)
{
	struct hal_ctx *c = hal.cur;

	c->want = mask;
	c->any = any;
	if (!satisfied(c)) {
		c->state = HAL_WAITING;
		swap_out();
	} else if (hal.ready || hal_cmd_pending() || hal.budget <= 1) {
		make_ready(c);
		swap_out();
	} else {
		hal.budget--;
	}
	if (!any)
		c->sigs &= ~mask;
}

int hal_signal_test(unsigned int num)
{
	uint32_t bit = 1u << num;
	int set = !!(hal.cur->sigs & bit);

	hal.cur->sigs &= ~bit;
	return set;
}

void hal_ctx_yield(void)
{
	hal_signal(hal.cur, HAL_SWAP);
	hal_wait(1u << HAL_SWAP, 0);
}

void hal_signal_ctx(unsigned int ctx_num, unsigned int sig)
{
	hal_signal(hal_ctx_find(hal.cur->me->island, hal.cur->me->me, ctx_num), sig);
}

unsigned int hal_meid(void)
{
	return (unsigned int)hal.cur->me->island << 4 | (hal.cur->me->me + 4u);
}

unsigned int hal_ctx_num(void)
{
	return hal.cur->me->ctx;
}

uint32_t *hal_xread(unsigned int reg)
{
	return &hal.cur->xread[reg];
}

uint32_t *hal_xwrite(unsigned int reg)
{
	return &hal.cur->xwrite[reg];
}

/* ---- time ---- */

uint64_t hal_tsc(void)
{
	return board_now_ns(hal.board) / ME_TSC_NS;
}

static void find_alarm(void)
{
	hal.alarm_ns = UINT64_MAX;
	for (unsigned int i = 0; i < hal_entry_count; i++)
		if (hal.ctx[i].alarm_ns < hal.alarm_ns)
			hal.alarm_ns = hal.ctx[i].alarm_ns;
}

void hal_alarm(unsigned int cycles, unsigned int sig)
{
	struct hal_ctx *c = hal.cur;
	uint64_t old = c->alarm_ns;

	if (cycles > ME_ALARM_MAX)
		hal_fatal("alarm of too many cycles", cycles);
	c->alarm_ns = cycles ? board_now_ns(hal.board) + cycles * 1000ull / ME_MHZ : UINT64_MAX;
	c->alarm_sig = sig;
	if (c->alarm_ns <= hal.alarm_ns)
		hal.alarm_ns = c->alarm_ns;
	else if (old == hal.alarm_ns)
		find_alarm();
}

static void check_alarms(void)
{
	uint64_t now;

	if (hal.alarm_ns == UINT64_MAX)
		return;
	now = board_now_ns(hal.board);
	if (hal.alarm_ns > now)
		return;
	for (unsigned int i = 0; i < hal_entry_count; i++) {
		struct hal_ctx *c = &hal.ctx[i];

		if (c->alarm_ns > now)
			continue;
		c->alarm_ns = UINT64_MAX;
		hal_signal(c, c->alarm_sig);
	}
	find_alarm();
}

static uint64_t fw_deadline(void *ctx)
{
	(void)ctx;
	return hal.alarm_ns;
}

/* ---- functions that the board calls ---- */

/* The first function on each stack. When the ME process returns, its context never runs again. */
static void ctx_entry(void)
{
	hal.cur->me->entry();
	hal.cur->state = HAL_HALTED;
	swap_out();
	hal_fatal("a context that has ended runs", 0);
}

static bool fw_run(void *ctx, unsigned int budget)
{
	(void)ctx;
	if (!hal.board)
		return false;
	check_alarms();
	hal_pkt_retry();
	hal.budget = budget;
	hal.main_fiber = __tsan_get_current_fiber();
	for (;;) {
		struct hal_ctx *c;

		hal_cmd_run();
		if (!hal.ready)
			return hal_pcie_retry();
		if (!hal.budget)
			return true;
		c = next_ready();
		__tsan_switch_to_fiber(c->fiber, 0);
		hal_switch(&hal.main_sp, c->sp);
		hal.cur = NULL;
	}
}

bool hal_turn(struct hal_turn *t)
{
	const struct hal_ctx *c = hal.cur;

	if (!c)
		return false;
	t->process = c->me->process;
	t->island = c->me->island;
	t->me = c->me->me;
	t->ctx = c->me->ctx;
	t->number = hal.turns;
	t->guard = c->stack;
	t->stack = t->guard + HAL_GUARD;
	return true;
}

/* The board itself executes the microengines that have code in the firmware's file. */
static void start_contexts(void)
{
	hal.ctx = calloc(hal_entry_count, sizeof(*hal.ctx));
	if (!hal.ctx)
		hal_fatal("no memory for contexts:", hal_entry_count);
	hal.alarm_ns = UINT64_MAX;
	hal.ready = NULL;
	hal.ready_tail = &hal.ready;
	memset(ctx_index, 0, sizeof(ctx_index));
	for (unsigned int i = 0; i < hal_entry_count; i++) {
		struct hal_ctx *c = &hal.ctx[i];

		c->me = &hal_entries[i];
		c->alarm_ns = UINT64_MAX;
		if (board_me_runs(hal.board, c->me->island, c->me->me))
			continue;
		c->stack = mmap(NULL, HAL_GUARD + HAL_STACK, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (c->stack == MAP_FAILED || mprotect(c->stack, HAL_GUARD, PROT_NONE))
			hal_fatal("no stack for context", i);
		ASAN_UNPOISON_MEMORY_REGION((char *)c->stack + HAL_GUARD, HAL_STACK);
		c->sp = hal_switch_init((char *)c->stack + HAL_GUARD, HAL_STACK, ctx_entry);
		c->fiber = __tsan_create_fiber(0);
		ctx_index[c->me->island][c->me->me][c->me->ctx] = i + 1;
		make_ready(c);
	}
}

static void fw_stop(void *ctx)
{
	(void)ctx;
	if (!hal.board)
		return;
	if (hal.cur)
		hal_fatal("stopped by a context of its own", 0);
	for (unsigned int i = 0; i < hal_entry_count; i++) {
		if (!hal.ctx[i].stack)
			continue;
		__tsan_destroy_fiber(hal.ctx[i].fiber);
		munmap(hal.ctx[i].stack, HAL_GUARD + HAL_STACK);
	}
	free(hal.ctx);
	hal.ctx = NULL;
	hal.alarm_ns = UINT64_MAX;
	hal_pkt_stop();
	hal.board = NULL;
}

static void fw_start(void *ctx, struct board *b)
{
	(void)ctx;
	if (hal.board)
		hal_fatal("another board of this process runs it, starts so far:", hal.starts);
	hal.board = b;
	hal.starts++;
	hal_swap_start();
	hal_cmd_start();
	hal_pcie_start();
	hal_pkt_start();
	hal_mem_start();
	start_contexts();
}

static void fw_qc_event(void *ctx, unsigned int queue)
{
	(void)ctx;
	hal_pcie_event(queue);
}

static void fw_packet(void *ctx, struct board_pkt *pkt)
{
	(void)ctx;
	hal_pkt_arrived(pkt);
}

const struct board_fw hal_firmware = {
	.start = fw_start,
	.stop = fw_stop,
	.run = fw_run,
	.deadline = fw_deadline,
	.qc_event = fw_qc_event,
	.packet = fw_packet,
};
