/* SPDX-License-Identifier: BSD-2-Clause */
/* hal_int.h - internal definitions of the hal. Host code, not Micro-C. */
#ifndef HAL_INT_H
#define HAL_INT_H

#include <nfp.h>
#include "board_fw.h"
#include "hal.h"

#define HAL_STACK	(64 * 1024)	/* bytes of a context's stack */
#define HAL_GUARD	(64 * 1024)	/* bytes of the guard below a stack; a multiple of any page size */
#define HAL_SWAP	0		/* signal that a context sends to itself in hal_ctx_yield() */
/*
 * MU addresses that the vendor's images leave free (fw/README.rst, Resources of the
 * vendor's images). Section hal_sec_win (__vnic_window) is in the same 2 MiB as the vNICs' registers.
 */
#define HAL_WIN_BASE	0x00980000ull
#define HAL_FIXED_BASE	0x4a000000ull	/* MU address of section hal_sec_fixed */
#define HAL_MU_BASE	0x4a100000ull	/* MU address of section hal_sec_mu */

enum hal_state { HAL_HALTED, HAL_READY, HAL_RUNNING, HAL_WAITING };

/**
 * struct hal_ctx - a context of a microengine, as a coroutine
 * @next: next context in the ready list
 * @sp: saved stack pointer (or ucontext) while the context does not run
 * @me: entry function, island, microengine and number of the context
 * @stack: base of the mapping of guard and stack
 * @fiber: ThreadSanitizer's handle of the context
 * @sigs: signals that are set, a bit each
 * @want: signals that the context waits for, a bit each
 * @any: any one signal of @want ends the wait
 * @alarm_ns: board time at which @alarm_sig is set, UINT64_MAX for no alarm
 * @xread: read transfer registers
 * @xwrite: write transfer registers
 */
struct hal_ctx {
	struct hal_ctx *next;
	void *sp;
	const struct hal_entry *me;
	void *stack;
	void *fiber;
	uint32_t sigs;
	uint32_t want;
	uint8_t any;
	uint8_t state;
	uint8_t alarm_sig;
	uint64_t alarm_ns;
	uint32_t xread[HAL_XFERS];
	uint32_t xwrite[HAL_XFERS];
};

/* State of the running firmware. */
struct hal {
	struct board *board;		/* NULL: stopped */
	struct hal_ctx *ctx;		/* array of hal_entry_count contexts */
	struct hal_ctx *cur;		/* the running context, or NULL */
	struct hal_ctx *ready;
	struct hal_ctx **ready_tail;
	void *main_sp;
	void *main_fiber;
	unsigned int budget;		/* switches left before fw_run() returns */
	unsigned long turns;		/* switches to a context so far */
	uint64_t alarm_ns;		/* board time of the first alarm, UINT64_MAX for none */
	unsigned int starts;		/* starts of the firmware so far */
};

extern struct hal hal;

/* hal_switch.c */
void hal_switch(void **save, void *load);
void *hal_switch_init(void *stack, size_t size, void (*fn)(void));

/* hal.c */
void hal_signal(struct hal_ctx *c, unsigned int sig);
struct hal_ctx *hal_ctx_find(unsigned int island, unsigned int me, unsigned int ctx_num);
void hal_fatal(const char *what, long value) __attribute__((noreturn));

/* hal_mem.c */
void hal_mem_start(void);
bool hal_mem_is_mu(const void *mem);

/* hal_cmd.c: commands that complete after the issuing context swapped out */
void hal_cmd_start(void);
bool hal_cmd_pending(void);
void hal_cmd_run(void);

/*
 * Check a size that is not constant. The compiler checks constant sizes (HAL_SIZE). @unit is a power
 * of 2.
 */
static inline void hal_size_check(size_t size, size_t unit, size_t max)
{
	if (!size || size & (unit - 1) || size > max)
		hal_fatal("a command does not have this size", (long)size);
}

/* hal_swap.c: give up the processor at commands, if the mode (enum hal_swap) says so */
extern enum hal_swap hal_swap_mode;
void hal_swap_start(void);
void hal_swap_issued(void);
void hal_swap_done(void);

/*
 * A command for whose signal the context waits calls hal_cmd_begin() before the command takes
 * effect, and hal_cmd_end() afterwards.
 */
static inline void hal_cmd_begin(void)
{
	if (hal_swap_mode != HAL_SWAP_WAIT)
		hal_swap_issued();
}

static inline void hal_cmd_end(void)
{
	if (hal_swap_mode != HAL_SWAP_WAIT)
		hal_swap_done();
}

/* hal_pcie.c */
void hal_pcie_start(void);
void hal_pcie_event(unsigned int queue);
bool hal_pcie_retry(void);

/* hal_pkt.c */
void hal_pkt_start(void);
void hal_pkt_stop(void);
void hal_pkt_arrived(struct board_pkt *pkt);
void hal_pkt_retry(void);

#endif /* HAL_INT_H */
