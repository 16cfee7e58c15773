// SPDX-License-Identifier: BSD-2-Clause
/* chan_state.c - state and functions that several managers use. */
#include <nfp/me.h>
#include <nfp/mem_atomic.h>
#include <nfp/mem_bulk.h>
#include <nfp/mem_ring.h>
#include <nfp/pcie.h>
#include <nfp/remote_me.h>

#include "chan_int.h"

__shared __lmem struct chan_pipe chan_pipe[CHAN_PIPES];
__shared __lmem struct chan_state chan_state[CHAN_COUNT + 1];
__shared __lmem struct chan_slot chan_slot[CHAN_PROC_COUNT];
__shared __lmem struct chan_flight chan_flight[CHAN_FLIGHTS];
__shared __lmem uint32_t chan_note_pending;
__shared __lmem uint32_t chan_fire_pending;
__shared __lmem uint32_t chan_late;
__shared __lmem uint32_t chan_stat_dirty[2];
__shared __lmem uint8_t chan_stat_now;
__shared __lmem uint32_t chan_mbox_pending;
__shared __lmem uint32_t chan_port_news;
__shared __lmem uint32_t chan_port_pending;
__shared __lmem uint32_t chan_link_dirty;
__shared __lmem uint32_t chan_matched;
__shared __lmem uint32_t chan_xdp_ends;

/* The local memory of a microengine is 4 KiB. The compiler needs a part of it. */
ctassert(sizeof(chan_pipe) + sizeof(chan_state) + sizeof(chan_slot) +
	 sizeof(chan_flight) + CHAN_GATHERS * sizeof(struct chan_gather) + 44 <= 4096 - 128);
ctassert(CHAN_COUNT <= NFP_CHAN_FW_CHAN_MAX);
ctassert(CHAN_PROC_COUNT <= CHAN_PROCS);

__export __emem struct chan_work chan_parked[CHAN_PROC_COUNT];
__export __emem struct chan_work chan_recv_req[CHAN_PROC_COUNT];
__export __emem struct chan_skip chan_skip[CHAN_PIPES];
__export __emem struct chan_mod chan_mod[CHAN_PIPES];
__export __emem __align8 struct chan_counters chan_stat[CHAN_COUNT];
EXPORT_SYMBOL_MU(chan_stat);
__export __emem __align8 struct chan_counters chan_link_stat[CHAN_PIPES];
__export_fixed __emem struct chan_shared chan_shared;
__export __ctm __align64 uint8_t chan_stage[CHAN_HOST_CTXS][CHAN_STAGE];

/* Make the notes context write a record of @pipe. */
void chan_note_kick(unsigned int pipe)
{
	chan_note_pending |= 1u << pipe;
	signal_ctx(CHAN_CTX_NOTE, SIG_WAKE);
}

/* Data for the host has landed. Records are reactive (uapi/PROTOCOL.rst). */
void chan_news(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];

	p->fresh = 1;
	/* Another card learns of messages only by the doorbell, which replaces the record. */
	if (chan_wanted(p) || chan_is_peer(p))
		chan_note_kick(pipe);
}

/*
 * An ME process has received a message of the host. The record that shows the free room may come
 * late, unless the host waits, or the pipe is empty, or a quarter of the room is free.
 */
void chan_taken(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];

	p->fresh = 1;
	if (p->asked || p->armed || p->prod == p->cons ||
	    p->cons - p->sent_pos >= p->limit / 4) {
		chan_note_kick(pipe);
		return;
	}
	if (!chan_late)
		signal_ctx(CHAN_CTX_NOTE, SIG_WAKE);
	chan_late |= 1u << pipe;
}

/* The host has rung or armed: messages that have landed get a record now, others when they land. */
void chan_ask(unsigned int pipe)
{
	chan_pipe[pipe].asked = 1;
	/* The record comes when the messages in the buffer have landed as well. */
	if (chan_gathers(pipe))
		chan_kick(chan_pipe[pipe].chan);
	else if (chan_pipe[pipe].fresh)
		chan_note_kick(pipe);
}

/* Make the notes context raise the vector, if the pipe is armed and there is a reason. */
void chan_fire_kick(unsigned int pipe)
{
	chan_fire_pending |= 1u << pipe;
	signal_ctx(CHAN_CTX_NOTE, SIG_WAKE);
}

/* A DMA or a delivery of a pipe has ended. Wake the control context, which may wait for that. */
void chan_settle(void)
{
	signal_ctx(CHAN_CTX_CTL, SIG_WAKE);
}

/* Make a manager of the channel's direction look at @chan again. */
void chan_kick(unsigned int chan)
{
	__xwrite struct chan_work out;
	struct chan_work work;
	unsigned int ring;

	if (chan_state[chan].kicked)
		return;
	chan_state[chan].kicked = 1;
	reg_zero(&work, sizeof(work));
	work.kind = WORK_KICK;
	work.chan = (uint16_t)chan;
	out = work;
	ring = chan_desc[chan].dir == NFP_CHAN_TO_HOST ? CHAN_RING_HOST : CHAN_RING_NFP;
	mem_workq_add_work(ring, 0, &out, sizeof(out));
}

/*
 * The host has broken the protocol: turn the pipe off, and show that in the record. If a sender
 * waits for the host to take a message of a rendezvous, the message is dropped. Other pipes
 * may take the messages that wait.
 */
void chan_fault(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	unsigned int proc = p->waiter;
	unsigned int chan = p->chan;

	if (p->state != PIPE_OPEN)
		return;
	p->state = PIPE_FAULT;
	p->note_state = NFP_CHAN_STATE_FAULT;
	p->waiter = CHAN_NONE;
	chan_state[chan].pipes &= ~(1u << pipe);
	chan_note_kick(pipe);
	if (proc != CHAN_NONE) {
		chan_count_dropped(chan, 1);
		chan_complete(proc, CHAN_XREG_SEND, CHAN_SIG_SEND, CHAN_DROPPED);
	}
	mem_decr32(emem40(&chan_shared.open_pipes[chan]));
	chan_kick(chan);
}

/* Set signal @sig of the channel's process. */
void chan_signal(unsigned int chan, unsigned int sig)
{
	const struct me_context *me = &me_contexts[chan_desc[chan].proc];

	signal_me(me->island, me->me, me->ctx, sig);
}

/* Write @value to a transfer register of process @proc, then set a signal of the process. */
void chan_complete(unsigned int proc, unsigned int reg, unsigned int sig, uint32_t value)
{
	const struct me_context *me = &me_contexts[proc];
	__xwrite uint32_t data = value;

	reflect_write_sig_remote(&data, me->island, me->me, XFER_REG(me->ctx, reg),
				 sizeof(data), sig);
}

/* Have the notes context show the counters of @chan: @now, or with other news, or late. */
static void stat_dirty(unsigned int chan, int now)
{
	if (now)
		chan_stat_now = 1;
	if (now || !(chan_stat_dirty[0] | chan_stat_dirty[1]))
		signal_ctx(CHAN_CTX_NOTE, SIG_WAKE);
	chan_stat_dirty[chan / 32] |= 1u << chan % 32;
}

/* The counters are in EMEM in the ME's byte order. chan_note.c copies them to PCIe SRAM. */
void chan_count(unsigned int chan, uint32_t msgs, uint32_t bytes, int now)
{
	mem_add64_imm(msgs, emem40(&chan_stat[chan].msgs));
	mem_add64_imm(bytes, emem40(&chan_stat[chan].bytes));
	stat_dirty(chan, now);
}

void chan_count_dropped(unsigned int chan, uint32_t n)
{
	mem_add64_imm(n, emem40(&chan_stat[chan].dropped));
	stat_dirty(chan, 1);
}

void chan_count_stalled(unsigned int chan)
{
	mem_incr64(emem40(&chan_stat[chan].stalled));
	stat_dirty(chan, 1);
}

/* A DMA to the ring of @pipe has ended. */
void chan_landed(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];

	p->busy--;
	stat_dirty(p->chan, 1);
	chan_news(pipe);
	if (p->state == PIPE_CLOSING || p->hold)
		chan_settle();
}

/* Copy @len bytes of the message of @work, from @from on, to @buf. The caller is a to-host context. */
void chan_work_copy(const struct chan_work *work, uint32_t from, __mem40 void *buf, uint32_t len)
{
	uint64_t addr = (uint64_t)work->addr_hi << 32 | work->addr_lo;
	const struct me_context *me = &me_contexts[work->proc];
	__xread uint32_t body[CHAN_REG_MAX / 4];
	uint32_t words[CHAN_REG_MAX / 4];
	SIGNAL sig;

	if (!len)
		return;
	if (!work->regs) {
		mem_copy(buf, mem40_ptr(addr + from), len);
		return;
	}
	__assign_relative_register(&sig, SIG_REFLECT);
	reflect_read_sig_init(body, me->island, me->me, XFER_REG(me->ctx, CHAN_XREG_BODY),
			      (len + 3) & ~3u, &sig);
	wait_for_all(&sig);
	reg_cp_in(words, body, sizeof(words));
	chan_mem_write(words, buf, len);
}

/* Start DMA to or from a pipe's ring at @pos. The bytes may wrap at the end of the ring. */
void chan_dma(struct chan_pipe *p, int to_host, uint64_t pos, __mem40 void *mem,
	      uint32_t len, SIGNAL *sig)
{
	uint32_t size = 1u << p->ring_shift;
	uint32_t off = (uint32_t)pos & (size - 1);
	uint32_t first = size - off;

	if (len > first) {
		chan_dma_host(to_host, PCIE_DMA_CFG_DATA, p->ring + off, mem, first, NULL);
		mem = (__mem40 uint8_t *)mem + first;
		len -= first;
		off = 0;
	}
	chan_dma_host(to_host, PCIE_DMA_CFG_DATA, p->ring + off, mem, len, sig);
}

/* Copy @len bytes of a pipe's ring from @pos on to @mem, and wait for the end with @sig. */
void chan_fetch(struct chan_pipe *p, uint64_t pos, __mem40 void *mem, uint32_t len, SIGNAL *sig)
{
	uint32_t size = 1u << p->ring_shift;
	uint32_t off = (uint32_t)pos & (size - 1);
	uint32_t first = len < size - off ? len : size - off;

	if (p->dir == NFP_CHAN_TO_HOST || !p->push) {
		chan_dma(p, 0, pos, mem, len, sig);
		wait_for_all(sig);
		return;
	}
	mem_copy(mem, mem40_ptr(p->ring + off), first);
	if (len > first)
		mem_copy((__mem40 uint8_t *)mem + first, mem40_ptr(p->ring), len - first);
}

/*
 * Is this a valid header of message @seq, which with its body has at most @avail bytes? @hdr is
 * a copy on the card, because the host may write to the ring at any time.
 */
int chan_hdr_check(const struct chan_pipe *p, const struct nfp_chan_hdr *hdr,
		   uint32_t seq, uint64_t avail)
{
	const struct chan_desc *d = &chan_desc[p->chan];
	uint32_t len = le32_to_cpu(hdr->len);

	if (len > d->max_size || (d->elem_size && len != d->elem_size))
		return 0;
	if (le16_to_cpu(hdr->seq) != (seq & 0xffff) || hdr->rsvd)
		return 0;
	return chan_msg_bytes(p, len) <= avail;
}
