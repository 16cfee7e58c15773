// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * link_api.c - links within a card, by ioctl: refusals, two links in a row, streams, and links that
 * take only some messages, drop messages, or put a header template in front of each. link.t checks
 * the number of TLPs.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include "fdinfo.h"
#include "link_fds.h"

#define MANY	100000	/* messages that go from process to process */

static int dev;

static void refusals(void)
{
	int load = chan_must(dev, "load", 0), echo = chan_must(dev, "echo-in", 0);
	int rv = chan_must(dev, "rv-in", 0), source = chan_must(dev, "source64", 0);
	int sink = chan_must(dev, "sink", 0), tick = chan_must(dev, "tick", 0);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), port = port_open(dev), fd;
	struct nfp_chan_link l = { .size = sizeof(l), .to_fd = echo };
	struct nfp_chan_link_stat s = { .size = sizeof(s), .via = 1 };

	fails(link_fds(load, 9999, 0), EBADF, "an fd that is not open");
	fails(link_fds(load, -2, 0), EBADF, "fd -2");
	fails(link_fds(echo, -1, 0), ENOTTY, "a link that drops, from a channel to the NFP");
	fails(link_fds(load, null, 0), EBADF, "an fd of /dev/null");
	fails(link_fds(load, dev, 0), EBADF, "the card's fd");
	fails(link_fds(load, load, 0), EBADF, "a link of a channel to itself");
	fails(chan_open(dev, "pit",
			NFP_CHAN_OPEN_LINK, 0), EPROTOTYPE, "OPEN with the LINK flag, a channel to the NFP");
	fails(link_fds(echo, load, 0), ENOTTY, "ends in the wrong order");
	fails(link_fds(load, tick, 0), EBADF, "two channels to the host");
	fails(link_fds(port, echo, 0), ENOTTY, "a port");
	fails(link_fds(load, echo, 1), EINVAL, "an unknown flag");
	fails(link_fds(load, rv, 0), EMSGSIZE, "into a channel of smaller messages");
	fails(link_fds(source, sink, 0), EMSGSIZE, "elements of another size");
	fails(link_fds(source, echo, 0), EPROTOTYPE, "a stream into messages");
	fails(link_fds(load, sink, 0), EPROTOTYPE, "messages into a stream");
	for (size_t i = 0; i < sizeof(l.rsvd) / sizeof(l.rsvd[0]); i++) {
		l.rsvd[i] = 1;
		fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL, "a reserved word");
		l.rsvd[i] = 0;
	}
	l.match_off = 4;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL,
	      "an offset to compare at, but a length of 0");
	l.match_off = 2041;
	l.match_len = 8;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL,
	      "bytes to compare beyond the largest message");
	l.match_off = l.match_len = 0;
	l.hdr_len = 6;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL, "a template of 6 bytes");
	l.hdr_len = 8;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EMSGSIZE,
	      "a template of 8 bytes makes messages too large");
	l.rsvd1 = 1;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL, "a reserved half word");
	l.rsvd1 = 0;
	l.state_step = 1;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL, "a step, but no state");
	l.state_len = 8;
	l.state_off = 4;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL, "a state that is not all in the template");
	l.state_off = l.state_len = l.state_step = 0;
	l.hdr_len = 0;
	fails(ioctl(dev, NFP_CHAN_IOC_LINK, &l), ENOTTY, "on the card's fd");
	l.size = 16;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL, "too short a struct");
	fd = link_must(load, echo);
	fails(link_fds(load, echo, 0), EISCONN, "the same link again");
	fails(link_fds(tick, echo, 0), EISCONN, "a link to an end that is in a link");
	fails(ioctl(fd, NFP_CHAN_IOC_LINK_STAT, &s), EINVAL, "LINK_STAT, a reserved field");
	fails(ioctl(fd, NFP_CHAN_IOC_LAYOUT, &s), ENOTTY, "another ioctl on a link");
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
	struct nfp_chan_link l = {
		.size = sizeof(l), .to_fd = pit, .match_len = 1, .match_mask = { 1 },
		.match_value = { 1 },
	};
	struct load_msg m[4];
	uint64_t seq = 2;
	int link[2];

	is(ioctl(odd, NFP_CHAN_IOC_LINK, &l), 0, "a link that takes some messages");
	link[0] = l.fd;
	l.to_fd = -1;
	l.match_mask[0] = 3;
	l.match_value[0] = 0;
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

/* Link rv-out to echo-in with a header template, and check the messages that come back. */
static void headers(void)
{
	int in = chan_must(dev, "rv-in", 0), from = chan_must(dev, "rv-out", 0);
	int to = chan_must(dev, "echo-in", 0), out = out_open(dev);
	struct nfp_chan_link l = {
		.size = sizeof(l), .to_fd = to, .hdr_len = 8, .hdr = "template",
	};
	char buf[64] = "";

	is(ioctl(from, NFP_CHAN_IOC_LINK, &l), 0, "a link with a template");
	is(write(in, "message", 7), 7, "a message");
	is(read(out, buf, sizeof(buf)), 15, "the message is 8 bytes longer");
	ok(!strcmp(buf, "templatemessage"), "the template is in front: %s", buf);
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
	chain(ctl);
	streams();
	drops(ctl);
	routes(ctl);
	headers();
	nothing_left(&before, "links of all kinds");
	return tap_done();
}
