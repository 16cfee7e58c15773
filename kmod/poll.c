// SPDX-License-Identifier: GPL-2.0-only
/*
 * poll.c - reading the notification record, arming for the next interrupt, poll() and O_ASYNC.
 */
#include "pipe.h"

/*
 * The record, or after a detach the copy that the detach has made.
 * The host reads in the opposite order of the card's writes (O2 and O4 of uapi/PROTOCOL.rst).
 * So @pos is at least as new as @seq, and a final @state comes with the final @pos.
 */
void nfpc_note_get(struct nfpc_pipe *p, struct nfpc_note *n)
{
	const struct nfp_chan_note *note = p->gone->state ? p->gone : p->note->cpu;

	lockdep_assert_held(&p->lock);
	n->state = le32_to_cpu(READ_ONCE(note->state));
	dma_rmb();
	n->seq = le32_to_cpu(READ_ONCE(note->seq));
	dma_rmb();
	n->pos = le64_to_cpu(READ_ONCE(note->pos));
	dma_rmb();
}

/*
 * Ask the card to raise the vector once the record's count is not @seq, which may be at once
 * (PROTOCOL.rst, Arming). If user space writes a wrong value to the control page, its own pipe is
 * armed wrongly.
 */
void nfpc_pipe_arm(struct nfpc_pipe *p, u32 seq)
{
	u32 old, new;

	lockdep_assert_held(&p->lock);
	/* The pipe is armed with the same count, and has not fired yet. */
	if (!p->mapped && p->armed_seq == seq &&
	    test_bit(NFPC_PIPE_ARMED, &p->flags))
		return;
	new = (seq & NFP_CHAN_ARM_SEQ_MASK) |
	      (~READ_ONCE(p->ctl->arm) & NFP_CHAN_ARM_TOGGLE);
	old = xchg(&p->ctl->arm, new);
	p->armed_seq = seq;
	p->arms++;
	set_bit(NFPC_PIPE_ARMED, &p->flags);
	writel((new - old) & NFP_CHAN_FW_QC_PTR_MASK,
	       p->db + NFP_CHAN_FW_QC_STRIDE + NFP_CHAN_FW_QC_ADD_WPTR);
}

/*
 * The events that are pending. If the ring is mapped, the process's position is in the control
 * page. A wrong position misleads that process only.
 */
static __poll_t pipe_events(struct nfpc_pipe *p, struct nfpc_note *n)
{
	u64 pos, used;
	__poll_t events = 0;

	nfpc_note_get(p, n);
	pos = p->mapped ? READ_ONCE(p->ctl->pos) : p->pos;
	if (p->link) {
		/* read() and write() fail, so sleepers in poll() must wake. */
		events |= EPOLLERR;
	} else if (p->chan->dir == NFP_CHAN_TO_HOST) {
		if (n->pos != pos)
			events |= EPOLLIN | EPOLLRDNORM;
	} else {
		used = pos - n->pos;
		/* write() breaks the pipe then. The position of a process may be wrong, too. */
		if (!p->mapped && used > nfpc_pipe_ring_size(p))
			events |= EPOLLERR;
		if (!p->cancelling && used <= p->limit &&
		    nfpc_pipe_fits(p, used, nfpc_pipe_span(p, p->chan->max_size)))
			events |= EPOLLOUT | EPOLLWRNORM;
	}
	if (n->state == NFP_CHAN_STATE_EPIPE)
		events |= EPOLLHUP;
	else if (n->state != NFP_CHAN_STATE_OPEN)
		events |= EPOLLERR;
	if (p->error)
		events |= EPOLLERR;
	return events;
}

/*
 * Bounds the loop against a card that changes the count all the time. After the last look the
 * pipe is armed with an old count, so the card raises the interrupt at once.
 */
#define POLL_LOOKS	16

/*
 * Return the pending events. If none of them is @wanted, arm the pipe and look again. Another
 * thread may take messages meanwhile. Then the count has changed, and the pipe is armed again,
 * because a count must not be so old that it wraps (PROTOCOL.rst, Arming).
 */
__poll_t nfpc_pipe_look(struct nfpc_pipe *p, __poll_t wanted)
{
	struct nfpc_note n;
	__poll_t events;
	unsigned int i;
	u32 seq;

	guard(mutex)(&p->lock);
	if (!p->live)
		return EPOLLHUP | EPOLLERR;
	events = pipe_events(p, &n);
	for (i = 0; i < POLL_LOOKS && !(events & wanted); i++) {
		seq = n.seq;
		nfpc_pipe_arm(p, seq);
		events = pipe_events(p, &n);
		if (n.seq == seq)
			break;
	}
	return events;
}

/*
 * Arms the pipe whenever no wanted event is pending, even if the caller does not sleep in this
 * call: epoll polls in this way after a wake-up, and then sleeps without polling again.
 */
__poll_t nfpc_pipe_poll(struct file *file, struct poll_table_struct *pt)
{
	__poll_t wanted = poll_requested_events(pt) | EPOLLERR | EPOLLHUP;
	struct nfpc_pipe *p = file->private_data;

	poll_wait(file, &p->wq, pt);
	return nfpc_pipe_look(p, wanted);
}

/*
 * When O_ASYNC is set, pending events raise a signal at once. If there are none, the pipe is
 * armed, and each later call that finds no event arms it again.
 */
int nfpc_pipe_fasync(int fd, struct file *file, int on)
{
	struct nfpc_pipe *p = file->private_data;
	int ret = fasync_helper(fd, file, on, &p->fasync);

	if (ret > 0 && on && nfpc_pipe_look(p, ~(__poll_t)0))
		nfpc_pipe_sigio(p);
	return ret;
}
