// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* chan_many.c - streams, many messages at a time, messages made in place. */
#include <errno.h>
#include <string.h>
#include "chan_handle.h"
#include "ring_lines.h"

static int chan_unfit(struct nfpchan *ch, const char *what)
{
	chan_lock(ch);
	ring_fail(&ch->ring, -EOPNOTSUPP, what, 0, 0, 0);
	chan_unlock(ch);
	return -EOPNOTSUPP;
}

static bool is_stream(const struct nfpchan *ch)
{
	return ch->layout.kind == NFP_CHAN_STREAM;
}

/* The ring counts in 32 bits, and holds fewer bytes than that. */
static uint32_t at_most(size_t n)
{
	return n > INT32_MAX ? INT32_MAX : (uint32_t)n;
}

static int64_t step_get(struct nfpchan *ch, void *buf, size_t n)
{
	return ring_get_many(&ch->ring, buf, at_most(n));
}

ssize_t nfpchan_recv_many(struct nfpchan *ch, void *buf, size_t count, int64_t timeout)
{
	if (!ch->layout.elem_size)
		return chan_unfit(ch, "the channel's messages vary in size");
	return count ? chan_step(ch, step_get, buf, count, 0, timeout) : -EINVAL;
}

static int64_t step_put(struct nfpchan *ch, void *buf, size_t n)
{
	return ring_put_many(&ch->ring, buf, at_most(n));
}

ssize_t nfpchan_send_many(struct nfpchan *ch, const void *buf, size_t count, int64_t timeout)
{
	if (!ch->layout.elem_size)
		return chan_unfit(ch, "the channel's messages vary in size");
	if (!ch->layout.depth)
		return chan_unfit(ch, "a rendezvous is for one message at a time");
	return count ? chan_step(ch, step_put, (void *)buf, count, 0, timeout) : -EINVAL;
}

/* What a step needs of a call for messages of any size */
struct messages {
	struct nfpchan_msg *msgs;
	size_t count;
	void *buf;
};

static int64_t step_get_msgs(struct nfpchan *ch, void *arg, size_t size)
{
	struct messages *m = arg;

	return ring_get_msgs(&ch->ring, m->buf, size, m->msgs, at_most(m->count));
}

static __attribute__((noinline))
ssize_t recv_msgs(struct nfpchan *ch, struct messages *m, size_t size, int64_t timeout)
{
	if (is_stream(ch))
		return chan_unfit(ch, "the channel carries a stream, not messages");
	return m->count ? chan_step(ch, step_get_msgs, m, size, 0, timeout) : -EINVAL;
}

/* As nfpchan_recv(): the common case first. */
ssize_t nfpchan_recv_msgs(struct nfpchan *ch, void *buf, size_t size, struct nfpchan_msg *msgs,
			  size_t count, int64_t timeout)
{
	struct messages m = { msgs, count, buf };
	uint32_t n = ch->ring.alone ? ring_get_lines(&ch->ring, buf, size, msgs, at_most(count)) : 0;

	return n ? (ssize_t)n : recv_msgs(ch, &m, size, timeout);
}

static int64_t step_borrow_msgs(struct nfpchan *ch, void *msgs, size_t n)
{
	return ring_borrow_msgs(&ch->ring, msgs, at_most(n));
}

static __attribute__((noinline))
ssize_t borrow_many(struct nfpchan *ch, struct nfpchan_msg *msgs, size_t count, int64_t timeout)
{
	if (is_stream(ch))
		return chan_unfit(ch, "the channel carries a stream, not messages");
	return count ? chan_step(ch, step_borrow_msgs, msgs, count, 0, timeout) : -EINVAL;
}

ssize_t nfpchan_borrow_many(struct nfpchan *ch, struct nfpchan_msg *msgs, size_t count,
			    int64_t timeout)
{
	uint32_t n = ch->ring.alone ? ring_borrow_lines(&ch->ring, msgs, at_most(count)) : 0;

	return n ? (ssize_t)n : borrow_many(ch, msgs, count, timeout);
}

static int64_t step_put_msgs(struct nfpchan *ch, void *msgs, size_t n)
{
	return ring_put_msgs(&ch->ring, msgs, at_most(n));
}

static __attribute__((noinline))
ssize_t send_msgs(struct nfpchan *ch, const struct nfpchan_msg *msgs, size_t count, int64_t timeout)
{
	if (is_stream(ch))
		return chan_unfit(ch, "the channel carries a stream, not messages");
	if (!ch->layout.depth)
		return chan_unfit(ch, "a rendezvous is for one message at a time");
	return count ? chan_step(ch, step_put_msgs, (void *)msgs, count, 0, timeout) : -EINVAL;
}

ssize_t nfpchan_send_msgs(struct nfpchan *ch, const struct nfpchan_msg *msgs, size_t count,
			  int64_t timeout)
{
	uint32_t n = ch->ring.alone ? ring_put_lines(&ch->ring, msgs, at_most(count)) : 0;

	return n ? (ssize_t)n : send_msgs(ch, msgs, count, timeout);
}

static int64_t step_peek(struct nfpchan *ch, void *data, size_t n)
{
	(void)n;
	return ring_avail(&ch->ring, data);
}

ssize_t nfpchan_peek(struct nfpchan *ch, const void **data, int64_t timeout)
{
	if (!is_stream(ch))
		return chan_unfit(ch, "the channel carries messages, not a stream");
	return chan_step(ch, step_peek, data, 0, 0, timeout);
}

int nfpchan_consume(struct nfpchan *ch, size_t len)
{
	struct ring *r = &ch->ring;
	int err;

	if (!is_stream(ch) || r->dir != NFP_CHAN_TO_HOST)
		return chan_unfit(ch, "the channel is not a stream to the host");
	chan_lock(ch);
	if (len > r->peer - r->pos || len % r->elem_size) {
		err = ring_fail(r, -EINVAL, "%llu bytes to give back, %llu are there in elements of %llu",
				len, r->peer - r->pos, r->elem_size);
	} else if (r->lent) {
		err = ring_lent(r);
	} else if (r->borrowed) {
		err = ring_fail(r, -EBUSY, "%llu elements are borrowed: give them back first",
				r->borrowed, 0, 0);
	} else {
		ring_consume(r, len);
		err = 0;
	}
	chan_unlock(ch);
	return err;
}

ssize_t nfpchan_read(struct nfpchan *ch, void *buf, size_t size, int64_t timeout)
{
	uint32_t elem = ch->layout.elem_size;
	ssize_t n;

	if (!is_stream(ch))
		return chan_unfit(ch, "the channel carries messages, not a stream");
	if (size < elem) {
		chan_lock(ch);
		n = ring_fail(&ch->ring, -EMSGSIZE, "room for %llu bytes, an element has %llu",
			      size, elem, 0);
		chan_unlock(ch);
		return n;
	}
	n = chan_step(ch, step_get, buf, size / elem, 0, timeout);
	return n > 0 ? n * (ssize_t)elem : n;
}

ssize_t nfpchan_write(struct nfpchan *ch, const void *buf, size_t len, int64_t timeout)
{
	struct pause p = { .timeout = timeout };
	const char *from = buf;
	uint32_t elem = ch->layout.elem_size;
	size_t done = 0;
	ssize_t n;

	if (!is_stream(ch))
		return chan_unfit(ch, "the channel carries messages, not a stream");
	if (!len || len % elem) {
		chan_lock(ch);
		n = ring_fail(&ch->ring, -EMSGSIZE, "%llu bytes, the stream's elements have %llu",
			      len, elem, 0);
		chan_unlock(ch);
		return n;
	}
	while (done < len) {
		n = chan_try(ch, step_put, (void *)(from + done), (len - done) / elem);
		if (n == -EAGAIN)
			n = chan_step_wait(ch, &p, step_put, (void *)(from + done),
					   (len - done) / elem);
		if (n < 0)
			return done ? (ssize_t)done : n;
		done += (size_t)n * elem;
	}
	return (ssize_t)done;
}

static int64_t step_reserve(struct nfpchan *ch, void *data, size_t len)
{
	int err = ring_reserve(&ch->ring, data, at_most(len));

	ch->reserved = err ? 0 : len + 1;
	ch->reserved_at = ch->ring.pos;
	return err;
}

int nfpchan_reserve(struct nfpchan *ch, void **data, size_t len, int64_t timeout)
{
	if (!ch->layout.depth)
		return chan_unfit(ch, "a rendezvous cannot be reserved");
	return (int)chan_step(ch, step_reserve, data, len, len, timeout);
}

/* Bytes reserved, plus 1. 0 if a message was sent since then: it lies in the reserved room. */
static size_t reserved_now(const struct nfpchan *ch)
{
	return ch->reserved_at == ch->ring.pos ? ch->reserved : 0;
}

static int commit_check(struct nfpchan *ch, size_t len)
{
	size_t most = reserved_now(ch);
	struct ring *r = &ch->ring;
	int err = r->lent ? ring_lent(r) : r->dead ? r->dead : ring_look(r);

	/* The pipe may have ended while the caller wrote the message. */
	if (err != -EAGAIN)
		return err;
	if (len >= most)
		return ring_fail(r, -EINVAL, "%llu bytes to send, %llu were reserved", len,
				 most ? most - 1 : 0, 0);
	if (r->elem_size && (len % r->elem_size || !len))
		return ring_fail(r, -EMSGSIZE, "%llu bytes, the channel's elements have %llu",
				 len, r->elem_size, 0);
	return 0;
}

int nfpchan_commit(struct nfpchan *ch, size_t len)
{
	struct ring *r = &ch->ring;
	int err;

	chan_lock(ch);
	err = commit_check(ch, len);
	if (!err) {
		ring_commit(r, (uint32_t)len);
		err = ring_kick(r);
		ch->reserved = 0;
	}
	chan_unlock(ch);
	return err;
}
