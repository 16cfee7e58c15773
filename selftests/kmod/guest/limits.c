// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * limits.c - what a user may have: RLIMIT_MEMLOCK to the page, charged once and
 * given back once whoever closes; a part of the card's pipes.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include "users.h"

#define PAGE	4096
#define OWN	(4 * PAGE)	/* of a pipe, besides its ring */
#define SMALL	4096
#define LARGE	1048576

static int card;	/* opened by root */

static void memlock(rlim_t bytes)
{
	struct rlimit r = { bytes, RLIM_INFINITY };

	if (setrlimit(RLIMIT_MEMLOCK, &r))
		die("setrlimit");
}

/* -errno, or the fd. */
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
 * Nothing is charged to @uid, and no more than was charged was given back: a
 * pipe fits into exactly its size beside @other bytes, and no second one.
 */
static void exact(uid_t uid, int ring, int other, const char *what)
{
	int first, second;

	become(uid);
	memlock(other + ring + OWN - PAGE);
	first = try_open(ring);
	ok(first == -ENOMEM, "%s: a page less than a pipe of %d bytes takes: ENOMEM", what, ring);
	memlock(other + ring + OWN);
	first = try_open(ring);
	second = try_open(SMALL);
	if (!ok(first >= 0 && second == -ENOMEM, "%s: room for one, and for no second", what))
		printf("# got %d, %d\n", first, second);
	close(first);
	become(0);
}

static void by_root(void)
{
	int fd;

	memlock(0);
	fd = try_open(LARGE);
	ok(fd >= 0, "who has CAP_IPC_LOCK needs no limit");
	exact(tester, SMALL, 0, "root's pipe is not the user's");
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
	ok(read(s[0], &c, 1) == 1 && c, "one process has all that the user may lock");
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

/* Who closes is not who opened. */
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
	exact(tester, SMALL, 0, "opened, setuid(), closed");
	exact(NOBODY, SMALL, 0, "who closed it");

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
	is(try_open(SMALL), -ENOMEM, "closed here, not there: it counts, for who opened it");
	exact(NOBODY, SMALL, 0, "who has it");
	if (write(s[0], "x", 1) != 1)
		die("write");
	is(exit_status(pid), 0, "closed there");
	exact(tester, LARGE, 0, "now it does not");
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
	ok(p != MAP_FAILED && try_open(SMALL) == -ENOMEM, "closed, but mapped: it counts");
	munmap(p, PAGE);
	become(0);
	exact(tester, SMALL, 0, "unmapped");
}

/* With the card goes what it used; what stays is there until the close. */
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
	fails(ioctl(card, NFP_CHAN_IOC_OPEN, ARG(open, .name = "load", .irq_count = 2, .port_fd = -1)),
	      EINVAL,
	      "OPEN fails");
	become(0);
	close(own);
	exact(tester, SMALL, 0, "after all these");
}

/* How many pipes the user of this process gets, and why no more. */
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
	static const char param[] = "/sys/module/nfp_chan/parameters/user_pipes";
	int a[NFP_CHAN_PIPE_MAX], b[NFP_CHAN_PIPE_MAX], n, m, err;
	int all = card_info(card).pipe_count;

	become(tester);
	memlock(RLIM_INFINITY);
	n = fill(a, &err);
	ok(n == all / 2 && err == -EDQUOT, "a user may have half of the pipes: EDQUOT");
	become(NOBODY);
	m = fill(b, &err);
	ok(m == all - n && err == -ENOSPC, "another the rest: ENOSPC");
	drop(b, m);
	become(0);
	m = fill(b, &err);
	ok(m == all - n && err == -ENOSPC, "CAP_SYS_RESOURCE: all that are left");
	drop(b, m);
	drop(a, n);

	file_put(param, "2");
	become(tester);
	n = fill(a, &err);
	ok(n == 2 && err == -EDQUOT, "user_pipes=2");
	become(NOBODY);
	close(a[--n]);
	become(tester);
	m = fill(b, &err);
	ok(m == 1 && err == -EDQUOT, "a pipe that another user's process closes is given back");
	drop(b, m);
	drop(a, n);
	become(0);
	file_put(param, "1000");
	become(tester);
	n = fill(a, &err);
	ok(n == all && err == -ENOSPC, "user_pipes=1000: one user may have all");
	drop(a, n);
	become(0);
	file_put(param, "0");
}

/* Two users of a namespace that @tester makes: how many pipes they get in all. */
static void in_namespace(int sock)
{
	int fds[NFP_CHAN_PIPE_MAX], n[2], err[2];
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
	is(exit_status(pid), 42, "users of a namespace have together what who made it may have");
	close(s[0]);
	close(s[1]);
}

int main(void)
{
	users_init();
	memlock(RLIM_INFINITY);		/* what other users may go up to again */
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
