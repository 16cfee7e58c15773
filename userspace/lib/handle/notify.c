// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* notify.c - send a real-time signal to a thread when an armed pipe has its interrupt. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include "chan_handle.h"

static int set_async(int fd, bool on)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0)
		return -errno;
	flags = on ? flags | O_ASYNC : flags & ~O_ASYNC;
	return fcntl(fd, F_SETFL, flags) ? -errno : 0;
}

/* Set O_ASYNC last: it arms the pipe and sends the signal if something is there already. */
static int set_owner(int fd, pid_t tid, int signo)
{
	struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = tid ? tid : gettid() };

	if (fcntl(fd, F_SETOWN_EX, &owner) || fcntl(fd, F_SETSIG, signo))
		return -errno;
	return set_async(fd, true);
}

int nfpchan_notify(struct nfpchan *ch, pid_t tid, int signo)
{
	int saved = errno, err = chan_no_irq(ch);

	if (err)
		return err;
	chan_lock(ch);
	if (signo && (signo < SIGRTMIN || signo > SIGRTMAX)) {
		err = ring_fail(&ch->ring, -EINVAL, "signal %llu, real-time signals are %llu to %llu",
				(unsigned int)signo, (unsigned int)SIGRTMIN, (unsigned int)SIGRTMAX);
		goto out;
	}
	/* Publish the position: the kernel decides by it whether something is there. */
	ring_flush(&ch->ring);
	err = set_async(ch->fd, false);
	if (!err && signo)
		err = set_owner(ch->fd, tid, signo);
	ch->async = !err && signo;
	if (err)
		ring_fail(&ch->ring, err, "thread %llu cannot be notified by signal %llu: error %llu",
			  (unsigned int)tid, (unsigned int)signo, (unsigned long long)-err);
out:
	chan_unlock(ch);
	errno = saved;
	return err;
}

void chan_unnotify(struct nfpchan *ch)
{
	int saved = errno;

	/* A child process may hold the file open, so close() would not end the signals. */
	if (ch->async)
		set_async(ch->fd, false);
	errno = saved;
}
