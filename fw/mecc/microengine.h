/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * microengine.h - what a program that mecc compiles asks its microengine for.
 *
 * Signals 1 to 4 belong to the compiler: 1 is that of commands, 2 and 3 that of atomic operations
 * with a result, 4 that of the alarm. A program has the signals 5 to 15. A context that waits lets
 * others run; nothing else interrupts it, except accesses to EMEM.
 *
 * Numbers and fields of the local CSRs are those of flowenv's nfp_me.h. The emulated microengine
 * has run all of this, and silicon nothing.
 */
#ifndef MICROENGINE_H
#define MICROENGINE_H

#include <stdint.h>

/*
 * The stock driver computes with 16 cycles for each count of the time stamp (nfp_net_ethtool.c,
 * coalescing), and the vendor's BPF firmware tells it 800 MHz as the clock (ME_FREQ in the control
 * memory). Other cards may have another clock. No public source tells whether the time stamp counts
 * from the start, or firmware has to start it.
 */
#define ME_TICK_CYCLES	16
#define ME_CLOCK_HZ	800000000u
#define ME_TICK_HZ	(ME_CLOCK_HZ / ME_TICK_CYCLES)

#define ME_SIGNAL_FIRST	5	/* signals of a program */
#define ME_SIGNAL_LAST	15

#ifndef __MECC__
#ifndef __emem
#define __emem
#endif

/* Another compiler: the program's caller defines these. */
uint32_t me_context(void);
uint64_t me_ticks(void);
void me_yield(void);
void me_sleep(uint64_t ticks);
void me_signal(uint32_t context, uint32_t signal);
void me_wait(uint32_t signal);
uint32_t me_add(__emem uint32_t *p, uint32_t v);
uint32_t me_set(__emem uint32_t *p, uint32_t bits);
uint32_t me_clear(__emem uint32_t *p, uint32_t bits);

#else

/*
 * mecc knows these by their names. Their arguments are constants, except pointers, the signals that are
 * waited for, and the last one.
 */
uint32_t __me_csr_read(uint32_t csr);
void __me_csr_write(uint32_t csr, uint32_t v);
void __me_ctx_arb(uint32_t signals);
void __me_ctx_arb_any(uint32_t signals);
uint32_t __me_take_signal(uint32_t signal);
uint32_t __me_atomic(uint32_t op, __emem uint32_t *p, uint32_t v);
void __me_add_work(uint32_t ring, uint32_t word, ...);

enum {
	ME_CSR_STATUS = 0x44,		/* ActCtxStatus */
	ME_CSR_ALARM = 0x5c,		/* ActCtxFtrCnt */
	ME_CSR_ALARM_SIGNAL = 0x7c,	/* ActFtrCntSgl */
	ME_CSR_TIME_LOW = 0xc0,
	ME_CSR_TIME_HIGH = 0xc4,
	ME_CSR_SIGNAL = 0x108,		/* SameMESignal */
};

enum { ME_ATOMIC_SET, ME_ATOMIC_CLEAR, ME_ATOMIC_ADD };

#define ME_SIGNAL_ALARM	4
#define ME_ALARM_MIN	8	/* ticks: shorter waits are loops */
#define ME_ALARM_MAX	0x7000	/* ticks: the alarm compares 16 bits of the time stamp */

/**
 * me_context() - the number of the context, 0 to 7
 */
static inline uint32_t me_context(void)
{
	return __me_csr_read(ME_CSR_STATUS) & 7;
}

/**
 * me_ticks() - the time stamp
 *
 * The microengine reads its halves one after the other. They are read again if the upper one has
 * changed in between.
 */
static inline uint64_t me_ticks(void)
{
	uint32_t high = __me_csr_read(ME_CSR_TIME_HIGH), low, again;

	for (;;) {
		low = __me_csr_read(ME_CSR_TIME_LOW);
		again = __me_csr_read(ME_CSR_TIME_HIGH);
		if (again == high)
			return (uint64_t)high << 32 | low;
		high = again;
	}
}

/**
 * me_yield() - let the other contexts that are ready run, each until it waits
 */
static inline void me_yield(void)
{
	__me_ctx_arb(1);
}

/**
 * me_sleep() - wait until the time stamp has advanced by @ticks
 *
 * The alarm is missed if its time has passed before it is set: nobody has said what silicon does
 * then. So waits of less than ME_ALARM_MIN ticks are loops, in which no other context runs.
 */
static inline void me_sleep(uint64_t ticks)
{
	uint64_t end = me_ticks() + ticks;

	for (;;) {
		uint64_t now = me_ticks(), left = end - now;

		if (!left || left >> 63)
			return;
		if (left < ME_ALARM_MIN)
			continue;
		if (left > ME_ALARM_MAX)
			left = ME_ALARM_MAX;
		__me_csr_write(ME_CSR_ALARM, (uint16_t)(now + left));
		__me_csr_write(ME_CSR_ALARM_SIGNAL, ME_SIGNAL_ALARM);
		__me_ctx_arb(1u << ME_SIGNAL_ALARM);
	}
}

/**
 * me_signal() - send a signal to a context of the same microengine
 * @context: 0 to 7
 * @signal: ME_SIGNAL_FIRST to ME_SIGNAL_LAST
 *
 * A context has each signal once at most: one that was sent twice before it waits is one signal.
 */
static inline void me_signal(uint32_t context, uint32_t signal)
{
	__me_csr_write(ME_CSR_SIGNAL, signal << 3 | (context & 7));
}

/**
 * me_wait() - wait for a signal, and take it
 * @signal: ME_SIGNAL_FIRST to ME_SIGNAL_LAST
 */
static inline void me_wait(uint32_t signal)
{
	__me_ctx_arb(1u << signal);
}

/**
 * me_add() - add to a word of EMEM, atomically for all that access it
 * Return: the value before. A program that does not use it does not wait for it to come back.
 */
static inline uint32_t me_add(__emem uint32_t *p, uint32_t v)
{
	return __me_atomic(ME_ATOMIC_ADD, p, v);
}

/**
 * me_set() - set bits of a word of EMEM, atomically for all that access it
 * Return: the value before
 */
static inline uint32_t me_set(__emem uint32_t *p, uint32_t bits)
{
	return __me_atomic(ME_ATOMIC_SET, p, bits);
}

/**
 * me_clear() - clear bits of a word of EMEM, atomically for all that access it
 * Return: the value before
 */
static inline uint32_t me_clear(__emem uint32_t *p, uint32_t bits)
{
	return __me_atomic(ME_ATOMIC_CLEAR, p, bits);
}

#endif /* __MECC__ */
#endif /* MICROENGINE_H */
