/* SPDX-License-Identifier: BSD-2-Clause */
/* hal_int.h - what the parts of the hal share. Host code, not Micro-C. */
#ifndef HAL_INT_H
#define HAL_INT_H

#include <nfp.h>
#include "board_fw.h"
#include "hal.h"

#define HAL_STACK	(64 * 1024)	/* of a context */
#define HAL_GUARD	(64 * 1024)	/* below it, whole pages of any machine */
#define HAL_SWAP	0		/* signal number of the hal's own waits */
#define HAL_WIN_BASE	0x00300000ull	/* MU address of hal_sec_win, beside the vNICs' registers */
#define HAL_MU_BASE	0x10000000ull	/* MU address of the hal_sec_mu section */

enum hal_state { HAL_HALTED, HAL_READY, HAL_RUNNING, HAL_WAITING };

/**
 * struct hal_ctx - a context of a microengine, as a coroutine
 * @next: in the ready list
 * @sp: saved stack pointer (or ucontext) while it does not run
 * @me: who it is
 * @stack: base of the mapping
 * @fiber: what ThreadSanitizer calls it
 * @sigs: signals that have come
 * @want: signals waited for
 * @any: one of @want is enough
 * @alarm_ns: when to set @alarm_sig, 0 for never
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

/* What a start makes, and a stop throws away. */
struct hal {
	struct board *board;
	struct hal_ctx *ctx;		/* hal_entry_count of them */
	struct hal_ctx *cur;		/* that runs, NULL between */
	struct hal_ctx *ready;
	struct hal_ctx **ready_tail;
	void *main_sp;
	void *main_fiber;
	unsigned int budget;
	unsigned long turns;		/* switches to a context so far */
	unsigned int alarms;		/* contexts with one set */
	unsigned int starts;		/* since the program began */
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

/* hal_swap.c: what a command does, for the mode of enum hal_swap */
extern enum hal_swap hal_swap_mode;
void hal_swap_start(void);
void hal_swap_issued(void);
void hal_swap_done(void);

/* Around the effect of a command for whose signal its context waits. */
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
