// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * limits.c - limits of a user. A pipe's memory counts against RLIMIT_MEMLOCK, exact to the page,
 * and is uncharged once, whichever process closes the pipe last. A user gets a share of the card's
 * pipes.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <nfp_chan_fw.h>
#include "users.h"

#define PAGE	4096
#define OWN	(4 * PAGE)	/* locked memory of a pipe besides its ring */
#define SMALL	4096
#define LARGE	1048576

static int card;	/* the node's fd, opened by root */

static void memlock(rlim_t bytes)
{
	struct rlimit r = { bytes, RLIM_INFINITY };

	if (setrlimit(RLIMIT_MEMLOCK, &r))
		die("setrlimit");
}

/* Return the fd, or -errno. */
static int try_open_as(int ring, unsigned int flags)
{
	int fd = chan_open(card, "load", flags, ring);

	return fd < 0 ? -errno : fd;
}

static int try_open(int ring)
{
	return try_open_as(ring, 0);
}

/*
 * Check that exactly @other bytes are charged to @uid. With a limit of @other plus the size of one
 * pipe, one pipe opens and a second does not. With a limit of one page less, none opens.
 */
static void exact(uid_t uid, int ring, int other, const char *what)
{
	int first, second;

	become(uid);
	memlock(other + ring + OWN - PAGE);
	first = try_open(ring);
	ok(first == -ENOMEM,
	   "%s: a limit of a page less than a pipe with a ring of %d bytes: ENOMEM", what, ring);
	memlock(other + ring + OWN);
	first = try_open(ring);
	second = try_open(SMALL);
	if (!ok(first >= 0 && second == -ENOMEM, "%s: a limit of one pipe: one opens, no second", what))
		printf("# got %d, %d\n", first, second);
	close(first);
	become(0);
}

static void by_root(void)
{
	int fd;

	memlock(0);
	fd = try_open(LARGE);
	ok(fd >= 0, "a process with CAP_IPC_LOCK opens a pipe with a limit of 0");
	exact(tester, SMALL, 0, "root's pipe is not charged to the user");
	close(fd);
}

static void by_process(void)
{
	int s[2];
	pid_t pid;
	char c;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		die("socketpair");
	memlock(SMALL + OWN);
	pid = fork_as(tester);
	if (!pid) {
		c = try_open(SMALL) >= 0;
		if (write(s[1], &c, 1) != 1 || read(s[1], &c, 1) != 1)
			_exit(1);
		_exit(0);
	}
	ok(read(s[0], &c, 1) == 1 && c, "one process has a pipe as large as the user's limit");
	become(tester);
	is(try_open(SMALL), -ENOMEM, "another process of that user: ENOMEM");
	become(0);
	exact(NOBODY, SMALL, 0, "another user meanwhile");
	if (write(s[0], "x", 1) != 1)
		die("write");
	exit_status(pid);
	exact(tester, SMALL, 0, "the process has exited");
	close(s[0]);
	close(s[1]);
}

/* Close a pipe as a user that did not open it: the opener is uncharged. */
static void by_others(void)
{
	int s[2], fd, copy;
	pid_t pid;
	char c;

	become(tester);
	memlock(LARGE + OWN);
	fd = try_open(LARGE);
	become(NOBODY);
	close(fd);
	exact(tester, SMALL, 0, "opened by this user, closed by another: this user");
	exact(NOBODY, SMALL, 0, "opened by another user, closed by this one: this user");

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		die("socketpair");
	become(tester);
	memlock(LARGE + OWN);
	pid = fork_as(NOBODY);
	if (!pid) {
		fd = fd_recv(s[1]);
		if (write(s[1], "r", 1) != 1 || read(s[1], &c, 1) != 1)
			_exit(1);
		_exit(close(fd));
	}
	fd = try_open(LARGE);
	ok(fd >= 0, "a pipe is opened, and sent to another user's process");
	copy = dup(fd);
	fd_send(s[0], fd);
	close(fd);
	close(copy);
	if (read(s[0], &c, 1) != 1)
		die("read");
	is(try_open(SMALL), -ENOMEM,
	   "closed here, still open in the other process: it is charged to the opener");
	exact(NOBODY, SMALL, 0, "the user of the process that has the pipe open");
	if (write(s[0], "x", 1) != 1)
		die("write");
	is(exit_status(pid), 0, "the other process closes it");
	exact(tester, LARGE, 0, "after that the opener");
	close(s[0]);
	close(s[1]);
}

static void mapped(void)
{
	struct nfp_chan_layout g;
	void *p;
	int fd;

	become(tester);
	memlock(SMALL + OWN);
	fd = try_open_as(SMALL, NFP_CHAN_OPEN_MAPPED);
	g = chan_geom(fd);
	p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, g.note_off);
	close(fd);
	ok(p != MAP_FAILED && try_open(SMALL) == -ENOMEM,
	   "closed but still mapped: the pipe is charged");
	munmap(p, PAGE);
	become(0);
	exact(tester, SMALL, 0, "unmapped");
}

/* When nfp is unbound, a pipe keeps its memory, and stays charged, until its fd is closed. */
static void detached(void)
{
	char pci[32];
	int fd, old = card;

	strcpy(pci, card_info(card).pci);
	become(tester);
	memlock(LARGE + OWN);
	fd = try_open(LARGE);
	ok(fd >= 0, "a pipe is open when nfp is unbound");
	become(0);
	file_put("/sys/bus/pci/drivers/nfp/unbind", pci);
	file_put("/sys/bus/pci/drivers/nfp/bind", pci);
	node_wait();
	card = card_open(O_RDWR);
	exact(tester, LARGE, LARGE + OWN, "the dead pipe keeps its memory");
	close(fd);
	close(old);
	exact(tester, LARGE, 0, "the dead pipe is closed");
}

/* An OPEN that fails charges nothing. */
static void failed(void)
{
	struct rlimit old;
	int own, rd;

	own = chan_must(card, "own", 0);
	become(tester);
	memlock(RLIM_INFINITY);
	fails(chan_open(card, "own", 0, 0), EBUSY, "OPEN fails");
	fails(chan_open(card, "nothing", 0, 0), ENOENT, "OPEN fails");
	fails(chan_open(card, "xdp0", 0, 4096), EMSGSIZE, "OPEN fails");
	rd = card_open(O_RDONLY);
	fails(chan_open(rd, "echo-in", 0, 0), EACCES, "OPEN fails");
	close(rd);
	getrlimit(RLIMIT_NOFILE, &old);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0, old.rlim_max });
	is(try_open(0), -EMFILE, "OPEN fails: EMFILE");
	setrlimit(RLIMIT_NOFILE, &old);
	fails(ioctl(card, NFP_CHAN_IOC_OPEN, ARG(open, .name = "load", .irq_count = 2, .ring_fd = -1,
					      .port_fd = -1)), EINVAL, "OPEN fails");
	become(0);
	close(own);
	exact(tester, SMALL, 0, "after all these");
}

/* Open pipes until OPEN fails; return their number, and the error in @err. */
static int fill(int *fds, int *err)
{
	int n = 0, fd;

	while ((fd = try_open(SMALL)) >= 0)
		fds[n++] = fd;
	*err = fd;
	return n;
}

static void drop(int *fds, int n)
{
	while (n)
		close(fds[--n]);
}

static void pipes(void)
{
	int a[NFP_CHAN_FW_PIPE_MAX], b[NFP_CHAN_FW_PIPE_MAX], n, m, err;
	int all = card_info(card).pipe_count;

	become(tester);
	memlock(RLIM_INFINITY);
	n = fill(a, &err);
	ok(n == all / 2 && err == -EDQUOT, "a user may have half of the pipes: EDQUOT");
	become(NOBODY);
	m = fill(b, &err);
	ok(m == all - n && err == -ENOSPC, "a second user may have the rest: ENOSPC");
	drop(b, m);
	become(0);
	m = fill(b, &err);
	ok(m == all - n && err == -ENOSPC, "with CAP_SYS_RESOURCE: all that are left, ENOSPC");
	drop(b, m);
	drop(a, n);

	become(tester);
	n = fill(a, &err);
	become(NOBODY);
	close(a[--n]);
	become(tester);
	m = fill(b, &err);
	ok(m == 1 && err == -EDQUOT, "a pipe that another user's process closes is uncharged");
	drop(b, m);
	drop(a, n);
	become(0);
}

/*
 * Child: two users of a user namespace that @tester has made share the pipes that @tester may open.
 * Exit with 42 if they do.
 */
static void in_namespace(int sock)
{
	int fds[NFP_CHAN_FW_PIPE_MAX], n[2], err[2];
	char c = unshare(CLONE_NEWUSER) ? 0 : 1;

	if (write(sock, &c, 1) != 1 || read(sock, &c, 1) != 1 || setresuid(0, 0, 0))
		_exit(1);
	n[0] = fill(fds, &err[0]);
	drop(fds, n[0] / 2);
	if (setresuid(1, 1, 1))
		_exit(1);
	n[1] = fill(fds, &err[1]);
	_exit(n[0] == (int)card_info(card).pipe_count / 2 && err[0] == -EDQUOT &&
	      n[1] == n[0] / 2 && err[1] == -EDQUOT ? 42 : 2);
}

static void namespaces(void)
{
	int s[2];
	char path[64], c;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		die("socketpair");
	memlock(RLIM_INFINITY);
	pid = fork_as(tester);
	if (!pid)
		in_namespace(s[1]);
	if (read(s[0], &c, 1) != 1 || !c)
		die("a user namespace");
	snprintf(path, sizeof(path), "/proc/%d/uid_map", pid);
	file_put(path, "0 200000 2");
	if (write(s[0], "x", 1) != 1)
		die("write");
	is(exit_status(pid), 42, "users of a namespace share the limit of the user that made it");
	close(s[0]);
	close(s[1]);
}

int main(void)
{
	users_init();
	memlock(RLIM_INFINITY);		/* raise the hard limit, up to which other users may go */
	card = card_open(O_RDWR);
	exact(tester, SMALL, 0, "at first");
	exact(tester, LARGE, 0, "a large one");
	by_root();
	by_process();
	by_others();
	mapped();
	failed();
	pipes();
	namespaces();
	exact(tester, SMALL, 0, "after all that");
	detached();
	is(card_info(card).pipe_used, 0, "no pipe is left open");
	return tap_done();
}
