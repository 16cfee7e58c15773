// SPDX-License-Identifier: GPL-2.0-only
/*
 * pipe_io.c - read() and write() of a channel fd, for languages and scripts. A process that
 * wants to do without copies and system calls maps the ring.
 *
 * Messages are copied through a kernel buffer. pipe->lock keeps the detach from freeing the
 * ring, so it is held while the ring is accessed. It is not held while user memory is
 * accessed, because user space can delay that for as long as it likes.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/pci.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include "pipe.h"

#define STREAM_PART	SZ_64K	/* bytes of a stream that one call moves */

/*
 * @p has taken or sent a message, or @len bytes of a stream: ring the data doorbell for whole
 * units. A stream may have a rest, which waits for more.
 */
static void pipe_advance(struct nfpc_pipe *p, u32 len)
{
	u64 pos = p->pos + nfpc_pipe_span(p, len);
	u32 units = (pos >> p->unit_shift) - (p->pos >> p->unit_shift);

	p->pos = pos;
	p->msgs += nfpc_pipe_is_stream(p) ? len / p->chan->elem_size : 1;
	/* writel() orders the accesses to the ring before the doorbell (O5). */
	if (units)
		writel(units, p->db + NFP_CHAN_FW_QC_ADD_WPTR);
}

/*
 * The card has broken the protocol: log it, and never look at the ring again. The card raises
 * no interrupt for this, so sleepers are woken here.
 */
static int pipe_broken(struct nfpc_pipe *p, const char *what, u64 value, u64 limit)
{
	dev_err_ratelimited(&p->card->pdev->dev,
			    "%s pipe %u: %s %llu, must be %llu: disabled\n",
			    p->chan->name, p->nr, what, value, limit);
	p->error = -EIO;
	nfpc_pipe_event(p);
	return -EIO;
}

/* The error of the record's state. An unknown state breaks the protocol. */
static int note_error(struct nfpc_pipe *p, const struct nfpc_note *n)
{
	switch (n->state) {
	case NFP_CHAN_STATE_OPEN:
		return 0;
	case NFP_CHAN_STATE_EPIPE:
		return -EPIPE;
	case NFP_CHAN_STATE_FAULT:
		return -EIO;
	default:
		return pipe_broken(p, "state", n->state, NFP_CHAN_STATE_OPEN);
	}
}

/* Return 0, or the error of read() and write() if they cannot use the pipe. */
static int pipe_usable(struct nfpc_pipe *p)
{
	lockdep_assert_held(&p->lock);
	if (!p->live)
		return -ENODEV;
	if (p->link)
		return -EISCONN;
	if (p->mapped)
		return -EBUSY;
	return p->error;
}

static void ring_out(struct nfpc_pipe *p, u64 pos, void *buf, u32 len)
{
	u32 at = pos & (nfpc_pipe_ring_size(p) - 1);
	u32 part = min(len, nfpc_pipe_ring_size(p) - at);

	memcpy(buf, p->ring->cpu + at, part);
	memcpy(buf + part, p->ring->cpu, len - part);
}

static void ring_in(struct nfpc_pipe *p, u64 pos, const void *buf, u32 len)
{
	u32 at = pos & (nfpc_pipe_ring_size(p) - 1);
	u32 part = min(len, nfpc_pipe_ring_size(p) - at);

	memcpy(p->ring->cpu + at, buf, part);
	memcpy(p->ring->cpu, buf + part, len - part);
}

/* The part of @avail bytes of a stream that one read() with @room takes. */
static ssize_t rx_part(struct nfpc_pipe *p, u32 avail, size_t room)
{
	u32 part;

	if (avail % p->chan->elem_size)
		return pipe_broken(p, "bytes of part of an element",
				   avail % p->chan->elem_size, 0);
	part = min_t(size_t, avail, room);
	return max(part - part % p->chan->elem_size, p->chan->elem_size);
}

/*
 * Return: payload bytes of the next message, or bytes of a stream that @room takes, or -errno.
 * Everything that the card has written is checked.
 */
static ssize_t rx_next(struct nfpc_pipe *p, size_t room)
{
	u32 size = nfpc_pipe_ring_size(p), len;
	struct nfp_chan_hdr hdr;
	struct nfpc_note n;
	u64 avail;

	nfpc_note_get(p, &n);
	avail = n.pos - p->pos;
	if (!avail)
		return note_error(p, &n) ?: -EAGAIN;
	if (avail > size)
		return pipe_broken(p, "bytes available", avail, size);
	if (nfpc_pipe_is_stream(p))
		return rx_part(p, avail, room);
	if (avail & ((1U << p->unit_shift) - 1))
		return pipe_broken(p, "bytes available not in units", avail,
				   1U << p->unit_shift);
	ring_out(p, p->pos, &hdr, sizeof(hdr));
	len = le32_to_cpu(hdr.len);
	if (le16_to_cpu(hdr.seq) != (u16)(p->msgs + 1))
		return pipe_broken(p, "message number", le16_to_cpu(hdr.seq),
				   (u16)(p->msgs + 1));
	if (len > p->chan->max_size)
		return pipe_broken(p, "message bytes", len, p->chan->max_size);
	if (p->chan->elem_size && len != p->chan->elem_size)
		return pipe_broken(p, "message bytes", len, p->chan->elem_size);
	if (nfpc_pipe_span(p, len) > avail)
		return pipe_broken(p, "message bytes", len, avail - sizeof(hdr));
	return len;
}

/*
 * Copy the next message to @buf, and leave it in the ring. If there is none, and with @arm, arm
 * the pipe and look again.
 */
static ssize_t rx_fetch(struct nfpc_pipe *p, void *buf, size_t room, bool arm)
{
	struct nfpc_note n;
	ssize_t len;

	guard(mutex)(&p->lock);
	len = pipe_usable(p);
	if (len)
		return len;
	len = rx_next(p, room);
	if (len == -EAGAIN && arm) {
		nfpc_note_get(p, &n);
		/* Nonblocking readers need this, too: edge-triggered epoll does not poll again. */
		if (n.pos == p->pos)
			nfpc_pipe_arm(p, n.seq);
		len = rx_next(p, room);
	}
	if (len > 0 && len > room)
		return -EMSGSIZE;
	if (len > 0)
		ring_out(p, p->pos + nfpc_pipe_hdr(p), buf, len);
	return len;
}

/* User space has the message. read_lock has been held since rx_fetch(). */
static int rx_consume(struct nfpc_pipe *p, u32 len)
{
	int err;

	guard(mutex)(&p->lock);
	err = pipe_usable(p);
	/* -ENODEV: detached meanwhile, but the message was delivered. */
	if (err)
		return err == -ENODEV ? 0 : err;
	pipe_advance(p, len);
	return 0;
}

/*
 * The reader that holds read_lock may sleep in the copy to its memory. A nonblocking
 * reader does not wait for that copy, and has not armed the pipe, so rx_unlock() wakes
 * it. The second trylock is for a holder that unlocks before the bit is set.
 */
static int rx_lock(struct nfpc_pipe *p, bool nonblock)
{
	if (!nonblock)
		return mutex_lock_interruptible(&p->read_lock) ? -ERESTARTSYS : 0;
	if (mutex_trylock(&p->read_lock))
		return 0;
	set_bit(NFPC_PIPE_PASSED, &p->flags);
	smp_mb__after_atomic();		/* against the one of rx_unlock() */
	return mutex_trylock(&p->read_lock) ? 0 : -EAGAIN;
}

static void rx_unlock(struct nfpc_pipe *p)
{
	mutex_unlock(&p->read_lock);
	if (test_and_clear_bit(NFPC_PIPE_PASSED, &p->flags))
		nfpc_pipe_event(p);
}

/*
 * Another thread may change O_NONBLOCK during the call. So the caller reads it once for a try
 * and the wait after it: a try that does not arm must not be followed by a sleep.
 */
static bool io_nonblock(struct kiocb *iocb)
{
	return READ_ONCE(iocb->ki_filp->f_flags) & O_NONBLOCK ||
	       iocb->ki_flags & IOCB_NOWAIT;
}

static ssize_t rx_try(struct kiocb *iocb, struct iov_iter *to, void *buf,
		      size_t room, bool nonblock)
{
	struct nfpc_pipe *p = iocb->ki_filp->private_data;
	ssize_t len;
	int err;

	err = rx_lock(p, nonblock);
	if (err)
		return err;
	/* A nonblocking reader with a port waits for the port, so one interrupt is enough. */
	len = rx_fetch(p, buf, room, !(p->port && nonblock));
	if (len >= 0 && copy_to_iter(buf, len, to) != len)
		len = -EFAULT;
	else if (len >= 0)
		len = rx_consume(p, len) ?: len;
	rx_unlock(p);
	return len;
}

/* A try has armed the pipe and returned -EAGAIN: sleep, or give up. */
static int io_wait(struct wait_queue_entry *wait, bool nonblock)
{
	if (nonblock)
		return -EAGAIN;
	if (signal_pending(current))
		return -ERESTARTSYS;
	wait_woken(wait, TASK_INTERRUPTIBLE, MAX_SCHEDULE_TIMEOUT);
	return 0;
}

/* The largest number of bytes that one call moves. */
static size_t io_max(const struct nfpc_pipe *p)
{
	return nfpc_pipe_is_stream(p) ? max_t(u32, STREAM_PART, p->chan->elem_size)
				      : p->chan->max_size;
}

/*
 * A call with IOCB_NOWAIT must not sleep for memory. io_uring makes the call that gets -EAGAIN
 * again, in the end from a worker that may sleep.
 */
static void *io_buf(const struct kiocb *iocb, size_t len)
{
	bool nowait = iocb->ki_flags & IOCB_NOWAIT;
	void *buf = kvmalloc(len ?: 1, nowait ? GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN :
			     GFP_KERNEL_ACCOUNT);

	return buf ?: ERR_PTR(nowait ? -EAGAIN : -ENOMEM);
}

ssize_t nfpc_pipe_read(struct kiocb *iocb, struct iov_iter *to)
{
	struct nfpc_pipe *p = iocb->ki_filp->private_data;
	size_t room = min(iov_iter_count(to), io_max(p));
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	bool nonblock;
	ssize_t ret;
	void *buf;

	if (p->chan->dir != NFP_CHAN_TO_HOST)
		return -EBADF;
	/* Fails at once, not only when an element has come. */
	if (nfpc_pipe_is_stream(p) && room < p->chan->elem_size)
		return -EMSGSIZE;
	buf = io_buf(iocb, room);
	if (IS_ERR(buf))
		return PTR_ERR(buf);
	add_wait_queue(&p->wq, &wait);
	do {
		nonblock = io_nonblock(iocb);
		ret = rx_try(iocb, to, buf, room, nonblock);
		if (ret != -EAGAIN)
			break;
		ret = io_wait(&wait, nonblock);
	} while (!ret);
	remove_wait_queue(&p->wq, &wait);
	kvfree(buf);
	return ret;
}

/*
 * Return: bytes that the card has not taken, or -errno. p->pos is the kernel's own, so more
 * bytes than the ring has are an error of the card.
 */
static ssize_t tx_used(struct nfpc_pipe *p, const struct nfpc_note *n)
{
	u64 used;
	int err;

	err = note_error(p, n);
	if (err)
		return err;
	used = p->pos - n->pos;
	if (used > nfpc_pipe_ring_size(p))
		return pipe_broken(p, "bytes outstanding", used,
				   nfpc_pipe_ring_size(p));
	return used;
}

/* The part of @len bytes that is written: of a stream, the elements that have room. */
static u32 tx_part(const struct nfpc_pipe *p, u64 used, u32 len)
{
	u32 room = p->limit - min_t(u64, used, p->limit);

	if (!nfpc_pipe_is_stream(p) || len <= room)
		return len;
	return max(room - room % p->chan->elem_size, p->chan->elem_size);
}

static int tx_post(struct nfpc_pipe *p, const void *buf, u32 len,
		   struct nfpc_sent *sent)
{
	struct nfp_chan_hdr hdr = {};
	struct nfpc_note n;
	ssize_t used;
	u32 span;

	guard(mutex)(&p->lock);
	used = pipe_usable(p);
	if (used)
		return used;
	/* The card might take this message back, too. The end of the CANCEL wakes sleepers. */
	if (p->cancelling)
		return -EAGAIN;
	span = nfpc_pipe_span(p, nfpc_pipe_is_stream(p) ? p->chan->elem_size : len);
	nfpc_note_get(p, &n);
	used = tx_used(p, &n);
	if (used >= 0 && !nfpc_pipe_fits(p, used, span)) {
		nfpc_pipe_arm(p, n.seq);
		nfpc_note_get(p, &n);
		used = tx_used(p, &n);
	}
	if (used < 0)
		return used;
	if (!nfpc_pipe_fits(p, used, span))
		return -EAGAIN;
	len = tx_part(p, used, len);
	hdr.len = cpu_to_le32(len);
	hdr.seq = cpu_to_le16((u16)(p->msgs + 1));
	ring_in(p, p->pos, &hdr, nfpc_pipe_hdr(p));
	ring_in(p, p->pos + nfpc_pipe_hdr(p), buf, len);
	pipe_advance(p, len);
	sent->end = p->pos;
	sent->seq = p->msgs;
	sent->len = len;
	sent->cancelled = false;
	if (!p->chan->depth)
		list_add_tail(&sent->node, &p->sent);
	return 0;
}

/*
 * 0: the ME process has received the message. -ECANCELED: NFP_CHAN_IOC_CANCEL has taken it back.
 * -EAGAIN: neither yet, and the pipe is armed, or the end of a CANCEL will wake the sender.
 */
static int tx_taken(struct nfpc_pipe *p, const struct nfpc_sent *sent)
{
	struct nfpc_note n;
	ssize_t used;

	guard(mutex)(&p->lock);
	/* The result of the message comes before the state of the pipe. */
	if (sent->cancelled)
		return -ECANCELED;
	/* The detach has copied the last position to p->gone. */
	if (!p->live)
		return (s64)(le64_to_cpu(p->gone->pos) - sent->end) < 0 ? -ENODEV : 0;
	if (p->error)
		return p->error;
	if (p->cancelling)
		return -EAGAIN;
	nfpc_note_get(p, &n);
	if ((s64)(n.pos - sent->end) < 0) {
		nfpc_pipe_arm(p, n.seq);
		nfpc_note_get(p, &n);
	}
	if ((s64)(n.pos - sent->end) >= 0)
		return 0;
	used = tx_used(p, &n);
	return used < 0 ? used : -EAGAIN;
}

/*
 * The second half of a rendezvous. A sender that gives up waiting takes the message back. If
 * that is too late, the message was received and the send has succeeded.
 */
static int tx_rendezvous(struct nfpc_pipe *p, const struct nfpc_sent *sent,
			 struct wait_queue_entry *wait, bool nonblock)
{
	int err, given_up, taken;

	do {
		err = tx_taken(p, sent);
		if (err != -EAGAIN)
			return err;
		given_up = io_wait(wait, nonblock);
	} while (!given_up);
	err = nfpc_pipe_cancel(p, sent->seq);
	switch (err) {
	case 0:
		return given_up;
	case -EALREADY:
		return tx_taken(p, sent) == -ECANCELED ? -ECANCELED : 0;
	case -EINVAL:	/* the pipe is not open any more */
		err = -EIO;
		break;
	case -EIO:	/* the card may take it later */
		err = -ETIMEDOUT;
		break;
	case -EINTR:
		return err;
	}
	/* The record may say more: the message was received, or the ME process has ended. */
	taken = tx_taken(p, sent);
	if (taken == -EAGAIN || (taken == -EIO && err == -ETIMEDOUT))
		return err;
	return taken;
}

static bool tx_size_ok(const struct nfpc_pipe *p, size_t len)
{
	if (nfpc_pipe_is_stream(p))
		return len && !(len % p->chan->elem_size);
	return p->chan->elem_size ? len == p->chan->elem_size : len <= p->chan->max_size;
}

ssize_t nfpc_pipe_write(struct kiocb *iocb, struct iov_iter *from)
{
	struct nfpc_pipe *p = iocb->ki_filp->private_data;
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	bool nonblock = io_nonblock(iocb);
	size_t len = iov_iter_count(from);
	struct nfpc_sent sent;
	void *buf;
	int err;

	if (p->chan->dir != NFP_CHAN_TO_NFP)
		return -EBADF;
	if (!tx_size_ok(p, len))
		return -EMSGSIZE;
	/* A rendezvous has to wait for the card, at least to take the message back. */
	if (!p->chan->depth && iocb->ki_flags & IOCB_NOWAIT)
		return -EAGAIN;
	len = min(len, io_max(p));
	len -= nfpc_pipe_is_stream(p) ? len % p->chan->elem_size : 0;
	buf = io_buf(iocb, len);
	if (IS_ERR(buf))
		return PTR_ERR(buf);
	if (!copy_from_iter_full(buf, len, from)) {
		kvfree(buf);
		return -EFAULT;
	}
	add_wait_queue(&p->wq, &wait);
	do {
		err = tx_post(p, buf, len, &sent);
		if (err != -EAGAIN)
			break;
		err = io_wait(&wait, nonblock);
	} while (!err);
	if (!err && !p->chan->depth) {
		err = tx_rendezvous(p, &sent, &wait, nonblock);
		scoped_guard(mutex, &p->lock)
			list_del(&sent.node);
	}
	remove_wait_queue(&p->wq, &wait);
	kvfree(buf);
	return err ? err : (ssize_t)sent.len;
}
