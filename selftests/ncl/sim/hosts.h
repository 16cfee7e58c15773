/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* hosts.h - run hosts of loop.h as processes, for tests that use cmocka. */
#ifndef SIM_HOSTS_H
#define SIM_HOSTS_H

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "loop.h"
#include "slowly.h"

typedef int host_main(struct ncrt *nc, unsigned int node);

/* Run a host in a child process. The process is killed if it runs longer than 60 s. */
static inline pid_t host(unsigned int node, host_main *run, const struct ncrt_opts *more)
{
	struct ncrt *nc;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	nc = loop_open(node, more);
	alarm((unsigned int)slowly(60));
	node = (unsigned int)run(nc, node);
	ncrt_close(nc);
	_exit((int)node);
}

/*
 * Wait for a process to end. Returns its exit status, or 128 + the number of the signal that
 * killed it.
 */
static inline int host_end(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/*
 * Check a condition in a host's process. cmocka does not see failures in a child process, so the
 * host's function returns 1, which becomes the exit status of the process.
 */
#define NEED(cond) do { \
	if (!(cond)) { \
		fprintf(stderr, "# line %d: %s: %s\n", __LINE__, #cond, ncrt_last_error()); \
		return 1; \
	} \
} while (0)

static inline struct ncrt_arg array(void *p, size_t n, uint32_t size)
{
	return (struct ncrt_arg){ .data = p, .count = n, .size = size };
}

static inline struct ncrt_arg number(int64_t x)
{
	return (struct ncrt_arg){ .i = x };
}

#endif /* SIM_HOSTS_H */
