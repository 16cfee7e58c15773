// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_wait.c - wait: watch the record as the handle's policy says, then sleep.
 *
 * A call sleeps in poll() on the channel's own fd, not on an eventfd. poll() in the kernel
 * arms the pipe, so a sleep is one system call, with no eventfd to read afterwards. poll()
 * also reports the end of the card. And the vector's one eventfd binding stays free for a
 * caller that wants the interrupt in an event loop or a virtual machine (nfpchan_eventfd()).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>
#include "chan_handle.h"
#include "ring_int.h"

#define NSEC_PER_SEC	1000000000ull
#define SPIN_LOOPS	32	/* CPU pauses between two looks at the ring */
#define OFFER_NS	20000	/* how long a rendezvous is offered by a handle that never sleeps */
/* Naps between two looks for room: each is twice as long as the last one, within these limits. */
#define NAP_LEAST_NS	20000
#define NAP_MOST_NS	1000000

uint64_t pause_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

static void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

int pause_poll(struct pollfd *pfd, unsigned int n, struct pause *p, uint64_t now)
{
	struct timespec ts, *tsp = NULL;
	uint64_t left = UINT64_MAX, rest;
	int saved = errno, ret;

	if (p->part) {
		p->nap = p->nap ? 2 * p->nap : NAP_LEAST_NS;
		p->nap = p->nap < NAP_MOST_NS ? p->nap : NAP_MOST_NS;
		left = p->nap;
	}
	if (p->timeout >= 0) {
		rest = now - p->start < (uint64_t)p->timeout ?
		       (uint64_t)p->timeout - (now - p->start) : 0;
		left = rest < left ? rest : left;
	}
	if (left != UINT64_MAX) {
		ts.tv_sec = (time_t)(left / NSEC_PER_SEC);
		ts.tv_nsec = (long)(left % NSEC_PER_SEC);
		tsp = &ts;
	}
	ret = ppoll(pfd, n, tsp, NULL);
	if (ret < 0) {
		ret = -errno;
		errno = saved;
	}
	return ret;
}

bool chan_part(struct nfpchan *ch, size_t len)
{
	int64_t room;

	if (ch->naps)
		return true;
	if (ch->layout.dir != NFP_CHAN_TO_NFP || !ch->layout.elem_size || len <= ch->layout.max_size)
		return false;
	chan_lock(ch);
	room = ring_space(&ch->ring);
	chan_unlock(ch);
	return room > 0 && (uint64_t)room < len / ch->layout.elem_size;
}

/*
 * poll() waits for room for one element. If a call needs room for more elements than there is
 * room for, poll() would return at once. So the call naps without the fd, and polls the fd
 * once, without waiting, after each nap, which shows the end of the card.
 */
static int chan_sleep(struct nfpchan *ch, struct pause *p, uint64_t now)
{
	struct pollfd pfd[2] = {
		{ .fd = ch->mute ? -1 : ch->fd,
		  .events = ch->layout.dir == NFP_CHAN_TO_HOST ? POLLIN : POLLOUT },
		{ .fd = ch->wake - 1, .events = POLLIN },
	};
	int ret;

	p->part = chan_part(ch, p->room);
	if (p->part)
		pfd[0].fd = -1;
	chan_lock(ch);
	ring_flush(&ch->ring);	/* or the card may wait for room and never wake us */
	ch->sleeps++;
	chan_unlock(ch);

	ret = pause_poll(pfd, ch->wake ? 2 : 1, p, now);
	if (ret >= 0 && p->part) {
		pfd[0].fd = ch->mute ? -1 : ch->fd;
		ret = poll(pfd, 1, 0);
	}
	if (ret < 0)
		return ret;
	p->expired = !ret && !p->part;
	/* The ring may hold messages, so the call looks once more before it fails. */
	p->gone = ret && pfd[0].revents & (POLLERR | POLLHUP | POLLNVAL);
	return 0;
}

void pause_spin(void)
{
	int i;

	for (i = 0; i < SPIN_LOOPS; i++)
		cpu_relax();
}

bool pause_over(struct pause *p, uint64_t now)
{
	p->expired = p->timeout > 0 && now - p->start >= (uint64_t)p->timeout;
	return p->expired;
}

uint64_t chan_spin(struct nfpchan *ch)
{
	const struct policy *po = &ch->policy;
	uint64_t spin;

	chan_lock(ch);
	spin = po->watch == WATCH_ADAPT ? adapt_spin(&po->adapt, po->spin_ns) : po->spin_ns;
	chan_unlock(ch);
	return spin;
}

/*
 * With timeout 0 only a rendezvous on offer is waited for. The offer lasts @spin_ns, even if
 * the policy has learned that waits are long, so that the ME process has time to take it. On
 * a handle that never sleeps the offer must end after OFFER_NS.
 */
static void pause_start(struct nfpchan *ch, struct pause *p, uint64_t now)
{
	p->start = now;
	p->spin = chan_spin(ch);
	chan_lock(ch);
	p->monitor = ch->policy.watch == WATCH_MONITOR;
	if (!p->timeout)
		p->spin = ch->policy.spin_ns == UINT64_MAX ? OFFER_NS : ch->policy.spin_ns;
	chan_unlock(ch);
}

/* Has the card written to the record since the last look? */
static bool chan_moved(void *arg)
{
	struct nfpchan *ch = arg;
	bool moved;

	chan_lock(ch);
	moved = ring_moved(&ch->ring);
	chan_unlock(ch);
	return moved;
}

static void chan_watch(struct nfpchan *ch, const struct pause *p, uint64_t now)
{
	uint64_t left = p->spin - (now - p->start);

	if (!p->monitor) {
		pause_spin();
		return;
	}
	if (p->timeout > 0 && left > (uint64_t)p->timeout - (now - p->start))
		left = (uint64_t)p->timeout - (now - p->start);
	monitor_wait(ch->ring.note, chan_moved, ch, left);
}

void chan_paused(struct nfpchan *ch, const struct pause *p)
{
	struct policy *po = &ch->policy;

	if (!p->start)
		return;
	chan_lock(ch);
	ch->waits++;
	if (po->watch == WATCH_ADAPT)
		adapt_learn(&po->adapt, pause_now() - p->start, po->spin_ns);
	chan_unlock(ch);
}

bool chan_linger(struct nfpchan *ch, struct pause *p)
{
	uint64_t now = pause_now();

	if (!p->start)
		pause_start(ch, p, now);
	if (now - p->start >= p->spin)
		return false;
	chan_watch(ch, p, now);
	return true;
}

int chan_pause(struct nfpchan *ch, struct pause *p, bool offer)
{
	uint64_t now;
	int ret;

	if (p->gone) {
		chan_lock(ch);
		if (ch->ring.lent == -EISCONN)
			ret = ring_lent(&ch->ring);
		else
			ret = ring_fail(&ch->ring, -ENODEV, "the card is gone", 0, 0, 0);
		chan_unlock(ch);
		return ret;
	}
	if (p->expired)
		return -ETIMEDOUT;
	if (!p->timeout && !offer)
		return -EAGAIN;

	now = pause_now();
	if (!p->start)
		pause_start(ch, p, now);
	if (pause_over(p, now))
		return 0;
	if (now - p->start < p->spin) {
		chan_watch(ch, p, now);
		return 0;
	}
	return p->timeout ? chan_sleep(ch, p, now) : -EAGAIN;
}

ssize_t chan_step_wait(struct nfpchan *ch, struct pause *p, step_fn step, void *arg, size_t n)
{
	int64_t ret;

	for (;;) {
		ret = chan_pause(ch, p, false);
		if (ret)
			break;
		ret = chan_try(ch, step, arg, n);
		if (ret != -EAGAIN) {
			chan_paused(ch, p);
			return (ssize_t)ret;
		}
	}
	chan_flush(ch);
	return (ssize_t)ret;
}

/* Look once: has the ME process taken everything? With @arm, arm the pipe if not. */
static int drain_look(struct nfpchan *ch, bool arm)
{
	struct ring *r = &ch->ring;
	int err;

	chan_lock(ch);
	err = ring_taken(r, r->pos);
	if (err == -EAGAIN && arm) {
		ring_arm(r);
		err = ring_taken(r, r->pos);
	}
	chan_unlock(ch);
	return err;
}

/* Watch as the policy says. -EAGAIN: the ME process has not taken everything. */
static int drain_watch(struct nfpchan *ch, struct pause *p)
{
	uint64_t now = p->start;
	int err = -EAGAIN;

	while (err == -EAGAIN && now - p->start < p->spin && !pause_over(p, now)) {
		chan_watch(ch, p, now);
		err = drain_look(ch, false);
		now = pause_now();
	}
	return err;
}

/*
 * Sleep until the ME process has taken everything. poll() on the channel's fd waits for room
 * for one message, which comes earlier, so this sleep uses an eventfd.
 */
static int drain_sleep(struct nfpchan *ch, struct pause *p)
{
	struct pollfd pfd = { .events = POLLIN };
	int err, ret = 1;
	eventfd_t count;

	pfd.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (pfd.fd < 0)
		return -errno;
	err = chan_bind(ch, pfd.fd, BOUND_DRAIN);
	if (err)
		goto out_close;
	while ((err = drain_look(ch, true)) == -EAGAIN) {
		if (!ret) {
			err = -ETIMEDOUT;
			break;
		}
		ret = pause_poll(&pfd, 1, p, pause_now());
		if (ret < 0) {
			err = ret;
			break;
		}
		eventfd_read(pfd.fd, &count);
	}
	chan_bind(ch, -1, BOUND_DRAIN);
out_close:
	close(pfd.fd);
	return err;
}

/* Sleep in naps, on a channel that has no interrupt. */
static int drain_nap(struct nfpchan *ch, struct pause *p)
{
	int err, ret = 0;

	p->part = true;
	do {
		err = drain_look(ch, false);
		if (err != -EAGAIN)
			return err;
		if (pause_over(p, pause_now()))
			return -ETIMEDOUT;
		ret = pause_poll(NULL, 0, p, pause_now());
	} while (ret >= 0);
	return ret;
}

int nfpchan_drain(struct nfpchan *ch, int64_t timeout)
{
	struct pause p = { .timeout = timeout };
	int saved = errno, err;

	if (ch->layout.dir != NFP_CHAN_TO_NFP)
		return -EBADF;
	err = drain_look(ch, false);
	if (err == -EAGAIN && timeout) {
		pause_start(ch, &p, pause_now());
		err = drain_watch(ch, &p);
		if (err == -EAGAIN && ch->naps)
			err = drain_nap(ch, &p);
		else if (err == -EAGAIN)
			err = p.expired ? -ETIMEDOUT : drain_sleep(ch, &p);
	}
	errno = saved;
	return err;
}
