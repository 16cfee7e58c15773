// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_event.c - MSI-X interrupts that signal an eventfd, epoll on channels, signals to ME
 * processes, a process that ends, and rings that wrap.
 */
#define _GNU_SOURCE
#include <sys/epoll.h>
#include "chan_test.h"

/* Count the interrupts that the kernel took on the vector of @chan's only pipe. */
static unsigned long vector_count(const char *chan)
{
	char line[1024], name[64], *at, *next;
	unsigned long sum = 0, n;
	FILE *f = fopen("/proc/interrupts", "r");

	if (!f)
		die("/proc/interrupts");
	snprintf(name, sizeof(name), "nfp_chan0-%s-", chan);
	while (fgets(line, sizeof(line), f)) {
		at = strchr(line, ':');
		if (!at || !strstr(line, name))
			continue;
		for (at++; n = strtoul(at, &next, 10), next != at; at = next)
			sum += n;
	}
	fclose(f);
	return sum;
}

static uint64_t count_of(struct nfpchan *ch)
{
	struct echo_count c;

	if (nfpchan_recv(ch, &c, sizeof(c), WAIT_NS) != sizeof(c))
		return 0;
	return le64toh(c.count);
}

static bool signalled(int efd)
{
	eventfd_t n;

	return events_of(efd, POLLIN, WAIT_MS) == POLLIN && !eventfd_read(efd, &n) && n == 1;
}

/*
 * Arm, then request a message: the card raises the vector once, and the bound eventfd is signalled.
 */
static void fire(struct nfpchan *ch, int efd, const char *what)
{
	unsigned long irqs = vector_count("tick");
	struct nfp_chan_query before = counters("tick");

	is(nfpchan_arm(ch), 0, "armed, nothing there");
	is(vector_count("tick"), irqs, "no interrupt yet");
	is(nfpchan_raise(ch), 0, "a signal to the process");
	ok(signalled(efd), "%s: signalled by the message", what);
	is(vector_count("tick") - irqs, 1, "by one MSI-X interrupt");
	is(counters("tick").irqs - before.irqs, 1, "the counter of interrupts shows it");
	ok(count_of(ch) != 0, "the message is there");
	is(nfpchan_raise(ch), 0, "a signal without arming");
	ok(count_of(ch) != 0, "it brings a message");
	is(events_of(efd, POLLIN, 0), 0, "it signals no eventfd");
	is(vector_count("tick") - irqs, 1, "it raises no interrupt");
}

static void binding(void)
{
	struct nfpchan *ch = chan_start("tick", SPIN_LONG);
	int a = eventfd(0, EFD_NONBLOCK), b = eventfd(0, EFD_NONBLOCK);
	unsigned long irqs;

	/*
	 * If an interrupt comes before an eventfd is bound, the module signals the eventfd at the
	 * bind.
	 */
	is(nfpchan_arm(ch), 0, "armed, no eventfd bound");
	nfpchan_raise(ch);
	ok(count_of(ch) != 0, "a message");
	ok(UNTIL(vector_count("tick") == 1), "the interrupt of that message");
	is(nfpchan_eventfd(ch, a), 0, "bind an eventfd");
	ok(signalled(a), "the interrupt that came before signals it");
	is(events_of(a, POLLIN, 0), 0, "the interrupt signals it once");

	fire(ch, a, "eventfd");
	is(nfpchan_eventfd(ch, b), 0, "bind a second eventfd");
	fire(ch, b, "second eventfd");
	is(events_of(a, POLLIN, 0), 0, "the first eventfd is not signalled");

	is(nfpchan_eventfd(ch, -1), 0, "unbind");
	irqs = vector_count("tick");
	is(nfpchan_arm(ch), 0, "armed");
	nfpchan_raise(ch);
	ok(count_of(ch) != 0, "a message");
	ok(UNTIL(vector_count("tick") == irqs + 1), "the interrupt of that message");
	is(events_of(a, POLLIN, 0) | events_of(b, POLLIN, 0), 0, "it signals neither eventfd");

	/* Arm after the message has come: there is nothing to wait for. */
	nfpchan_eventfd(ch, a);
	eventfd_read(a, &(eventfd_t){ 0 });
	nfpchan_raise(ch);
	is(nfpchan_wait(ch, WAIT_NS), 0, "a message is there");
	is(nfpchan_arm(ch), 1, "arm returns 1: a message is there");
	ok(count_of(ch) != 0, "the message is received");
	nfpchan_close(ch);
	close(a);
	close(b);
}

/* An eventfd of a channel to the NFP is signalled when the ring has room. */
static void room(void)
{
	struct nfpchan *tx = chan_start("echo-in", 0), *rx;
	struct nfp_chan_query before = counters("echo-in");
	int efd = eventfd(0, EFD_NONBLOCK);
	unsigned int n;

	stamp_send(tx, MSG_MAX, 1, 1, WAIT_NS);
	/* Wait for the record of the message: the card updates the counters before the record. */
	is(nfpchan_drain(tx, WAIT_NS), 0, "the process has taken one message");
	is(counters("echo-in").msgs - before.msgs, 1, "the message is counted");
	is(nfpchan_eventfd(tx, efd), 0, "bind an eventfd to a channel to the NFP");
	for (n = 2; !stamp_send(tx, MSG_MAX, 1, n, NFPCHAN_NONBLOCK); n++)
		;
	is(nfpchan_arm(tx), 0, "full: armed");
	is(events_of(efd, POLLIN, 0), 0, "no event");
	rx = chan_start("echo-out", 0);
	ok(stamp_is(stamp_recv(rx), 1, 1), "one message is received");
	ok(signalled(efd), "the eventfd is signalled when the process takes the next message");
	is(nfpchan_wait(tx, NFPCHAN_NONBLOCK), 0, "there is room");
	while (--n > 1)
		stamp_recv(rx);
	nfpchan_close(rx);
	nfpchan_close(tx);
	close(efd);
}

static int epoll_next(int ep)
{
	struct epoll_event ev[2];
	int n = epoll_wait(ep, ev, 2, WAIT_MS);

	return n == 1 ? (int)ev[0].data.u32 : -n;
}

static void epoll_two(void)
{
	struct nfpchan *tick = chan_start("tick", NO_SPIN), *echo = chan_start("echo-out", NO_SPIN);
	struct epoll_event one = { .events = EPOLLIN, .data.u32 = 1 };
	struct epoll_event two = { .events = EPOLLIN, .data.u32 = 2 };
	struct nfpchan *tx = chan_start("echo-in", 0);
	int ep = epoll_create1(EPOLL_CLOEXEC);
	unsigned int i, bad = 0;
	struct epoll_event ev[2];

	is(epoll_ctl(ep, EPOLL_CTL_ADD, nfpchan_fd(tick), &one), 0, "epoll: one channel");
	is(epoll_ctl(ep, EPOLL_CTL_ADD, nfpchan_fd(echo), &two), 0, "and another");
	is(epoll_wait(ep, ev, 2, 0), 0, "nothing on either");
	for (i = 0; i < 100; i++) {
		nfpchan_raise(tick);
		bad += epoll_next(ep) != 1 || !count_of(tick);
		stamp_send(tx, 100, 1, i, WAIT_NS);
		bad += epoll_next(ep) != 2 || !stamp_is(stamp_recv(echo), 1, i);
	}
	is(bad, 0, "100 messages on each channel: each event names its channel");
	is(epoll_wait(ep, ev, 2, 0), 0, "nothing is left on either");
	nfpchan_raise(tick);
	stamp_send(tx, 100, 1, i, WAIT_NS);
	ok(UNTIL(epoll_wait(ep, ev, 2, WAIT_MS) == 2),
	   "a message on each channel: epoll returns both");
	ok(count_of(tick) && stamp_is(stamp_recv(echo), 1, i), "both are received");
	close(ep);
	nfpchan_close(tick);
	nfpchan_close(echo);
	nfpchan_close(tx);
}

/*
 * Signals that come before the process runs merge: the process sends one message for all of them.
 */
static void signals(void)
{
	struct nfpchan *ch = chan_start("tick", 0);
	struct nfp_chan_query before = counters("tick"), q;
	uint64_t first = 0, last = 0, now;
	unsigned int i, gaps = 0;

	for (i = 0; i < 100; i++) {
		if (i & 1)
			nfpchan_raise(ch);
		else
			nfpchan_signal(card, "tick");
		now = count_of(ch);
		first = first ?: now;
		gaps += last && now != last + 1;
		last = now;
	}
	is(gaps, 0, "100 signals, each waited for: each is a message");
	is(last - first, 99, "counted without a gap");
	ok(nfpchan_layout(ch)->signal_db, "the process is signalled by a doorbell");
	is(counters("tick").signals - before.signals, 50, "signals by ioctl are counted");
	for (i = 0; i < 50; i++)
		nfpchan_raise(ch);
	now = count_of(ch);
	is(now, last + 1, "50 at once: the first is the next message");
	/* The merged signals may bring one more message, or two, but not 50. */
	while (UNTIL(counters("tick").msgs - before.msgs >= now - first + 1) &&
	       !nfpchan_wait(ch, NFPCHAN_NONBLOCK))
		now = count_of(ch);
	q = counters("tick");
	ok(q.msgs - before.msgs >= 101 && q.msgs - before.msgs <= 150,
	   "each signal brings one message at most");
	printf("# %llu messages\n", (unsigned long long)(q.msgs - before.msgs));
	nfpchan_close(ch);
	is(nfpchan_signal(card, "load"), -EOPNOTSUPP, "a process without signals");
	ch = chan_start("load", 0);
	is(nfpchan_layout(ch)->signal_db, 0,
	   "a channel of a process without signals has no doorbell");
	is(nfpchan_raise(ch), -EOPNOTSUPP, "nfpchan_raise() on that channel: EOPNOTSUPP");
	nfpchan_close(ch);
}

/* Signal by ioctl, on the card's and the channel's descriptor, with and without an open pipe. */
static void signal_ioctl(void)
{
	struct nfp_chan_query before = counters("tick");
	struct echo_count c = { .count = 0 };
	uint64_t first;
	int fd;

	/* The process sends its message when a receiver opens the channel. */
	is(nfpchan_signal(card, "tick"), 0, "a signal while the channel is not open");
	ok(UNTIL(counters("tick").stalled > before.stalled), "the signal has reached the process");
	fd = chan_must(nfpchan_card_fd(card), "tick", 0);
	is(read(fd, &c, sizeof(c)), sizeof(c),
	   "the message of the signal goes to the first receiver that opens");
	first = le64toh(c.count);
	is(ioctl(fd, NFP_CHAN_IOC_SIGNAL, ARG(signal)), 0, "a signal by the channel's descriptor");
	is(read(fd, &c, sizeof(c)), sizeof(c), "that signal has reached the process");
	is(le64toh(c.count) - first, 1, "the process saw one signal");
	fails(ioctl(fd, NFP_CHAN_IOC_SIGNAL, ARG(signal, .name = "tick")), EINVAL,
	      "a channel's descriptor, with a name");
	is(counters("tick").signals - before.signals, 2, "two were counted");
	is(counters("tick").pipes, 1, "one pipe is open");
	close(fd);
	fd = chan_must(nfpchan_card_fd(card), "load-ctl", 0);
	fails(ioctl(fd, NFP_CHAN_IOC_SIGNAL, ARG(signal)), EOPNOTSUPP, "a process without signals");
	close(fd);
}

/* Wrong sizes are refused: a message to send is not sent, a message to receive stays. */
static void sizes(void)
{
	struct nfp_chan_query before = counters("echo-in");
	struct nfpchan *tx = chan_start("echo-in", 0), *rx = chan_start("echo-out", 0);
	struct nfpchan *ctl = chan_start("load-ctl", 0);
	static uint8_t big[MSG_MAX + 1];
	uint8_t buf[MSG_MAX];
	struct stamp s;

	is(nfpchan_send(tx, big, sizeof(big), WAIT_NS), -EMSGSIZE, "send more than fits");
	is(nfpchan_send(ctl, big, 15, WAIT_NS), -EMSGSIZE, "send less than an element");
	is(nfpchan_send(ctl, big, 17, WAIT_NS), -EMSGSIZE, "send more than an element");
	is(nfpchan_send(ctl, big, 0, WAIT_NS), -EMSGSIZE, "send no element");
	is(nfpchan_send(rx, big, 8, WAIT_NS), -EBADF, "send on a channel to the host");
	is(nfpchan_recv(tx, big, 8, WAIT_NS), -EBADF, "receive on a channel to the NFP");
	is(stamp_send(tx, 1000, 1, 5, WAIT_NS), 0, "send 1000 bytes");
	is(nfpchan_recv(rx, buf, 999, WAIT_NS), -EMSGSIZE, "receive into 999");
	is(nfpchan_recv(rx, buf, 0, WAIT_NS), -EMSGSIZE, "receive into nothing");
	is(nfpchan_recv(rx, buf, 1000, WAIT_NS), 1000, "the message has stayed and is received");
	ok(msg_whole(buf, 1000, &s) && s.seq == 5, "the message is whole");
	is(nfpchan_recv(rx, buf, sizeof(buf), NFPCHAN_NONBLOCK), -EAGAIN,
	   "there is no second message");
	is(counters("echo-in").msgs - before.msgs, 1, "one message was carried");
	nfpchan_close(ctl);
	nfpchan_close(tx);
	nfpchan_close(rx);
}

/* Send by write() and receive by read() until the ring has wrapped at each offset of a message. */
static void read_write(void)
{
	int rx = chan_must(nfpchan_card_fd(card), "echo-out", 0);
	int tx = chan_must(nfpchan_card_fd(card), "echo-in", NFP_CHAN_OPEN_NONBLOCK);
	uint8_t out[MSG_MAX], in[MSG_MAX];
	unsigned int i, bad = 0, len;
	struct stamp s;

	fcntl(rx, F_SETFL, O_NONBLOCK);
	fails(read(rx, in, sizeof(in)), EAGAIN, "read, O_NONBLOCK");
	fcntl(rx, F_SETFL, 0);
	for (i = 0; i < 1000; i++) {
		len = msg_size(2, i, MSG_MAX);
		msg_fill(out, len, 2, i);
		bad += write(tx, out, len) != len || read(rx, in, sizeof(in)) != len ||
		       !msg_whole(in, len, &s) || (len && s.seq != i);
	}
	is(bad, 0, "1000 messages by write and read");
	close(tx);
	close(rx);
}

/* Use the smallest ring, in which most messages wrap, and the largest ring, with 64-byte units. */
static void rings(uint32_t size, unsigned int count)
{
	struct nfpchan *tx = chan_start_with("echo-in", OPTS(.ring_size = size));
	struct nfpchan *rx = chan_start_with("echo-out", OPTS(.ring_size = size));
	unsigned int i, bad = 0, len;
	uint64_t bytes = 0;

	is(nfpchan_layout(rx)->ring_size, size, "the ring has the size that was asked for");
	for (i = 0; i < count; i++) {
		len = i % 2 ? MSG_MAX : sizeof(struct stamp) + i * 7 % 2000;
		if (stamp_send(tx, len, 3, i, WAIT_NS))
			break;
		bytes += len;
		bad += !stamp_is(stamp_recv(rx), 3, i);
	}
	ok(i == count && !bad && bytes > size, "%u messages, %llu bytes, through a ring of %u",
	   count, (unsigned long long)bytes, size);
	nfpchan_close(tx);
	nfpchan_close(rx);
}

/* The process sends one message and ends; it stays ended for as long as the card runs. */
static void ended(void)
{
	struct nfpchan *ch = chan_start("once", NO_SPIN), *other = chan_start("once", NO_SPIN);
	struct nfpchan *late, *with, *without;
	char buf[8], why[256];
	int a, b;

	is(nfpchan_recv(ch, buf, 8, NFPCHAN_NONBLOCK), -EAGAIN, "a process that will end");
	is(nfpchan_raise(ch), 0, "the process is signalled");
	a = events_of(nfpchan_fd(ch), POLLIN, WAIT_MS);
	b = events_of(nfpchan_fd(other), POLLIN, WAIT_MS);
	ok((a & POLLIN) != (b & POLLIN), "one of two receivers has its message");
	with = a & POLLIN ? ch : other;
	without = a & POLLIN ? other : ch;
	is(nfpchan_recv(without, buf, 8, WAIT_NS), -EPIPE, "the other receiver: EPIPE");
	is(count_of(with), 1, "the receiver of the message receives it");
	is(nfpchan_recv(with, buf, 8, WAIT_NS), -EPIPE, "its next receive: EPIPE");
	is(nfpchan_wait(with, WAIT_NS), -EPIPE, "wait: EPIPE");
	is(nfpchan_arm(with), -EPIPE, "arm: EPIPE");
	ok(strstr(nfpchan_error(with, why, sizeof(why)), "ended") != NULL,
	   "the error text says that the process ended");
	ok(events_of(nfpchan_fd(with), POLLIN, WAIT_MS) & POLLHUP, "poll: POLLHUP");
	nfpchan_close(ch);
	nfpchan_close(other);
	is(nfpchan_open(&late, card, "once", NULL), -EPIPE, "open: EPIPE");
}

int main(void)
{
	struct in_use used;

	card_start();
	used = in_use();
	binding();
	room();
	epoll_two();
	signals();
	signal_ioctl();
	sizes();
	read_write();
	rings(4096, 400);
	rings(1 << 22, 3000);
	ended();
	nothing_left(&used, "events");
	return tap_done();
}
