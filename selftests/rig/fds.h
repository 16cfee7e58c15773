/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* fds.h - count the open file descriptors of this process, to find leaks. */
#ifndef FDS_H
#define FDS_H

#include <fcntl.h>

static inline int fds_open(void)
{
	int fd, n = 0;

	for (fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

#endif /* FDS_H */
