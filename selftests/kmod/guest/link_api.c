// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * link_api.c - links by ioctl: refusals, a chain of two, and each way in which a link
 * ends. Every message is received, or counted; link.t counts TLPs.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include "chan_test.h"
#include "pit.h"

#define MANY	100000	/* messages that go from process to process */
#define SOME	300	/* of a stream that is broken off */
#define READ	20	/* of those, that the host has read by then */

static int dev;

static int link_fds(int from, int to, unsigned int flags)
{
	struct nfp_chan_link l = { .size = sizeof(l), .flags = flags, .to_fd = to, .fd = -1 };

	return ioctl(from, NFP_CHAN_IOC_LINK, &l) ? -1 : l.fd;
}

static int link_must(int from, int to)
{
	int fd = link_fds(from, to, 0);

	if (fd < 0)
		die("NFP_CHAN_IOC_LINK");
	return fd;
}

static struct nfp_chan_link_stat link_stat(int fd)
{
	struct nfp_chan_link_stat s = { .size = sizeof(s) };

	if (ioctl(fd, NFP_CHAN_IOC_LINK_STAT, &s))
		die("NFP_CHAN_IOC_LINK_STAT");
	return s;
}

static void order(int ctl, uint32_t count, uint32_t target)
{
	struct load_req req = { htole32(count), htole32(64), htole32(target), htole32(7) };

	if (write(ctl, &req, sizeof(req)) != sizeof(req))
		die("load-ctl");
}

/* Numbers of the messages that are read from @fd go on from @seq to @last. */
static bool rest_comes(int fd, uint64_t seq, uint64_t last)
{
	struct load_msg m[4];

	while (seq < last && read(fd, m, 64) == 64 && le64toh(m->seq) == seq + 1)
		seq++;
	return seq == last;
}

static void refusals(void)
{
	int load = chan_must(dev, "load", 0), echo = chan_must(dev, "echo-in", 0);
	int rv = chan_must(dev, "rv-in", 0), source = chan_must(dev, "source64", 0);
	int sink = chan_must(dev, "sink", 0), tick = chan_must(dev, "tick", 0);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), port = port_open(dev), fd;
	struct nfp_chan_link l = { .size = sizeof(l), .to_fd = echo };
	struct nfp_chan_link_stat s = { .size = sizeof(s), .rsvd = 1 };

	fails(link_fds(load, -1, 0), EBADF, "no fd");
	fails(link_fds(load, null, 0), EINVAL, "another kind of fd");
	fails(link_fds(load, dev, 0), EINVAL, "the card's own");
	fails(link_fds(load, load, 0), EINVAL, "with itself");
	fails(link_fds(echo, load, 0), EINVAL, "the wrong way round");
	fails(link_fds(load, tick, 0), EINVAL, "two that lead to the host");
	fails(link_fds(port, echo, 0), EINVAL, "a port");
	fails(link_fds(load, echo, 1), EINVAL, "a flag that there is not");
	fails(link_fds(load, rv, 0), EMSGSIZE, "into a channel of smaller messages");
	fails(link_fds(source, sink, 0), EMSGSIZE, "elements of another size");
	fails(link_fds(source, echo, 0), EPROTOTYPE, "a stream into messages");
	fails(link_fds(load, sink, 0), EPROTOTYPE, "messages into a stream");
	for (size_t i = 0; i < sizeof(l.rsvd) / sizeof(l.rsvd[0]); i += 5) {
		l.rsvd[i] = 1;
		fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL, "a reserved word");
		l.rsvd[i] = 0;
	}
	fails(ioctl(dev, NFP_CHAN_IOC_LINK, &l), ENOTTY, "on the card's fd");
	l.size = 16;
	fails(ioctl(load, NFP_CHAN_IOC_LINK, &l), EINVAL, "too short a struct");
	fd = link_must(load, echo);
	fails(link_fds(load, echo, 0), EISCONN, "twice");
	fails(link_fds(tick, echo, 0), EISCONN, "one end is in a link");
	fails(ioctl(fd, NFP_CHAN_IOC_LINK_STAT, &s), EINVAL, "reserved of the statistics");
	fails(ioctl(fd, NFP_CHAN_IOC_GEOM, &s), ENOTTY, "another ioctl on a link");
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

/* Of open pipes that are in a link: those that read() or write() has never moved. */
static long linked_and_idle(void)
{
	FILE *f = fopen("/sys/kernel/debug/nfp_chan/nfp_chan0/pipes", "r");
	char line[1024];
	long n = 0;

	while (f && fgets(line, sizeof(line), f))
		n += !strstr(line, "link=-1\n") && strstr(line, " irqs=0 ") &&
		     strstr(line, " msgs=0 ");
	if (f)
		fclose(f);
	return n;
}

static bool fdinfo_has(int fd, const char *text)
{
	char path[64], info[1024];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	proc_read(path, info, sizeof(info));
	return strstr(info, text);
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
	is(linked_and_idle(), 4, "no call of the module's has moved any of them");
	snprintf(text, sizeof(text), "state:\tup\nmsgs:\t%d\nbytes:\t%d\n", MANY, 64 * MANY);
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

/*
 * load -> echo, whose messages the host reads: so it is the host that says how many have
 * gone through when the link ends, but for what echo-out holds.
 */
struct stream {
	int load;
	int in;
	int out;
};

static int out_open(void)
{
	int fd = chan_open(dev, "echo-out", 0, 4096);

	if (fd < 0)
		die("echo-out");
	return fd;
}

static struct stream stream_open(void)
{
	return (struct stream){
		.load = chan_must(dev, "load", 0),
		.in = chan_must(dev, "echo-in", 0),
		.out = out_open(),
	};
}

static void stream_begin(const struct stream *s, int ctl)
{
	order(ctl, SOME, LOAD_LOAD);
	ok(rest_comes(s->out, 0, READ), "messages are on their way");
}

/*
 * The link has ended after @taken messages: each comes, by the one way or the other, but
 * for @lost, which the card has counted.
 */
static void stream_rest(const struct stream *s, uint64_t taken, uint64_t lost)
{
	ok(taken >= READ && taken < SOME, "the link ended after %llu messages",
	   (unsigned long long)taken);
	ok(rest_comes(s->out, READ, taken), "those come through the process");
	ok(rest_comes(s->load, taken + lost, SOME), "all others to the host, but for %llu, counted",
	   (unsigned long long)lost);
}

static void stream_close(const struct stream *s)
{
	close(s->out);
	close(s->in);
	close(s->load);
}

/* An end is closed: the one to the host, or (@to) the other. */
static void end_closed(int ctl, bool to)
{
	uint64_t before = counters("echo-in").msgs, lost = counters("load").dropped;
	struct stream s = stream_open();
	int link = link_must(s.load, s.in);
	struct nfp_chan_link_stat st;
	char any[64];

	stream_begin(&s, ctl);
	close(to ? s.in : s.load);
	is(events_of(link, POLLIN, (int)WAIT_MS), POLLHUP, "an end is closed: the link is down");
	st = link_stat(link);
	is(st.state, NFP_CHAN_LINK_DOWN, "it says so");
	is((long)(counters("echo-in").msgs - before), (long)st.msgs, "it has counted them all");
	if (to)
		s.in = chan_must(dev, "echo-in", 0);
	else
		s.load = chan_must(dev, "load", 0);
	stream_rest(&s, st.msgs, 0);
	is((long)(counters("load").dropped - lost), 0, "none is lost");
	is(write(s.in, "any", 3), 3, "the other end is what it was");
	is(read(s.out, any, sizeof(any)), 3, "through the process");
	close(link);
	stream_close(&s);
}

/*
 * All three, as with the death of a process, in the order @which. When the link is first,
 * messages that wait come to the end to the host, and are lost and counted with that.
 */
static void closed_in_order(int ctl, const char *which)
{
	uint64_t before = counters("echo-in").msgs, lost = counters("load").dropped;
	struct stream s = stream_open();
	int link = link_must(s.load, s.in);

	stream_begin(&s, ctl);
	for (const char *c = which; *c; c++)
		close(*c == 'l' ? link : *c == 'f' ? s.load : s.in);
	s.load = chan_must(dev, "load", 0);
	s.in = chan_must(dev, "echo-in", 0);
	stream_rest(&s, counters("echo-in").msgs - before, counters("load").dropped - lost);
	stream_close(&s);
}

struct maker {
	struct stream s;
	volatile int made;
};

/* It has the ends inherited, or opens its own, and dies with the link. */
static void make_and_wait(void *arg)
{
	struct maker *m = arg;

	dev = card_open(O_RDWR);
	if (m->s.load < 0) {
		m->s.load = chan_must(dev, "load", 0);
		m->s.in = chan_must(dev, "echo-in", 0);
	}
	link_must(m->s.load, m->s.in);
	m->made = 1;
	for (;;)
		pause();
}

static void maker_killed(int ctl, bool own)
{
	struct maker *m = shared_memory(sizeof(*m));
	uint64_t before = counters("echo-in").msgs, lost = counters("load").dropped;
	struct stream s = { -1, -1, -1 };
	pid_t pid;

	if (own)
		m->s = s;
	else
		m->s = s = stream_open();
	pid = spawn(make_and_wait, m);
	if (!UNTIL(m->made))
		give_up("maker", "no link");
	if (own)
		s.out = out_open();
	stream_begin(&s, ctl);
	kill(pid, SIGKILL);
	reap(pid);
	is(counters("load").pipes + counters("echo-in").pipes, own ? 0 : 2,
	   "killed: the ends that it alone had are closed");
	if (own) {
		s.load = chan_must(dev, "load", 0);
		s.in = chan_must(dev, "echo-in", 0);
	}
	stream_rest(&s, counters("echo-in").msgs - before, counters("load").dropped - lost);
	stream_close(&s);
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

static void drive(const char *how, const char *pci)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/bus/pci/drivers/nfp/%s", how);
	file_put(path, pci);
}

/* A function level reset: messages within the card go on. */
static void reset(int ctl)
{
	int load = chan_must(dev, "load", 0), pit = chan_must(dev, "pit", 0);
	int link = link_must(load, pit);
	uint64_t before = counters("pit").msgs;
	char path[96];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", card_info(dev).pci);
	order(ctl, MANY, LOAD_LOAD);
	ok(UNTIL(link_stat(link).msgs > MANY / 100), "messages are on their way");
	file_put(path, "1");
	ok(UNTIL(link_stat(link).msgs == MANY), "reset: all have gone through");
	is(link_stat(link).state, NFP_CHAN_LINK_UP, "the link is up");
	is((long)(counters("pit").msgs - before), MANY, "the process has all of them");
	close(link);
	order(ctl, 3, LOAD_LOAD);
	ok(rest_comes(load, 0, 3), "and it can be taken down");
	close(pit);
	close(load);
}

/* The driver goes in mid-stream, and comes back. */
static void unbound(int ctl)
{
	int load = chan_must(dev, "load", 0), pit = chan_must(dev, "pit", 0);
	int link = link_must(load, pit), old = dev;
	uint64_t before = counters("pit").msgs;
	struct nfp_chan_info info = card_info(dev);
	struct nfp_chan_link_stat s;
	char why[256];

	order(ctl, 20 * SOME, LOAD_LOAD);
	ok(UNTIL(link_stat(link).msgs > READ), "messages are on their way");
	drive("unbind", info.pci);
	is(events_of(link, POLLIN, (int)WAIT_MS), POLLHUP, "unbound: the link is down");
	s = link_stat(link);
	is(s.state, NFP_CHAN_LINK_DOWN, "it says so");
	fails(link_fds(load, pit, 0), ENODEV, "no other is made");
	close(ctl);
	close(pit);
	close(load);
	close(link);
	drive("bind", info.pci);
	nfpchan_card_close(card);
	if (nfpchan_card_open(&card, "0", why, sizeof(why)))
		give_up("card", why);
	dev = card_open(O_RDWR);
	close(old);
	load = chan_must(dev, "load", 0);
	is((long)(counters("pit").msgs - before), (long)s.msgs, "it had counted all that went through");
	ok(rest_comes(load, s.msgs, 20 * SOME), "the rest comes, once the driver is back");
	close(load);
}

/* The process ends: the link says so. */
static void ended(void)
{
	struct pit_msg bad = { .magic = htole64(PIT_MAGIC), .len = htole32(1) };
	int load = chan_must(dev, "load", 0), pit = chan_must(dev, "pit", 0);
	int other = chan_must(dev, "pit", 0), link = link_must(load, pit);

	is(write(other, &bad, sizeof(bad)), sizeof(bad), "a message that ends the process");
	ok(UNTIL(link_stat(link).state == NFP_CHAN_LINK_ENDED), "the link says so");
	close(link);
	fails(link_fds(load, other, 0), EPIPE, "and there is no other");
	close(other);
	close(pit);
	close(load);
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
	end_closed(ctl, false);
	end_closed(ctl, true);
	closed_in_order(ctl, "lft");
	closed_in_order(ctl, "ftl");
	closed_in_order(ctl, "tfl");
	maker_killed(ctl, true);
	maker_killed(ctl, false);
	streams();
	drops(ctl);
	nothing_left(&before, "links that were ended in each way");
	reset(ctl);
	unbound(ctl);
	ended();
	return tap_done();
}
