// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_tohost.c - messages from ME processes to the host.
 *
 * Four contexts take work from one ring. A message first joins its channel's
 * list, sorted by ticket; whoever finds the head to be the next ticket, and a
 * pipe with room for it, takes it and reserves its place in the ring at once.
 * So the order is that of the tickets whichever context is faster, and a
 * message that cannot go waits in the list and holds up its channel only.
 *
 * DMA of several messages overlaps. The record must not show a message before
 * those in front of it have landed: chan_flight[] tells the notes' context
 * which are under way.
 */
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <nfp/mem_ring.h>
#include <nfp/pcie.h>
#include <nfp/remote_me.h>

#include "chan_int.h"

/* A message on its way: its work, and the place reserved for it. */
struct job {
	struct chan_work work;
	uint64_t pos;
	uint32_t seq;
	uint32_t left;		/* bytes that had not gone before this turn */
	uint32_t len;		/* bytes that go in it */
	uint8_t pipe;		/* CHAN_NONE: to be dropped */
	uint8_t to;		/* of a link: the process that gets it, or CHAN_NONE */
	uint8_t by;		/* pipe whose link has it dropped, or wait, or CHAN_NONE */
};

/* Put a message in its channel's list. */
static void park(const struct chan_work *work)
{
	struct chan_state *c = &chan_state[work->chan];
	struct chan_slot *s = &chan_slot[work->proc];
	uint8_t *link = &c->head;

	s->ticket = work->ticket;
	s->len = work->len;
	s->stalled = 0;
	s->parts = 0;
	s->dropped = 0;
	s->route = c->matches ? ROUTE_NEW : CHAN_NONE;
	while (*link != CHAN_NONE &&
	       (int32_t)(chan_slot[*link].ticket - work->ticket) < 0)
		link = &chan_slot[*link].next;
	s->next = *link;
	*link = work->proc;
}

static int has_room(const struct chan_pipe *p, uint32_t len)
{
	uint64_t used = p->prod - p->cons;

	if (chan_is_linked(p))
		return chan_link_ready((unsigned int)(p - chan_pipe));
	if (p->mute && !chan_is_peer(p))
		return 0;
	if (chan_desc[p->chan].depth == 0)
		return used == 0 && p->waiter == CHAN_NONE;
	return used + chan_msg_bytes(p, len) <= p->limit;
}

/*
 * The pipe with room that has fewest bytes outstanding; among equals, the one
 * whose turn it is. A message that has a route goes there or waits, others go
 * where there is none.
 */
static unsigned int pick(const struct chan_state *c, uint32_t len, unsigned int route)
{
	uint32_t left = route == CHAN_NONE ? c->pipes & ~chan_matched :
					    c->pipes & 1u << route;
	uint64_t used, least = ~0ull;
	unsigned int best = CHAN_NONE, i, n;

	for (n = 1; left && n <= CHAN_PIPES; n++) {
		i = (c->last + n) % CHAN_PIPES;
		if (!(left & 1u << i))
			continue;
		left &= ~(1u << i);
		/* What a link takes has gone at once. */
		used = chan_is_linked(&chan_pipe[i]) ? 0 : chan_pipe[i].prod - chan_pipe[i].cons;
		if (used >= least || !has_room(&chan_pipe[i], len))
			continue;
		least = used;
		best = i;
	}
	return best;
}

/* Is there a message that may be next? */
static int due(const struct chan_state *c)
{
	return c->head != CHAN_NONE && chan_slot[c->head].ticket == c->ticket;
}

static void reserve(struct job *job, unsigned int pipe, uint32_t len)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	struct chan_flight *f = &chan_flight[ctx() - CHAN_CTX_HOST];

	job->pipe = (uint8_t)pipe;
	job->pos = p->prod;
	job->seq = p->seq + 1;
	if (!chan_is_stream(p->chan))
		p->seq++;
	else if (!chan_counts_notes(p))
		p->seq += len / chan_desc[p->chan].elem_size;
	p->prod += chan_msg_bytes(p, len);
	p->busy++;
	f->pipe = (uint8_t)pipe;
	f->pos = job->pos;
	f->seq = job->seq;
}

/*
 * What fits of the stream's next send. Its ring has one reader, and what one
 * sender sends at a time stays together.
 */
static unsigned int pick_part(const struct chan_state *c, uint32_t *len)
{
	const struct chan_pipe *p;
	uint32_t room;

	if (!c->pipes)
		return CHAN_NONE;
	p = &chan_pipe[ffs(c->pipes)];
	if (p->link == CHAN_NONE && p->mute)
		return CHAN_NONE;
	if (chan_is_linked(p))
		room = chan_link_ready(ffs(c->pipes));
	else
		room = p->limit - (uint32_t)(p->prod - p->cons);
	if (room > CHAN_CHUNK)
		room = CHAN_CHUNK;
	room -= room % chan_desc[p->chan].elem_size;
	if (!room)
		return CHAN_NONE;
	if (*len > room)
		*len = room;
	return ffs(c->pipes);
}

/* struct job.pipe, taken as take() says: the message goes nowhere. */
static int take_none(struct job *job, unsigned int by)
{
	job->pipe = CHAN_NONE;
	job->by = (uint8_t)by;
	return 1;
}

/*
 * Does the channel's policy drop the message, as nobody has room? @by: the link that is to
 * take it. An event that a link takes waits: it has a buffer, and once all have one, further
 * events are lost at their program.
 */
static int drops(unsigned int chan, unsigned int by)
{
	unsigned int flags = chan_desc[chan].flags;

	if (!(flags & NFP_CHAN_F_DROP))
		return 0;
	return !(flags & NFP_CHAN_F_XDP) || chan_xdp_ends == chan + 1 || by == CHAN_NONE ||
	       !(chan_state[chan].pipes & 1u << by);
}

/* Take the channel's next message if it can go. Nothing here swaps out. */
static int take(unsigned int chan, struct job *job, unsigned int *proc, int *stalled)
{
	struct chan_state *c = &chan_state[chan];
	struct chan_slot *s;
	unsigned int pipe, by;

	*stalled = 0;
	if (!due(c))
		return 0;
	*proc = c->head;
	s = &chan_slot[*proc];
	job->left = s->len;
	job->len = s->len;
	job->to = CHAN_NONE;
	if (chan_is_stream(chan))
		pipe = pick_part(c, &job->len);
	else
		pipe = pick(c, s->len, s->route);
	by = pipe == CHAN_NONE ? chan_link_blame(chan, s->route) : CHAN_NONE;
	if (pipe == CHAN_NONE && !drops(chan, by)) {
		*stalled = !s->stalled;
		s->stalled = 1;
		job->by = (uint8_t)by;
		return 0;
	}
	s->len -= job->len;
	if (!s->len) {
		c->head = s->next;
		c->ticket++;
	}
	if (pipe == CHAN_NONE)
		return take_none(job, by);
	if (chan_pipe[pipe].link == LINK_DROP)
		return take_none(job, pipe);
	s->parts++;
	c->last = (uint8_t)pipe;
	if (chan_is_linked(&chan_pipe[pipe])) {
		job->pipe = (uint8_t)pipe;
		job->to = (uint8_t)chan_link_claim(pipe);
		return 1;
	}
	if (chan_desc[chan].depth == 0)
		chan_pipe[pipe].waiter = (uint8_t)*proc;
	reserve(job, pipe, job->len);
	return 1;
}

/* A part of a stream lies in the ring as it is. */
static void move_part(struct job *job)
{
	struct chan_pipe *p = &chan_pipe[job->pipe];
	uint64_t addr = (uint64_t)job->work.addr_hi << 32 | job->work.addr_lo;
	SIGNAL sig;

	__assign_relative_register(&sig, SIG_DMA);
	chan_dma(p, 1, job->pos, mem40_ptr(addr + job->work.len - job->left), job->len, &sig);
	wait_for_all(&sig);
}

/* Have header and body put in the ring. */
static void move(struct job *job)
{
	struct chan_pipe *p = &chan_pipe[job->pipe];
	__mem40 uint8_t *stage = ctm40(chan_stage[ctx() - CHAN_CTX_HOST]);
	uint64_t addr = (uint64_t)job->work.addr_hi << 32 | job->work.addr_lo;
	uint32_t len = job->work.len, staged = sizeof(struct nfp_chan_hdr), before;
	__xread uint32_t body[CHAN_REG_MAX / 4];
	uint32_t words[CHAN_REG_MAX / 4];
	__xwrite struct nfp_chan_hdr out;
	struct nfp_chan_hdr hdr;
	const struct me_context *me;
	SIGNAL sig;

	hdr.len = cpu_to_le32(p->hdr + len);
	hdr.seq = cpu_to_le16(job->seq);
	hdr.rsvd = 0;
	out = hdr;
	mem_write8(&out, stage, sizeof(out));
	if (p->hdr)
		staged += chan_route_header(job->pipe, stage + staged);
	before = staged;
	if (len && job->work.regs) {
		me = &me_contexts[job->work.proc];
		__assign_relative_register(&sig, SIG_REFLECT);
		reflect_read_sig_init(body, me->island, me->me,
				      XFER_REG(me->ctx, CHAN_XREG_BODY), (len + 3) & ~3u, &sig);
		wait_for_all(&sig);
		reg_cp_in(words, body, sizeof(words));
		chan_mem_write(words, stage + staged, len);
		staged += len;
	} else if (len <= CHAN_STAGE - staged) {
		mem_copy(stage + staged, mem40_ptr(addr), len);
		staged += len;
	}
	__assign_relative_register(&sig, SIG_DMA);
	if (staged == before + len) {
		chan_dma(p, 1, job->pos, stage, staged, &sig);
	} else {
		chan_dma(p, 1, job->pos, stage, staged, NULL);
		chan_dma(p, 1, job->pos + staged, mem40_ptr(addr), len, &sig);
	}
	wait_for_all(&sig);
}

/* How often what is carried or dropped counts. */
static uint32_t elements(unsigned int chan, uint32_t len)
{
	return chan_is_stream(chan) ? len / chan_desc[chan].elem_size : 1;
}

/* A message has gone, or part of a stream: is it the last? */
static void end_part(const struct chan_work *work)
{
	const struct chan_slot *s = &chan_slot[work->proc];

	if (!s->parts && !s->len)
		chan_complete(work->proc, CHAN_XREG_SEND, work->sig,
			      s->dropped ? CHAN_DROPPED : CHAN_OK);
}

static void send(struct job *job, unsigned int chan)
{
	struct chan_work *work = &job->work;
	struct chan_pipe *p;

	if (job->pipe == CHAN_NONE) {
		chan_count_dropped(chan, elements(chan, job->len));
		chan_link_count_missed(job->by, elements(chan, job->len));
		chan_slot[work->proc].dropped = 1;
		end_part(work);
		return;
	}
	if (job->to != CHAN_NONE) {
		chan_link_deliver(job->pipe, job->to, work, work->len - job->left, job->len);
		chan_slot[work->proc].parts--;
		end_part(work);
		return;
	}
	p = &chan_pipe[job->pipe];
	if (chan_is_stream(chan))
		move_part(job);
	else
		move(job);
	chan_flight[ctx() - CHAN_CTX_HOST].pipe = CHAN_NONE;
	p->busy--;
	chan_count(chan, elements(chan, job->len), job->len);
	if (chan_is_peer(p))
		chan_link_count(job->pipe, elements(chan, job->len), job->len);
	chan_news(job->pipe);
	if (p->state == PIPE_CLOSING || p->hold)
		chan_settle();
	/* Of a rendezvous the slot may be another send's: chan_fault() has ended this one. */
	if (!chan_desc[chan].depth)
		return;
	chan_slot[work->proc].parts--;
	end_part(work);
}

/* The process has ended the channel: show it behind the last message. */
static void end(unsigned int chan)
{
	uint32_t pipes = chan_state[chan].pipes;
	unsigned int i;

	chan_state[chan].ended = 1;
	for (; pipes; pipes &= pipes - 1) {
		i = ffs(pipes);
		chan_pipe[i].note_state = NFP_CHAN_STATE_EPIPE;
		chan_note_kick(i);
	}
}

void chan_tohost_main(void)
{
	__xread struct chan_work in;
	__xwrite struct chan_work out;
	struct chan_work work;
	struct job job;
	unsigned int proc = 0, chan;
	int stalled;
	SIGNAL sig;

	chan_attach();
	for (;;) {
		__assign_relative_register(&sig, SIG_WORK);
		__mem_workq_add_thread(CHAN_RING_HOST, 0, &in, sizeof(in), sizeof(in),
				       sig_done, &sig);
		wait_for_all(&sig);
		work = in;
		chan = work.chan;
		if (work.kind == WORK_SEND) {
			out = work;
			mem_write8(&out, emem40(&chan_parked[work.proc]), sizeof(out));
			park(&work);
		} else if (work.kind == WORK_KICK) {
			chan_state[chan].kicked = 0;
		} else if (work.kind == WORK_DROP) {
			chan_count_dropped(chan, work.len);
			chan_complete(work.proc, CHAN_XREG_SEND, work.sig, CHAN_OK);
		} else {
			end(chan);
		}
		while (due(&chan_state[chan]) &&
		       chan_slot[chan_state[chan].head].route == ROUTE_NEW)
			chan_route_find(chan, chan_state[chan].head);
		if (!take(chan, &job, &proc, &stalled)) {
			if (stalled) {
				chan_count_stalled(chan);
				chan_link_count_missed(job.by, 0);
			}
			continue;
		}
		/*
		 * The rest of the list is for whoever comes next to the ring,
		 * behind the work of other channels.
		 */
		if (due(&chan_state[chan]))
			chan_kick(chan);
		mem_read8(&in, emem40(&chan_parked[proc]), sizeof(in));
		job.work = in;
		send(&job, chan);
	}
}
