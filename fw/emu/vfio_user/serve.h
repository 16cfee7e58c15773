/* SPDX-License-Identifier: BSD-2-Clause */
/* serve.h - the main loop of a program that serves one emulated device by vfio-user. */
#ifndef SERVE_H
#define SERVE_H

#include "vfio_user.h"

#define SERVE_FDS_MAX	4

/**
 * struct serve - a device, and how its program serves it
 * @ops: as for vfio_user_listen()
 * @dev: as for vfio_user_listen(), and the argument of the functions below
 * @socket: path of the Unix socket
 * @stats: path that @stats_write gets, or NULL
 * @ready_fd: descriptor to which "ready" and a newline is written when the socket listens. It is
 *	closed then. -1: none
 * @once: return when the first client that has used the device disconnects
 * @run: run the device until it has done @budget work items; true if there is more to do now
 * @deadline: time of the next @run after one that returned false, in CLOCK_MONOTONIC ns;
 *	UINT64_MAX: the device has no timer. NULL: it never has one
 * @nfds: number of descriptors of the device to poll, at most SERVE_FDS_MAX
 * @pollfds: set descriptors and events. An event causes a @run
 * @stats_write: write counters, when SIGUSR1 has come; report errors. The return value is ignored
 *
 * @run, @deadline and @pollfds are called only while a client is attached: without a client the
 * device has no power.
 */
struct serve {
	const struct vfio_user_dev *ops;
	void *dev;
	const char *socket;
	const char *stats;
	int ready_fd;
	bool once;
	bool (*run)(void *dev, unsigned int budget);
	uint64_t (*deadline)(void *dev);
	unsigned int nfds;
	void (*pollfds)(void *dev, struct pollfd *p);
	int (*stats_write)(void *dev, const char *path);
};

/*
 * Serve the device until SIGTERM or SIGINT, or with @once until the first client has gone. Return
 * 0, or -1 after an error, which @ops->log reports.
 */
int serve_device(const struct serve *d);

#endif /* SERVE_H */
