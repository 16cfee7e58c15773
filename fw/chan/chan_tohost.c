// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_tohost.c - messages from ME processes to the host.
 *
 * Four contexts take work from one ring. A context first enters a message in the list of its
 * channel, which is sorted by ticket. When the head of the list has the next ticket, and a pipe
 * has room for it, a context takes the message and reserves its place in the pipe's ring,
 * without a wait between. So the order of messages is the order of tickets, whichever context
 * is faster. A message that cannot go waits in the list, and delays only its channel.
 *
 * A small message joins a buffer with others (chan_gather.c), any other has a DMA for itself. The
 * DMAs of several messages overlap. A record must not show a message before the messages before it
 * have landed, so chan_flight[] says which messages are under way.
 */
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <nfp/mem_ring.h>
#include <nfp/pcie.h>
#include <nfp/remote_me.h>

#include "chan_int.h"

/* A message under way: its work, and the place that is reserved for it. */
struct job {
	struct chan_work work;
	uint64_t pos;
	uint32_t seq;
	uint32_t left;		/* bytes that were not sent before this turn */
	uint32_t len;		/* bytes that are sent in this turn */
	uint32_t at;		/* place in @gather */
	uint8_t gather;		/* buffer of chan_gather.c, or CHAN_NONE */
	uint8_t pipe;		/* CHAN_NONE: to be dropped */
	uint8_t to;		/* link: the process that receives, or CHAN_NONE */
	uint8_t by;		/* the pipe whose link drops or delays the message, or CHAN_NONE */
};

/* Enter a message in the list of its channel. */
static void park(const struct chan_work *work)
{
	struct chan_state *c = &chan_state[work->chan];
	struct chan_slot *s = &chan_slot[work->proc];
	uint8_t *link = &c->head;

	s->ticket = (uint16_t)work->ticket;
	s->len = work->len;
	s->stalled = 0;
	s->parts = 0;
	s->dropped = 0;
	s->route = c->matches ? ROUTE_NEW : CHAN_NONE;
	while (*link != CHAN_NONE &&
	       (int16_t)(chan_slot[*link].ticket - work->ticket) < 0)
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
 * Return: the pipe with room that has the fewest bytes outstanding; among equal pipes, the next
 * after the one that was served last. A message with a route goes to the pipe of the route or
 * waits. A message without goes to a pipe without a rule.
 */
static unsigned int pick(const struct chan_state *c, uint32_t len, unsigned int route)
{
	uint32_t left = route == CHAN_NONE ? c->pipes & ~chan_matched :
					    c->pipes & 1u << route;
	uint32_t before = left & ((2u << c->last) - 1);
	uint64_t used, least = ~0ull;
	unsigned int best = CHAN_NONE, i;

	if (left && !(left & (left - 1)))
		return has_room(&chan_pipe[ffs(left)], len) ? ffs(left) : CHAN_NONE;
	for (left &= ~before; left | before; ) {
		if (!left) {
			left = before;
			before = 0;
		}
		i = ffs(left);
		left &= left - 1;
		/* A link delivers at once, so it never has bytes outstanding. */
		used = chan_is_linked(&chan_pipe[i]) ? 0 : chan_pipe[i].prod - chan_pipe[i].cons;
		if (used >= least || !has_room(&chan_pipe[i], len))
			continue;
		least = used;
		best = i;
	}
	return best;
}

/* Is the message with the next ticket in the list? */
static int due(const struct chan_state *c)
{
	return c->head != CHAN_NONE && chan_slot[c->head].ticket == (uint16_t)c->ticket;
}

static void reserve_flight(const struct job *job)
{
	struct chan_flight *f = &chan_flight[ctx() - CHAN_CTX_HOST];

	chan_gather_close(job->pipe);
	chan_pipe[job->pipe].busy++;
	f->pipe = job->pipe;
	f->pos = job->pos;
	f->seq = job->seq;
}

static void reserve(struct job *job, unsigned int pipe, uint32_t len)
{
	struct chan_pipe *p = &chan_pipe[pipe];
	uint32_t bytes = chan_msg_bytes(p, len);

	job->pipe = (uint8_t)pipe;
	job->pos = p->prod;
	job->seq = p->seq + 1;
	job->gather = CHAN_NONE;
	if (bytes <= CHAN_STAGE && chan_desc[p->chan].depth && !chan_is_peer(p))
		job->gather = (uint8_t)chan_gather_join(pipe, job->pos, job->seq, bytes, &job->at);
	if (job->gather == CHAN_NONE)
		reserve_flight(job);
	if (!chan_is_stream(p->chan))
		p->seq++;
	else if (!chan_counts_notes(p))
		p->seq += len / chan_desc[p->chan].elem_size;
	p->prod += bytes;
}

/*
 * Choose the bytes of the stream's next send that fit. A stream has one pipe, and the bytes of
 * one send stay together.
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

/* Take a message that is dropped. @by: the pipe whose link drops it. */
static int take_none(struct job *job, unsigned int by)
{
	job->pipe = CHAN_NONE;
	job->by = (uint8_t)by;
	return 1;
}

/*
 * No pipe has room. Return: whether the channel's policy drops the message. @by: the pipe whose
 * link is to take the message. An event of an XDP program waits for the link: the event keeps
 * its buffer, and when no buffer is free, the program loses further events.
 */
static int drops(unsigned int chan, unsigned int by)
{
	unsigned int flags = chan_desc[chan].flags;

	if (!(flags & NFP_CHAN_F_DROP))
		return 0;
	return !(flags & NFP_CHAN_F_XDP) || chan_xdp_ends == chan + 1 || by == CHAN_NONE ||
	       !(chan_state[chan].pipes & 1u << by);
}

/* Take the channel's next message if it can go. */
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
	s->parts++;
	if (pipe == CHAN_NONE)
		return take_none(job, by);
	if (chan_pipe[pipe].link == LINK_DROP)
		return take_none(job, pipe);
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

/*
 * Take a message that has just come, if it is its turn and it joins a buffer. Then it needs no place
 * in the list.
 */
static int take_now(const struct chan_work *work, struct job *job)
{
	struct chan_state *c = &chan_state[work->chan];
	struct chan_slot *s = &chan_slot[work->proc];
	unsigned int pipe;

	job->len = work->len;
	if (c->head != CHAN_NONE || c->ticket != work->ticket || c->matches ||
	    work->len > CHAN_STAGE || !chan_desc[work->chan].depth)
		return 0;
	if (chan_is_stream(work->chan))
		pipe = pick_part(c, &job->len);
	else
		pipe = pick(c, work->len, CHAN_NONE);
	if (pipe == CHAN_NONE || job->len != work->len || chan_pipe[pipe].link != CHAN_NONE)
		return 0;
	job->work = *work;
	job->left = work->len;
	job->to = CHAN_NONE;
	s->len = 0;
	s->parts = 1;
	s->dropped = 0;
	c->ticket++;
	c->last = (uint8_t)pipe;
	reserve(job, pipe, work->len);
	return 1;
}

/* Move a part of a stream, which has no header. */
static __swaps void move_part(struct job *job)
{
	struct chan_pipe *p = &chan_pipe[job->pipe];
	uint64_t addr = (uint64_t)job->work.addr_hi << 32 | job->work.addr_lo;
	SIGNAL sig;

	__assign_relative_register(&sig, SIG_DMA);
	chan_dma(p, 1, job->pos, mem40_ptr(addr + job->work.len - job->left), job->len, &sig);
	wait_for_all(&sig);
}

/* Write the header of a message to @buf. Return: its bytes. */
static __swaps uint32_t put_header(const struct job *job, __mem40 uint8_t *buf)
{
	struct chan_pipe *p = &chan_pipe[job->pipe];
	__xwrite struct nfp_chan_hdr out;
	struct nfp_chan_hdr hdr;

	hdr.len = cpu_to_le32(p->hdr + job->work.len);
	hdr.seq = cpu_to_le16(job->seq);
	hdr.rsvd = 0;
	out = hdr;
	mem_write8(&out, buf, sizeof(out));
	if (!p->hdr)
		return sizeof(hdr);
	return sizeof(hdr) + chan_route_header(job->pipe, buf + sizeof(hdr));
}

/* Put a message or a part of a stream into the buffer that it has joined. */
static __swaps void gather(const struct job *job)
{
	__mem40 uint8_t *buf = ctm40(chan_gather_buf[job->gather] + job->at);
	const struct chan_pipe *p = &chan_pipe[job->pipe];
	uint32_t used = 0, bytes = chan_msg_bytes(p, job->len);

	if (!chan_is_stream(p->chan))
		used = put_header(job, buf);
	chan_work_copy(&job->work, job->work.len - job->left, buf + used, job->len);
	used += job->len;
	/* The buffer may have bytes of a pipe of another user. */
	if (used < bytes)
		mem_zero(buf + used, bytes - used);
}

/* Move header and body of a message to the ring. */
static __swaps void move(struct job *job)
{
	struct chan_pipe *p = &chan_pipe[job->pipe];
	__mem40 uint8_t *stage = ctm40(chan_stage[ctx() - CHAN_CTX_HOST]);
	uint64_t addr = (uint64_t)job->work.addr_hi << 32 | job->work.addr_lo;
	uint32_t len = job->work.len, staged, before;
	SIGNAL sig;

	staged = put_header(job, stage);
	before = staged;
	if (len <= CHAN_STAGE - staged) {
		chan_work_copy(&job->work, 0, stage + staged, len);
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

/* Return: the number that @len bytes count for: elements of a stream, or 1 message. */
static uint32_t elements(unsigned int chan, uint32_t len)
{
	return chan_is_stream(chan) ? len / chan_desc[chan].elem_size : 1;
}

/* A message or a part of a stream has gone. The last part completes the send. */
static void end_part(const struct chan_work *work)
{
	const struct chan_slot *s = &chan_slot[work->proc];

	if (!s->parts && !s->len)
		chan_complete(work->proc, CHAN_XREG_SEND, work->sig,
			      s->dropped ? CHAN_DROPPED : CHAN_OK);
}

static __swaps void send(struct job *job, unsigned int chan)
{
	struct chan_work *work = &job->work;

	if (job->pipe == CHAN_NONE) {
		chan_count_dropped(chan, elements(chan, job->len));
		chan_link_count_missed(job->by, elements(chan, job->len));
		chan_slot[work->proc].dropped = 1;
		chan_slot[work->proc].parts--;
		end_part(work);
		return;
	}
	if (job->to != CHAN_NONE) {
		chan_link_deliver(job->pipe, job->to, work, work->len - job->left, job->len);
		chan_slot[work->proc].parts--;
		end_part(work);
		return;
	}
	if (job->gather != CHAN_NONE) {
		gather(job);
		chan_count(chan, elements(chan, job->len), job->len, 0);
		chan_slot[work->proc].parts--;
		end_part(work);
		chan_gather_joined(job->gather);
		return;
	}
	/* The messages before this one go out as well. */
	chan_gather_flush(chan);
	if (chan_is_stream(chan))
		move_part(job);
	else
		move(job);
	chan_flight[ctx() - CHAN_CTX_HOST].pipe = CHAN_NONE;
	chan_count(chan, elements(chan, job->len), job->len, 1);
	if (chan_is_peer(&chan_pipe[job->pipe]))
		chan_link_count(job->pipe, elements(chan, job->len), job->len);
	chan_landed(job->pipe);
	/* Rendezvous: chan_fault() may have ended this send, and the slot may have a new one. */
	if (!chan_desc[chan].depth)
		return;
	chan_slot[work->proc].parts--;
	end_part(work);
}

/* The process has ended the channel: show that after the last message. */
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
		switch (work.kind) {
		case WORK_SEND:
			if (take_now(&work, &job)) {
				send(&job, chan);
				continue;
			}
			out = work;
			mem_write8(&out, emem40(&chan_parked[work.proc]), sizeof(out));
			park(&work);
			break;
		case WORK_KICK:
			chan_state[chan].kicked = 0;
			chan_gather_flush(chan);
			break;
		case WORK_DROP:
			chan_count_dropped(chan, work.len);
			chan_complete(work.proc, CHAN_XREG_SEND, work.sig, CHAN_OK);
			break;
		case WORK_END:
			end(chan);
			chan_gather_flush(chan);
			break;
		}
		/*
		 * Find the link of the next message. chan_route_find() swaps out, so another
		 * message, which has no route yet, may be the next one afterwards.
		 */
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
		 * A kick makes the next free context serve the rest of the list, after the work
		 * of other channels.
		 */
		if (due(&chan_state[chan]))
			chan_kick(chan);
		mem_read8(&in, emem40(&chan_parked[proc]), sizeof(in));
		job.work = in;
		send(&job, chan);
	}
}
