// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * port.c - a port: one place to wait for many channels.
 *
 * The card tells which channels have news (uapi/PROTOCOL.rst, Ports). The port keeps these
 * channels in a circular list until a look at them finds nothing. So the cost of finding a
 * channel with news depends on the number of channels with news, not on the number of
 * channels. The port waits on its own pipe.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include "port.h"
#include "ring_int.h"

void port_detach(struct nfpchan *ch)
{
	struct nfpchan_port *port = ch->port;
	ssize_t first;

	chan_lock(&port->ch);
	port_quiet(port, ch);
	ch->closing = true;
	chan_unlock(&port->ch);
	first = async_take_back(ch);
	chan_lock(&port->ch);
	async_cancel(port, ch, first);
	port->slots[ch->slot].ch = NULL;
	port->slots[ch->slot].used = false;
	ch->port = NULL;
	chan_unlock(&port->ch);
}

/* ---- what the cards tell ---- */

/* An element names a channel. Ignore it if the channel was closed or is being opened. */
static void told(struct nfpchan_port *port, uint64_t cookie)
{
	uint32_t slot = (uint32_t)cookie;
	struct nfpchan *ch;

	if (slot >= port->slot_count || port->slots[slot].gen != cookie >> 32)
		return;
	ch = port->slots[slot].ch;
	if (!ch || ch->closing)
		return;
	ch->told = true;
	port_ready(port, ch);
}

/*
 * Read what one card tells, and give the room back at once, so that the card writes further
 * elements while the channels are worked on. Returns 0, or the failure of the leg.
 */
static int collect_leg(struct nfpchan_port *port, const struct port_leg *leg)
{
	struct ring *r = &leg->ch->ring;
	const uint8_t *data;
	uint64_t cookie;
	int64_t len, at;

	/* All elements were given back, and the card has written no other: no need to arm. */
	if (!ring_moved(r) && r->peer == r->pos && !r->state && !r->dead)
		return 0;
	len = ring_avail(r, &data);
	if (len < 0)
		return len == -EAGAIN ? 0 : (int)len;
	for (at = 0; at < len; at += (int64_t)sizeof(cookie)) {
		memcpy(&cookie, data + at, sizeof(cookie));
		told(port, le64toh(cookie));
	}
	ring_consume(r, (uint64_t)len);
	ring_flush(r);
	/* Threads that wait for the port may wait for other channels than this thread. */
	port_wake(port);
	return ring_verify(r);
}

/*
 * Read what the cards tell: with @all, each card; else the next card in turn. Returns 0, or
 * the failure of a card. While other cards work, a failure is returned once.
 */
static int collect(struct nfpchan_port *port, bool all)
{
	unsigned int i, n = all ? port->leg_count : 1;
	struct port_leg *leg;
	int err, ret = 0;

	for (i = 0; i < n; i++) {
		leg = &port->legs[port->turn];
		port->turn = port->turn + 1 < port->leg_count ? port->turn + 1 : 0;
		if (leg->dead && port->alive)
			continue;
		err = collect_leg(port, leg);
		if (!err)
			continue;
		port_leg_dead(port, leg);
		ret = err;
	}
	return ret;
}

/* ---- waiting ---- */

/*
 * Has the channel an event to report? A channel to the host stays in the list while it has a
 * message. A channel to the NFP reports once for each element.
 */
static bool look(struct nfpchan_port *port, struct nfpchan *ch)
{
	bool was_told = ch->told;
	int ret;

	ch->told = false;
	if (ch->posted) {
		port_quiet(port, ch);
		async_run(port, ch);
		return false;
	}
	if (ch->layout.dir == NFP_CHAN_TO_NFP) {
		port_quiet(port, ch);
		return was_told;
	}
	chan_lock(ch);
	ret = ring_ready(&ch->ring);
	chan_unlock(ch);
	if (!ret)
		port_quiet(port, ch);
	return ret != 0;
}

static unsigned int done_pop(struct nfpchan_port *port, struct nfpchan_event *events,
			     unsigned int n)
{
	struct nfpchan_async *req;
	unsigned int i;

	for (i = 0; i < n && port->done; i++) {
		req = port->done;
		port->done = req->next;
		if (!port->done)
			port->done_end = &port->done;
		events[i] = (struct nfpchan_event){ .ch = req->ch, .req = req };
	}
	return i;
}

/*
 * Collect up to @n events, at most one of each channel. Requests that complete as soon as they
 * are posted could take all places each time. Therefore every other call keeps the last place
 * for a channel, and looks at the channels first.
 */
static unsigned int serve(struct nfpchan_port *port, struct nfpchan_event *events, unsigned int n)
{
	unsigned int left = port->ready_count, got;
	struct nfpchan *ch;

	port->look_first = !port->look_first;
	got = done_pop(port, events, left && port->look_first ? n - 1 : n);
	for (; left && got < n; left--) {
		ch = port->ready;
		port->ready = ch->ready_next;
		if (look(port, ch))
			events[got++] = (struct nfpchan_event){ .ch = ch };
		got += done_pop(port, events + got, n - got);
	}
	return got;
}

/*
 * Look at all cards? If the port has something to do, one card in turn is enough, so that the
 * cost of a call does not grow with the number of cards.
 */
static bool collect_all(const struct nfpchan_port *port)
{
	return port->leg_count == 1 || (!port->ready && !port->done);
}

/* Note that the caller will wait, after a look that found nothing. With the port's lock held. */
static void wait_begin(struct nfpchan_port *port, struct pause *p)
{
	port->waiting++;
	p->wakes = port->wakes;
}

int port_pause(struct nfpchan_port *port, struct pause *p)
{
	eventfd_t count;
	int ret;

	ret = chan_pause(&port->ch, p, false);
	chan_lock(&port->ch);
	port->waiting--;
	if (p->wakes != port->wakes && !--port->leaving)
		eventfd_read(port->wake_fd, &count);
	chan_unlock(&port->ch);
	return ret;
}

/* All cards have failed: report requests only. The channels report their own failures. */
static unsigned int serve_requests(struct nfpchan_port *port, struct nfpchan_event *events,
				   unsigned int n)
{
	unsigned int left = port->ready_count;
	struct nfpchan *ch;

	for (; left; left--) {
		ch = port->ready;
		port->ready = ch->ready_next;
		if (ch->posted)
			look(port, ch);
	}
	return done_pop(port, events, n);
}

/* Returns the number of events, 0, or the failure of a card. */
static int wait_look(struct nfpchan_port *port, struct nfpchan_event *events, unsigned int n,
		     bool all)
{
	int err = collect(port, all);
	unsigned int got = 0;

	if (!err)
		got = serve(port, events, n);
	else if (!port->alive)
		got = serve_requests(port, events, n);
	return got ? (int)got : err;
}

int nfpchan_port_wait(struct nfpchan_port *port, struct nfpchan_event *events, unsigned int n,
		      int64_t timeout)
{
	struct pause p = { .timeout = timeout };
	bool all;
	int ret;

	if (!n || n > INT32_MAX)
		return -EINVAL;
	for (;;) {
		chan_lock(&port->ch);
		all = collect_all(port);
		ret = wait_look(port, events, n, all);
		if (!ret && !all)
			ret = wait_look(port, events, n, true);
		if (!ret)
			wait_begin(port, &p);
		chan_unlock(&port->ch);
		if (ret) {
			chan_paused(&port->ch, &p);
			return ret;
		}
		ret = port_pause(port, &p);
		if (ret)
			return ret;
	}
}

/* ---- select ---- */

/* Index of the open case of @ch, or @n. Try the index of the last time first. */
static unsigned int case_of(struct nfpchan *ch, const struct nfpchan_case *cases, unsigned int n)
{
	unsigned int i = ch->hint;

	if (i < n && cases[i].ch == ch && cases[i].guard)
		return i;
	for (i = 0; i < n; i++)
		if (cases[i].ch == ch && cases[i].guard)
			break;
	ch->hint = i;
	return i;
}

ssize_t case_try(struct nfpchan_case *c)
{
	if (!c->buf)
		return nfpchan_wait(c->ch, NFPCHAN_NONBLOCK);
	if (c->ch->layout.dir == NFP_CHAN_TO_HOST)
		return nfpchan_recv(c->ch, c->buf, c->len, NFPCHAN_NONBLOCK);
	return nfpchan_send(c->ch, c->buf, c->len, NFPCHAN_NONBLOCK);
}

/* Do the first case that can be done, of the channels in the list. */
static int select_ready(struct nfpchan_port *port, struct nfpchan_case *cases, unsigned int n)
{
	unsigned int left, i;
	struct nfpchan *ch;

	for (left = port->ready_count; left; left--) {
		ch = port->ready;
		/* Start with the next channel next time, so that all have their turn. */
		port->ready = ch->ready_next;
		if (ch->layout.dir != NFP_CHAN_TO_HOST || ch->posted)
			continue;
		i = case_of(ch, cases, n);
		if (i == n)
			continue;
		cases[i].ret = case_try(&cases[i]);
		if (cases[i].ret != -EAGAIN)
			return (int)i;
		port_quiet(port, ch);
	}
	return -EAGAIN;
}

int port_select(struct nfpchan_port *port, struct nfpchan_case *cases, unsigned int n,
		struct pause *wait)
{
	bool all;
	int ret;

	chan_lock(&port->ch);
	all = collect_all(port);
	ret = collect(port, all) ?: select_ready(port, cases, n);
	if (ret == -EAGAIN && !all)
		ret = collect(port, true) ?: select_ready(port, cases, n);
	if (ret == -EAGAIN && wait)
		wait_begin(port, wait);
	chan_unlock(&port->ch);
	return ret;
}
