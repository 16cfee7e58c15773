// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * link_api.c - links by ioctl: refusals, a chain of two, streams, links that take some
 * messages, drop them, or put a template in front. link.t counts TLPs.
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

	fails(link_fds(load, 9999, 0), EBADF, "no fd");
	fails(link_fds(load, -2, 0), EBADF, "nor this");
	fails(link_fds(echo, -1, 0), ENOTTY, "dropped, of a channel to the NFP");
	fails(link_fds(load, null, 0), EBADF, "another kind of fd");
	fails(link_fds(load, dev, 0), EBADF, "the card's own");
	fails(link_fds(load, load, 0), EBADF, "with itself");
	fails(chan_open(dev, "pit", NFP_CHAN_OPEN_LINK, 0), EPROTOTYPE, "a channel to the NFP opened for it");
	fails(link_fds(echo, load, 0), ENOTTY, "the wrong way round");
	fails(link_fds(load, tick, 0), EBADF, "two that lead to the host");
	fails(link_fds(port, echo, 0), ENOTTY, "a port");
	fails(link_fds(load, echo, 1), EINVAL, "a flag that there is not");
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
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL, "bytes to compare, but none");
	l.match_off = 2041;
	l.match_len = 8;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL, "those that no message has");
	l.match_off = l.match_len = 0;
	l.hdr_len = 6;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL, "a template of 6 bytes");
	l.hdr_len = 8;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EMSGSIZE, "with one of 8, too large a message");
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
	fails(link_fds(load, echo, 0), EISCONN, "twice");
	fails(link_fds(tick, echo, 0), EISCONN, "one end is in a link");
	fails(ioctl(fd, NFP_CHAN_IOC_LINK_STAT, &s), EINVAL, "reserved of the statistics");
	fails(ioctl(fd, NFP_CHAN_IOC_LAYOUT, &s), ENOTTY, "another ioctl on a link");
	close(fd);
	fd = link_must(load, echo);
	ok(fd >= 0, "afterwards, anew");
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

/* Of these channels: those in a link, that no read() or write() has moved. */
static int linked_and_idle(const int *fds, int count)
{
	int n = 0;

	while (count--)
		n += fdinfo_number(fds[count], "link") >= 0 && fdinfo_has(fds[count], "\nirqs:\t0\n") &&
		     fdinfo_has(fds[count], "\nmsgs:\t0\n");
	return n;
}

/* A thread that sleeps in read() or poll() of an end when it is linked. */
static void *sleep_in_read(void *arg)
{
	char buf[64];

	return (void *)(intptr_t)(read(*(int *)arg, buf, sizeof(buf)) < 0 ? errno : 0);
}

static void *sleep_in_poll(void *arg)
{
	return (void *)(intptr_t)events_of(*(int *)arg, POLLIN, (int)WAIT_MS);
}

/* load -> echo -> pit */
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
	is((intptr_t)ret[0], EISCONN, "a read() that slept is told");
	is((intptr_t)ret[1], POLLERR, "and a poll()");
	irqs = counters("load").irqs + counters("echo-in").irqs + counters("echo-out").irqs +
	       counters("pit").irqs;
	order(ctl, MANY, LOAD_LOAD);
	ok(UNTIL(link_stat(second).msgs == MANY), "%d messages go through both links", MANY);
	s = link_stat(first);
	ok(s.msgs == MANY && s.bytes == 64 * MANY && !s.dropped && s.state == NFP_CHAN_LINK_UP,
	   "the first says so, too");
	ok(!strcmp(s.from, "load") && !strcmp(s.to, "echo-in"), "by name");
	is((long)(counters("pit").msgs - before), MANY, "the process has them");
	is((long)(counters("load").irqs + counters("echo-in").irqs + counters("echo-out").irqs +
		  counters("pit").irqs - irqs), 0, "without an interrupt");
	is(linked_and_idle((int[]){ load, in, out, pit }, 4), 4, "no call of the module's has moved any of them");
	snprintf(text, sizeof(text), "state:\tup\nvia:\tcard\nmsgs:\t%d\nbytes:\t%d\n", MANY, 64 * MANY);
	ok(fdinfo_has(second, "from:\techo-out\nto:\tpit\n") && fdinfo_has(second, text), "fdinfo");
	fails(read(load, buf, 64), EISCONN, "read() of an end");
	fails(write(in, buf, 64), EISCONN, "write()");
	is(events_of(in, POLLOUT, 0), POLLERR, "poll()");
	is(events_of(first, POLLIN, 0), 0, "no event of the link");
	close(first);
	is(write(in, buf, 64), 64, "without the first, its end is written to");
	ok(UNTIL(link_stat(second).msgs == MANY + 1), "and the second goes on");
	close(second);
	order(ctl, 3, LOAD_LOAD);
	ok(rest_comes(load, 0, 3), "and the other is read");
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
	is((long)link_stat(link).msgs, (1 << 20) / 64, "in elements");
	close(link);
	close(ctl);
	close(sink);
	close(source);
}

/* Odd numbers to a process, multiples of 4 nowhere, all others to the host. */
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

	is(ioctl(odd, NFP_CHAN_IOC_LINK, &l), 0, "a link of some messages");
	link[0] = l.fd;
	l.to_fd = -1;
	l.match_mask[0] = 3;
	l.match_value[0] = 0;
	is(ioctl(four, NFP_CHAN_IOC_LINK, &l), 0, "and one that drops some");
	link[1] = l.fd;
	order(ctl, 100, LOAD_LOAD);
	for (; seq <= 98; seq += 4)
		if (read(host, m, sizeof(m)) != 64 || le64toh(m->seq) != seq)
			break;
	is((long)seq, 102, "the host gets the others");
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

/* A message of a rendezvous comes back with the template in front of it. */
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
	is(read(out, buf, sizeof(buf)), 15, "it has grown");
	ok(!strcmp(buf, "templatemessage"), "by what is in front: %s", buf);
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
	   "a channel that drops: carried or counted");
	is((long)link_stat(link).msgs, 1, "the process, which waits elsewhere, has one");
	close(link);
	close(in);
	out = chan_must(dev, "echo-out", 0);
	is(read(out, buf, sizeof(buf)), 64, "and sends it on");
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
