// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_tonfp.c - messages from the host to ME processes.
 *
 * A message stays in host memory until a process asks for one, so what was not
 * received can still be taken back, and a slow process costs the card nothing.
 * The ring is the host's: whatever is read of it is copied to the card once,
 * checked there, and used from there. Small messages are read several at a time,
 * as many as were announced.
 */
#include <nfp/mem_bulk.h>
#include <nfp/mem_ring.h>
#include <nfp/pcie.h>

#include "chan_int.h"
#include "chan_sram.h"

__export __ctm __align64 uint8_t tonfp_stage[CHAN_STAGE_NFP];

/* What it holds: bytes [from, to) of a pipe's ring. */
static __shared __lmem struct {
	uint64_t from;
	uint64_t to;
	uint8_t pipe;
} staged;

/* Messages that were taken back are behind the last one received: pass them. */
void chan_skip_check(unsigned int pipe)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	__emem struct chan_skip *skip = &chan_skip[pipe];

	if (!p->skip || skip->start != p->cons)
		return;
	p->cons = skip->end;
	p->seq = skip->seq;
	p->skip = 0;
	chan_note_kick(pipe);
}

/* The pipe of @chan whose turn it is, of those that hold a message. */
static unsigned int pick(const struct chan_state *c)
{
	const struct chan_pipe *p;
	unsigned int i, n;

	for (n = 1; n <= CHAN_PIPES; n++) {
		i = (c->last + n) % CHAN_PIPES;
		p = &chan_pipe[i];
		if (c->pipes & 1u << i && p->prod != p->cons && !p->hold)
			return i;
	}
	return CHAN_NONE;
}

static void post_recv(const struct chan_work *work)
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
 * Check the message at the pipe's head, of which @avail bytes or the stage's
 * size are in @stage. A rendezvous has one message outstanding, no more.
 */
static int message_ok(const struct chan_pipe *p, const __mem40 uint8_t *stage,
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
 * What a pipe before this one has left in the page is no message, and nothing
 * that its new owner may read: all of the page is mapped.
 */
void chan_inline_clear(unsigned int inline_page)
{
	uint32_t page = SRAM_INLINE + (inline_page - 1) * NFP_CHAN_FW_INLINE_PAGE;
	__xwrite struct nfp_chan_hdr none;

	none.len = 0;
	none.seq = 0;
	none.rsvd = cpu_to_le16(0xffff);
	pcie_sram_write(CHAN_PCIE_ISL, &none, SRAM_AT(page), sizeof(none));
	chan_sram_clear(page + sizeof(none), page + NFP_CHAN_FW_INLINE_PAGE);
}

/*
 * The one message that waits, if its copy is in the pipe's inline page: a read
 * within the card. What is there is as little to be trusted as the ring.
 */
static int from_inline(const struct chan_pipe *p, __mem40 uint8_t *stage, uint32_t len)
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
		pcie_sram_read(CHAN_PCIE_ISL, in, SRAM_AT(at + off), n);
		reg_cp_in(words, in, sizeof(words));
		chan_mem_write(words, stage + off, n);
	}
	mem_read8(&first, stage, sizeof(first));
	hdr = first;
	return chan_hdr_check(p, &hdr, p->seq + 1, len) &&
	       chan_msg_bytes(p, le32_to_cpu(hdr.len)) == len;
}

/* @pipe has a new owner, and positions start anew. */
void chan_stage_drop(unsigned int pipe)
{
	if (staged.pipe == pipe)
		staged.to = 0;
}

/* Is the message that is due in the stage, with all of its body? Then where. */
static const __mem40 uint8_t *stage_find(unsigned int pipe)
{
	const struct chan_pipe *p = &chan_pipe[pipe];
	const __mem40 uint8_t *at;
	__xread struct nfp_chan_hdr hdr;
	uint32_t len;

	if (staged.pipe != pipe || p->cons < staged.from ||
	    p->cons + sizeof(hdr) > staged.to)
		return NULL;
	at = ctm40(tonfp_stage + (uint32_t)(p->cons - staged.from));
	mem_read8(&hdr, at, sizeof(hdr));
	len = le32_to_cpu(hdr.len);
	if (len > chan_desc[p->chan].max_size ||
	    p->cons + chan_msg_bytes(p, len) > staged.to)
		return NULL;
	return at;
}

/*
 * Have the message that is due at the stage's beginning, of a large one a part;
 * behind small ones, what else was announced: it is read once, here or later.
 */
static const __mem40 uint8_t *stage_fill(unsigned int pipe, uint64_t avail)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	uint32_t most = chan_msg_bytes(p, chan_desc[p->chan].max_size);
	uint32_t n = most <= CHAN_STAGE ? CHAN_STAGE_NFP : CHAN_STAGE;
	SIGNAL sig;

	staged.to = 0;
	/* What is read of a message beyond whole ones is read again. */
	if (most <= CHAN_STAGE && chan_desc[p->chan].elem_size)
		n -= n % most;
	if (avail < n)
		n = (uint32_t)avail;
	if (!from_inline(p, ctm40(tonfp_stage), (uint32_t)avail)) {
		__assign_relative_register(&sig, SIG_DMA);
		chan_fetch(p, p->cons, ctm40(tonfp_stage), n, &sig);
	}
	staged.pipe = (uint8_t)pipe;
	staged.from = p->cons;
	staged.to = p->cons + n;
	return ctm40(tonfp_stage);
}

/* Bring the body to the process' buffer: what the stage has not, by DMA. */
static void fetch_body(struct chan_pipe *p, const __mem40 uint8_t *stage,
		       __mem40 uint8_t *buf, uint32_t len, SIGNAL *sig)
{
	uint32_t hdr = sizeof(struct nfp_chan_hdr);
	uint32_t have = (uint32_t)(staged.to - p->cons) - hdr;

	if (have > len)
		have = len;
	mem_copy(buf, stage + hdr, have);
	if (have < len)
		chan_fetch(p, p->cons + hdr + have, buf + have, len - have, sig);
}

/* What @pipe holds of a stream goes to the first receiver, as it asked. */
static void deliver_stream(unsigned int chan, unsigned int pipe)
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
	chan_count(chan, len / elem, len);
	if (chan_is_peer(p))
		chan_link_count(pipe, len / elem, len);
	chan_pair_taken(pipe);
	chan_taken(pipe);
	if (p->state == PIPE_CLOSING || p->hold)
		chan_settle();
	chan_complete(proc, CHAN_XREG_RECV, req.sig, len);
}

/* It is the first of the channel's receivers again: there was no message for it. */
static void put_back(struct chan_state *c, unsigned int proc)
{
	chan_slot[proc].rnext = c->rhead;
	if (c->rhead == CHAN_NONE)
		c->rtail = (uint8_t)proc;
	c->rhead = (uint8_t)proc;
}

/*
 * Deliver a message of @pipe to the channel's first receiver, which is taken from the
 * list before anything is waited for: links take from there, too.
 */
static void deliver(unsigned int chan, unsigned int pipe)
{
	struct chan_state *c = &chan_state[chan];
	struct chan_pipe *p = &chan_pipe[pipe];
	uint64_t avail = p->prod - p->cons;
	const __mem40 uint8_t *stage;
	__xread struct chan_work req;
	unsigned int proc;
	uint32_t len;
	SIGNAL sig;

	c->last = (uint8_t)pipe;
	p->busy = 1;
	proc = c->rhead;
	c->rhead = chan_slot[proc].rnext;
	stage = stage_find(pipe);
	if (!stage)
		stage = stage_fill(pipe, avail);
	if (!message_ok(p, stage, avail, &len)) {
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
	p->busy = 0;
	chan_skip_check(pipe);
	chan_count(chan, 1, len);
	if (chan_is_peer(p))
		chan_link_count(pipe, 1, len);
	chan_taken(pipe);
	if (p->state == PIPE_CLOSING || p->hold)
		chan_settle();
	chan_complete(proc, CHAN_XREG_RECV, req.sig, len);
}

/* The process has ended the channel: what is in its pipes stays there. */
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
		/* Ends: each receiver takes one message, each fault one pipe. */
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
