// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* chan_handle.c - calls on a channel that carry no message: properties, policy, interrupt, counters. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "chan_handle.h"
#include "ring_int.h"

void chan_stop(struct nfpchan *ch)
{
	ch->ops->stop(ch);
}

const char *nfpchan_name(const struct nfpchan *ch)
{
	return ch->name;
}

const struct nfp_chan_layout *nfpchan_layout(const struct nfpchan *ch)
{
	return &ch->layout;
}

int nfpchan_fd(const struct nfpchan *ch)
{
	return ch->fd;
}

int chan_bind(struct nfpchan *ch, int fd, int who)
{
	int err;

	chan_lock(ch);
	if (ch->bound != BOUND_NONE && (int)ch->bound != who)
		err = -EBUSY;
	else if (ch->bound == BOUND_DRAIN && fd >= 0)
		err = -EBUSY;
	else
		err = ch->ops->eventfd(ch, fd);
	if (!err)
		ch->bound = fd >= 0 ? who : BOUND_NONE;
	else
		ring_fail(&ch->ring, err, "eventfd %llu cannot be bound: error %llu",
			  (unsigned long long)fd, (unsigned long long)-err, 0);
	chan_unlock(ch);
	return err;
}

int nfpchan_set_wait(struct nfpchan *ch, uint32_t wait, int32_t spin_us)
{
	struct policy p;
	int err = policy_set(&p, wait, spin_us);

	/*
	 * Without an interrupt (bpf:), this process itself writes the record, so no write would end a
	 * monitored wait.
	 */
	if (!err && p.watch == WATCH_MONITOR && ch->no_irq)
		err = wait == NFPCHAN_WAIT_BEST ?
		      policy_set(&p, NFPCHAN_WAIT_ADAPTIVE, spin_us) : -EOPNOTSUPP;
	chan_lock(ch);
	if (!err)
		ch->policy = p;
	else if (err == -EOPNOTSUPP && ch->no_irq)
		ring_fail(&ch->ring, err, "this channel cannot wait by NFPCHAN_WAIT_MONITOR",
			  0, 0, 0);
	else if (err == -EOPNOTSUPP)
		ring_fail(&ch->ring, err, "this CPU cannot monitor a cache line (WAITPKG, MWAITX)",
			  0, 0, 0);
	else
		ring_fail(&ch->ring, err, "wait policy is %llu, known are 0 to %llu, none but 0 with a negative time",
			  wait, NFPCHAN_WAIT_BEST, 0);
	chan_unlock(ch);
	return err;
}

uint32_t nfpchan_get_wait(struct nfpchan *ch)
{
	uint32_t wait;

	chan_lock(ch);
	wait = policy_get(&ch->policy);
	chan_unlock(ch);
	return wait;
}

int chan_no_irq(struct nfpchan *ch)
{
	if (!ch->no_irq)
		return 0;
	chan_lock(ch);
	ring_fail(&ch->ring, -EOPNOTSUPP, ch->no_irq, 0, 0, 0);
	chan_unlock(ch);
	return -EOPNOTSUPP;
}

int nfpchan_eventfd(struct nfpchan *ch, int fd)
{
	return chan_no_irq(ch) ?: chan_bind(ch, fd, BOUND_CALLER);
}

int nfpchan_raise(struct nfpchan *ch)
{
	if (!ch->map_bell)
		return ch->ops->raise(ch);
	if (__atomic_load_n(&ch->ring.note->state, __ATOMIC_ACQUIRE) ==
	    htole32(NFP_CHAN_STATE_GONE))
		return -ENODEV;
	doorbell_order();
	*(volatile uint32_t *)((char *)ch->map_bell + ch->layout.signal_db) = htole32(1);
	return 0;
}

int nfpchan_arm(struct nfpchan *ch)
{
	int ret;

	chan_lock(ch);
	ring_flush(&ch->ring);
	ret = ring_arm(&ch->ring);
	chan_unlock(ch);
	return ret;
}

int nfpchan_stats(struct nfpchan *ch, struct nfpchan_stats *stats)
{
	struct nfpchan_stats s = { .size = stats->size };
	struct ring_count c;

	if (stats->size < sizeof(stats->size))
		return -EINVAL;
	chan_lock(ch);
	c = ring_count(&ch->ring);
	s.msgs = c.msgs;
	s.bytes = c.bytes;
	s.doorbells = c.doorbells;
	s.arms = c.arms;
	s.sleeps = ch->sleeps;
	s.borrowed = ch->ring.borrowed;
	s.inlined = c.inlined;
	s.waits = ch->waits;
	chan_unlock(ch);
	if (s.size > sizeof(s))
		memset((char *)stats + sizeof(s), 0, s.size - sizeof(s));
	memcpy(stats, &s, s.size < sizeof(s) ? s.size : sizeof(s));
	return 0;
}

void chan_error(const struct nfpchan *ch, char *buf, size_t len)
{
	const struct ring_err *e = &ch->ring.err;
	int n;

	if (!len)
		return;
	n = snprintf(buf, len, "%s: ", ch->name);
	if (n >= 0 && (size_t)n < len && e->fmt)
		/* All formats are constants of this library, with up to three %llu. */
		snprintf(buf + n, len - (size_t)n, e->fmt, e->v[0], e->v[1], e->v[2]);
	else if (n >= 0 && (size_t)n < len)
		snprintf(buf + n, len - (size_t)n, "no failure");
}

char *nfpchan_error(struct nfpchan *ch, char *buf, size_t len)
{
	chan_lock(ch);
	chan_error(ch, buf, len);
	chan_unlock(ch);
	return buf;
}

int nfpchan_xdp_bind(struct nfpchan *ch, int prog_fd, int map_fd)
{
	return ch->ops->xdp_bind(ch, prog_fd, map_fd);
}

int nfpchan_xdp_unbind(struct nfpchan *ch, int map_fd)
{
	return ch->ops->xdp_unbind(ch, map_fd);
}
