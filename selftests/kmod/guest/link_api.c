// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * link_api.c - links within a card, by ioctl: refusals, two links in a row, streams, and links that
 * take only some messages, drop messages, or put a header in front of each. link_calls.t checks
 * the number of TLPs.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <nfpchan/nfp_chan_peer.h>
#include "fdinfo.h"
#include "link_fds.h"

#define MANY	100000	/* messages that go from process to process */

static int dev;

/* A link with a header, a match and an operation, of which each test makes one part wrong */
static const char front[8] = "front";
static const uint8_t ones[8] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
static const struct nfp_chan_link_op add = { .op = NFP_CHAN_LINK_ADD, .off = 4, .len = 4, .arg = 1 };

static struct nfp_chan_link whole(int to)
{
	return (struct nfp_chan_link){
		.size = sizeof(struct nfp_chan_link), .to_fd = to, .fd = -77,
		.hdr = (uintptr_t)front, .hdr_len = sizeof(front), .mask = (uintptr_t)ones,
		.value = (uintptr_t)ones, .match_len = sizeof(ones), .ops = (uintptr_t)&add,
		.op_count = 1,
	};
}

#define WRONG(want, what, ...) do {						\
	l = whole(to);								\
	__VA_ARGS__;								\
	fails(ioctl(from, NFP_CHAN_IOC_LINK, &l), want, what);			\
	is(l.fd, -77, "no fd is returned");					\
} while (0)

#define WRONG_OP(what, ...)							\
	WRONG(EINVAL, what, op = add; __VA_ARGS__; l.ops = (uintptr_t)&op)

/* Wrong addresses and lengths, and wrong operations */
static void parts(int from, int to)
{
	static const char bytes[72];	/* more than each length may be */
	const uint64_t bad = 4096;	/* no memory is there */
	struct nfp_chan_link_op op;
	struct nfp_chan_link l;

	WRONG(EINVAL, "a header without a length", l.hdr_len = l.op_count = 0; l.ops = 0);
	WRONG(EINVAL, "a length without a header", l.hdr = 0);
	WRONG(EINVAL, "a header that is too long", l.hdr = (uintptr_t)bytes; l.hdr_len = 68);
	WRONG(EINVAL, "a header of 6 bytes", l.hdr_len = 6; l.op_count = 0; l.ops = 0);
	WRONG(EINVAL, "a header's length of all ones", l.hdr_len = UINT32_MAX);
	WRONG(EFAULT, "a header that is not there", l.hdr = bad);
	WRONG(EINVAL, "mask and value without a length", l.match_len = 0);
	WRONG(EINVAL, "a length without a mask", l.mask = 0);
	WRONG(EINVAL, "a length without a value", l.value = 0);
	WRONG(EINVAL, "too many bytes to compare", l.mask = l.value = (uintptr_t)bytes;
	      l.match_len = 9);
	WRONG(EFAULT, "a mask that is not there", l.mask = bad);
	WRONG(EFAULT, "a value that is not there", l.value = bad);
	WRONG(EINVAL, "a value of bits that are not compared", l.mask = (uintptr_t)bytes);
	WRONG(EINVAL, "an offset to compare at, but a length of 0", l.mask = l.value = 0;
	      l.match_len = 0; l.match_off = 4);
	WRONG(EINVAL, "bytes to compare beyond the largest message", l.match_off = 2041);
	WRONG(EINVAL, "operations without a number", l.op_count = 0);
	WRONG(EINVAL, "a number without operations", l.ops = 0);
	WRONG(EINVAL, "two operations", l.op_count = 2);
	WRONG(EINVAL, "a number of operations that overflows", l.op_count = 0x10000001);
	WRONG(EFAULT, "operations that are not there", l.ops = bad);
	WRONG(EINVAL, "an operation without a header", l.hdr = 0; l.hdr_len = 0);
	WRONG_OP("no operation", op.op = 0);
	WRONG_OP("an unknown operation", op.op = NFP_CHAN_LINK_ADD + 1);
	WRONG_OP("a reserved word of an operation", op.rsvd = 1);
	WRONG_OP("a number that is not all in the header", op.len = 8);
	WRONG_OP("a number at no multiple of 4", op.off = 2);
	WRONG_OP("a number behind the header", op.off = 8);
	WRONG_OP("a number at 256", op.off = 256);
	WRONG_OP("a number of 2 bytes", op.len = 2);
	WRONG_OP("a number of no bytes", op.len = 0);
	WRONG_OP("a number of 260 bytes", op.len = 260);
	WRONG_OP("0 to add", op.arg = 0);
	WRONG_OP("more than 32 bits to add", op.arg = 1ull << 32);
	WRONG(EMSGSIZE, "a header makes messages too large", l.mask = l.value = 0; l.match_len = 0);
}

static void refusals(void)
{
	int load = chan_must(dev, "load", 0), echo = chan_must(dev, "echo-in", 0);
	int rv = chan_must(dev, "rv-in", 0), source = chan_must(dev, "source64", 0);
	int sink = chan_must(dev, "sink", 0), tick = chan_must(dev, "tick", 0);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), port = port_open(dev), fd;
	struct nfp_chan_link l = { .size = sizeof(l), .to_fd = echo };
	struct nfp_chan_link_stat s = { .size = sizeof(s), .via = 77, .state = 77 };

	fails(link_fds(load, 9999, 0), EBADF, "an fd that is not open");
	fails(link_fds(load, -2, 0), EBADF, "fd -2");
	fails(link_fds(echo, -1, 0), EOPNOTSUPP, "a link that drops, from a channel to the NFP");
	fails(link_fds(load, null, 0), EBADF, "an fd of /dev/null");
	fails(link_fds(load, dev, 0), EBADF, "the card's fd");
	fails(link_fds(load, load, 0), EBADF, "a link of a channel to itself");
	fails(chan_open(dev, "pit",
			NFP_CHAN_OPEN_LINK, 0), EPROTOTYPE, "OPEN with the LINK flag, a channel to the NFP");
	fails(link_fds(echo, load, 0), EOPNOTSUPP, "ends in the wrong order");
	fails(link_fds(load, tick, 0), EBADF, "two channels to the host");
	fails(link_fds(port, echo, 0), EOPNOTSUPP, "a port");
	fails(link_fds(load, echo, 1), EINVAL, "an unknown flag");
	fails(link_fds(load, rv, 0), EMSGSIZE, "into a channel of smaller messages");
	fails(link_fds(source, sink, 0), EMSGSIZE, "elements of another size");
	fails(link_fds(source, echo, 0), EPROTOTYPE, "a stream into messages");
	fails(link_fds(load, sink, 0), EPROTOTYPE, "messages into a stream");
	fails(ioctl(load, NFP_CHAN_IOC_PEER, &l), EXDEV, "PEER within a card");
	parts(load, echo);
	fails(ioctl(dev, NFP_CHAN_IOC_LINK, &l), EOPNOTSUPP, "on the card's fd");
	l.size = 16;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL, "too short a struct");
	fd = link_must(load, echo);
	fails(link_fds(load, echo, 0), EISCONN, "the same link again");
	fails(link_fds(tick, echo, 0), EISCONN, "a link to an end that is in a link");
	is(ioctl(fd, NFP_CHAN_IOC_LINK_STAT, &s), 0, "LINK_STAT does not read the fields that it fills in");
	ok(s.via == NFP_CHAN_LINK_ONCARD && s.state == NFP_CHAN_LINK_UP, "it fills them in");
	s.flags = 1;
	fails(ioctl(fd, NFP_CHAN_IOC_LINK_STAT, &s), EINVAL, "LINK_STAT, an unknown flag");
	fails(ioctl(load, NFP_CHAN_IOC_LINK_STAT, &s), EOPNOTSUPP, "LINK_STAT on a channel");
	fails(ioctl(fd, NFP_CHAN_IOC_LAYOUT, &s), EOPNOTSUPP, "another ioctl on a link");
	fails(ioctl(fd, _IO(NFP_CHAN_IOC_TYPE, 0x0e), &s), ENOTTY, "an unknown ioctl on a link");
	close(fd);
	fd = link_must(load, echo);
	ok(fd >= 0, "after the close, a link is made again");
	close(fd);
	close(port);
	close(null);
	close(tick);
	close(sink);
	close(source);
	close(rv);
	close(echo);
	close(load);
}

/* LINK_STAT with a shorter and a longer struct: size becomes the bytes that were filled in. */
static void sizes(void)
{
	int load = chan_must(dev, "load", 0), echo = chan_must(dev, "echo-in", 0);
	int link = link_must(load, echo);
	struct {
		struct nfp_chan_link_stat s;
		uint64_t more;
	} arg = { .s.size = sizeof(arg) };

	is(ioctl(link, NFP_CHAN_IOC_LINK_STAT, &arg), 0, "LINK_STAT, a longer struct");
	is(arg.s.size, sizeof(arg.s), "its size is that of the kernel's");
	ok(!strcmp(arg.s.to, "echo-in"), "it is filled in");
	memset(&arg, 0, sizeof(arg));
	arg.s.size = sizeof(arg.s) - 1;
	fails(ioctl(link, NFP_CHAN_IOC_LINK_STAT, &arg), EINVAL, "LINK_STAT, too short a struct");
	close(link);
	close(echo);
	close(load);
}

/*
 * Count the pipes of @fds that are linked, had no interrupt, and carried nothing by read()/write().
 */
static int linked_and_idle(const int *fds, int count)
{
	int n = 0;

	while (count--)
		n += fdinfo_number(fds[count], "link") >= 0 && fdinfo_has(fds[count], "\nirqs:\t0\n") &&
		     fdinfo_has(fds[count], "\nmsgs:\t0\n");
	return n;
}

/* Threads that sleep in read() or poll() of a channel while it is linked. */
static void *sleep_in_read(void *arg)
{
	char buf[64];

	return (void *)(intptr_t)(read(*(int *)arg, buf, sizeof(buf)) < 0 ? errno : 0);
}

static void *sleep_in_poll(void *arg)
{
	return (void *)(intptr_t)events_of(*(int *)arg, POLLIN, (int)WAIT_MS);
}

/* Two links in a row: messages go from "load" to "echo", and from there to "pit". */
static void chain(int ctl)
{
	int load = chan_must(dev, "load", 0), in = chan_must(dev, "echo-in", 0);
	int out = chan_must(dev, "echo-out", 0), pit = chan_must(dev, "pit", 0), first, second;
	uint64_t before = counters("pit").msgs, irqs;
	void *ret[2];
	pthread_t thread[2];
	char buf[64] = { 0 }, text[64];
	struct nfp_chan_link_stat s;

	pthread_create(&thread[0], NULL, sleep_in_read, &load);
	pthread_create(&thread[1], NULL, sleep_in_poll, &load);
	first = link_must(load, in);
	second = link_must(out, pit);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], &ret[i]);
	is((intptr_t)ret[0], EISCONN, "a read() that slept returns EISCONN");
	is((intptr_t)ret[1], POLLERR, "a poll() that slept returns POLLERR");
	irqs = counters("load").irqs + counters("echo-in").irqs + counters("echo-out").irqs +
	       counters("pit").irqs;
	order(ctl, MANY, LOAD_LOAD);
	ok(UNTIL(link_stat(second).msgs == MANY), "%d messages go through both links", MANY);
	s = link_stat(first);
	ok(s.msgs == MANY && s.bytes == 64 * MANY && !s.dropped && s.state == NFP_CHAN_LINK_UP,
	   "the first link has counted them as well");
	ok(!strcmp(s.from, "load") && !strcmp(s.to, "echo-in"), "the statistics name the channels");
	is((long)(counters("pit").msgs - before), MANY, "the process pit has taken all messages");
	is((long)(counters("load").irqs + counters("echo-in").irqs + counters("echo-out").irqs +
		  counters("pit").irqs - irqs), 0, "no interrupt was raised");
	is(linked_and_idle((int[]){ load, in, out, pit }, 4), 4,
	   "no system call has carried any of the messages");
	snprintf(text, sizeof(text), "state:\tup\nvia:\tcard\nmsgs:\t%d\nbytes:\t%d\n", MANY, 64 * MANY);
	ok(fdinfo_has(second, "from:\techo-out\nto:\tpit\n") && fdinfo_has(second, text), "fdinfo");
	fails(read(load, buf, 64), EISCONN, "read() of a linked end");
	fails(write(in, buf, 64), EISCONN, "write() of a linked end");
	is(events_of(in, POLLOUT, 0), POLLERR, "poll() of a linked end: POLLERR");
	is(events_of(first, POLLIN, 0), 0, "poll() of the link: no event");
	close(first);
	is(write(in, buf, 64), 64, "the first link is closed: write() to its end works");
	ok(UNTIL(link_stat(second).msgs == MANY + 1), "the second link carries that message");
	close(second);
	order(ctl, 3, LOAD_LOAD);
	ok(rest_comes(load, 0, 3), "the first link's other end is read again");
	close(pit);
	close(out);
	close(in);
	close(load);
}

static void streams(void)
{
	int source = chan_must(dev, "source64", 0), sink = chan_must(dev, "sink64", 0);
	int ctl = chan_must(dev, "source-ctl", 0), link = link_must(source, sink);
	struct { uint64_t bytes; uint32_t chunk, target; } req = { 1 << 20, 8192, 1 };

	is(write(ctl, &req, sizeof(req)), sizeof(req), "a stream is asked for");
	ok(UNTIL(link_stat(link).bytes == 1 << 20), "a stream goes through");
	is((long)link_stat(link).msgs, (1 << 20) / 64, "its elements are counted");
	close(link);
	close(ctl);
	close(sink);
	close(source);
}

/* Link odd numbers to a process, drop multiples of 4; the host receives all others. */
static void routes(int ctl)
{
	int odd = chan_must(dev, "load", 0), four = chan_must(dev, "load", 0);
	int host = chan_must(dev, "load", 0), pit = chan_must(dev, "pit", 0);
	uint8_t mask = 1, value = 1;
	struct nfp_chan_link l = {
		.size = sizeof(l), .to_fd = pit, .match_len = 1, .mask = (uintptr_t)&mask,
		.value = (uintptr_t)&value,
	};
	struct load_msg m[4];
	uint64_t seq = 2;
	int link[2];

	is(ioctl(odd, NFP_CHAN_IOC_LINK, &l), 0, "a link that takes some messages");
	link[0] = l.fd;
	l.to_fd = -1;
	mask = 3;
	value = 0;
	is(ioctl(four, NFP_CHAN_IOC_LINK, &l), 0, "a link that drops some messages");
	link[1] = l.fd;
	order(ctl, 100, LOAD_LOAD);
	for (; seq <= 98; seq += 4)
		if (read(host, m, sizeof(m)) != 64 || le64toh(m->seq) != seq)
			break;
	is((long)seq, 102, "the host gets the other messages");
	ok(UNTIL(link_stat(link[0]).msgs == 50 && link_stat(link[1]).dropped == 25),
	   "each message went where it should");
	ok(fdinfo_has(link[1], "from:\tload\nto:\t\nstate:\tup\nvia:\tcard\nmsgs:\t0\n"), "fdinfo");
	close(link[1]);
	close(link[0]);
	close(pit);
	close(host);
	close(four);
	close(odd);
}

/* Link rv-out to echo-in with a header that counts, and check the messages that come back. */
static void headers(void)
{
	int in = chan_must(dev, "rv-in", 0), from = chan_must(dev, "rv-out", 0);
	int to = chan_must(dev, "echo-in", 0), out = out_open(dev);
	const struct nfp_chan_link_op count = {
		.op = NFP_CHAN_LINK_ADD, .off = 8, .len = 4, .arg = 3,
	};
	struct nfp_chan_link l = {
		.size = sizeof(l), .to_fd = to, .hdr_len = 12, .hdr = (uintptr_t)"template\5\0\0",
		.ops = (uintptr_t)&count, .op_count = 1,
	};
	char buf[64] = "";

	is(ioctl(from, NFP_CHAN_IOC_LINK, &l), 0, "a link with a header");
	is(write(in, "message", 7), 7, "a message");
	is(read(out, buf, sizeof(buf)), 19, "the message is 12 bytes longer");
	ok(!memcmp(buf, "template\5\0\0\0message", 19), "the header is in front: %s", buf);
	is(write(in, "next", 4), 4, "another message");
	is(read(out, buf, sizeof(buf)), 16, "it is 12 bytes longer");
	ok(!memcmp(buf, "template\10\0\0\0next", 16), "its header has counted: %s", buf);
	close(l.fd);
	close(out);
	close(to);
	close(from);
	close(in);
}

static void drops(int ctl)
{
	int pour = chan_must(dev, "pour", 0), in = chan_must(dev, "echo-in", 0);
	int link = link_must(pour, in), out;
	char buf[64];

	order(ctl, 50, LOAD_POUR);
	ok(UNTIL(link_stat(link).msgs + link_stat(link).dropped == 50),
	   "a channel that drops: each message is carried or counted as dropped");
	is((long)link_stat(link).msgs, 1, "the process has taken one, and waits for a receiver");
	close(link);
	close(in);
	out = chan_must(dev, "echo-out", 0);
	is(read(out, buf, sizeof(buf)), 64, "the process sends it on");
	close(out);
	close(pour);
}

int main(void)
{
	struct in_use before;
	int ctl;

	card_start();
	dev = card_open(O_RDWR);
	ctl = chan_must(dev, "load-ctl", 0);
	before = in_use();
	refusals();
	sizes();
	chain(ctl);
	streams();
	drops(ctl);
	routes(ctl);
	headers();
	nothing_left(&before, "links of all kinds");
	return tap_done();
}
