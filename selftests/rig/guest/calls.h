/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* calls.h - small wrappers of system calls and ioctls, for tests in the guest. */
#ifndef CALLS_H
#define CALLS_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nfpchan/nfp_chan.h>

#include "tap.h"

/* An ioctl's struct, with its size filled in */
#define ARG(s, ...)								\
	(&(struct nfp_chan_##s){ .size = sizeof(struct nfp_chan_##s), ##__VA_ARGS__ })

static inline void file_put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(path);
	close(fd);
}

/* Read the beginning of a file as text. Return 0 if there is no text. */
static inline int proc_read(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, size - 1);

	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = 0;
	return n > 0;
}

/* Count the lines of a file that contain @text. */
static inline long lines_with(const char *path, const char *text)
{
	FILE *f = fopen(path, "r");
	char line[1024];
	long n = 0;

	while (f && fgets(line, sizeof(line), f))
		n += strstr(line, text) != NULL;
	if (f)
		fclose(f);
	return n;
}

/* Fork. First flush stdout: otherwise the child would print the buffered lines again. */
static inline pid_t fork_or_die(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	return pid;
}

/* Wait up to @ms for @events or an error. Return the events that have come; 0: none. */
static inline int events_of(int fd, int events, int ms)
{
	struct pollfd p = { .fd = fd, .events = events };

	return poll(&p, 1, ms) == 1 ? p.revents : 0;
}

/* Block @sig, so that sigtimedwait() can take it. */
static inline sigset_t signal_block(int sig)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return set;
}

static inline int card_open(int flags)
{
	int fd = open("/dev/nfp_chan0", flags | O_CLOEXEC);

	if (fd < 0)
		die("/dev/nfp_chan0");
	return fd;
}

/* Open a channel. Return its fd, or -1 with errno. */
static inline int chan_open(int card, const char *name, unsigned int flags,
			    unsigned int ring_size)
{
	struct nfp_chan_open o = {
		.size = sizeof(o), .flags = flags, .ring_size = ring_size, .fd = -1, .ring_fd = -1,
		.port_fd = -1,
	};

	strncpy(o.name, name, sizeof(o.name) - 1);
	return ioctl(card, NFP_CHAN_IOC_OPEN, &o) ? -1 : o.fd;
}

static inline int port_open(int card)
{
	struct nfp_chan_port p = { .size = sizeof(p), .fd = -1 };

	return ioctl(card, NFP_CHAN_IOC_PORT, &p) ? -1 : p.fd;
}

/* Open a channel whose news go to @port, marked with @cookie. */
static inline int chan_open_on(int card, const char *name, int port, __u64 cookie)
{
	struct nfp_chan_open o = {
		.size = sizeof(o), .flags = NFP_CHAN_OPEN_NONBLOCK, .fd = -1, .ring_fd = -1,
		.port_fd = port, .cookie = cookie,
	};

	strncpy(o.name, name, sizeof(o.name) - 1);
	return ioctl(card, NFP_CHAN_IOC_OPEN, &o) ? -1 : o.fd;
}

/* Open a stream to the NFP that shares the ring of @ring_fd, a stream to the host. */
static inline int chan_open_shared(int card, const char *name, int ring_fd)
{
	struct nfp_chan_open o = {
		.size = sizeof(o), .flags = NFP_CHAN_OPEN_MAPPED, .fd = -1, .ring_fd = ring_fd,
		.port_fd = -1,
	};

	strncpy(o.name, name, sizeof(o.name) - 1);
	return ioctl(card, NFP_CHAN_IOC_OPEN, &o) ? -1 : o.fd;
}

static inline int chan_must(int card, const char *name, unsigned int flags)
{
	int fd = chan_open(card, name, flags, 0);

	if (fd < 0)
		die(name);
	return fd;
}

static inline struct nfp_chan_info card_info(int card)
{
	struct nfp_chan_info info = { .size = sizeof(info) };

	if (ioctl(card, NFP_CHAN_IOC_INFO, &info))
		die("NFP_CHAN_IOC_INFO");
	return info;
}

static inline struct nfp_chan_query chan_query(int card, const char *name)
{
	struct nfp_chan_query q = { .size = sizeof(q) };

	strncpy(q.name, name, sizeof(q.name) - 1);
	if (ioctl(card, NFP_CHAN_IOC_QUERY, &q))
		die("NFP_CHAN_IOC_QUERY");
	return q;
}

static inline struct nfp_chan_layout chan_geom(int fd)
{
	struct nfp_chan_layout g = { .size = sizeof(g) };

	if (ioctl(fd, NFP_CHAN_IOC_LAYOUT, &g))
		die("NFP_CHAN_IOC_LAYOUT");
	return g;
}

static inline int chan_signal(int card, const char *name)
{
	struct nfp_chan_signal s = { .size = sizeof(s) };

	strncpy(s.name, name, sizeof(s.name) - 1);
	return ioctl(card, NFP_CHAN_IOC_SIGNAL, &s);
}

#endif /* CALLS_H */
