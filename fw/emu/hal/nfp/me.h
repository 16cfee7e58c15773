/* SPDX-License-Identifier: BSD-2-Clause */
/* nfp/me.h - operations inside one microengine: swap, signal, alarm, timestamp, find first set. */
#ifndef NFP_ME_H
#define NFP_ME_H

#include <nfp.h>

#define ME_MHZ		800	/* NFP-4000 */
#define ME_ALARM_MAX	0xfffff	/* cycles; source: flowenv nfp/me.h */

__swaps void hal_ctx_yield(void);
void hal_signal_ctx(unsigned int ctx_num, unsigned int sig);
void hal_alarm(unsigned int cycles, unsigned int sig);
uint64_t hal_tsc(void);

/* Let other contexts of the microengine run. */
#define ctx_yield()		hal_ctx_yield()

/* Set signal @sig of context @ctx_num of this microengine. */
#define signal_ctx(ctx_num, sig)	hal_signal_ctx(ctx_num, sig)

/*
 * Set signal @sigp after @cycles, at most ME_ALARM_MAX. A context has one alarm: a second call
 * replaces the first.
 */
#define set_alarm(cycles, sigp)	hal_alarm(cycles, (sigp)->num)
#define clear_alarm()		hal_alarm(0, 0)

/* The timestamp counter of the microengine. It counts once in 16 cycles. */
#define me_tsc_read()		hal_tsc()
#define ME_TSC_NS		(16 * 1000 / ME_MHZ)

/* Index of the lowest bit that is set, from 0 on; that of POSIX counts from 1. Undefined for 0. */
#define ffs(x)			((unsigned int)__builtin_ctz(x))

#endif /* NFP_ME_H */
