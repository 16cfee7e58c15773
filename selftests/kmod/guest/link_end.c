// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * link_end.c - each way in which a link ends, by ioctl: closes in any order, death, reset,
 * the driver's end, that of a process of the card. Every message is received, or counted.
 */
#define _GNU_SOURCE
#include "link_fds.h"
#include "pit.h"

#define MANY	100000	/* messages that go from process to process */
#define SOME	300	/* of a stream that is broken off */
#define READ	20	/* of those, that the host has read by then */

static int dev;

/*
 * load -> echo, whose messages the host reads: so it is the host that says how many have
 * gone through when the link ends, but for what echo-out holds.
 */
struct stream {
	int load;
	int in;
	int out;
};

static struct stream stream_open(void)
{
	return (struct stream){
		.load = chan_must(dev, "load", 0),
		.in = chan_must(dev, "echo-in", 0),
		.out = out_open(dev),
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
static void closed_in_order(int ctl, const char *which, bool alone)
{
	uint64_t before = counters("echo-in").msgs, lost = counters("load").dropped;
	struct stream s = stream_open();
	int link;

	if (alone) {
		close(s.load);
		s.load = from_open(dev, "load");
	}
	link = link_must(s.load, s.in);
	stream_begin(&s, ctl);
	for (const char *c = which; *c; c++)
		close(*c == 'l' ? link : *c == 'f' ? s.load : s.in);
	s.load = chan_must(dev, "load", 0);
	s.in = chan_must(dev, "echo-in", 0);
	lost = counters("load").dropped - lost;
	ok(!lost || !alone, "none is lost of an end that takes messages through a link alone");
	stream_rest(&s, counters("echo-in").msgs - before, lost);
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
		s.out = out_open(dev);
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
	end_closed(ctl, false);
	end_closed(ctl, true);
	closed_in_order(ctl, "lft", false);
	closed_in_order(ctl, "lft", true);
	closed_in_order(ctl, "ftl", false);
	closed_in_order(ctl, "tfl", false);
	maker_killed(ctl, true);
	maker_killed(ctl, false);
	nothing_left(&before, "links that were ended in each way");
	reset(ctl);
	unbound(ctl);
	ended();
	return tap_done();
}
