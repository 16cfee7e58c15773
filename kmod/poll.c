// SPDX-License-Identifier: GPL-2.0-only
/*
 * poll.c - what a pipe has to tell: the notification record, arming for the next
 * interrupt, poll() and SIGIO.
 */
#include <linux/dma-mapping.h>
#include <linux/poll.h>
#include "pipe.h"

/*
 * Against the order of the card's writes (O4 of uapi/PROTOCOL.rst): what is not
 * in @pos is not in @seq, and a final @state comes with the final @pos.
 */
void nfpc_note_get(struct nfpc_pipe *p, struct nfpc_note *n)
{
	const struct nfp_chan_note *note = p->note->cpu;

	lockdep_assert_held(&p->lock);
	n->state = le32_to_cpu(READ_ONCE(note->state));
	dma_rmb();
	n->seq = le32_to_cpu(READ_ONCE(note->seq));
	dma_rmb();
	n->pos = le64_to_cpu(READ_ONCE(note->pos));
	dma_rmb();
}

/*
 * Have the vector raised once the record's @seq is another than this one: at
 * once when it is already (PROTOCOL.rst, Arming). A value that user space
 * invents in the control page arms its own pipe wrongly.
 */
void nfpc_pipe_arm(struct nfpc_pipe *p, u32 seq)
{
	u32 old, new;

	lockdep_assert_held(&p->lock);
	/* Still armed for the same: the interrupt is yet to come. */
	if (!p->ctl_mapped && p->armed_seq == seq &&
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
 * What is to be seen now. The position of a user who has the ring mapped is
 * read from the control page; a wrong one misleads that user alone.
 */
static __poll_t pipe_events(struct nfpc_pipe *p, struct nfpc_note *n)
{
	u64 pos, used;
	__poll_t events = 0;

	nfpc_note_get(p, n);
	pos = p->ctl_mapped ? READ_ONCE(p->ctl->pos) : p->pos;
	if (p->link) {
		/* read() and write() fail, so who sleeps here is to know. */
		events |= EPOLLERR;
	} else if (p->dir == NFP_CHAN_TO_HOST) {
		if (n->pos != pos)
			events |= EPOLLIN | EPOLLRDNORM;
	} else {
		used = pos - n->pos;
		/* What write() calls broken; a user's own position may be behind. */
		if (!p->ctl_mapped && !p->shared && used > nfpc_pipe_ring_size(p))
			events |= EPOLLERR;
		if (!p->cancelling && used <= p->limit &&
		    nfpc_pipe_fits(p, used, nfpc_pipe_span(p, p->max_size)))
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
 * A card that tells of another count at each look, and of nothing that is there, is
 * armed for the last of them, and so raises its interrupt at once.
 */
#define POLL_LOOKS	16

/*
 * What is there; the pipe is armed if none of it is @wanted: again when another
 * thread has taken messages meanwhile. What is armed with must not be so old that
 * counts come round (PROTOCOL.rst).
 */
static __poll_t pipe_look(struct nfpc_pipe *p, __poll_t wanted)
{
	__poll_t events = EPOLLHUP | EPOLLERR;
	unsigned int i;
	struct nfpc_note n;
	u32 seq;

	mutex_lock(&p->lock);
	if (!p->live)
		goto out;
	events = pipe_events(p, &n);
	for (i = 0; i < POLL_LOOKS && !(events & wanted); i++) {
		seq = n.seq;
		nfpc_pipe_arm(p, seq);
		events = pipe_events(p, &n);
		if (n.seq == seq)
			break;
	}
out:
	mutex_unlock(&p->lock);
	return events;
}

/*
 * Arms whenever nothing of what is asked for is there, even for a caller that
 * will not sleep in this call: epoll looks again after a wake-up in that way,
 * and then sleeps without another look. Errors are always asked for.
 */
__poll_t nfpc_pipe_poll(struct file *file, struct poll_table_struct *pt)
{
	__poll_t wanted = poll_requested_events(pt) | EPOLLERR | EPOLLHUP;
	struct nfpc_pipe *p = file->private_data;

	poll_wait(file, &p->wq, pt);
	return pipe_look(p, wanted);
}

/*
 * O_ASYNC set anew: armed as by poll() when nothing is there yet; what is there
 * already is told at once. From then on whoever finds nothing has armed.
 */
int nfpc_pipe_fasync(int fd, struct file *file, int on)
{
	struct nfpc_pipe *p = file->private_data;
	int ret = fasync_helper(fd, file, on, &p->fasync);

	if (ret > 0 && on && pipe_look(p, ~(__poll_t)0))
		nfpc_pipe_sigio(p);
	return ret;
}
