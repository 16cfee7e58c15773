// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * link_end.c - each way in which a link within a card ends, by ioctl: closes in any order, the
 * death of a process, a reset, the unbinding of nfp, the end of an ME process. Every message must
 * be received, or be counted as dropped.
 */
#define _GNU_SOURCE
#include "link_fds.h"
#include "pit.h"

#define MANY	100000	/* messages that go from process to process */
#define SOME	300	/* messages ordered from the source of a link that ends early */
#define READ	20	/* messages that the host has read before the link ends */

static int dev;

/*
 * struct stream - a link from load to the echo process
 *
 * The echo process sends the link's messages back to the host. The link stops when the ring of
 * echo-out is full, so the test controls how many messages have passed when the link ends.
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
 * The link has ended after @taken messages. Each other message must come to the host, except
 * @lost messages, which the card has counted as dropped.
 */
static void stream_rest(const struct stream *s, uint64_t taken, uint64_t lost)
{
	ok(taken >= READ && taken < SOME, "the link ended after %llu messages",
	   (unsigned long long)taken);
	ok(rest_comes(s->out, READ, taken),
	   "the messages that were taken come through the process");
	ok(rest_comes(s->load, taken + lost, SOME),
	   "all others come to the host, except %llu, which are counted",
	   (unsigned long long)lost);
}

static void stream_close(const struct stream *s)
{
	close(s->out);
	close(s->in);
	close(s->load);
}

/* Close one end of the link: the channel to the host or (@to) the channel to the NFP. */
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
	is(st.state, NFP_CHAN_LINK_DOWN, "LINK_STAT says so");
	is((long)(counters("echo-in").msgs - before), (long)st.msgs,
	   "LINK_STAT has counted all messages");
	if (to)
		s.in = chan_must(dev, "echo-in", 0);
	else
		s.load = chan_must(dev, "load", 0);
	stream_rest(&s, st.msgs, 0);
	is((long)(counters("load").dropped - lost), 0, "none is lost");
	is(write(s.in, "any", 3), 3, "the end that is still open takes a message");
	is(read(s.out, any, sizeof(any)), 3, "the message comes through the process");
	close(link);
	stream_close(&s);
}

/*
 * Close link, source and destination in the order @which, as the death of a process does. If the
 * link is closed first, messages that wait go to the channel to the host, and the close of that
 * channel drops and counts them. @alone: the source takes messages only through a link.
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
	ok(!lost || !alone, "no message is lost at an end that takes messages only through a link");
	stream_rest(&s, counters("echo-in").msgs - before, lost);
	stream_close(&s);
}

struct maker {
	struct stream s;
	volatile int made;
};

/* Child: make a link, of the parent's pipes or (load < 0) of new pipes, and wait for the kill. */
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
	   "the maker is killed: the ends that it alone had open are closed");
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

/* A function level reset does not stop messages within the card. */
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
	ok(UNTIL(link_stat(link).msgs == MANY), "after the reset all messages have gone through");
	is(link_stat(link).state, NFP_CHAN_LINK_UP, "the link is up");
	is((long)(counters("pit").msgs - before), MANY, "the process has all of them");
	close(link);
	order(ctl, 3, LOAD_LOAD);
	ok(rest_comes(load, 0, 3), "the link can be closed: the host receives again");
	close(pit);
	close(load);
}

/* Unbind nfp in mid-stream, and bind it again. */
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
	is(s.state, NFP_CHAN_LINK_DOWN, "LINK_STAT says so");
	fails(link_fds(load, pit, 0), ENODEV, "no other link can be made");
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
	is((long)(counters("pit").msgs - before), (long)s.msgs,
	   "LINK_STAT had counted all that went through");
	ok(rest_comes(load, s.msgs, 20 * SOME),
	   "the rest comes to the host after nfp is bound again");
	close(load);
}

/* End the ME process that receives the link's messages: LINK_STAT must report that. */
static void ended(void)
{
	struct pit_msg bad = { .magic = htole64(PIT_MAGIC), .len = htole32(1) };
	int load = chan_must(dev, "load", 0), pit = chan_must(dev, "pit", 0);
	int other = chan_must(dev, "pit", 0), link = link_must(load, pit);

	is(write(other, &bad, sizeof(bad)), sizeof(bad), "a message that ends the process");
	ok(UNTIL(link_stat(link).state == NFP_CHAN_LINK_ENDED),
	   "LINK_STAT says that the process has ended");
	close(link);
	fails(link_fds(load, other, 0), EPIPE, "no other link can be made");
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
