/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* users.h - one process as several users; files sent from one to another. */
#ifndef USERS_H
#define USERS_H

#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "tap.h"

#define NOBODY	65534

static uid_t tester;

/* All users of this process are in the udev rule's group from here on. */
static inline void users_init(void)
{
	struct passwd *pw = getpwnam("tester");
	struct group *gr = getgrnam("nfpchan");

	if (!pw || !gr || setgroups(1, &gr->gr_gid) || setresgid(gr->gr_gid, gr->gr_gid, -1))
		die("users tester and nfpchan");
	tester = pw->pw_uid;
}

/* The real uid, too; root can be had back. Of another user no capability is left. */
static inline void become(uid_t uid)
{
	if (setresuid(-1, 0, -1) || setresuid(uid, uid, 0))
		die("setresuid");
}

static inline pid_t fork_as(uid_t uid)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
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

static inline void fd_send(int sock, int fd)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} u = { 0 };
	struct iovec iov = { .iov_base = "f", .iov_len = 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = u.buf,
			    .msg_controllen = sizeof(u.buf) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	if (sendmsg(sock, &m, 0) != 1)
		die("sendmsg");
}

static inline int fd_recv(int sock)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} u;
	char byte;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = u.buf,
			    .msg_controllen = sizeof(u.buf) };
	int fd;

	if (recvmsg(sock, &m, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&m))
		die("recvmsg");
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
	return fd;
}

#endif /* USERS_H */
