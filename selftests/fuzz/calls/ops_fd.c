// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ops_fd.c - operations that all files have, on channels; and the table of all operations. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pass_fd.h"
#include "fuzz.h"

long op_poll(const struct call *c)
{
	struct pollfd p[4];
	unsigned int i;

	for (i = 0; i < 4; i++)
		p[i] = (struct pollfd){ .fd = slot(c->a + i), .events = c->x >> 8 * i };
	return result(poll(p, 1 + c->y % 4, c->z % 4 ? 0 : 5));
}

/* Slot b has the epoll file. */
long op_epoll(const struct call *c)
{
	struct epoll_event ev = { .events = c->y }, got[4];

	if (c->x % 4 == 3)
		return result(epoll_wait(slot(c->b), got, 4, c->y % 4 ? 0 : 5));
	return result(epoll_ctl(slot(c->b), 1 + c->x % 3, slot(c->a), &ev));
}

/* Open a file of another kind. */
long op_newfd(const struct call *c)
{
	char path[32] = "/proc/self/fd/";
	int fd, two[2], n = slot(c->b);

	switch (c->x % 6) {
	case 0:
	case 1:
		fd = eventfd(c->y, EFD_CLOEXEC | (c->z & 1 ? EFD_NONBLOCK : 0));
		break;
	case 2:
		fd = epoll_create1(EPOLL_CLOEXEC);
		break;
	case 3:
		if (pipe2(two, O_CLOEXEC | O_NONBLOCK))
			return -errno;
		slot_put(c->b, two[1]);
		fd = two[0];
		break;
	case 4:
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		break;
	default:
		/* For a channel's fd this open fails. */
		path[14] = '0' + n / 10 % 10;
		path[15] = '0' + n % 10;
		fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	}
	if (fd < 0)
		return -errno;
	slot_put(c->a, fd);
	return 0;
}

long op_close(const struct call *c)
{
	return slot_put(c->a, -1);
}

/* Duplicate a file to slot b; sometimes over the fd number that slot b has. */
long op_dup(const struct call *c)
{
	int from = slot(c->a), to = slot(c->b);

	if (c->x % 4 == 0 && to > 2)
		return file_over(from, to);
	to = fcntl(from, F_DUPFD_CLOEXEC, 3);
	if (to < 0)
		return -errno;
	slot_put_tagged(c->b, to, slot_tag(c->a));
	return 0;
}

long op_fcntl(const struct call *c)
{
	static const int sigs[] = { 0, SIGUSR2, SIGIO, 200 };
	struct f_owner_ex owner = { F_OWNER_TID, gettid() };
	int fd = slot(c->a);

	switch (c->x % 5) {
	case 0:
	case 1:
		/* Usually non-blocking; a blocking call is interrupted by the timer. */
		return result(fcntl(fd, F_SETFL, (c->y % 4 ? O_NONBLOCK : 0) |
				    (c->y & 4 ? O_ASYNC : 0) | (c->y % 64 == 8 ? O_DIRECT : 0)));
	case 2:
		if (c->y & 1)
			return result(fcntl(fd, F_SETOWN_EX, &owner));
		return result(fcntl(fd, F_SETOWN, c->y & 2 ? getpid() : 0));
	case 3:
		return result(fcntl(fd, F_SETSIG, c->y & 4 ? SIGRTMIN : sigs[c->y % 4]));
	}
	return result(fcntl(fd, F_GETFL));
}

/* Send a file through a socket, or receive one. The kernel closes files not received. */
long op_pass(const struct call *c)
{
	int fd;

	if (c->x & 1)
		return result(pass_fd_send(socks[0], slot(c->a), MSG_DONTWAIT));
	fd = pass_fd_recv(socks[1], MSG_DONTWAIT);
	if (fd < 0)
		return -errno;
	slot_put(c->b, fd);
	return 0;
}

/* Change a file's mode, except the node's: root could lock all other users out for good. */
static long mode_change(int fd, mode_t mode)
{
	int same = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	struct stat st;
	long ret;

	if (same < 0)
		return -errno;
	if (fstat(same, &st))
		ret = -errno;
	else
		ret = S_ISCHR(st.st_mode) ? -EPERM : result(fchmod(same, mode));
	close(same);
	return ret;
}

long op_misc(const struct call *c)
{
	int fd = slot(c->a), other = slot(c->b);
	struct stat st;
	char buf[64];

	switch (c->x % 16) {
	case 0:
		return result(lseek(fd, c->y, c->z % 5));
	case 1:
		return result(fstat(fd, &st));
	case 2:
		return result(ftruncate(fd, c->y % 65536));
	case 3:
		return result(fallocate(fd, c->z % 4, 0, c->y % 65536));
	case 4:
		return result(fsync(fd));
	case 5:
		return result(flock(fd, LOCK_EX | LOCK_NB));
	case 6:
		return result(splice(fd, NULL, other, NULL, c->y % 65536, SPLICE_F_NONBLOCK));
	case 7:
		return result(sendfile(other, fd, NULL, c->y % 65536));
	case 8:
		return result(tee(fd, other, c->y % 65536, SPLICE_F_NONBLOCK));
	case 9:
		return mode_change(fd, c->y % 01000);
	case 10:
		return result(pread(fd, buf, sizeof(buf), c->y));
	case 11:
		return result(pwrite(fd, buf, sizeof(buf), c->y));
	case 12:
		return result(posix_fadvise(fd, 0, c->y, c->z % 6));
	case 13:
		return result(fchdir(fd));
	case 14:
		return result(readahead(fd, 0, c->y));
	}
	return result(copy_file_range(fd, NULL, other, NULL, c->y % 65536, 0));
}

/* ---- io_uring: a ring for each thread; requests still pending end with the process ---- */

#define URING_CQES	64	/* completions that are taken at a time, at most */

static __thread struct io_uring ring;

static bool have_ring(void)
{
	static __thread int ret = 1;

	if (ret > 0)
		ret = io_uring_queue_init(16, &ring, 0);
	return !ret;
}

long op_uring(const struct call *c)
{
	static uint8_t data[4096];
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
	unsigned int i;
	long ret;

	if (in_child() || !have_ring())
		return -ENOSYS;
	sqe = io_uring_get_sqe(&ring);
	if (!sqe)
		return -EBUSY;
	switch (c->x % 6) {
	case 0:
		io_uring_prep_read(sqe, slot_like(c->a, TAG_READ), data, c->y % sizeof(data), -1);
		break;
	case 1:
		io_uring_prep_write(sqe, slot_like(c->a, TAG_WRITE), data, c->y % 2050, -1);
		break;
	case 2:
		io_uring_prep_poll_add(sqe, slot(c->a), c->y & 0xffff);
		break;
	case 3:
		io_uring_prep_cancel64(sqe, c->y % 8, 0);
		break;
	case 4:
		io_uring_prep_poll_multishot(sqe, slot(c->a), POLLIN);
		break;
	default:
		io_uring_prep_cancel_fd(sqe, slot(c->a), IORING_ASYNC_CANCEL_ALL);
	}
	if (c->x % 7 == 0)
		sqe->flags |= IOSQE_ASYNC;
	io_uring_sqe_set_data64(sqe, c->z % 8);
	ret = io_uring_submit(&ring);
	/* Take a limited number: a multishot poll may complete again and again. */
	for (i = 0; i < URING_CQES && !io_uring_peek_cqe(&ring, &cqe); i++) {
		ret = cqe->res;
		io_uring_cqe_seen(&ring, cqe);
	}
	return ret;
}

/* ---- all operations ---- */

/*
 * Opens, ports and their closes take ten times as long as most operations, and a fork a hundred
 * times. They are rare, so that programs do much with the files that are open.
 */
const struct op ops[] = {
	{ "card", 5, CARD, ANY, op_card },
	{ "info", 4, CARD, ANY, op_info },
	{ "query", 6, CARD, ANY, op_query },
	{ "open", 9, CARD, CHAN, op_open },
	{ "signal", 8, ANY, ANY, op_signal },
	{ "layout", 8, CHAN, ANY, op_geom },
	{ "eventfd", 2, CHAN, OTHER, op_eventfd },
	{ "shared", 4, CARD, CHAN, op_shared },
	{ "cancel", 8, CHAN, ANY, op_cancel },
	{ "bind", 4, CHAN, OTHER, op_bind },
	{ "ioctl", 6, ANY, ANY, op_ioctl },
	{ "read", 40, CHAN, ANY, op_read },
	{ "write", 40, CHAN, ANY, op_write },
	{ "feed", 16, CHAN, ANY, op_feed },
	{ "poll", 16, CHAN, ANY, op_poll },
	{ "epoll", 8, CHAN, OTHER, op_epoll },
	{ "newfd", 5, OTHER, CHAN, op_newfd },
	{ "close", 5, CHAN, ANY, op_close },
	{ "dup", 4, CHAN, CHAN, op_dup },
	{ "fcntl", 8, CHAN, ANY, op_fcntl },
	{ "pass", 6, CHAN, CHAN, op_pass },
	{ "misc", 5, CHAN, OTHER, op_misc },
	{ "uring", 10, CHAN, ANY, op_uring },
	{ "mmap", 14, CHAN, ANY, op_mmap },
	{ "munmap", 4, ANY, ANY, op_munmap },
	{ "mremap", 3, ANY, ANY, op_mremap },
	{ "mprotect", 3, ANY, ANY, op_mprotect },
	{ "madvise", 5, ANY, ANY, op_madvise },
	{ "touch", 30, ANY, ANY, op_touch },
	{ "fork", 1, ANY, ANY, run_child },
	{ "port", 2, CARD, CHAN, op_port },
	{ "link", 4, CHAN, CHAN, op_link },
	{ "arm", 6, CHAN, ANY, op_arm },
	{ "kick", 6, CHAN, ANY, op_kick },
};

const unsigned int op_count = sizeof(ops) / sizeof(ops[0]);
