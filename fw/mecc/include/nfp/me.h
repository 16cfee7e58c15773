/* SPDX-License-Identifier: BSD-2-Clause */
/* nfp/me.h - operations inside one microengine: see fw/emu/hal/nfp/me.h. */
#ifndef NFP_ME_H
#define NFP_ME_H

#include <nfp.h>

#define ctx_yield()		me_yield()
#define signal_ctx(ctx_num, sig) me_signal(ctx_num, sig)
#define me_tsc_read()		me_ticks()

/* An alarm compares the lower 16 bits of the time stamp, so the wait is at most 65,535 of its counts. */
#define set_alarm(cycles, sigp)	hal_alarm(cycles, (sigp)->num)

__intrinsic void hal_alarm(unsigned int cycles, unsigned int sig)
{
	uint32_t ticks = (cycles + ME_TICK_CYCLES - 1) / ME_TICK_CYCLES;

	if (ticks < ME_ALARM_MIN)
		ticks = ME_ALARM_MIN;
	__me_csr_write(ME_CSR_ALARM, (__me_csr_read(ME_CSR_TIME_LOW) + ticks) & 0xffff);
	__me_csr_write(ME_CSR_ALARM_SIGNAL, sig);
}

#define clear_alarm()		__me_csr_write(ME_CSR_ALARM_SIGNAL, 0)

HAL_FUNCTION unsigned int ffs(uint32_t x)
{
	return (unsigned int)__builtin_ctz(x);
}

#endif /* NFP_ME_H */
