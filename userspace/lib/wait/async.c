// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * async.c - receives and sends that complete at the channel's port.
 *
 * The requests of a channel are a list, in order. The library works on them when they are
 * posted and when the port reports the channel, with the port's lock held.
 */
#include <errno.h>
#include "port.h"

#define TURN	64	/* requests of one channel before other channels have their turn */

/* Receive as nfpchan_recv() or, on a stream, nfpchan_read(). */
static ssize_t get(struct nfpchan *ch, struct nfpchan_async *req)
{
	struct ring *r = &ch->ring;
	int64_t n;

	if (r->hdr)
		return chan_recv_locked(ch, req->buf, req->len);
	if (req->len < r->elem_size)
		return -EMSGSIZE;
	n = req->len / r->elem_size;
	n = ring_get_many(r, req->buf, n > INT32_MAX ? INT32_MAX : (uint32_t)n);
	return n > 0 ? (ssize_t)(n * r->elem_size) : (ssize_t)n;
}

/* Send as nfpchan_write(): the elements that have room now. -EAGAIN: some are left. */
static ssize_t put_part(struct nfpchan *ch, struct nfpchan_async *req)
{
	struct ring *r = &ch->ring;
	size_t left = req->len - req->at;
	int64_t n;

	if (!req->len || req->len % r->elem_size)
		return -EMSGSIZE;
	n = left / r->elem_size > INT32_MAX ? INT32_MAX : (int64_t)(left / r->elem_size);
	n = ring_put_many(r, (const char *)req->buf + req->at, (uint32_t)n);
	if (n == -EAGAIN)
		return -EAGAIN;
	/* Part has been sent: report that. The next request gets the error. */
	if (n < 0)
		return req->at ? (ssize_t)req->at : (ssize_t)n;
	req->at += (uint64_t)n * r->elem_size;
	return req->at < req->len ? -EAGAIN : (ssize_t)req->at;
}

/* Send as nfpchan_send(). In a rendezvous, @at is the position after the message. */
static ssize_t put(struct nfpchan *ch, struct nfpchan_async *req)
{
	struct ring *r = &ch->ring;
	int err;

	if (!r->hdr)
		return put_part(ch, req);
	if (!req->at) {
		err = ring_put(r, req->buf, req->len > UINT32_MAX ? UINT32_MAX :
			       (uint32_t)req->len);
		if (err || r->depth)
			return err;
		req->at = r->pos;
		req->seq = r->seq;
	}
	return ring_taken(r, req->at);
}

/*
 * After -EAGAIN the port will report the channel. To the host, the look that found nothing
 * has asked the card for the next message. To the NFP, the card tells by itself of room and of
 * messages that were taken.
 */
static ssize_t step(struct nfpchan *ch, struct nfpchan_async *req)
{
	ssize_t ret;

	chan_lock(ch);
	ret = ch->layout.dir == NFP_CHAN_TO_HOST ? get(ch, req) : put(ch, req);
	chan_unlock(ch);
	return ret;
}

static void complete(struct nfpchan_port *port, struct nfpchan *ch, ssize_t ret)
{
	struct nfpchan_async *req = ch->reqs;

	ch->reqs = req->next;
	if (!ch->reqs)
		ch->reqs_end = &ch->reqs;
	req->ret = ret;
	req->next = NULL;
	*port->done_end = req;
	port->done_end = &req->next;
}

void async_run(struct nfpchan_port *port, struct nfpchan *ch)
{
	unsigned int n;
	ssize_t ret;

	for (n = 0; ch->reqs && !ch->closing; n++) {
		if (n == TURN) {
			/*
			 * The port gets no further element for the rest: look again in the next
			 * round.
			 */
			port_ready(port, ch);
			return;
		}
		ret = step(ch, ch->reqs);
		if (ret == -EAGAIN)
			return;
		complete(port, ch, ret);
	}
}

ssize_t async_take_back(struct nfpchan *ch)
{
	int err;

	if (!ch->reqs || !ch->reqs->at || ch->layout.dir != NFP_CHAN_TO_NFP || ch->layout.depth)
		return -ECANCELED;
	err = ch->ops->cancel(ch, ch->reqs->seq);
	/* The card has not answered, so nobody knows whether the message was taken. */
	if (err == -ETIMEDOUT || err == -EIO)
		return err;
	return err == -EALREADY ? 0 : -ECANCELED;
}

void async_cancel(struct nfpchan_port *port, struct nfpchan *ch, ssize_t first)
{
	struct nfpchan_async *req;
	bool any = ch->reqs != NULL;

	/* Part of the data is in the stream: report how much. */
	if (any && !ch->ring.hdr && ch->reqs->at)
		first = (ssize_t)ch->reqs->at;
	for (; ch->reqs; first = -ECANCELED)
		complete(port, ch, first);
	for (req = port->done; req; req = req->next)
		if (req->ch == ch)
			req->ch = NULL;
	if (any)
		port_wake(port);
}

static int post(struct nfpchan *ch, struct nfpchan_async *req, uint32_t dir)
{
	struct nfpchan_port *port = ch->port;

	if (!port)
		return -EOPNOTSUPP;
	if (ch->layout.dir != dir)
		return -EBADF;
	req->ch = ch;
	req->ret = -EINPROGRESS;
	req->at = 0;
	req->seq = 0;
	req->next = NULL;
	chan_lock(&port->ch);
	ch->posted = true;
	*ch->reqs_end = req;
	ch->reqs_end = &req->next;
	/* With other requests before it, it has to wait. */
	if (ch->reqs == req)
		async_run(port, ch);
	if (port->done)
		port_wake(port);
	chan_unlock(&port->ch);
	return 0;
}

int nfpchan_recv_async(struct nfpchan *ch, struct nfpchan_async *req)
{
	return post(ch, req, NFP_CHAN_TO_HOST);
}

int nfpchan_send_async(struct nfpchan *ch, struct nfpchan_async *req)
{
	return post(ch, req, NFP_CHAN_TO_NFP);
}
