/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pass_fd.h - send a descriptor through a socket, with one byte. */
#ifndef PASS_FD_H
#define PASS_FD_H

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

union pass_buf {
	char buf[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

/* Send @fd; return what sendmsg() returns. */
ssize_t pass_fd_send(int sock, int fd, int flags);

/*
 * Return the received fd, which is close-on-exec. Return -1 with errno after an error: ENOMSG if
 * the message had no fd.
 */
int pass_fd_recv(int sock, int flags);

#endif /* PASS_FD_H */
