// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * select.c - one of several things on several channels.
 *
 * Sleeping is poll() on the channels' fds: each arms its pipe in the kernel and
 * looks again, so what comes between a look here and the sleep ends it.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include "port.h"

#define LOOK_ALL	16	/* selects, at least, of which one looks at all cases */
#define POLL_LOCAL	16	/* cases that need no memory of their own */

/* Where a thread's lots begin: each one's elsewhere. Never 0. */
static uint32_t lot_first(void)
{
	static uint32_t threads;
	uint32_t x = 1 + __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);

	/* The last step of MurmurHash3: any bit of the number changes any of these. */
	x = (x ^ x >> 16) * 0x85ebca6b;
	x = (x ^ x >> 13) * 0xc2b2ae35;
	return (x ^ x >> 16) ?: 1;
}

/* Several threads, and several sets in one thread, must not fall into step. */
static uint32_t lot(void)
{
	static __thread uint32_t state;

	if (!state)
		state = lot_first();
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

static int cases_check(const struct nfpchan_case *c, unsigned int n)
{
	unsigned int i, open = 0;

	for (i = 0; i < n; i++) {
		if (!c[i].guard)
			continue;
		if (c[i].buf && c[i].ch->layout.dir == NFP_CHAN_TO_NFP && !c[i].ch->layout.depth)
			return -EOPNOTSUPP;
		open++;
	}
	return open ? 0 : -EINVAL;
}

/* Do it if it can be done. */
ssize_t case_try(struct nfpchan_case *c)
{
	if (!c->buf)
		return nfpchan_wait(c->ch, NFPCHAN_NONBLOCK);
	if (c->ch->layout.dir == NFP_CHAN_TO_HOST)
		return nfpchan_recv(c->ch, c->buf, c->len, NFPCHAN_NONBLOCK);
	return nfpchan_send(c->ch, c->buf, c->len, NFPCHAN_NONBLOCK);
}

static int cases_try(struct nfpchan_case *cases, unsigned int n)
{
	unsigned int k, i = lot() % n;

	for (k = 0; k < n; k++, i = i + 1 == n ? 0 : i + 1) {
		if (!cases[i].guard)
			continue;
		cases[i].ret = case_try(&cases[i]);
		if (cases[i].ret != -EAGAIN)
			return (int)i;
	}
	return -EAGAIN;
}

/*
 * Who watches for one of them watches for all: by looking at each, as the CPU
 * can monitor one line only.
 */
static uint64_t cases_spin(const struct nfpchan_case *cases, unsigned int n)
{
	uint64_t spin = 0, one;
	unsigned int i;

	for (i = 0; i < n; i++) {
		one = cases[i].guard ? chan_spin(cases[i].ch) : 0;
		if (one > spin)
			spin = one;
	}
	return spin;
}

static int cases_sleep(struct nfpchan_case *cases, unsigned int n, struct pause *p, uint64_t now)
{
	struct pollfd local[POLL_LOCAL], *pfd = local;
	unsigned int i, k = 0;
	bool part;
	int ret;

	p->part = false;
	if (n > POLL_LOCAL) {
		pfd = malloc(n * sizeof(*pfd));
		if (!pfd)
			return -ENOMEM;
	}
	for (i = 0; i < n; i++) {
		if (!cases[i].guard)
			continue;
		chan_lock(cases[i].ch);
		cases[i].ch->sleeps++;
		chan_unlock(cases[i].ch);
		pfd[k].fd = cases[i].ch->fd;
		pfd[k].events = cases[i].ch->layout.dir == NFP_CHAN_TO_HOST ? POLLIN : POLLOUT;
		part = chan_part(cases[i].ch, cases[i].buf ? cases[i].len : 0);
		/* What becomes of it the next look says. */
		if (part)
			pfd[k].fd = -1;
		p->part |= part;
		k++;
	}
	ret = pause_poll(pfd, k, p, now);
	if (pfd != local)
		free(pfd);
	if (ret < 0)
		return ret;
	p->expired = !ret && !p->part;
	return 0;
}

/* The port that tells of all of them, if there is one. */
static struct nfpchan_port *cases_port(const struct nfpchan_case *c, unsigned int n)
{
	struct nfpchan_port *port = NULL;
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (!c[i].guard)
			continue;
		if (!c[i].ch->port || (port && c[i].ch->port != port) ||
		    c[i].ch->layout.dir != NFP_CHAN_TO_HOST || c[i].ch->posted)
			return NULL;
		port = c[i].ch->port;
	}
	return port;
}

/* Wait as the port's handle does. */
static int select_port(struct nfpchan_port *port, struct nfpchan_case *cases, unsigned int n,
		       int64_t timeout)
{
	struct pause p = { .timeout = timeout };
	int ret;

	for (;;) {
		ret = port_select(port, cases, n, &p);
		if (ret != -EAGAIN) {
			chan_paused(&port->ch, &p);
			return ret;
		}
		ret = port_pause(port, &p);
		if (ret)
			return ret;
	}
}

/*
 * Most of the time the port of the first is all that is looked at, so that it
 * makes no difference how many there are; but once in a while, the more seldom
 * the more there are, at the others, which may be no channels of that port.
 */
static int select_first(struct nfpchan_case *cases, unsigned int n)
{
	static __thread unsigned int turn;

	if (!n || !cases[0].guard || !cases[0].ch->port)
		return -EAGAIN;
	if (++turn >= LOOK_ALL && turn >= n) {
		turn = 0;
		return -EAGAIN;
	}
	return port_select(cases[0].ch->port, cases, n, NULL);
}

int nfpchan_select(struct nfpchan_case *cases, unsigned int n, int64_t timeout)
{
	struct pause p = { .timeout = timeout };
	struct nfpchan_port *port;
	uint64_t now;
	int ret;

	ret = select_first(cases, n);
	if (ret >= 0)
		return ret;
	ret = cases_check(cases, n);
	if (ret)
		return ret;
	port = cases_port(cases, n);
	if (port) {
		ret = select_port(port, cases, n, timeout);
		/* What has become of the port's channels they say themselves. */
		if (ret != -ENODEV && ret != -EIO)
			return ret;
	}
	for (;;) {
		ret = cases_try(cases, n);
		if (ret >= 0)
			chan_paused(cases[ret].ch, &p);
		if (ret != -EAGAIN || !timeout)
			return ret;
		if (p.expired)
			return -ETIMEDOUT;
		now = pause_now();
		if (!p.start) {
			p.start = now;
			p.spin = cases_spin(cases, n);
		}
		if (pause_over(&p, now))
			continue;
		if (now - p.start < p.spin) {
			pause_spin();
			continue;
		}
		ret = cases_sleep(cases, n, &p, now);
		if (ret)
			return ret;
	}
}
