// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * uffd.c - calls that wait in a copy from or to user memory, because a userfaultfd withholds a
 * page. While all calls wait, other processes use their channels, and nfp is unbound. Then each
 * call gets its page, or the page becomes a bad address. Each call must return what the header
 * promises.
 *
 * The userfaultfd reports each call that waits. If the page is missing, the call waits where the
 * kernel first accesses it. If the page is write-protected, the call waits where the kernel writes
 * the answer.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <linux/userfaultfd.h>
#include "dir.h"
#include "calls.h"

#define PAGE	4096
#define WAIT_MS	slowly(20000)	/* milliseconds after which a wait fails */
#define ROUNDS	32		/* messages of other processes */

static int card, rx, tick, port, own, tx, stream, ring;
static char pci[32];
static int uffd;
static atomic_int ended;

/* State of a call's page while the call waits, and after that */
enum memory {
	IN,		/* missing: the call waits when the kernel first reads or writes the page */
	OUT,		/* write-protected: the call waits when the kernel writes its answer */
	IN_NEVER,	/* like IN, but the page then becomes a bad address */
	OUT_NEVER,	/* like OUT, but the page then becomes a bad address */
};

struct call {
	const char *what;
	const int *fd;
	long (*run)(struct call *c);
	bool (*answer)(struct call *c);		/* check the contents of the page after the call */
	enum memory memory;
	long want;				/* result of the call: a length, 0, or -errno */
	unsigned long cmd;
	union {
		char text[64];
		struct nfp_chan_info info;
		struct nfp_chan_query query;
		struct nfp_chan_open open;
		struct nfp_chan_signal signal;
		struct nfp_chan_layout layout;
		struct nfp_chan_eventfd eventfd;
		struct nfp_chan_cancel cancel;
		struct nfp_chan_xdp_bind xdp_bind;
		struct nfp_chan_port port;
	} arg;					/* contents of the page */
	char *page;
	pthread_t thread;
	long ret;
};

static long call_read(struct call *c)
{
	return read(*c->fd, c->page, PAGE);
}

static long call_write(struct call *c)
{
	return write(*c->fd, c->page, sizeof(c->arg.text));
}

static long call_ioctl(struct call *c)
{
	return ioctl(*c->fd, c->cmd, c->page);
}

static bool is_hello(struct call *c)
{
	return !strcmp(c->page, "hello");
}

static bool is_cookie(struct call *c)
{
	const struct nfp_chan_port_event *news = (void *)c->page;

	return news->cookie == 77;
}

static bool is_info(struct call *c)
{
	const struct nfp_chan_info *info = (void *)c->page;

	return info->chan_count && !strcmp(info->pci, pci);
}

static bool is_query(struct call *c)
{
	const struct nfp_chan_query *q = (void *)c->page;

	return q->max_size == 2048 && q->depth == 16;
}

static bool is_geom(struct call *c)
{
	const struct nfp_chan_layout *g = (void *)c->page;

	return g->dir == NFP_CHAN_TO_NFP && g->max_size == 2048;
}

/* Check that the call returned an fd, and that the fd's card is gone. */
static bool is_dead(struct call *c)
{
	int fd = c->cmd == NFP_CHAN_IOC_PORT ? ((struct nfp_chan_port *)c->page)->fd :
					       ((struct nfp_chan_open *)c->page)->fd;

	return ioctl(fd, NFP_CHAN_IOC_LAYOUT, ARG(layout)) == -1 && errno == ENODEV && !close(fd);
}

#define IOCTL(op, s, fd_, ...)						\
	.what = #op, .fd = &(fd_), .run = call_ioctl, .cmd = NFP_CHAN_IOC_##op,	\
	.arg.s = { .size = sizeof(struct nfp_chan_##s), ##__VA_ARGS__ }

static struct call calls[] = {
	{ .what = "read", .fd = &rx, .run = call_read, .want = 6, .answer = is_hello },
	{ .what = "read of a port", .fd = &port, .run = call_read, .want = 8,
	  .answer = is_cookie },
	{ .what = "read", .fd = &tick, .run = call_read, .memory = IN_NEVER, .want = -EFAULT },
	{ .what = "read", .fd = &tick, .run = call_read, .memory = IN_NEVER, .want = -EFAULT },
	{ .what = "write", .fd = &tx, .run = call_write, .want = -ENODEV },
	{ .what = "write", .fd = &tx, .run = call_write, .memory = IN_NEVER, .want = -EFAULT },
	{ .what = "write to a stream", .fd = &stream, .run = call_write, .want = -ENODEV },
	{ IOCTL(INFO, info, card), .want = -ENODEV },
	{ IOCTL(INFO, info, card), .memory = OUT, .answer = is_info },
	{ IOCTL(INFO, info, card), .memory = OUT_NEVER, .want = -EFAULT },
	{ IOCTL(QUERY, query, card, .name = "echo-in"), .want = -ENODEV },
	{ IOCTL(QUERY, query, card, .name = "echo-in"), .memory = OUT, .answer = is_query },
	{ IOCTL(OPEN, open, card, .name = "load", .fd = -1, .ring_fd = -1, .port_fd = -1),
	  .want = -ENODEV },
	{ IOCTL(OPEN, open, card, .name = "load", .fd = -1, .ring_fd = -1, .port_fd = -1),
	  .memory = OUT, .answer = is_dead },
	{ IOCTL(OPEN, open, card, .name = "load", .fd = -1, .ring_fd = -1, .port_fd = -1),
	  .memory = OUT_NEVER, .want = -EFAULT },
	{ IOCTL(OPEN, open, card, .name = "pour", .fd = -1, .ring_fd = -1, .cookie = 1),
	  .memory = OUT, .answer = is_dead },
	{ IOCTL(OPEN, open, card, .name = "sink64", .flags = NFP_CHAN_OPEN_MAPPED, .fd = -1,
		.port_fd = -1), .memory = OUT_NEVER, .want = -EFAULT },
	{ IOCTL(PORT, port, card, .fd = -1), .want = -ENODEV },
	{ IOCTL(PORT, port, card, .fd = -1), .memory = OUT, .answer = is_dead },
	{ IOCTL(SIGNAL, signal, card, .name = "tick"), .want = -ENODEV },
	{ IOCTL(LAYOUT, layout, tx), .want = -ENODEV },
	{ IOCTL(LAYOUT, layout, tx), .memory = OUT, .answer = is_geom },
	{ IOCTL(EVENTFD, eventfd, rx, .fd = -1), .want = -ENODEV },
	{ IOCTL(CANCEL, cancel, tx, .seq = 1), .want = -ENODEV },
	{ IOCTL(XDP_UNBIND, xdp_bind, rx, .prog_fd = -1), .want = -ENODEV },
};

#define CALLS (sizeof(calls) / sizeof(calls[0]))

/* The reads of tick. They get their pages one after the other, before the other calls. */
static struct call *const over[] = { &calls[2], &calls[3] };

static void *call_run(void *arg)
{
	struct call *c = arg;

	c->ret = c->run(c);
	if (c->ret < 0)
		c->ret = -errno;
	ended++;
	return NULL;
}

/* ---- memory ---- */

static bool is_out(const struct call *c)
{
	return c->memory == OUT || c->memory == OUT_NEVER;
}

static void protect(struct call *c, bool on)
{
	struct uffdio_writeprotect wp = {
		.range = { (uintptr_t)c->page, PAGE },
		.mode = on ? UFFDIO_WRITEPROTECT_MODE_WP : 0,
	};

	if (ioctl(uffd, UFFDIO_WRITEPROTECT, &wp))
		die("UFFDIO_WRITEPROTECT");
}

static void memory_init(void)
{
	struct uffdio_api api = { .api = UFFD_API, .features = UFFD_FEATURE_PAGEFAULT_FLAG_WP };
	struct uffdio_register reg = {
		.mode = UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_WP,
	};
	char *area;
	size_t i;

	/* A userfaultfd without O_NONBLOCK cannot be polled. */
	uffd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api))
		die("userfaultfd");
	area = mmap(NULL, CALLS * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	if (area == MAP_FAILED)
		die("mmap");
	/* Touch the pages of OUT calls before registering, so that only the others are missing. */
	for (i = 0; i < CALLS; i++) {
		calls[i].page = area + i * PAGE;
		if (is_out(&calls[i]))
			memcpy(calls[i].page, &calls[i].arg, sizeof(calls[i].arg));
	}
	reg.range.start = (uintptr_t)area;
	reg.range.len = CALLS * PAGE;
	if (ioctl(uffd, UFFDIO_REGISTER, &reg))
		die("UFFDIO_REGISTER");
	for (i = 0; i < CALLS; i++)
		if (is_out(&calls[i]))
			protect(&calls[i], true);
}

/*
 * Wait for the faults of @want calls, each of the kind that its call expects; return their number.
 */
static size_t waiting(size_t want)
{
	struct pollfd p = { .fd = uffd, .events = POLLIN };
	size_t n, i, wp = UFFD_PAGEFAULT_FLAG_WP;
	bool seen[CALLS] = { false };
	struct uffd_msg m;

	for (n = 0; n < want && poll(&p, 1, WAIT_MS) == 1; n++) {
		if (read(uffd, &m, sizeof(m)) != sizeof(m) || m.event != UFFD_EVENT_PAGEFAULT)
			die("read of the userfaultfd");
		i = (m.arg.pagefault.address - (uintptr_t)calls[0].page) / PAGE;
		if (i >= CALLS || seen[i] || is_out(&calls[i]) != !!(m.arg.pagefault.flags & wp))
			die("a fault that no call should make");
		seen[i] = true;
	}
	return n;
}

static void resolve(struct call *c)
{
	static char from[PAGE] __attribute__((aligned(PAGE)));
	struct uffdio_copy copy = {
		.src = (uintptr_t)from, .dst = (uintptr_t)c->page, .len = PAGE,
	};
	struct uffdio_range range = { (uintptr_t)c->page, PAGE };

	switch (c->memory) {
	case IN:
		memcpy(from, &c->arg, sizeof(c->arg));
		if (ioctl(uffd, UFFDIO_COPY, &copy))
			die("UFFDIO_COPY");
		break;
	case OUT:
		protect(c, false);
		break;
	case IN_NEVER:
	case OUT_NEVER:
		if (mprotect(c->page, PAGE, PROT_NONE) || ioctl(uffd, UFFDIO_WAKE, &range))
			die("UFFDIO_WAKE");
	}
}

/* ---- other processes ---- */

/* Run @run in a child: true if it ends without an error before the time is up. */
static bool ends(void (*run)(void))
{
	struct pollfd p = { .events = POLLIN };
	pid_t pid = fork_or_die();
	bool in_time;
	int status;

	if (!pid) {
		run();
		_exit(0);
	}
	p.fd = syscall(SYS_pidfd_open, pid, 0);
	if (p.fd < 0)
		die("pidfd_open");
	in_time = poll(&p, 1, WAIT_MS) == 1;
	close(p.fd);
	/* Do not wait for a child that is stuck: it may end only when the faults are resolved. */
	return in_time && waitpid(pid, &status, 0) == pid && !status;
}

/* Open channels, send, receive, query and close. */
static void others(void)
{
	int node = card_open(O_RDWR), in = chan_must(node, "loop64-in", 0);
	int out = chan_must(node, "loop64-out", 0), p = port_open(node);
	char sent[64], got[64];
	int i;

	for (i = 0; i < ROUNDS; i++) {
		memset(sent, i, sizeof(sent));
		if (write(in, sent, sizeof(sent)) != sizeof(sent) ||
		    read(out, got, sizeof(got)) != sizeof(got) || memcmp(got, sent, sizeof(got)))
			_exit(1);
	}
	chan_query(node, "loop64-in");
	if (p < 0 || close(p) || close(in) || close(out) || chan_open(node, "loop64-in", 0, 0) < 0)
		_exit(2);
}

/* Another read() has the message and waits for its page, so this read gets EAGAIN. */
static void nowait(void)
{
	struct iovec iov = { .iov_base = (char[64]){ 0 }, .iov_len = 64 };

	if (preadv2(tick, &iov, 1, -1, RWF_NOWAIT) != -1 || errno != EAGAIN)
		_exit(1);
}

static void nonblock(void)
{
	char buf[64];

	if (fcntl(tick, F_SETFL, O_NONBLOCK) || read(tick, buf, sizeof(buf)) != -1 ||
	    errno != EAGAIN)
		_exit(1);
}

static void unbind(void)
{
	file_put("/sys/bus/pci/drivers/nfp/unbind", pci);
}

static void await(int fd)
{
	if (!events_of(fd, POLLIN, WAIT_MS))
		die("nothing to read");
}

/* Open all channels, and make a message come for each read(). */
static void channels_init(void)
{
	rx = chan_must(card, "echo-out", 0);
	tx = chan_must(card, "echo-in", 0);
	tick = chan_must(card, "tick", 0);
	stream = chan_must(card, "loop-in", 0);
	ring = chan_must(card, "source64", NFP_CHAN_OPEN_MAPPED);
	port = port_open(card);
	own = chan_open_on(card, "own", port, 77);
	if (port < 0 || own < 0)
		die("port");
	if (write(tx, "hello", 6) != 6 || chan_signal(card, "tick") ||
	    ioctl(own, NFP_CHAN_IOC_SIGNAL, ARG(signal)))
		die("write");
	await(rx);
	await(tick);
	await(port);
}

/* Fill in the fds of the port and of the ring in the arguments of calls[]. */
static void args_init(void)
{
	size_t i;

	for (i = 0; i < CALLS; i++) {
		if (calls[i].cmd == NFP_CHAN_IOC_OPEN && calls[i].arg.open.cookie)
			calls[i].arg.open.port_fd = port;
		if (calls[i].cmd == NFP_CHAN_IOC_OPEN &&
		    calls[i].arg.open.flags & NFP_CHAN_OPEN_MAPPED)
			calls[i].arg.open.ring_fd = ring;
	}
}

static void call_end(struct call *c)
{
	static const char *const how[] = {
		[IN] = "its memory comes",
		[OUT] = "its answer can be written",
		[IN_NEVER] = "its memory never comes",
		[OUT_NEVER] = "its answer can never be written",
	};
	char name[128];

	snprintf(name, sizeof(name), "%s, %s", c->what, how[c->memory]);
	pthread_join(c->thread, NULL);
	errno = c->ret < 0 ? -c->ret : 0;
	if (c->want < 0)
		fails(c->ret < 0 ? -1 : c->ret, -c->want, name);
	else if (is(c->ret, c->want, name) && c->answer)
		ok(c->answer(c), "the answer is right");
}

static void call_begin(struct call *c)
{
	if (pthread_create(&c->thread, NULL, call_run, c))
		die("pthread_create");
}

/*
 * While the read @c has the message and waits for its page, @reader gets EAGAIN at once. Then @c
 * fails and the message stays. An edge-triggered reader reads again only after an event, so the
 * failure must raise an event.
 */
static void turned_away(struct call *c, void (*reader)(void), const char *name)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET };
	int ep = epoll_create1(EPOLL_CLOEXEC);

	if (ep < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, *c->fd, &ev))
		die("epoll");
	is(epoll_wait(ep, &ev, 1, WAIT_MS), 1, "a message is there");
	ok(ends(reader), name);
	resolve(c);
	call_end(c);
	is(epoll_wait(ep, &ev, 1, WAIT_MS), 1, "an event says that the message is still there");
	close(ep);
}

int main(void)
{
	unsigned int pipes, fds = dir_entries("/proc/self/fd");
	size_t i;

	card = card_open(O_RDWR);
	strcpy(pci, card_info(card).pci);
	pipes = card_info(card).pipe_used;
	channels_init();
	args_init();
	memory_init();
	for (i = 0; i < CALLS; i++)
		if (&calls[i] != over[1])
			call_begin(&calls[i]);
	is(waiting(CALLS - 1), CALLS - 1, "all calls wait for their memory");

	ok(ends(others), "another process opens, sends, receives, closes");
	turned_away(over[0], nowait, "RWF_NOWAIT does not wait for the read before it");
	call_begin(over[1]);
	is(waiting(1), 1, "the next read waits for its memory");
	turned_away(over[1], nonblock, "O_NONBLOCK does not wait for the read before it");
	ok(ends(unbind), "nfp is unbound");
	is(ended, 2, "none of the other calls has ended before that");
	is(access("/dev/nfp_chan0", F_OK), -1, "the node is gone");

	/* Give all calls their pages before the first join: one may wait for a lock of another. */
	for (i = 0; i < CALLS; i++)
		if (&calls[i] != over[0] && &calls[i] != over[1])
			resolve(&calls[i]);
	for (i = 0; i < CALLS; i++)
		if (&calls[i] != over[0] && &calls[i] != over[1])
			call_end(&calls[i]);
	is(close(rx) | close(tx) | close(tick) | close(stream) | close(ring) | close(port) |
	   close(own) | close(card) | close(uffd), 0, "all is closed");
	is(dir_entries("/proc/self/fd"), fds, "no file is left");
	/* Children that ends() gave up on have ended by now. */
	while (wait(NULL) > 0)
		;
	file_put("/sys/bus/pci/drivers/nfp/bind", pci);
	card = card_open(O_RDWR);
	is(card_info(card).pipe_used, pipes, "no pipe is left when nfp is bound again");
	return tap_done();
}
