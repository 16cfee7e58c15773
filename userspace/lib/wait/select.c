// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * select.c - do one of several receives and sends on several channels.
 *
 * A select sleeps in poll() on the channels' fds. The kernel arms each pipe and looks once
 * more, so that a message that comes between the library's look and the sleep ends the sleep.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include "port.h"

#define LOOK_ALL	16	/* one select in at least so many looks at all cases */
#define POLL_LOCAL	16	/* cases whose pollfds fit on the stack */

/* Seed of a thread's random numbers: differs between threads, and is never 0. */
static uint32_t lot_first(void)
{
	static uint32_t threads;
	uint32_t x = 1 + __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);

	/* The finalizer of MurmurHash3: each bit of the input changes each bit of the output. */
	x = (x ^ x >> 16) * 0x85ebca6b;
	x = (x ^ x >> 13) * 0xc2b2ae35;
	return (x ^ x >> 16) ?: 1;
}

/* A random number (xorshift). Per thread, so that threads and sets do not run in step. */
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
 * The time to watch: the longest of the cases. The CPU can monitor one record only, so a
 * select on several channels watches by looking at each of them.
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
		/* poll() would return at once, so leave this fd out and look after a nap. */
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

/* The port of all open cases, or NULL if they have no port in common. */
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

/* Wait at the port, by its wait policy. */
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
 * Try the port of the first case. Usually nothing else is looked at, so that the number of
 * cases does not matter. Once in a while, less often with more cases, return -EAGAIN instead,
 * so that the caller looks at all cases, which may be on channels without that port.
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
		/* A card of the port has failed. The channels report that themselves. */
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
