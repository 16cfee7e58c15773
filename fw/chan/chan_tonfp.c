// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_tonfp.c - messages from the host to ME processes.
 *
 * A message stays in host memory until a process asks for one. So the host can take back messages
 * that were not received, and a slow process needs no memory of the card. The host may write
 * to its ring at any time, so this context copies bytes to the card once, and checks and uses
 * the copy. It reads as many small messages at a time as were announced.
 */
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <nfp/mem_ring.h>
#include <nfp/pcie.h>

#include "chan_int.h"
#include "chan_sram.h"

#define STAGES	4	/* pipes from which messages were read ahead */

__export __ctm __align64 uint8_t tonfp_stage[STAGES][CHAN_STAGE_NFP];

/* The first @len bytes of a stage are those from @from on of a pipe's ring. */
static __shared __lmem struct {
	uint64_t from;
	uint16_t len;
	uint8_t pipe;
} staged[STAGES];

static __shared __lmem uint8_t lost;	/* the stage that was last taken from another pipe */

/*
 * If the host has taken the next messages back, skip them. During the read of chan_skip the caller
 * keeps the control context from changing the pipe by CANCEL or CLOSE.
 */
void chan_skip_check(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	__xread struct chan_skip in;
	struct chan_skip skip;

	if (!p->skip)
		return;
	mem_read8(&in, emem40(&chan_skip[pipe]), sizeof(in));
	skip = in;
	if (skip.start != p->cons)
		return;
	p->cons = skip.end;
	p->seq = skip.seq;
	p->skip = 0;
	chan_note_kick(pipe);
}

/* Return: how many bytes from the pipe's next message on a stage has. */
static uint32_t stage_left(unsigned int stage)
{
	uint64_t done = chan_pipe[staged[stage].pipe].cons - staged[stage].from;

	return done < staged[stage].len ? staged[stage].len - (uint32_t)done : 0;
}

static int has_message(unsigned int pipe)
{
	return chan_pipe[pipe].prod != chan_pipe[pipe].cons && !chan_pipe[pipe].hold;
}

/* Can @pipe be read ahead without a loss of what was read of another pipe? */
static int has_stage(unsigned int pipe)
{
	unsigned int i;

	for (i = 0; i < STAGES; i++)
		if (staged[i].pipe == pipe || !stage_left(i))
			return 1;
	return 0;
}

/*
 * Return: the next pipe of the channel that holds a message, or CHAN_NONE. The pipes take turns. If
 * there are more of them than stages, those that have a stage use it up first.
 */
static unsigned int pick(const struct chan_state *c)
{
	uint32_t left = c->pipes, before = left & ((2u << c->last) - 1);
	unsigned int i, next = CHAN_NONE;

	for (left &= ~before; left | before; left &= left - 1) {
		if (!left) {
			left = before;
			before = 0;
		}
		i = ffs(left);
		if (!has_message(i))
			continue;
		if (has_stage(i))
			return i;
		if (next == CHAN_NONE)
			next = i;
	}
	return next;
}

static __swaps void post_recv(const struct chan_work *work)
{
	struct chan_state *c = &chan_state[work->chan];
	__xwrite struct chan_work out;

	out = *work;
	mem_write8(&out, emem40(&chan_recv_req[work->proc]), sizeof(out));
	chan_slot[work->proc].rnext = CHAN_NONE;
	chan_slot[work->proc].rlen = work->len < CHAN_CHUNK ? (uint16_t)work->len : CHAN_CHUNK;
	if (c->rhead == CHAN_NONE)
		c->rhead = work->proc;
	else
		chan_slot[c->rtail].rnext = work->proc;
	c->rtail = work->proc;
}

/*
 * Check the pipe's next message. @stage has its first bytes. The host has announced @avail bytes;
 * in a rendezvous that is exactly one message.
 */
static __swaps int message_ok(const struct chan_pipe *p, const __mem40 uint8_t *stage,
			      uint64_t avail, uint32_t *len)
{
	__xread struct nfp_chan_hdr in;
	struct nfp_chan_hdr hdr;

	mem_read8(&in, stage, sizeof(in));
	hdr = in;
	if (!chan_hdr_check(p, &hdr, p->seq + 1, avail))
		return 0;
	*len = le32_to_cpu(hdr.len);
	if (chan_desc[p->chan].depth == 0 && !chan_is_peer(p) && chan_msg_bytes(p, *len) != avail)
		return 0;
	return 1;
}

/*
 * Clear a page that another pipe has used. The new owner maps the page and must not read the old
 * bytes, and the card must not take them for a message.
 */
void chan_inline_clear(unsigned int inline_page)
{
	uint32_t page = SRAM_INLINE + (inline_page - 1) * NFP_CHAN_FW_INLINE_PAGE;
	struct nfp_chan_hdr none = { 0 };
	__xwrite struct nfp_chan_hdr out;

	none.rsvd = cpu_to_le16(0xffff);
	out = none;
	pcie_sram_write(CHAN_PCIE_ISL, &out, SRAM_AT(page), sizeof(out));
	chan_sram_clear(page + sizeof(out), page + NFP_CHAN_FW_INLINE_PAGE);
}

/*
 * If one message waits and the pipe's inline page has a copy of it, read the copy, which is
 * within the card. The host may write to the page, so the copy is checked as the ring is.
 */
static __swaps int from_inline(const struct chan_pipe *p, __mem40 uint8_t *stage, uint32_t len)
{
	uint32_t at = SRAM_INLINE + (p->inline_page - 1) * NFP_CHAN_FW_INLINE_PAGE, off, n;
	__xread uint32_t in[CHAN_MEM_PART / 4];
	uint32_t words[CHAN_MEM_PART / 4];
	__xread struct nfp_chan_hdr first;
	struct nfp_chan_hdr hdr;

	if (!p->inline_page || chan_is_peer(p) || len > NFP_CHAN_INLINE_MAX)
		return 0;
	for (off = 0; off < len; off += n) {
		n = len - off < sizeof(words) ? len - off : (uint32_t)sizeof(words);
		pcie_sram_read(CHAN_PCIE_ISL, in, SRAM_AT(at + off), (n + 3) & ~3u);
		reg_cp_in(words, in, sizeof(words));
		chan_mem_write(words, stage + off, n);
	}
	mem_read8(&first, stage, sizeof(first));
	hdr = first;
	return chan_hdr_check(p, &hdr, p->seq + 1, len) &&
	       chan_msg_bytes(p, le32_to_cpu(hdr.len)) == len;
}

/* Return: the stage with bytes of @pipe, or STAGES. */
static unsigned int stage_of(unsigned int pipe)
{
	unsigned int i;

	for (i = 0; i < STAGES && (staged[i].pipe != pipe || !staged[i].len); i++)
		;
	return i;
}

/* @pipe has a new owner, and its positions begin with 0: forget the staged bytes. */
void chan_stage_drop(unsigned int pipe)
{
	unsigned int stage = stage_of(pipe);

	if (stage < STAGES)
		staged[stage].len = 0;
}

static __mem40 uint8_t *stage_at(unsigned int stage)
{
	return ctm40(tonfp_stage[stage] + staged[stage].len - stage_left(stage));
}

/* Return: the stage that has all of the pipe's next message, or STAGES. */
static __swaps unsigned int stage_find(unsigned int pipe)
{
	unsigned int stage = stage_of(pipe);
	__xread struct nfp_chan_hdr hdr;
	uint32_t len;

	if (stage == STAGES || stage_left(stage) < sizeof(hdr))
		return STAGES;
	mem_read8(&hdr, stage_at(stage), sizeof(hdr));
	len = le32_to_cpu(hdr.len);
	if (len > chan_desc[chan_pipe[pipe].chan].max_size ||
	    chan_msg_bytes(&chan_pipe[pipe], len) > stage_left(stage))
		return STAGES;
	return stage;
}

/* Return: a stage for @pipe: that of @pipe, one that is used up, or that of another pipe. */
static unsigned int stage_take(unsigned int pipe)
{
	unsigned int stage = stage_of(pipe);

	if (stage < STAGES)
		return stage;
	for (stage = 0; stage < STAGES; stage++)
		if (!stage_left(stage))
			return stage;
	lost = (uint8_t)((lost + 1) % STAGES);
	return lost;
}

/*
 * Read the pipe's next message to the beginning of a stage: the first part of a large message, or
 * as many small messages as were announced and fit. Return: the stage.
 */
static __swaps unsigned int stage_fill(unsigned int pipe, uint64_t avail)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	uint32_t most = chan_msg_bytes(p, chan_desc[p->chan].max_size);
	uint32_t n = most <= CHAN_STAGE ? CHAN_STAGE_NFP : CHAN_STAGE;
	unsigned int stage = stage_take(pipe);
	SIGNAL sig;

	staged[stage].len = 0;
	/* Whole messages only, because a part of a message would be read again. */
	if (most <= CHAN_STAGE && chan_desc[p->chan].elem_size)
		n -= n % most;
	if (avail < n)
		n = (uint32_t)avail;
	if (!from_inline(p, ctm40(tonfp_stage[stage]), (uint32_t)avail)) {
		__assign_relative_register(&sig, SIG_DMA);
		chan_fetch(p, p->cons, ctm40(tonfp_stage[stage]), n, &sig);
	}
	staged[stage].pipe = (uint8_t)pipe;
	staged[stage].from = p->cons;
	staged[stage].len = (uint16_t)n;
	return stage;
}

/* Copy the body to the process' buffer. DMA fetches the bytes that are not in the stage. */
static __swaps void fetch_body(struct chan_pipe *p, unsigned int stage, __mem40 uint8_t *buf,
			       uint32_t len, SIGNAL *sig)
{
	uint32_t hdr = sizeof(struct nfp_chan_hdr);
	uint32_t have = stage_left(stage) - hdr;

	if (have > len)
		have = len;
	mem_copy(buf, stage_at(stage) + hdr, have);
	if (have < len)
		chan_fetch(p, p->cons + hdr + have, buf + have, len - have, sig);
}

/* Deliver bytes of a stream to the first receiver, at most as many as it asked for. */
static __swaps void deliver_stream(unsigned int chan, unsigned int pipe)
{
	struct chan_state *c = &chan_state[chan];
	struct chan_pipe *p = &chan_pipe[pipe];
	uint32_t elem = chan_desc[chan].elem_size, len;
	uint64_t avail = p->prod - p->cons;
	unsigned int proc = c->rhead;
	__xread struct chan_work req;
	SIGNAL sig;

	p->busy = 1;
	c->rhead = chan_slot[proc].rnext;
	mem_read8(&req, emem40(&chan_recv_req[proc]), sizeof(req));
	len = avail < req.len ? (uint32_t)avail : req.len;
	if (len > CHAN_CHUNK)
		len = CHAN_CHUNK;
	len -= len % elem;
	__assign_relative_register(&sig, SIG_DMA);
	chan_fetch(p, p->cons, mem40_ptr((uint64_t)req.addr_hi << 32 | req.addr_lo), len, &sig);
	p->cons += len;
	p->seq += len / elem;
	p->busy = 0;
	chan_count(chan, len / elem, len, 1);
	if (chan_is_peer(p))
		chan_link_count(pipe, len / elem, len);
	chan_pair_taken(pipe);
	chan_taken(pipe);
	if (p->state == PIPE_CLOSING || p->hold)
		chan_settle();
	chan_complete(proc, CHAN_XREG_RECV, req.sig, len);
}

/* There was no message for @proc: make it the first receiver of the channel again. */
static void put_back(struct chan_state *c, unsigned int proc)
{
	chan_slot[proc].rnext = c->rhead;
	if (c->rhead == CHAN_NONE)
		c->rtail = (uint8_t)proc;
	c->rhead = (uint8_t)proc;
}

/*
 * Deliver a message of @pipe to the channel's first receiver. The receiver leaves the list before
 * the first wait, because links take receivers from the list as well.
 */
static __swaps void deliver(unsigned int chan, unsigned int pipe)
{
	struct chan_state *c = &chan_state[chan];
	struct chan_pipe *p = &chan_pipe[pipe];
	uint64_t avail = p->prod - p->cons;
	__xread struct chan_work req;
	unsigned int proc, stage;
	uint32_t len;
	SIGNAL sig;

	c->last = (uint8_t)pipe;
	p->busy = 1;
	proc = c->rhead;
	c->rhead = chan_slot[proc].rnext;
	stage = stage_find(pipe);
	if (stage == STAGES)
		stage = stage_fill(pipe, avail);
	if (!message_ok(p, stage_at(stage), avail, &len)) {
		p->busy = 0;
		put_back(c, proc);
		chan_fault(pipe);
		chan_settle();
		return;
	}
	mem_read8(&req, emem40(&chan_recv_req[proc]), sizeof(req));
	__assign_relative_register(&sig, SIG_DMA);
	fetch_body(p, stage,
		   (__mem40 uint8_t *)mem40_ptr((uint64_t)req.addr_hi << 32 | req.addr_lo),
		   len, &sig);
	p->cons += chan_msg_bytes(p, len);
	p->seq++;
	chan_skip_check(pipe);
	p->busy = 0;
	chan_count(chan, 1, len, 1);
	if (chan_is_peer(p))
		chan_link_count(pipe, 1, len);
	chan_taken(pipe);
	if (p->state == PIPE_CLOSING || p->hold)
		chan_settle();
	chan_complete(proc, CHAN_XREG_RECV, req.sig, len);
}

/* The process has ended the channel. Messages in the pipes stay there. */
static void end(unsigned int chan)
{
	struct chan_state *c = &chan_state[chan];
	unsigned int i;

	c->ended = 1;
	c->rhead = CHAN_NONE;
	for (i = 0; i < CHAN_PIPES; i++) {
		if (!(c->pipes & 1u << i))
			continue;
		chan_pipe[i].note_state = NFP_CHAN_STATE_EPIPE;
		chan_note_kick(i);
	}
}

void chan_tonfp_main(void)
{
	__xread struct chan_work in;
	struct chan_work work;
	unsigned int chan, pipe;
	SIGNAL sig;

	chan_attach();
	for (;;) {
		__assign_relative_register(&sig, SIG_WORK);
		__mem_workq_add_thread(CHAN_RING_NFP, 0, &in, sizeof(in), sizeof(in), sig_done,
				       &sig);
		wait_for_all(&sig);
		work = in;
		chan = work.chan;
		if (work.kind == WORK_RECV)
			post_recv(&work);
		else if (work.kind == WORK_KICK)
			chan_state[chan].kicked = 0;
		else
			end(chan);
		/* The loop ends: each turn takes one receiver, or turns one pipe off. */
		while (chan_state[chan].rhead != CHAN_NONE) {
			pipe = pick(&chan_state[chan]);
			if (pipe == CHAN_NONE)
				break;
			if (chan_is_stream(chan))
				deliver_stream(chan, pipe);
			else
				deliver(chan, pipe);
		}
		chan_link_look(chan);
	}
}
