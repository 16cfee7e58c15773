/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/remote_me.h - reflect commands of the cluster target: access transfer
 * registers and signals of other contexts.
 *
 * A command names a register by island, microengine, and a number that has the
 * context in its upper bits. The command completes after the issuing context has
 * swapped out.
 */
#ifndef NFP_REMOTE_ME_H
#define NFP_REMOTE_ME_H

#include <nfp.h>

#define REFLECT_MAX	56	/* bytes; 14 words, source: flowenv remote_me.c */

/* Number of transfer register @reg of context @ctx_num. On an NFP: __xfer_reg_number(). */
#define XFER_REG(ctx_num, reg)	((ctx_num) * HAL_XFERS + (reg))

void hal_reflect_read(__xread void *data, unsigned int island, unsigned int me,
		      unsigned int reg, size_t size, unsigned int sig);
void hal_reflect_write(const __xwrite void *data, unsigned int island, unsigned int me,
		       unsigned int reg, size_t size, unsigned int sig);
void hal_signal_me(unsigned int island, unsigned int me, unsigned int ctx_num,
		   unsigned int sig);

/*
 * Read @size bytes from another context's write transfer registers, beginning at
 * @reg. Then set @sigp of the calling context.
 */
#define reflect_read_sig_init(data, island, me, reg, size, sigp) \
	hal_reflect_read(data, island, me, reg, HAL_SIZE(data, size, 4, REFLECT_MAX), (sigp)->num)

/*
 * Write @size bytes to another context's read transfer registers, beginning at
 * @reg. Then set signal @signo of that context. The hal copies @data during the
 * call. An NFP reads the write transfer registers after the call, and the caller
 * gets no signal for that; the hal does not check the caller's next use.
 */
#define reflect_write_sig_remote(data, island, me, reg, size, signo) \
	hal_reflect_write(data, island, me, reg, HAL_SIZE(data, size, 4, REFLECT_MAX), signo)

/* Set signal @signo of any context (command interthread_signal). */
#define signal_me(island, me, ctx_num, signo) \
	hal_signal_me(island, me, ctx_num, signo)

#endif /* NFP_REMOTE_ME_H */
