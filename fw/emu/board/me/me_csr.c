// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_csr.c - local CSRs: names, reads, writes; alarms.
 *
 * Numbers and fields are those of flowenv's nfp6000/nfp_me.h. Chosen here, not seen on silicon:
 * - CmdIndirectRef0 and ByteIndex are shared by the contexts: their names have no "Act".
 * - A seed of 0 for PseudoRndNum is the seed of me_init().
 * - The number of a microengine in ActCtxStatus is the one that CPP addresses have, 4 or more:
 *   flowenv's __ME() hands it to such addresses.
 */
#include "me_int.h"

#define CSR_LATENCY	3		/* cycles that use the old value after a write */
#define TICK		16		/* cycles of a time stamp */
#define LM_GLOBAL	0x630000	/* CtxEnables: contexts share LM pointers. Not supported */

enum {
	CTX_ENABLES = 0x018, ACT_CTX_STS = 0x044, ACT_SIG = 0x04c, ACT_WAKEUP = 0x054,
	ACT_FTR_CNT = 0x05c, BYTE_INDEX = 0x070, XFER_INDEX = 0x074, ACT_FTR_SIG = 0x07c,
	TIME_LOW = 0x0c0, TIME_HIGH = 0x0c4, XFER_BYTE_INDEX = 0x0f4, SAME_ME = 0x108,
	PROFILE = 0x144, RANDOM = 0x148, MAILBOX = 0x170, MAILBOX_LAST = 0x17c, REF0 = 0x190,
};

static const char *const names[] = {
	[0x000 / 4] = "UstorAddr", [0x004 / 4] = "UstorDataLwr", [0x008 / 4] = "UstorDataUpr",
	[0x00c / 4] = "UstorErrStat", [0x010 / 4] = "ALUOut", [0x014 / 4] = "CtxArbCtrl",
	[0x018 / 4] = "CtxEnables", [0x01c / 4] = "CondCodeEn", [0x020 / 4] = "CSRCtxPtr",
	[0x024 / 4] = "PcBreakpoint0", [0x028 / 4] = "PcBreakpoint1",
	[0x02c / 4] = "PcBreakpointStatus", [0x030 / 4] = "RegErrStatus",
	[0x034 / 4] = "LMErrStatus", [0x038 / 4] = "LMeccErrorMask",
	[0x040 / 4] = "IndCtxStatus", [0x044 / 4] = "ActCtxStatus",
	[0x048 / 4] = "IndCtxSglEvt", [0x04c / 4] = "ActCtxSglEvt",
	[0x050 / 4] = "IndCtxWkpEvt", [0x054 / 4] = "ActCtxWkpEvt",
	[0x058 / 4] = "IndCtxFtrCnt", [0x05c / 4] = "ActCtxFtrCnt",
	[0x060 / 4] = "IndLMAddr0", [0x064 / 4] = "ActLMAddr0",
	[0x068 / 4] = "IndLMAddr1", [0x06c / 4] = "ActLMAddr1",
	[0x070 / 4] = "ByteIndex", [0x074 / 4] = "XferIndex",
	[0x078 / 4] = "IndFtrCntSgl", [0x07c / 4] = "ActFtrCntSgl",
	[0x080 / 4] = "NNPut", [0x084 / 4] = "NNGet",
	[0x090 / 4] = "IndLMAddr2", [0x094 / 4] = "ActLMAddr2",
	[0x098 / 4] = "IndLMAddr3", [0x09c / 4] = "ActLMAddr3",
	[0x0a0 / 4] = "IndLMAddr2BytIdx", [0x0a4 / 4] = "ActLMAddr2BytIdx",
	[0x0a8 / 4] = "IndLMAddr3BytIdx", [0x0ac / 4] = "ActLMAddr3BytIdx",
	[0x0b0 / 4] = "IndPredCC", [0x0c0 / 4] = "TimestampLow", [0x0c4 / 4] = "TimestampHgh",
	[0x0e0 / 4] = "IndLMAddr0BytIdx", [0x0e4 / 4] = "ActLMAddr0BytIdx",
	[0x0e8 / 4] = "IndLMAddr1BytIdx", [0x0ec / 4] = "ActLMAddr1BytIdx",
	[0x0f4 / 4] = "XfrAndBytIdx", [0x100 / 4] = "NxtNghbrSgl", [0x104 / 4] = "PrvNghbrSgl",
	[0x108 / 4] = "SameMESignal", [0x140 / 4] = "CRCRemainder", [0x144 / 4] = "ProfileCnt",
	[0x148 / 4] = "PseudoRndNum", [0x160 / 4] = "MiscControl",
	[0x164 / 4] = "PcBreakpoint0Mask", [0x168 / 4] = "PcBreakpoint1Mask",
	[0x170 / 4] = "Mailbox0", [0x174 / 4] = "Mailbox1", [0x178 / 4] = "Mailbox2",
	[0x17c / 4] = "Mailbox3", [0x190 / 4] = "CmdIndirectRef0",
};

const char *me_csr_name(unsigned int csr)
{
	return csr / 4 < sizeof(names) / sizeof(names[0]) ? names[csr / 4] : NULL;
}

int me_csr_lm(unsigned int csr)
{
	switch (csr) {
	case ME_CSR_LM0:
		return 0;
	case ME_CSR_LM1:
		return 1;
	case ME_CSR_LM2:
		return 2;
	case ME_CSR_LM3:
		return 3;
	default:
		return -1;
	}
}

static unsigned int ctx_number(const struct me *me, const struct me_ctx *c)
{
	return c - me->ctx;
}

static uint64_t time_stamp(const struct me *me, uint64_t now)
{
	return me->time + now / TICK;
}

/*
 * PseudoRndNum counts freely on a card. Here it changes only when it is read, so that runs can be
 * repeated.
 */
static uint32_t next_random(struct me *me)
{
	uint32_t v = me->random;

	v ^= v << 13;
	v ^= v >> 17;
	v ^= v << 5;
	me->random = v;
	return v;
}

/* Island, address of the instruction, microengine, context. Bit 31: a context is active. */
static uint32_t active(const struct me *me, const struct me_ctx *c)
{
	return 1u << 31 | (me->island & 0x3fu) << 25 | c->img->insn[c->at].pc << 8 |
	       ((me->number + 4u) & 0xf) << 3 | ctx_number(me, c);
}

enum me_fault_reason me_csr_read(struct me *me, struct me_ctx *c, unsigned int csr,
				 uint64_t now, uint32_t *v)
{
	int lm = me_csr_lm(csr);

	if (csr == RANDOM)
		*v = next_random(me);
	else if (lm >= 0)
		*v = c->lm_addr[lm];
	else if (csr >= MAILBOX && csr <= MAILBOX_LAST)
		*v = me->mailbox[(csr - MAILBOX) / 4];
	else if (csr == CTX_ENABLES)
		*v = me->ctx_enables;
	else if (csr == ACT_CTX_STS)
		*v = active(me, c);
	else if (csr == ACT_SIG)
		*v = c->signals;
	else if (csr == ACT_WAKEUP)
		*v = c->wakeup;
	else if (csr == ACT_FTR_CNT)
		*v = c->alarm;
	else if (csr == ACT_FTR_SIG)
		*v = c->alarm_sig;
	else if (csr == BYTE_INDEX)
		*v = me->byte_index;
	else if (csr == XFER_INDEX)
		*v = me->xfer_index;
	else if (csr == XFER_BYTE_INDEX)
		*v = me->xfer_index | me->byte_index;
	else if (csr == TIME_LOW)
		*v = time_stamp(me, now);
	else if (csr == TIME_HIGH)
		*v = time_stamp(me, now) >> 32;
	else if (csr == PROFILE)
		*v = now & 0xffff;
	else if (csr == REF0)
		*v = me->ref0;
	else
		return ME_FAULT_CSR;
	return ME_FAULT_NONE;
}

/* SameMESignal: bits 2:0 context, 6:3 signal, 7: the next context instead. */
static void same_me(struct me *me, const struct me_ctx *c, uint32_t v)
{
	unsigned int step = c->img->mode == ME_CTX8 ? 1 : 2;
	unsigned int to = v & 0x80 ? (ctx_number(me, c) + step) % ME_CTXS : v & 7;

	me_signal(&me->ctx[to], v >> 3 & 0xf);
}

static void set_time(struct me *me, uint64_t now, uint64_t v)
{
	me->time = v - now / TICK;
}

enum me_fault_reason me_csr_write(struct me *me, struct me_ctx *c, unsigned int csr,
				  uint64_t now, uint32_t v)
{
	uint64_t t = time_stamp(me, now);

	if (csr >= MAILBOX && csr <= MAILBOX_LAST) {
		me->mailbox[(csr - MAILBOX) / 4] = v;
	} else if (csr == SAME_ME) {
		same_me(me, c, v);
	} else if (csr == XFER_INDEX || csr == XFER_BYTE_INDEX) {
		me->xfer_index = v & 0x3fc;
		me->xfer_ready = now + CSR_LATENCY;
		if (csr == XFER_BYTE_INDEX)
			me->byte_index = v & 3;
	} else if (csr == BYTE_INDEX) {
		me->byte_index = v & 3;
	} else if (csr == REF0) {
		me->ref0 = v;
	} else if (csr == ACT_WAKEUP) {
		c->wakeup = v & 0x1ffff;
	} else if (csr == ACT_FTR_CNT) {
		c->alarm = v;
	} else if (csr == ACT_FTR_SIG) {
		c->alarm_sig = v & 0xf;
	} else if (csr == TIME_LOW) {
		set_time(me, now, (t & ~0xffffffffull) | v);
	} else if (csr == TIME_HIGH) {
		set_time(me, now, (t & 0xffffffff) | (uint64_t)v << 32);
	} else if (csr == CTX_ENABLES && !(v & LM_GLOBAL)) {
		me->ctx_enables = v;
	} else if (csr == RANDOM) {
		me->random = v ? v : 1;
	} else {
		return ME_FAULT_CSR;
	}
	return ME_FAULT_NONE;
}

/* ---- alarms: a signal when the time stamp has a value of 16 bits ---- */

static uint64_t alarm_ticks(const struct me *me, const struct me_ctx *c)
{
	return (uint16_t)(c->alarm - time_stamp(me, me->clock));
}

/* Send the signals of alarms that are due. A value less than half the range behind is due. */
void me_alarms(struct me *me)
{
	struct me_ctx *c;

	for (c = me->ctx; c < me->ctx + ME_CTXS; c++) {
		if (!c->alarm_sig || (alarm_ticks(me, c) && alarm_ticks(me, c) < 0x8000))
			continue;
		me_signal(c, c->alarm_sig);
		c->alarm_sig = 0;
	}
}

uint64_t me_next_alarm(const struct me *me)
{
	const struct me_ctx *c;
	uint64_t min = UINT64_MAX, n;

	for (c = me->ctx; c < me->ctx + ME_CTXS; c++) {
		if (!c->alarm_sig)
			continue;
		n = alarm_ticks(me, c) * TICK - me->clock % TICK;
		if (n < min)
			min = n;
	}
	return min;
}

void me_idle(struct me *me, uint64_t cycles)
{
	me->clock += cycles;
	me_alarms(me);
}
