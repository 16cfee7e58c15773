/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* users.h - change the user of a process, and send files to another process. */
#ifndef USERS_H
#define USERS_H

#include <grp.h>
#include <pwd.h>
#include <sys/wait.h>
#include "node.h"
#include "pass_fd.h"
#include "calls.h"

#define NOBODY	65534

static uid_t tester;

/* Join the group of the udev rule. The process keeps the group when it changes its user. */
static inline void users_init(void)
{
	struct passwd *pw = getpwnam("tester");
	struct group *gr = getgrnam("nfpchan");

	if (!pw || !gr || setgroups(1, &gr->gr_gid) || setresgid(gr->gr_gid, gr->gr_gid, -1))
		die("users tester and nfpchan");
	tester = pw->pw_uid;
}

/*
 * Become user @uid, real and effective. The saved user stays root, so the process can become root
 * again. Users other than root have no capability.
 */
static inline void become(uid_t uid)
{
	if (setresuid(-1, 0, -1) || setresuid(uid, uid, 0))
		die("setresuid");
}

static inline pid_t fork_as(uid_t uid)
{
	pid_t pid = fork_or_die();

	if (!pid)
		become(uid);
	return pid;
}

static inline int exit_status(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/*
 * Count the kernel's objects for users. A user has one while it has a process, and a leaked
 * reference keeps it. This works only if the kernel does not merge slabs, as with KASAN.
 */
static inline long users_known(void)
{
	char text[64];

	file_put("/sys/kernel/slab/uid_cache/shrink", "1");
	if (!proc_read("/sys/kernel/slab/uid_cache/objects", text, sizeof(text)))
		die("/sys/kernel/slab/uid_cache");
	return atol(text);
}

static inline void fd_send(int sock, int fd)
{
	if (pass_fd_send(sock, fd, 0) != 1)
		die("sendmsg");
}

static inline int fd_recv(int sock)
{
	int fd = pass_fd_recv(sock, 0);

	if (fd < 0)
		die("recvmsg");
	return fd;
}

#endif /* USERS_H */
