// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* xfer.c - send, receive, borrow, wait. */
#include <errno.h>
#include <string.h>
#include "chan_handle.h"
#include "ring_lines.h"

/*
 * Take message @seq of a rendezvous back. 0: it was not delivered. -EALREADY: the ME process
 * has taken it.
 */
static int chan_cancel(struct nfpchan *ch, uint32_t seq)
{
	int err = ch->ops->cancel(ch, seq);

	if (err && err != -EALREADY) {
		chan_lock(ch);
		ring_fail(&ch->ring, err, "message %llu could not be taken back: error %llu",
			  seq, (unsigned long long)-err, 0);
		chan_unlock(ch);
	}
	return err;
}

/*
 * The message could not be taken back: find out what has become of it. After a timeout or an
 * I/O error the card may have taken it back and moved the record past it, so the record does
 * not tell. After other errors it does.
 */
static int send_unsure(struct nfpchan *ch, uint64_t end, int why)
{
	int err = -EAGAIN;

	if (why != -ETIMEDOUT && why != -EIO) {
		chan_lock(ch);
		err = ring_taken(&ch->ring, end);
		chan_unlock(ch);
	}
	if (err != -EAGAIN)
		return err;
	return why == -ENODEV ? why : -EIO;
}

/* Second half of a rendezvous: wait until the ME process has taken the message. */
static int send_taken(struct nfpchan *ch, struct pause *p, uint64_t end, uint32_t seq)
{
	int err, why;

	for (;;) {
		chan_lock(ch);
		err = ring_taken(&ch->ring, end);
		chan_unlock(ch);
		if (err != -EAGAIN) {
			chan_paused(ch, p);
			return err;
		}
		why = chan_pause(ch, p, true);
		if (why == -ENODEV)
			return why;
		if (why)
			break;
	}
	err = chan_cancel(ch, seq);
	if (err == -EALREADY)
		return 0;
	return err ? send_unsure(ch, end, err) : why;
}

static __attribute__((noinline))
int send_slow(struct nfpchan *ch, const void *buf, size_t len, int64_t timeout)
{
	struct pause p = { .timeout = timeout, .room = len };
	uint64_t end;
	uint32_t seq;
	int err;

	for (;;) {
		chan_lock(ch);
		/* A length beyond 32 bits is too large as well. */
		err = ring_put(&ch->ring, buf, len > UINT32_MAX ? UINT32_MAX : (uint32_t)len);
		end = ch->ring.pos;
		seq = ch->ring.seq;
		chan_unlock(ch);
		if (err != -EAGAIN)
			break;
		err = chan_pause(ch, &p, false);
		if (err)
			break;
	}
	if (!err)
		chan_paused(ch, &p);
	if (err || ch->layout.depth)
		return err;
	/* Without a timeout, the offer has its own time to watch. */
	p.start = p.timeout > 0 ? p.start : 0;
	return send_taken(ch, &p, end, seq);
}

/* The lock is held, and the message is not one of 64 bytes, or needs the slow path. */
static __attribute__((noinline))
int send_locked(struct nfpchan *ch, const void *buf, size_t len, int64_t timeout)
{
	struct ring *r = &ch->ring;
	bool sent = ring_put_one(r, r->put_stop, r->fast, buf, len) || ring_put_any(r, buf, len);

	lock_give(&ch->lock);
	return sent ? 0 : send_slow(ch, buf, len, timeout);
}

static __attribute__((noinline)) int send_wake(struct nfpchan *ch)
{
	lock_wake(&ch->lock);
	return 0;
}

static __attribute__((noinline))
int send_shared(struct nfpchan *ch, const void *buf, size_t len, int64_t timeout)
{
	struct ring *r = &ch->ring;

	if (!lock_try(&ch->lock))
		return send_slow(ch, buf, len, timeout);
	if (!ring_put_one(r, r->line_put, RING_LINE, buf, len) &&
	    !ring_put_same(r, r->same_put, RING_LINE, buf, len))
		return send_locked(ch, buf, len, timeout);
	return lock_drop(&ch->lock) ? send_wake(ch) : 0;
}

static __attribute__((noinline))
int send_any(struct nfpchan *ch, const void *buf, size_t len, int64_t timeout)
{
	struct ring *r = &ch->ring;

	if (ring_put_one(r, r->put_stop, r->fast, buf, len) || ring_put_any(r, buf, len))
		return 0;
	return send_slow(ch, buf, len, timeout);
}

/*
 * The common cases come first, and what they do not need is in functions of their own, which are
 * called last. So these cases need no stack.
 */
int nfpchan_send(struct nfpchan *ch, const void *buf, size_t len, int64_t timeout)
{
	struct ring *r = &ch->ring;

	if (!r->alone)
		return send_shared(ch, buf, len, timeout);
	if (ring_put_one(r, r->line_put, RING_LINE, buf, len) ||
	    ring_put_same(r, r->same_put, RING_LINE, buf, len))
		return 0;
	return send_any(ch, buf, len, timeout);
}

static int64_t step_recv(struct nfpchan *ch, void *buf, size_t size)
{
	struct ring *r = &ch->ring;
	const void *data;
	uint32_t len;
	int err;

	if (r->borrowed)
		return ring_owed(r);
	err = ring_peek(r, &data, &len);
	if (err)
		return err;
	if (len > size)
		return ring_small(r, len, size);
	if (len)
		memcpy(buf, data, len);
	err = ring_verify(r);
	if (err)
		return err;
	ring_take(r, len);
	err = ring_release(r, 1);
	if (err)
		return err;
	ring_same_set(r, len);
	return len;
}

ssize_t chan_recv_locked(struct nfpchan *ch, void *buf, size_t size)
{
	return step_recv(ch, buf, size);
}

void chan_flush(struct nfpchan *ch)
{
	chan_lock(ch);
	ring_flush(&ch->ring);
	chan_unlock(ch);
}

static __attribute__((noinline))
ssize_t recv_slow(struct nfpchan *ch, void *buf, size_t size, int64_t timeout)
{
	return chan_step(ch, step_recv, buf, size, 0, timeout);
}

/* The fast path has come to a mark; with the lock of a shared handle held. */
static __attribute__((noinline)) ssize_t recv_done(struct nfpchan *ch, ssize_t len)
{
	ring_get_done(&ch->ring);
	if (!ch->ring.alone)
		lock_give(&ch->lock);
	return len;
}

/* As send_locked() */
static __attribute__((noinline))
ssize_t recv_locked(struct nfpchan *ch, void *buf, size_t size, int64_t timeout)
{
	struct ring *r = &ch->ring;
	int64_t len = r->fast;

	if (ring_get_one(r, r->get_stop, r->fast, buf, size)) {
		/* Threads that wait in poll() must not be told of this element again. */
		__atomic_store_n(&r->ctl->pos, r->pos, __ATOMIC_RELAXED);
		if (r->pos >= r->bell)
			ring_bell(r);
	} else {
		len = ring_get_any(r, buf, size);
		if (len >= 0 && ring_get_due(r))
			ring_get_done(r);
	}
	lock_give(&ch->lock);
	return len >= 0 ? (ssize_t)len : recv_slow(ch, buf, size, timeout);
}

static __attribute__((noinline)) ssize_t recv_wake(struct nfpchan *ch, ssize_t len)
{
	lock_wake(&ch->lock);
	return len;
}

static __attribute__((noinline))
ssize_t recv_shared(struct nfpchan *ch, void *buf, size_t size, int64_t timeout)
{
	struct ring *r = &ch->ring;

	if (!lock_try(&ch->lock))
		return recv_slow(ch, buf, size, timeout);
	if (!ring_get_same(r, r->same_get, RING_LINE, buf, size))
		return recv_locked(ch, buf, size, timeout);
	if (ring_get_due(r))
		return recv_done(ch, RING_LINE);
	return lock_drop(&ch->lock) ? recv_wake(ch, RING_LINE) : RING_LINE;
}

static __attribute__((noinline))
ssize_t recv_any(struct nfpchan *ch, void *buf, size_t size, int64_t timeout)
{
	struct ring *r = &ch->ring;
	int64_t len;

	if (ring_get_one(r, r->get_stop, r->fast, buf, size))
		return r->fast;
	len = ring_get_any(r, buf, size);
	if (len < 0)
		return recv_slow(ch, buf, size, timeout);
	return ring_get_due(r) ? recv_done(ch, (ssize_t)len) : (ssize_t)len;
}

/* As nfpchan_send() */
ssize_t nfpchan_recv(struct nfpchan *ch, void *buf, size_t size, int64_t timeout)
{
	struct ring *r = &ch->ring;

	if (!r->alone)
		return recv_shared(ch, buf, size, timeout);
	if (ring_get_one(r, r->line_get, RING_LINE, buf, size))
		return RING_LINE;
	if (!ring_get_same(r, r->same_get, RING_LINE, buf, size))
		return recv_any(ch, buf, size, timeout);
	return ring_get_due(r) ? recv_done(ch, RING_LINE) : RING_LINE;
}

static int64_t step_borrow(struct nfpchan *ch, void *data, size_t n)
{
	uint32_t len;
	int err = ring_peek(&ch->ring, data, &len);

	(void)n;
	if (err)
		return err;
	ring_take(&ch->ring, len);
	return len;
}

ssize_t nfpchan_borrow(struct nfpchan *ch, const void **data, int64_t timeout)
{
	return chan_step(ch, step_borrow, data, 0, 0, timeout);
}

static __attribute__((noinline)) int release(struct nfpchan *ch, unsigned int n)
{
	int err;

	chan_lock(ch);
	err = ring_release(&ch->ring, n);
	chan_unlock(ch);
	return err;
}

int nfpchan_release(struct nfpchan *ch, unsigned int n)
{
	return ch->ring.alone && ring_release_lines(&ch->ring, n) ? 0 : release(ch, n);
}

int nfpchan_wait(struct nfpchan *ch, int64_t timeout)
{
	struct pause p = { .timeout = timeout };
	int ret;

	for (;;) {
		chan_lock(ch);
		ret = ring_ready(&ch->ring);
		chan_unlock(ch);
		if (ret) {
			chan_paused(ch, &p);
			return ret > 0 ? 0 : ret;
		}
		ret = chan_pause(ch, &p, false);
		if (ret)
			return ret;
	}
}
