// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * wait.c - spin briefly, then sleep.
 *
 * Sleeping is poll() on the channel's own fd, not on a bound eventfd: the
 * kernel's poll arms the pipe itself, so a sleep is a single system call with
 * nothing to drain after it; the end of the card is an event like any other;
 * and the vector's one eventfd binding stays free for the caller, who may want
 * the interrupt in an event loop or a virtual machine (nfpchan_eventfd()).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <time.h>
#include "chan.h"

#define NSEC_PER_SEC	1000000000ull
#define SPIN_LOOPS	32	/* pauses between two looks at the ring */

static uint64_t now_ns(void)
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

static int chan_sleep(struct nfpchan *ch, struct pause *p, uint64_t now)
{
	struct pollfd pfd = {
		.fd = ch->fd,
		.events = ch->geom.dir == NFP_CHAN_TO_HOST ? POLLIN : POLLOUT,
	};
	struct timespec ts, *tsp = NULL;
	int saved = errno, ret;
	uint64_t left;

	if (p->timeout >= 0) {
		left = now - p->start < (uint64_t)p->timeout ?
		       (uint64_t)p->timeout - (now - p->start) : 0;
		ts.tv_sec = (time_t)(left / NSEC_PER_SEC);
		ts.tv_nsec = (long)(left % NSEC_PER_SEC);
		tsp = &ts;
	}

	pthread_mutex_lock(&ch->lock);
	ring_flush(&ch->ring);	/* a card that waits for room would never wake us */
	ch->sleeps++;
	pthread_mutex_unlock(&ch->lock);

	ret = ppoll(&pfd, 1, tsp, NULL);
	if (ret < 0) {
		ret = -errno;
		errno = saved;
		return ret;
	}
	p->expired = !ret;
	/* What the ring still holds counts first, so look once more. */
	p->gone = ret && pfd.revents & (POLLERR | POLLHUP | POLLNVAL);
	return 0;
}

int chan_pause(struct nfpchan *ch, struct pause *p, bool offer)
{
	uint64_t now;
	int i;

	if (p->gone) {
		pthread_mutex_lock(&ch->lock);
		ring_fail(&ch->ring, -ENODEV, "the card is gone", 0, 0, 0);
		pthread_mutex_unlock(&ch->lock);
		return -ENODEV;
	}
	if (p->expired)
		return -ETIMEDOUT;
	if (!p->timeout && !offer)
		return -EAGAIN;

	now = now_ns();
	if (!p->start)
		p->start = now;
	if (now - p->start < ch->spin_ns &&
	    (p->timeout <= 0 || now - p->start < (uint64_t)p->timeout)) {
		for (i = 0; i < SPIN_LOOPS; i++)
			cpu_relax();
		return 0;
	}
	return p->timeout ? chan_sleep(ch, p, now) : -EAGAIN;
}
