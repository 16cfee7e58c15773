// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recv.c - received datagrams: answers to this host's windows, and windows of other hosts. */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "rt.h"

#define TURNS		16	/* batches from one socket before the next socket's turn */
#define OWN_KIND	(NCP_REPLY | NCP_ANSWER | NCP_ACK)

/* Convert the header to host byte order. */
static void window_head(struct ncrt_window *w, const struct ncp_hdr *h)
{
	w->seq = le32toh(h->seq);
	w->invocation = le32toh(h->invocation);
	w->kernel = le16toh(h->kernel);
	w->from = le16toh(h->from);
	w->to = le16toh(h->to);
	w->len = le16toh(h->len);
	w->size = le16toh(h->size);
	w->flags = h->flags;
	w->pad = 0;
}

/* Is the datagram a window of this program, of the right size, for this host? */
static bool is_window(const struct ncrt *nc, const struct frame *f, size_t len)
{
	const struct ncp_hdr *h = &f->hdr;
	const struct desc_kernel *k;
	uint16_t from, to;

	if (len < HDR || le16toh(h->magic) != NCP_MAGIC || h->version != NCP_VERSION ||
	    le16toh(h->program) != nc->desc->hash || le16toh(h->size) != len - HDR)
		return false;
	k = kernel_out(nc, le16toh(h->kernel));
	from = le16toh(h->from);
	to = le16toh(h->to);
	if (!k || !from || from > nc->net->nr)
		return false;
	if (h->flags & NCP_ACK)
		return !le16toh(h->size) && to == nc->self;
	if (le16toh(h->size) != k->size || le16toh(h->len) != kernel_len(k))
		return false;
	if (h->flags & NCP_REPLY)
		return true;
	return from != nc->self && (to == nc->self || (!to && !(h->flags & NCP_ANSWER)));
}

/* ---- windows that are kept ---- */

static int keep(struct ncrt *nc, const struct frame *f, bool own)
{
	struct lane *lane = &nc->lane[le16toh(f->hdr.kernel)];
	size_t size = le16toh(f->hdr.size);
	struct note *n;

	if (!own && nc->strange >= nc->queue) {
		nc->stats.full++;
		return -ENOBUFS;
	}
	n = malloc(offsetof(struct note, w.data) + size);
	if (!n) {
		nc->stats.full++;
		return -ENOMEM;
	}
	n->next = NULL;
	n->order = nc->order++;
	n->own = own;
	window_head(&n->w, &f->hdr);
	memcpy(n->w.data, f->data, size);
	*lane->tail = n;
	lane->tail = &n->next;
	if (own)
		nc->own++;
	else
		nc->strange++;
	if (nc->asleep[RECEIVER])
		net_wake(nc, RECEIVER);
	return 0;
}

/* The lane with the oldest kept window that kernel @k takes */
static struct lane *oldest(struct ncrt *nc, const struct desc_kernel *k)
{
	struct lane *lane, *old = NULL;

	for (lane = nc->lane; lane < nc->lane + nc->lanes; lane++)
		if (lane->head && (!old || lane->head->order < old->head->order) &&
		    kernel_takes(k, lane->k))
			old = lane;
	return old;
}

static bool take(struct ncrt *nc, const struct desc_kernel *k, struct ncrt_window *w)
{
	struct lane *lane = oldest(nc, k);
	struct note *n;

	if (!lane)
		return false;
	n = lane->head;
	lane->head = n->next;
	if (!lane->head)
		lane->tail = &lane->head;
	if (n->own)
		nc->own--;
	else
		nc->strange--;
	nc->stats.received++;
	memcpy(w, &n->w, offsetof(struct ncrt_window, data) + n->w.size);
	free(n);
	return true;
}

void recv_free(struct ncrt *nc)
{
	struct ncrt_window w;

	while (take(nc, NULL, &w))
		;
}

/* ---- answers ---- */

static void answered(struct ncrt *nc, struct flight *fl, struct slot *s, const struct frame *f)
{
	uint32_t n = s->seq - fl->w.first_seq;

	if (s->tries == 1) {
		rtt_add(&nc->lane[fl->k->id].rtt, timer_now() - s->since);
		nc->stats.rtt_ns = nc->lane[fl->k->id].rtt.smooth;
	}
	nc->stats.done++;
	if (!(f->hdr.flags & NCP_ACK)) {
		if (fl->w.flags & NCRT_BACK)
			window_unpack(fl, n, f->data);
		if (fl->answer) {
			window_head(fl->answer, &f->hdr);
			memcpy(fl->answer->data, f->data, fl->answer->size);
		}
		if (fl->answer || fl->w.flags & NCRT_BACK)
			nc->stats.received++;
		else if (!(fl->w.flags & NCRT_QUIET) && keep(nc, f, true))
			return;	/* no room: the sender will send the window again */
	}
	slot_set(s, false);
	fl->done++;
	if (nc->asleep[SENDER])
		net_wake(nc, SENDER);
}

/* Does the invocation belong to this session? */
static bool is_own(const struct ncrt *nc, uint32_t invocation)
{
	return invocation - nc->first < nc->next - nc->first;
}

/* Match a window with the outstanding windows. true: the window was an answer and is handled. */
static bool answer(struct ncrt *nc, const struct frame *f)
{
	uint32_t invocation = le32toh(f->hdr.invocation), n;
	struct flight *fl = nc->flight;
	struct slot *s;

	if (!fl || fl->k->id != le16toh(f->hdr.kernel) || fl->invocation != invocation) {
		nc->stats.late += is_own(nc, invocation) || le16toh(f->hdr.from) == nc->self;
		return is_own(nc, invocation) || le16toh(f->hdr.from) == nc->self;
	}
	n = le32toh(f->hdr.seq) - fl->w.first_seq;
	if (n >= fl->sent) {
		nc->stats.late++;
		return true;
	}
	s = &fl->slot[n % fl->nr_slots];
	if (f->hdr.flags & NCP_ACK && fl->w.mode != NCRT_ACK)
		nc->stats.malformed++;
	else if (s->out && s->seq == le32toh(f->hdr.seq))
		answered(nc, fl, s, f);
	else
		nc->stats.duplicates++;
	return true;
}

/* ---- windows of others ---- */

static struct seen *seen_of(struct ncrt *nc, uint16_t from)
{
	if (!nc->seen[from])
		nc->seen[from] = calloc(1, sizeof(struct seen));
	return nc->seen[from];
}

static void acknowledge(struct ncrt *nc, const struct frame *f)
{
	struct frame ack = { .hdr = f->hdr }, *one = &ack;

	ack.hdr.flags = NCP_ACK;
	ack.hdr.from = htole16(nc->self);
	ack.hdr.to = f->hdr.from;
	ack.hdr.len = 0;
	ack.hdr.size = 0;
	if (!net_send(nc, &one, 1, &nc->via[le16toh(f->hdr.from)], MSG_DONTWAIT))
		nc->stats.acks++;
}

static void strange(struct ncrt *nc, const struct frame *f)
{
	uint16_t kernel = le16toh(f->hdr.kernel), from = le16toh(f->hdr.from);
	uint32_t invocation = le32toh(f->hdr.invocation), seq = le32toh(f->hdr.seq);
	bool once = f->hdr.flags & (NCP_WANT_ACK | NCP_REPLY);
	struct seen *seen = once ? seen_of(nc, from) : NULL;

	if (once && !seen) {
		nc->stats.full++;
		return;
	}
	if (once && seen_has(seen, kernel, invocation, seq))
		nc->stats.duplicates++;
	else if (keep(nc, f, false))
		return;
	else if (once)
		seen_add(seen, kernel, invocation, seq);
	if (f->hdr.flags & NCP_WANT_ACK && !(f->hdr.flags & NCP_REPLY))
		acknowledge(nc, f);
}

static void take_frame(struct ncrt *nc, const struct frame *f, size_t len,
		       const struct sockaddr_in *from)
{
	if (!is_window(nc, f, len) || !net_knows(nc, from)) {
		nc->stats.malformed++;
		return;
	}
	if (f->hdr.flags & OWN_KIND) {
		if (answer(nc, f))
			return;
		if (!(f->hdr.flags & NCP_REPLY)) {
			nc->stats.late++;
			return;
		}
	}
	strange(nc, f);
}

/* ---- the sockets ---- */

static int recv_from(struct ncrt *nc, int sock)
{
	struct sockaddr_in from[BATCH];
	struct mmsghdr msg[BATCH];
	struct iovec iov[BATCH];
	int i, n, turn = 0;

	do {
		for (i = 0; i < BATCH; i++) {
			iov[i] = (struct iovec){ &nc->in[i].hdr, FRAME_MAX };
			msg[i].msg_hdr = (struct msghdr){
				.msg_name = &from[i], .msg_namelen = sizeof(from[i]),
				.msg_iov = &iov[i], .msg_iovlen = 1,
			};
		}
		n = recvmmsg(sock, msg, BATCH, MSG_DONTWAIT, NULL);
		for (i = 0; i < n; i++)
			take_frame(nc, &nc->in[i], msg[i].msg_len, &from[i]);
	} while (n == BATCH && ++turn < TURNS);
	return n < 0 && errno != EAGAIN && errno != EINTR ? -errno : 0;
}

int recv_all(struct ncrt *nc)
{
	unsigned int i;
	int err = 0, saved = errno;

	for (i = 0; i < nc->nr_socks && !err; i++)
		err = recv_from(nc, nc->sock[i]);
	errno = saved;
	return err ? rt_fail(err, "recvmmsg: %s", strerror(-err)) : 0;
}

/* ---- calls ---- */

/*
 * Wait for a window that kernel @k takes (NULL: any kernel), and move it to @w. @timeout is in
 * nanoseconds; 0: do not wait; below 0: no limit. The caller holds the lock of @nc.
 */
static int wait_for(struct ncrt *nc, const struct desc_kernel *k, struct ncrt_window *w, int64_t timeout)
{
	uint64_t end = timer_now() + (uint64_t)timeout, now;
	int err = 0;

	for (;;) {
		if (take(nc, k, w))
			return 0;
		err = recv_all(nc);
		if (err)
			return err;
		if (take(nc, k, w))
			return 0;
		now = timer_now();
		if (!timeout)
			return rt_fail(-EAGAIN, "no window has come");
		if (timeout > 0 && now >= end)
			return rt_fail(-ETIMEDOUT, "no window of %s has come within %lld ms",
				    k ? k->name : "any kernel",
				    (long long)(timeout / 1000000));
		err = net_wait(nc, RECEIVER, timeout < 0 ? -1 : (int64_t)(end - now));
		if (err)
			return err;
	}
}

int recv_window(struct ncrt *nc, const struct desc_kernel *k, struct ncrt_window *w,
		int64_t timeout)
{
	int err;

	pthread_mutex_lock(&nc->lock);
	if (nc->receiving) {
		err = rt_fail(-EBUSY, "another thread receives");
	} else {
		nc->receiving = true;
		err = wait_for(nc, k, w, timeout);
		nc->receiving = false;
	}
	pthread_mutex_unlock(&nc->lock);
	return err;
}

int ncrt_recv(struct ncrt *nc, const char *kernel, struct ncrt_window *w, int64_t timeout)
{
	const struct desc_kernel *k = kernel ? desc_kernel(nc->desc, kernel) : NULL;

	if (kernel && !k)
		return rt_fail(-ENOENT, "%s is no kernel of %s", kernel, nc->desc->name);
	return recv_window(nc, k, w, timeout);
}
