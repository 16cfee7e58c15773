// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pass_fd.c - see pass_fd.h. */
#define _GNU_SOURCE
#include "pass_fd.h"

ssize_t pass_fd_send(int sock, int fd, int flags)
{
	union pass_buf u = { 0 };
	struct iovec iov = { .iov_base = "f", .iov_len = 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = u.buf,
			    .msg_controllen = sizeof(u.buf) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	return sendmsg(sock, &m, flags);
}

int pass_fd_recv(int sock, int flags)
{
	union pass_buf u;
	char byte;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = u.buf,
			    .msg_controllen = sizeof(u.buf) };
	int fd;

	if (recvmsg(sock, &m, flags | MSG_CMSG_CLOEXEC) < 0)
		return -1;
	if (!CMSG_FIRSTHDR(&m)) {
		errno = ENOMSG;
		return -1;
	}
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
	return fd;
}
