// SPDX-License-Identifier: BSD-2-Clause
/* serve.c - serve one device: socket, signals, timers, and the device's descriptors. */
#define _GNU_SOURCE		/* for ppoll() */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "serve.h"

/* Client messages, then work items of the device, that the loop handles before it polls again. */
#define BURST		64
#define NS_PER_S	1000000000ull

static void say(const struct serve *d, int level, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	d->ops->log(level, line);
}

static int signals_open(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGUSR1);
	/* The process that holds the read end of @ready_fd may have closed it. */
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -1;
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

static void ready_tell(const struct serve *d)
{
	if (d->ready_fd < 0)
		return;
	if (write(d->ready_fd, "ready\n", 6) != 6)
		say(d, LOG_WARNING, "--ready-fd %d: %s", d->ready_fd, strerror(errno));
	close(d->ready_fd);
}

/* Return: the time until @deadline, or NULL if there is no deadline. */
static const struct timespec *wait_time(uint64_t deadline, struct timespec *ts)
{
	uint64_t now;

	if (deadline == UINT64_MAX)
		return NULL;
	clock_gettime(CLOCK_MONOTONIC, ts);
	now = ts->tv_sec * NS_PER_S + ts->tv_nsec;
	deadline = deadline > now ? deadline - now : 0;
	ts->tv_sec = deadline / NS_PER_S;
	ts->tv_nsec = deadline % NS_PER_S;
	return ts;
}

/* Wait for an event at @p. With @more to do, only look. Return 0, or -1 with errno set. */
static int wait_events(const struct serve *d, struct pollfd *p, bool attached, bool more)
{
	struct timespec ts = { 0 };
	const struct timespec *wait = &ts;
	unsigned int n = 2;

	if (attached && d->nfds) {
		d->pollfds(d->dev, p + n);
		n += d->nfds;
	}
	if (!more)
		wait = wait_time(attached && d->deadline ? d->deadline(d->dev) : UINT64_MAX, &ts);
	return ppoll(p, n, wait, NULL) < 0 && errno != EINTR ? -1 : 0;
}

static int loop(const struct serve *d, struct vfio_user_server *s, int sigfd)
{
	struct signalfd_siginfo si;
	bool more = true;

	for (;;) {
		struct pollfd p[2 + SERVE_FDS_MAX] = { { 0 }, { .fd = sigfd, .events = POLLIN } };

		vfio_user_pollfd(s, &p[0]);
		if (wait_events(d, p, vfio_user_attached(s), more)) {
			say(d, LOG_ERR, "ppoll: %s", strerror(errno));
			return -1;
		}
		if (p[1].revents && read(sigfd, &si, sizeof(si)) == sizeof(si)) {
			if (si.ssi_signo != SIGUSR1) {
				say(d, LOG_INFO, "signal %u: exit", si.ssi_signo);
				return 0;
			}
			d->stats_write(d->dev, d->stats);
		}
		more = p[0].revents && vfio_user_serve(s, BURST);
		if (d->once && vfio_user_served(s))
			return 0;
		more |= vfio_user_attached(s) && d->run(d->dev, BURST);
	}
}

int serve_device(const struct serve *d)
{
	struct vfio_user_server *s;
	char err[256];
	int sigfd, ret;

	assert(d->nfds <= SERVE_FDS_MAX);
	s = vfio_user_listen(d->ops, d->dev, d->socket, err, sizeof(err));
	if (!s) {
		say(d, LOG_ERR, "--socket: %s", err);
		return -1;
	}
	sigfd = signals_open();
	if (sigfd < 0) {
		say(d, LOG_ERR, "signalfd: %s", strerror(errno));
		vfio_user_close(s);
		return -1;
	}
	ready_tell(d);
	ret = loop(d, s, sigfd);
	vfio_user_close(s);
	close(sigfd);
	return ret;
}
