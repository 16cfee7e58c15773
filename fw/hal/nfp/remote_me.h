/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/remote_me.h - reflect commands of the cluster target: transfer registers
 * and signals of other contexts.
 *
 * A register is named by island, microengine, and a number with the context in
 * its upper bits. They complete after the issuing context has swapped out.
 */
#ifndef NFP_REMOTE_ME_H
#define NFP_REMOTE_ME_H

#include <nfp.h>

#define REFLECT_MAX	56	/* bytes; 14 words, source: flowenv remote_me.c */

/* What __xfer_reg_number() gives for register @reg of context @ctx_num. */
#define XFER_REG(ctx_num, reg)	((ctx_num) * HAL_XFERS + (reg))

void hal_reflect_read(__xread void *data, unsigned int island, unsigned int me,
		      unsigned int reg, size_t size, unsigned int sig);
void hal_reflect_write(const __xwrite void *data, unsigned int island, unsigned int me,
		       unsigned int reg, size_t size, unsigned int sig);
void hal_signal_me(unsigned int island, unsigned int me, unsigned int ctx_num,
		   unsigned int sig);

/*
 * Read @size bytes of another context's write transfer registers, from @reg on,
 * then set @sigp of this one (CPP command reflect_read_sig_init).
 */
#define reflect_read_sig_init(data, island, me, reg, size, sigp) \
	hal_reflect_read(data, island, me, reg, size, (sigp)->num)

/*
 * Write @size bytes to another context's read transfer registers, from @reg on,
 * then set signal @signo of that context (reflect_write_sig_remote). @data is
 * free at return: it is in write transfer registers, of which the caller's
 * next use waits.
 */
#define reflect_write_sig_remote(data, island, me, reg, size, signo) \
	hal_reflect_write(data, island, me, reg, size, signo)

/* Set a signal of any context (interthread_signal). */
#define signal_me(island, me, ctx_num, signo) \
	hal_signal_me(island, me, ctx_num, signo)

#endif /* NFP_REMOTE_ME_H */
