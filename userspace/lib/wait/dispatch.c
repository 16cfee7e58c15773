// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * dispatch.c - a pool of threads that call a handler for each message.
 *
 * Each channel is in an epoll set with EPOLLONESHOT. The thread that epoll wakes for a channel
 * has the channel alone until it re-arms the channel in epoll. So the handlers of one channel
 * run in the order of its messages, and channels do not wait for each other while threads are
 * free. Re-arming makes the kernel look at the channel and arm its pipe, so that no message is
 * missed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "chan_handle.h"

#define THREADS_MAX	64
#define TURN		64	/* messages of one channel before other channels have their turn */
#define ID_STOP		0

/**
 * struct target - a channel of the pool
 * @next: next in the list
 * @id: the number by which epoll names it, so that an event for a removed target finds none
 * @ch: the channel
 * @fn: the handler
 * @arg: argument of the handler
 * @pause: the wait of the thread that has the channel
 * @busy: a thread has the channel
 * @thread: that thread
 * @removed: the thread is to give the channel up without re-arming it
 */
struct target {
	struct target *next;
	uint64_t id;
	struct nfpchan *ch;
	nfpchan_handler fn;
	void *arg;
	struct pause pause;
	bool busy;
	pthread_t thread;
	bool removed;
};

/**
 * struct nfpchan_dispatch - a pool
 * @epoll: epoll of the channels and @stop_fd
 * @stop_fd: eventfd, readable from the end of the pool on: ends the threads that sleep
 * @stop: the pool ends: read by the threads that work
 * @lock: guards the fields below
 * @idle: signalled when a removed target is not busy any more
 * @targets: list of the channels
 * @last_id: the last id that was given to a target
 * @count: number of threads
 * @thread: the threads
 */
struct nfpchan_dispatch {
	int epoll;
	int stop_fd;
	bool stop;
	pthread_mutex_t lock;
	pthread_cond_t idle;
	struct target *targets;
	uint64_t last_id;
	unsigned int count;
	pthread_t thread[];
};

/* Read a flag without the lock: a thread that watches without end has to see it. */
static bool is_set(const bool *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static ssize_t target_get(struct target *t, const void **data)
{
	if (t->ch->layout.kind == NFP_CHAN_STREAM)
		return nfpchan_peek(t->ch, data, NFPCHAN_NONBLOCK);
	return nfpchan_borrow(t->ch, data, NFPCHAN_NONBLOCK);
}

static void target_give_back(struct target *t, ssize_t len)
{
	if (t->ch->layout.kind == NFP_CHAN_STREAM)
		nfpchan_consume(t->ch, (size_t)len);
	else
		nfpchan_release(t->ch, 1);
}

/* Handle messages of one channel, up to a turn. false: the channel leaves the pool. */
static bool target_run(struct nfpchan_dispatch *d, struct target *t)
{
	const void *data = NULL;
	unsigned int n = 0;
	ssize_t len;
	int ret;

	while (n < TURN && !is_set(&d->stop) && !is_set(&t->removed)) {
		len = target_get(t, &data);
		if (len == -EAGAIN) {
			if (!chan_linger(t->ch, &t->pause))
				return true;
			continue;
		}
		chan_paused(t->ch, &t->pause);
		t->pause.start = 0;
		ret = t->fn(t->arg, t->ch, len < 0 ? NULL : data, len);
		if (len < 0)
			return false;
		target_give_back(t, len);
		if (ret)
			return false;
		n++;
	}
	return true;
}

static int target_put(struct nfpchan_dispatch *d, struct target *t, int op)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLONESHOT, .data.u64 = t->id };

	return epoll_ctl(d->epoll, op, t->ch->fd, &ev) ? -errno : 0;
}

/* The pointer to the target, or to the end of the list. The caller holds the lock. */
static struct target **target_find(struct nfpchan_dispatch *d, uint64_t id,
				   const struct nfpchan *ch)
{
	struct target **link = &d->targets;

	while (*link && (*link)->id != id && (*link)->ch != ch)
		link = &(*link)->next;
	return link;
}

static void target_unlink(struct nfpchan_dispatch *d, struct target *t)
{
	*target_find(d, t->id, t->ch) = t->next;
}

static void work(struct nfpchan_dispatch *d, uint64_t id)
{
	struct target *t;
	bool more;

	pthread_mutex_lock(&d->lock);
	t = *target_find(d, id, NULL);
	if (t) {
		t->busy = true;
		t->thread = pthread_self();
	}
	pthread_mutex_unlock(&d->lock);
	if (!t)
		return;
	more = target_run(d, t);
	chan_flush(t->ch);
	pthread_mutex_lock(&d->lock);
	t->busy = false;
	if (t->removed) {
		/* nfpchan_dispatch_remove() waits for this, and frees the target. */
		pthread_cond_broadcast(&d->idle);
	} else if (!more) {
		epoll_ctl(d->epoll, EPOLL_CTL_DEL, t->ch->fd, NULL);
		target_unlink(d, t);
		free(t);
	} else {
		target_put(d, t, EPOLL_CTL_MOD);
	}
	pthread_mutex_unlock(&d->lock);
}

static void *pool_thread(void *arg)
{
	struct nfpchan_dispatch *d = arg;
	struct epoll_event ev;

	while (!is_set(&d->stop)) {
		/* One event at a time, so that other threads can take the other channels. */
		if (epoll_wait(d->epoll, &ev, 1, -1) == 1 && ev.data.u64 != ID_STOP)
			work(d, ev.data.u64);
	}
	return NULL;
}

/* Threads of the pool block all signals, which are for the caller's threads. */
static int pool_start(struct nfpchan_dispatch *d, unsigned int threads)
{
	sigset_t all, old;
	int err = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (!err && d->count < threads) {
		err = -pthread_create(&d->thread[d->count], NULL, pool_thread, d);
		if (!err)
			d->count++;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

static void pool_stop(struct nfpchan_dispatch *d)
{
	unsigned int i;

	__atomic_store_n(&d->stop, true, __ATOMIC_RELEASE);
	eventfd_write(d->stop_fd, 1);
	for (i = 0; i < d->count; i++)
		pthread_join(d->thread[i], NULL);
}

static int pool_files(struct nfpchan_dispatch *d)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u64 = ID_STOP };
	int err;

	d->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (d->epoll < 0)
		return -errno;
	d->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (d->stop_fd < 0) {
		err = -errno;
		goto fail_epoll;
	}
	if (!epoll_ctl(d->epoll, EPOLL_CTL_ADD, d->stop_fd, &ev))
		return 0;
	err = -errno;
	close(d->stop_fd);
fail_epoll:
	close(d->epoll);
	return err;
}

static void pool_free(struct nfpchan_dispatch *d)
{
	struct target *t;

	while ((t = d->targets)) {
		d->targets = t->next;
		free(t);
	}
	close(d->stop_fd);
	close(d->epoll);
	pthread_cond_destroy(&d->idle);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

int nfpchan_dispatch_open(struct nfpchan_dispatch **out, unsigned int threads)
{
	struct nfpchan_dispatch *d;
	int saved = errno, err;
	long cpus;

	*out = NULL;
	if (threads > THREADS_MAX)
		return -EINVAL;
	if (!threads) {
		cpus = sysconf(_SC_NPROCESSORS_ONLN);
		threads = cpus < 1 ? 1 : cpus > THREADS_MAX ? THREADS_MAX : (unsigned int)cpus;
	}
	d = calloc(1, sizeof(*d) + threads * sizeof(d->thread[0]));
	if (!d)
		return -ENOMEM;
	err = pool_files(d);
	if (err) {
		free(d);
		goto out_errno;
	}
	pthread_mutex_init(&d->lock, NULL);
	pthread_cond_init(&d->idle, NULL);
	err = pool_start(d, threads);
	if (err) {
		pool_stop(d);
		pool_free(d);
		goto out_errno;
	}
	*out = d;
out_errno:
	errno = saved;
	return err;
}

int nfpchan_dispatch_close(struct nfpchan_dispatch *d)
{
	int saved = errno;
	unsigned int i;

	if (!d)
		return 0;
	for (i = 0; i < d->count; i++)
		if (pthread_equal(d->thread[i], pthread_self()))
			return -EDEADLK;
	pool_stop(d);
	pool_free(d);
	errno = saved;
	return 0;
}

static int target_check(struct nfpchan *ch)
{
	int err = 0;

	chan_lock(ch);
	if (ch->layout.dir != NFP_CHAN_TO_HOST)
		err = ring_fail(&ch->ring, -EBADF, "the channel leads to the NFP", 0, 0, 0);
	else if (ch->ring.borrowed)
		err = ring_fail(&ch->ring, -EBUSY, "%llu messages are borrowed: give them back first",
				ch->ring.borrowed, 0, 0);
	chan_unlock(ch);
	return err;
}

int nfpchan_dispatch_add(struct nfpchan_dispatch *d, struct nfpchan *ch, nfpchan_handler fn,
			 void *arg)
{
	int saved = errno, err = target_check(ch);
	struct target *t;

	if (err)
		return err;
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->ch = ch;
	t->fn = fn;
	t->arg = arg;
	t->pause.timeout = NFPCHAN_FOREVER;
	chan_flush(ch);
	/* Hold the lock: a thread that epoll wakes at once must find the target in the list. */
	pthread_mutex_lock(&d->lock);
	t->id = ++d->last_id;
	err = target_put(d, t, EPOLL_CTL_ADD);
	if (!err) {
		t->next = d->targets;
		d->targets = t;
	}
	pthread_mutex_unlock(&d->lock);
	if (err)
		free(t);
	errno = saved;
	return err;
}

/* Is the caller the handler of this target? The caller holds the lock. */
static bool target_own(const struct target *t)
{
	return t->busy && pthread_equal(t->thread, pthread_self());
}

int nfpchan_dispatch_remove(struct nfpchan_dispatch *d, struct nfpchan *ch)
{
	int saved = errno, err = 0;
	struct target *t;

	pthread_mutex_lock(&d->lock);
	/* If another thread removes it, wait too: each caller may close the channel after this. */
	while ((t = *target_find(d, ID_STOP, ch)) && t->removed && !target_own(t))
		pthread_cond_wait(&d->idle, &d->lock);
	if (!t) {
		err = -ENOENT;
	} else if (target_own(t)) {
		err = -EDEADLK;
	} else {
		__atomic_store_n(&t->removed, true, __ATOMIC_RELEASE);
		epoll_ctl(d->epoll, EPOLL_CTL_DEL, ch->fd, NULL);
		while (t->busy)
			pthread_cond_wait(&d->idle, &d->lock);
		target_unlink(d, t);
		free(t);
		pthread_cond_broadcast(&d->idle);
	}
	pthread_mutex_unlock(&d->lock);
	errno = saved;
	return err;
}
