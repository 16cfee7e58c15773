// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_port.c - ports: one wait for several channels, on the file of the port
 * by read(), poll(), epoll and io_uring, and by the library; closes in any order.
 */
#define _GNU_SOURCE
#include <liburing.h>
#include <pthread.h>
#include <sys/epoll.h>
#include "chan_test.h"
#include "fdinfo.h"

#define MANY	12	/* channels on one port */

static int node;

static int on(const char *name, int port, __u64 cookie)
{
	int fd = chan_open_on(node, name, port, cookie);

	if (fd < 0)
		give_up(name, strerror(errno));
	return fd;
}

static int port_start(void)
{
	int fd = port_open(node);

	if (fd < 0)
		give_up("port", strerror(errno));
	return fd;
}

/* Wait in read() for the next element of the port, and return it: a channel's cookie. */
static __u64 told(int port)
{
	__u64 cookie = ~0ull;

	if (!events_of(port, POLLIN, WAIT_MS) || read(port, &cookie, 8) != 8)
		return ~0ull;
	return cookie;
}

static void flags_set(int fd, int flags)
{
	if (fcntl(fd, F_SETFL, flags))
		die("F_SETFL");
}

/* Receive all messages that are there. Return how many. */
static int drain(int fd)
{
	char buf[MSG_MAX];
	int n = 0;

	while (read(fd, buf, sizeof(buf)) >= 0)
		n++;
	return errno == EAGAIN ? n : -1;
}

static void reads(void)
{
	struct nfp_chan_layout g;
	int port = port_start(), tick = on("tick", port, 0xfedcba9876543210), echo, in;
	__u64 cookies[4];
	char byte;

	g = chan_geom(port);
	ok(g.id == NFP_CHAN_ID_PORT && g.kind == NFP_CHAN_STREAM && g.elem_size == 8 &&
	   g.dir == NFP_CHAN_TO_HOST && g.unit_shift == 3, "GEOM: a stream of 8 bytes to the host");
	flags_set(port, O_NONBLOCK);
	fails(read(port, cookies, sizeof(cookies)), EAGAIN, "read() on a port without news");
	is(events_of(port, POLLIN, 0), 0, "poll() on a port without news");
	is(chan_signal(node, "tick"), 0, "a message");
	is(events_of(port, POLLIN, WAIT_MS), POLLIN, "poll() reports that the port has an element");
	is(read(port, cookies, sizeof(cookies)), 8, "read() gives one element");
	ok(cookies[0] == 0xfedcba9876543210, "the channel's cookie");
	is(drain(tick), 1, "and there is one message");
	echo = on("echo-out", port, 2);
	in = on("echo-in", port, 3);
	is(write(in, "hello", 5), 5, "a message that comes back");
	/*
	 * One element says that the process took the message, one that the answer came, in any
	 * order.
	 */
	cookies[0] = told(port);
	cookies[1] = told(port);
	ok((cookies[0] == 2 && cookies[1] == 3) || (cookies[0] == 3 && cookies[1] == 2),
	   "the port reports both channels");
	is(drain(echo), 1, "the answer is there");
	fails(read(port, &byte, 1), EMSGSIZE, "no room for an element");
	fails(write(port, cookies, 8), EBADF, "a port is not written to");
	fails(ioctl(port, NFP_CHAN_IOC_SIGNAL, &(struct nfp_chan_signal){ .size = 40 }),
	      EOPNOTSUPP, "nor signalled");
	close(in);
	close(echo);
	close(tick);
	close(port);
}

/* A sleeping read() of the port is woken by one interrupt, whichever channel has the message. */
static void many(void)
{
	int port = port_start(), fd[MANY], i, bad = 0, got = 0;
	long irqs, own = 0;
	__u64 c;

	for (i = 0; i < MANY; i++)
		fd[i] = on("tick", port, i);
	for (i = 0; i < 3 * MANY; i++) {
		chan_signal(node, "tick");
		c = told(port);
		if (c >= MANY || drain(fd[c]) != 1)
			bad++;
		else
			got++;
	}
	is(got, 3 * MANY, "the port reports each message, with the right channel");
	is(bad, 0, "and nothing else");
	irqs = fdinfo_number(port, "irqs");
	ok(irqs >= 1 && irqs <= 3 * MANY, "one interrupt at most for each (%ld)", irqs);
	for (i = 0; i < MANY; i++) {
		own += fdinfo_number(fd[i], "irqs");
		close(fd[i]);
	}
	is(own, 0, "the channels' own vectors raise none");
	close(port);
}

static void epolls(void)
{
	int port = port_start(), tick = on("tick", port, 1), ep = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET };
	int i, got = 0;
	__u64 cookies[8];

	flags_set(port, O_NONBLOCK);
	epoll_ctl(ep, EPOLL_CTL_ADD, port, &ev);
	for (i = 0; i < 50; i++) {
		chan_signal(node, "tick");
		if (epoll_wait(ep, &ev, 1, WAIT_MS) != 1)
			break;
		while (read(port, cookies, sizeof(cookies)) > 0)
			got += drain(tick);
	}
	is(got, 50, "epoll, edge-triggered: nothing is missed");
	close(ep);
	close(tick);
	close(port);
}

static void urings(void)
{
	struct __kernel_timespec ts = { .tv_sec = WAIT_MS / 1000 };
	int port = port_start(), tick = on("tick", port, 77), i, got = 0;
	struct io_uring_cqe *cqe;
	struct io_uring ring;
	__u64 cookie;

	if (io_uring_queue_init(4, &ring, 0))
		give_up("io_uring", "queue_init");
	for (i = 0; i < 20; i++) {
		io_uring_prep_read(io_uring_get_sqe(&ring), port, &cookie, 8, 0);
		io_uring_submit(&ring);
		chan_signal(node, "tick");
		if (io_uring_wait_cqe_timeout(&ring, &cqe, &ts))
			break;
		if (cqe->res == 8 && cookie == 77)
			got += drain(tick);
		io_uring_cqe_seen(&ring, cqe);
	}
	is(got, 20, "io_uring: a read of the port completes with each message");
	io_uring_queue_exit(&ring);
	close(tick);
	close(port);
}

static void *read_one(void *arg)
{
	__u64 cookie = 0;

	if (read(*(int *)arg, &cookie, 8) != 8)
		return NULL;
	return (void *)(uintptr_t)cookie;
}

/* One thread waits in read() of the port, and another in poll() of one of its channels. */
static void both_ways(void)
{
	int port = port_start(), tick = on("tick", port, 5);
	pthread_t thread;
	void *cookie;

	if (pthread_create(&thread, NULL, read_one, &port))
		give_up("pthread_create", "failed");
	is(events_of(tick, POLLIN, 0), 0, "the channel's own poll() finds nothing");
	chan_signal(node, "tick");
	is(events_of(tick, POLLIN, WAIT_MS), POLLIN, "poll() of the channel reports its message");
	pthread_join(thread, &cookie);
	is((uintptr_t)cookie, 5, "read() of the port returned");
	is(drain(tick), 1, "one message");
	close(tick);
	close(port);
}

/* Close the channel first, or the port first; and use a pipe number again. */
static void closes(void)
{
	int port = port_start(), tick = on("tick", port, 1), again, i;

	chan_signal(node, "tick");
	is(events_of(port, POLLIN, WAIT_MS), POLLIN, "the port reports a channel");
	is(drain(tick), 1, "(which has a message)");
	close(tick);
	is(told(port), 1, "that is closed: the element still has its cookie");
	tick = on("tick", port, 2);
	chan_signal(node, "tick");
	is(told(port), 2, "a new channel with the same pipe number has its own cookie");
	is(drain(tick), 1, "its message");
	close(port);
	chan_signal(node, "tick");
	is(events_of(tick, POLLIN, WAIT_MS), POLLIN, "the port is closed: the channel goes on");
	is(drain(tick), 1, "and delivers a message");
	again = port_start();
	flags_set(again, O_NONBLOCK);
	for (i = 0; i < 3; i++) {
		chan_signal(node, "tick");
		events_of(tick, POLLIN, WAIT_MS);
		drain(tick);
	}
	fails(read(again, &(__u64){ 0 }, 8), EAGAIN, "a later port is not told of it");
	close(again);
	close(tick);
}

/* ---- the library ---- */

static struct nfpchan_port *lib_port(uint32_t wait)
{
	struct nfpchan_opts o = { .size = sizeof(o), .wait = wait };
	struct nfpchan_port *port;
	char why[256];

	if (nfpchan_port_open(&port, card, &o))
		give_up("port", nfpchan_card_error(card, why, sizeof(why)));
	return port;
}

static struct nfpchan *lib_on(const char *name, struct nfpchan_port *port)
{
	return chan_start_with(name, OPTS(.wait = NFPCHAN_WAIT_SLEEP, .port = port));
}

/* Wait for messages that come on any channel, before the wait or during it. */
static void lib_waits(uint32_t wait, const char *how)
{
	struct nfpchan_port *port = lib_port(wait);
	struct nfpchan *ch[4];
	struct nfpchan_event ev;
	struct echo_count c;
	int i, got = 0;

	for (i = 0; i < 4; i++)
		ch[i] = lib_on("tick", port);
	is(nfpchan_port_wait(port, &ev, 1, NFPCHAN_NONBLOCK), -EAGAIN, "port_wait with timeout 0");
	is(nfpchan_port_wait(port, &ev, 1, 1000000), -ETIMEDOUT,
	   "port_wait with a timeout of 1 ms");
	for (i = 0; i < 40; i++) {
		nfpchan_signal(card, "tick");
		if (nfpchan_port_wait(port, &ev, 1, WAIT_NS) != 1 || ev.req)
			break;
		got += nfpchan_recv(ev.ch, &c, sizeof(c), NFPCHAN_NONBLOCK) == sizeof(c);
	}
	ok(got == 40, "port_wait, %s: each message (%d)", how, got);
	nfpchan_close(ch[0]);
	nfpchan_port_close(port);
	nfpchan_signal(card, "tick");
	ok(UNTIL(nfpchan_recv(ch[1], &c, sizeof(c), NFPCHAN_NONBLOCK) > 0 ||
		 nfpchan_recv(ch[2], &c, sizeof(c), NFPCHAN_NONBLOCK) > 0 ||
		 nfpchan_recv(ch[3], &c, sizeof(c), NFPCHAN_NONBLOCK) > 0),
	   "its channels outlive it");
	for (i = 1; i < 4; i++)
		nfpchan_close(ch[i]);
}

static void lib_select(void)
{
	struct nfpchan_port *port = lib_port(NFPCHAN_WAIT_SLEEP);
	struct nfpchan_case cases[8];
	struct echo_count c[8];
	int i, k, got = 0;

	for (i = 0; i < 8; i++)
		cases[i] = (struct nfpchan_case){ lib_on("tick", port), &c[i], sizeof(c[i]), 1, 0 };
	is(nfpchan_select(cases, 8, 1000000), -ETIMEDOUT, "a select on a port waits");
	for (i = 0; i < 60; i++) {
		nfpchan_signal(card, "tick");
		k = nfpchan_select(cases, 8, WAIT_NS);
		got += k >= 0 && cases[k].ret == sizeof(c[0]);
	}
	is(got, 60, "and gets each message, whichever it is on");
	for (i = 0; i < 8; i++)
		nfpchan_close(cases[i].ch);
	nfpchan_port_close(port);
}

static void *close_one(void *arg)
{
	nfpchan_close(arg);
	return NULL;
}

/*
 * Asynchronous receives and sends complete on the port, also those left when a channel is closed.
 */
static void lib_async(void)
{
	struct nfpchan_port *port = lib_port(NFPCHAN_WAIT_SLEEP);
	struct nfpchan *in = lib_on("echo-in", port), *out = lib_on("echo-out", port);
	struct nfpchan *tick = lib_on("tick", port), *rv = lib_on("rv-in", port);
	struct nfpchan_async tx[64], rx[64], one, offer[2];
	int i, sent = 0, got = 0, bad = 0;
	struct nfpchan_event ev;
	pthread_t thread;
	char buf[64][8];

	for (i = 0; i < 64; i++) {
		rx[i] = (struct nfpchan_async){ .buf = buf[i], .len = sizeof(buf[i]), .user = NULL };
		tx[i] = (struct nfpchan_async){ .buf = &tx[i].user, .len = 8, .user = &buf[i] };
		if (nfpchan_recv_async(out, &rx[i]) || nfpchan_send_async(in, &tx[i]))
			give_up("echo", "async");
	}
	while (sent + got < 128 && nfpchan_port_wait(port, &ev, 1, WAIT_NS) == 1) {
		bad += ev.req != (ev.ch == in ? &tx[sent] : &rx[got]);
		bad += ev.ch == in ? ev.req->ret != 0 : ev.req->ret != 8 ||
		       memcmp(buf[got], &tx[got].user, 8);
		sent += ev.ch == in;
		got += ev.ch == out;
	}
	ok(sent == 64 && got == 64 && !bad, "64 sends and receives at a time, in order");
	/*
	 * The process takes the first. The second stays offered, as nobody receives the process's
	 * answer.
	 */
	for (i = 0; i < 2; i++) {
		offer[i] = (struct nfpchan_async){ .buf = "offer", .len = 5 };
		nfpchan_send_async(rv, &offer[i]);
	}
	is(nfpchan_port_wait(port, &ev, 1, WAIT_NS), 1, "one of two rendezvous sends completes");
	ok(ev.req == &offer[0] && !ev.req->ret, "it is the first");
	one = (struct nfpchan_async){ .buf = buf[0], .len = 8 };
	nfpchan_recv_async(tick, &one);
	/* A close in another thread completes the requests that this thread waits for. */
	if (pthread_create(&thread, NULL, close_one, tick))
		give_up("pthread_create", "failed");
	is(nfpchan_port_wait(port, &ev, 1, WAIT_NS), 1, "a close in another thread");
	ok(ev.req == &one && !ev.ch && one.ret == -ECANCELED, "ends what was waited for");
	pthread_join(thread, NULL);
	nfpchan_close(rv);
	is(nfpchan_port_wait(port, &ev, 1, WAIT_NS), 1, "the offer's channel is closed");
	ok(ev.req == &offer[1] && offer[1].ret == -ECANCELED, "it is taken back");
	nfpchan_close(in);
	nfpchan_close(out);
	nfpchan_port_close(port);
	rv = chan_start("rv-out", 0);
	is(nfpchan_recv(rv, buf[0], 8, WAIT_NS), 5, "the first is received");
	is(nfpchan_recv(rv, buf[0], 8, NFPCHAN_NONBLOCK), -EAGAIN,
	   "the second was never delivered");
	nfpchan_close(rv);
}

int main(void)
{
	struct in_use before;

	card_start();
	node = card_open(O_RDWR);
	before = in_use();
	reads();
	many();
	epolls();
	urings();
	both_ways();
	closes();
	lib_waits(NFPCHAN_WAIT_SLEEP, "asleep");
	lib_waits(NFPCHAN_WAIT_DEFAULT, "adaptive");
	lib_select();
	lib_async();
	nothing_left(&before, "after all that");
	return tap_done();
}
