// SPDX-License-Identifier: BSD-2-Clause
/* chan_proc.c - the ME processes' side of channels. */
#include <nfp/me.h>
#include <nfp/mem_atomic.h>
#include <nfp/mem_bulk.h>
#include <nfp/mem_ring.h>
#include <nfp/remote_me.h>

#include "chan_int.h"

#define ATTACH_CYCLES	8000	/* between two checks whether the managers run */

static unsigned int self(void)
{
	return chan_shared.self[CHAN_SELF(ME_ISLAND(__MEID), ME_NUM(__MEID), ctx())];
}

void chan_attach(void)
{
	SIGNAL alarm;

	__assign_relative_register(&alarm, CHAN_SIG_SEND);
	while (be32_to_cpu(*(volatile __emem __be32 *)&chan_shared.up) != CHAN_TABLE_ID) {
		set_alarm(ATTACH_CYCLES, &alarm);
		wait_for_all(&alarm);
	}
}

static int size_ok(unsigned int chan, unsigned int len)
{
	const struct chan_desc *d = &chan_desc[chan];

	if (d->dir != NFP_CHAN_TO_HOST)
		return 0;
	if (d->kind == NFP_CHAN_STREAM)
		return len && !(len % d->elem_size);
	return len <= d->max_size && (!d->elem_size || len == d->elem_size);
}

static __swaps void post(struct chan_work *work, unsigned int kind, unsigned int chan,
			 unsigned int len)
{
	__xwrite struct chan_work out;

	work->kind = (uint8_t)kind;
	work->proc = (uint8_t)self();
	work->chan = (uint16_t)chan;
	work->len = len;
	work->sig = CHAN_SIG_SEND;
	out = *work;
	mem_workq_add_work(CHAN_RING_HOST, 0, &out, sizeof(out));
}

/*
 * The ticket is the message's place among the messages of all senders of the channel. The work
 * ring does not keep this order, because several managers take work from it.
 */
static __swaps void post_send(struct chan_work *work, unsigned int chan, unsigned int len)
{
	__xrw uint32_t ticket = 1;

	mem_test_add(&ticket, emem40(&chan_shared.tickets[chan]), sizeof(ticket));
	work->ticket = ticket;
	post(work, WORK_SEND, chan, len);
}

int chan_send_status(void)
{
	XREAD_AT(uint32_t, status, CHAN_XREG_SEND);

	return (int)*status;
}

int chan_send_post(unsigned int chan, const __mem40 void *msg, unsigned int len, SIGNAL *sig)
{
	uint64_t addr = mem40_addr(msg);
	struct chan_work work;

	__assign_relative_register(sig, CHAN_SIG_SEND);
	if (!size_ok(chan, len))
		return CHAN_EINVAL;
	work.addr_lo = (uint32_t)addr;
	work.addr_hi = (uint8_t)(addr >> 32);
	work.regs = 0;
	post_send(&work, chan, len);
	return CHAN_OK;
}

int chan_send(unsigned int chan, const __mem40 void *msg, unsigned int len)
{
	SIGNAL sent;

	if (chan_send_post(chan, msg, len, &sent) != CHAN_OK)
		return CHAN_EINVAL;
	wait_for_all(&sent);
	return chan_send_status();
}

void chan_drop(unsigned int chan, unsigned int n)
{
	struct chan_work work;
	SIGNAL sig;

	__assign_relative_register(&sig, CHAN_SIG_SEND);
	post(&work, WORK_DROP, chan, n);
	wait_for_all(&sig);
}

#ifdef __MECC__
/*
 * A context of eight has 16 write registers, too few for a message and a work item. So the message goes
 * by EMEM, and each context has a place there.
 */
static __emem __align8 uint8_t chan_small[8][64];

int chan_send_regs(unsigned int chan, const void *msg, unsigned int len)
{
	if (len > CHAN_REG_MAX)
		return CHAN_EINVAL;
	mem_write8(msg, emem40(chan_small[ctx()]), len);
	return chan_send(chan, emem40(chan_small[ctx()]), len);
}

#else

int chan_send_regs(unsigned int chan, const void *msg, unsigned int len)
{
	XWRITE_AT(uint32_t, body, CHAN_XREG_BODY);
	uint32_t words[CHAN_REG_MAX / 4];
	struct chan_work work;
	unsigned int i;
	SIGNAL sent;

	__assign_relative_register(&sent, CHAN_SIG_SEND);
	if (!size_ok(chan, len) || len > CHAN_REG_MAX)
		return CHAN_EINVAL;
	reg_zero(words, sizeof(words));
	for (i = 0; i < len; i++)
		((uint8_t *)words)[i] = ((const uint8_t *)msg)[i];
	for (i = 0; i < CHAN_REG_MAX / 4; i++)
		body[i] = words[i];
	work.addr_lo = 0;
	work.addr_hi = 0;
	work.regs = 1;
	post_send(&work, chan, len);
	wait_for_all(&sent);
	return chan_send_status();
}

#endif

void chan_recv_post(unsigned int chan, __mem40 void *buf, unsigned int size, SIGNAL *sig)
{
	uint64_t addr = mem40_addr(buf);
	__xwrite struct chan_work out;
	struct chan_work work;

	__assign_relative_register(sig, CHAN_SIG_RECV);
	if (size < chan_desc[chan].max_size) {
		hal_bug("receive of channel '%s': its messages have up to %u bytes, the buffer has %u",
			chan_desc[chan].name, chan_desc[chan].max_size, size);
		return;			/* on a card: @sig is never set */
	}
	work.kind = WORK_RECV;
	work.proc = (uint8_t)self();
	work.chan = (uint16_t)chan;
	work.len = size;
	work.addr_lo = (uint32_t)addr;
	work.addr_hi = (uint8_t)(addr >> 32);
	work.regs = 0;
	work.sig = CHAN_SIG_RECV;
	work.ticket = 0;
	out = work;
	mem_workq_add_work(CHAN_RING_NFP, 0, &out, sizeof(out));
}

unsigned int chan_recv_len(void)
{
	XREAD_AT(uint32_t, len, CHAN_XREG_RECV);

	return *len;
}

unsigned int chan_recv(unsigned int chan, __mem40 void *buf, unsigned int size)
{
	SIGNAL sig;

	chan_recv_post(chan, buf, size, &sig);
	wait_for_all(&sig);
	return chan_recv_len();
}

unsigned int chan_receivers(unsigned int chan)
{
	return *(volatile __emem uint32_t *)&chan_shared.open_pipes[chan];
}

void chan_end(unsigned int chan)
{
	__xwrite struct chan_work out;
	struct chan_work work;

	work.kind = WORK_END;
	work.proc = (uint8_t)self();
	work.chan = (uint16_t)chan;
	out = work;
	mem_workq_add_work(chan_desc[chan].dir == NFP_CHAN_TO_HOST ? CHAN_RING_HOST
								      : CHAN_RING_NFP,
			   0, &out, sizeof(out));
}
