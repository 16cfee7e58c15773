// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peer_end.c - each way in which a link between two cards ends, in mid-stream: closes in any
 * order, death, reset, unbinding and loss of either card. Of the messages that were sent
 * each was taken, or is counted as dropped, and the others still come.
 */
#define _GNU_SOURCE
#include "peer_cards.h"

#define SOME	3000	/* more than the ring and the receiver hold */
#define READ	20	/* messages that the host has read behind the receiver */
#define FAULT	0x5c0	/* in configuration space: selftests/kmod/FAULTS.rst */

static int dev[2], ctl;

/* load of card A -> echo of card B, whose messages the host reads. */
struct stream {
	int load;
	int in;
	int out;
	int link;
	uint64_t sent;	/* by load, before */
};

static struct stream stream_begin(unsigned int flags)
{
	struct stream s = {
		.load = from_open(dev[0], "load"),
		.in = chan_must(dev[1], "echo-in", 0),
		.out = out_open(dev[1]),
		.sent = query(dev[0], "load").msgs,
	};

	s.link = link_fds(s.load, s.in, flags);
	if (s.link < 0)
		die("link");
	order(ctl, SOME, LOAD_LOAD);
	ok(rest_comes(s.out, 0, READ), "%s: messages are on their way", via_name(flags));
	return s;
}

/* The rest of the order comes to the host at card A, behind what was sent to B. */
static void rest_at_a(const struct stream *s, uint64_t sent)
{
	int load = chan_must(dev[0], "load", 0);

	ok(sent >= READ && sent < SOME, "%llu were sent", (unsigned long long)sent);
	ok(rest_comes(load, sent, SOME), "the rest comes to the host");
	close(load);
}

/* Both cards are there: what was sent is what was taken and what was dropped. */
static void stream_rest(const struct stream *s, const struct nfp_chan_link_stat *st)
{
	uint64_t sent = query(dev[0], "load").msgs - s->sent;

	is(st->state, NFP_CHAN_LINK_DOWN, "the link is down");
	is(st->msgs + st->dropped, (long)sent, "each that was sent was taken, or is counted");
	ok(rest_comes(s->out, READ, st->msgs), "those that were taken come through the process");
	rest_at_a(s, sent);
}

static void stream_close(const struct stream *s)
{
	close(s->link);
	close(s->load);
	close(s->in);
	close(s->out);
}

/* An end is closed. */
static void end_closed(unsigned int flags, bool to)
{
	struct stream s = stream_begin(flags);
	struct nfp_chan_link_stat st;

	close(to ? s.in : s.load);
	is(events_of(s.link, POLLIN, (int)WAIT_MS), POLLHUP, "an end is closed: the link ends");
	st = link_stat(s.link);
	stream_rest(&s, &st);
	/* What comes first is opened first: the numbers of descriptors are used again. */
	if (to)
		s.in = dup(s.load);
	else
		s.load = dup(s.in);
	stream_close(&s);
}

/* All three in the order @which; the counters of the channels tell. */
static void closed_in_order(unsigned int flags, const char *which)
{
	uint64_t lost = query(dev[1], "echo-in").dropped, taken = query(dev[1], "echo-in").msgs;
	struct stream s = stream_begin(flags);
	uint64_t sent;

	for (const char *c = which; *c; c++)
		close(*c == 'l' ? s.link : *c == 'f' ? s.load : s.in);
	sent = query(dev[0], "load").msgs - s.sent;
	taken = query(dev[1], "echo-in").msgs - taken;
	lost = query(dev[1], "echo-in").dropped - lost;
	ok(taken + lost == sent, "closed as %s: each was taken, or is counted", which);
	ok(rest_comes(s.out, READ, taken), "those that were taken come through the process");
	close(s.out);
	rest_at_a(&s, sent);
}

struct maker {
	struct stream s;
	volatile int made;
};

static void make_and_wait(void *arg)
{
	struct maker *m = arg;

	m->s.link = link_fds(m->s.load, m->s.in, 0);
	m->made = 1;
	for (;;)
		pause();
}

/* The process that made the link is killed. The ends are this one's as well. */
static void maker_killed(void)
{
	struct maker *m = shared_memory(sizeof(*m));
	uint64_t taken = query(dev[1], "echo-in").msgs, lost = query(dev[1], "echo-in").dropped;
	char any[8];
	pid_t pid;

	m->s = (struct stream){
		.load = from_open(dev[0], "load"), .in = chan_must(dev[1], "echo-in", 0),
		.out = out_open(dev[1]), .sent = query(dev[0], "load").msgs,
	};
	pid = spawn(make_and_wait, m);
	if (!UNTIL(m->made) || m->s.link < 0)
		give_up("maker", "no link");
	order(ctl, SOME, LOAD_LOAD);
	ok(rest_comes(m->s.out, 0, READ), "messages are on their way");
	kill(pid, SIGKILL);
	reap(pid);
	fails(read(m->s.load, any, sizeof(any)), EIO, "killed: the link has ended");
	taken = query(dev[1], "echo-in").msgs - taken;
	lost = query(dev[1], "echo-in").dropped - lost;
	is(taken + lost, (long)(query(dev[0], "load").msgs - m->s.sent),
	   "each was taken, or is counted");
	ok(rest_comes(m->s.out, READ, taken), "those that were taken come through the process");
	close(m->s.out);
	close(m->s.in);
	close(m->s.load);
	rest_at_a(&m->s, query(dev[0], "load").msgs - m->s.sent);
}

/*
 * A function level reset. Writes that come to the card meanwhile are lost, as on a bus, and so may
 * be messages and doorbells: then the link stands still, or ends with the next message.
 */
static void reset(unsigned int flags, unsigned int which)
{
	uint64_t before = query(dev[0], "load").msgs, sent;
	int load = from_open(dev[0], "load"), pit = chan_must(dev[1], "pit", 0);
	int link = link_fds(load, pit, flags);
	struct nfp_chan_link_stat st;
	char path[96];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", card_info(dev[which]).pci);
	order(ctl, 20 * SOME, LOAD_LOAD);
	ok(UNTIL(link_stat(link).msgs > SOME), "%s: messages are on their way", via_name(flags));
	file_put(path, "1");
	close(load);
	st = link_stat(link);
	sent = query(dev[0], "load").msgs - before;
	ok(st.msgs + st.dropped == sent,
	   "card %c is reset: each of %llu that were sent was taken, or is counted", "AB"[which],
	   (unsigned long long)sent);
	printf("# %llu were taken\n", (unsigned long long)st.msgs);
	load = chan_must(dev[0], "load", 0);
	ok(rest_comes(load, sent, 20 * SOME), "the rest comes to the host");
	close(link);
	close(load);
	close(pit);
}

static void drive(const char *how, const char *pci)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/bus/pci/drivers/nfp/%s", how);
	file_put(path, pci);
}

static void card_again(unsigned int which, const char *pci)
{
	close(dev[which]);
	drive("bind", pci);
	dev[which] = card_nth(which);
}

/* The driver of a card goes in mid-stream, and comes back. */
static void unbound(unsigned int flags, unsigned int which)
{
	uint64_t before = query(dev[0], "load").msgs, pits = query(dev[1], "pit").msgs;
	int load = from_open(dev[0], "load"), pit = chan_must(dev[1], "pit", 0);
	int link = link_fds(load, pit, flags);
	struct nfp_chan_info info = card_info(dev[which]);
	struct nfp_chan_link_stat st;
	char any[64];

	order(ctl, 20 * SOME, LOAD_LOAD);
	ok(UNTIL(link_stat(link).msgs > SOME), "%s: messages are on their way", via_name(flags));
	drive("unbind", info.pci);
	ok(events_of(link, POLLIN, (int)WAIT_MS) == POLLHUP, "card %c is unbound: the link ends",
	   "AB"[which]);
	st = link_stat(link);
	is(st.state, NFP_CHAN_LINK_DOWN, "it is down");
	fails(read(load, any, sizeof(any)), which ? EIO : ENODEV, "the end at A");
	fails(write(pit, any, sizeof(any)), which ? ENODEV : EIO, "the end at B");
	if (!which)
		close(ctl);
	close(link);
	close(load);
	close(pit);
	card_again(which, info.pci);
	if (!which)
		ctl = chan_must(dev[0], "load-ctl", 0);
	is((long)(query(dev[1], "pit").msgs - pits), (long)st.msgs, "B's process has taken what is counted");
	load = chan_must(dev[0], "load", 0);
	ok(rest_comes(load, st.msgs + st.dropped, 20 * SOME), "what was not sent comes to the host");
	is((long)(query(dev[0], "load").msgs - before), 20 * SOME, "so each was sent once");
	close(load);
}

/* Configuration space of a card, where faults are written to. */
static int fault_open(unsigned int which)
{
	char path[96];
	int cfg;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", card_info(dev[which]).pci);
	cfg = open(path, O_RDWR | O_CLOEXEC);
	if (cfg < 0)
		die(path);
	return cfg;
}

/* Four characters at a time, a NUL at the end. */
static void fault(int cfg, const char *text)
{
	char four[4];

	for (size_t i = 0; i <= strlen(text); i += 4) {
		memset(four, 0, sizeof(four));
		memcpy(four, text + i, strnlen(text + i, 4));
		if (pwrite(cfg, four, 4, FAULT) != 4)
			die(text);
	}
}

/* Card B is gone: A sends to nowhere until the kernel sees it. */
static void gone(unsigned int flags)
{
	struct stream s = stream_begin(flags);
	struct nfp_chan_info info = card_info(dev[1]);
	struct nfp_chan_link_stat st;
	int cfg = fault_open(1);
	char any[64];

	fault(cfg, "gone");
	is(events_of(s.link, POLLIN, (int)WAIT_MS), POLLHUP, "card B is gone: the link ends");
	st = link_stat(s.link);
	is(query(dev[0], "load").msgs - s.sent, (long)(st.msgs + st.dropped),
	   "each that was sent was taken, or is counted");
	fault(cfg, "off");
	close(cfg);
	stream_close(&s);
	drive("unbind", info.pci);
	card_again(1, info.pci);
	/* Echo has one more in its hands, for which there was no room. */
	s.out = out_open(dev[1]);
	ok(read(s.out, any, sizeof(any)) == 64, "B's process goes on where it was");
	close(s.out);
	rest_at_a(&s, st.msgs + st.dropped);
}

static void next_link(void)
{
	int load = from_open(dev[0], "load"), pit = chan_must(dev[1], "pit", 0);
	int link = link_fds(load, pit, 0);

	ok(link >= 0, "the next link is made");
	order(ctl, SOME, LOAD_LOAD);
	ok(UNTIL(link_stat(link).msgs >= SOME), "it carries messages");
	is(link_stat(link).state, NFP_CHAN_LINK_UP, "as they were sent");
	close(link);
	close(load);
	close(pit);
}

/*
 * Messages that card A holds back until the link is down and its addresses are no more. The
 * IOMMU refuses them then. The receiver has seen a doorbell and no message, which is a breach.
 */
static void late(void)
{
	int load = from_open(dev[0], "load"), pit = chan_must(dev[1], "pit", 0);
	int link = link_fds(load, pit, 0), cfg = fault_open(0);
	uint64_t before = query(dev[0], "load").msgs;
	struct nfp_chan_link_stat st;

	fault(cfg, "data-late:value=100000:chan=load");
	order(ctl, 100, LOAD_LOAD);
	ok(UNTIL(link_stat(link).state == NFP_CHAN_LINK_ENDED), "messages that do not land: B's end is off");
	close(pit);
	st = link_stat(link);
	is(st.state, NFP_CHAN_LINK_DOWN, "the link is down");
	is(st.msgs, 0, "none was taken");
	is((long)st.dropped, (long)(query(dev[0], "load").msgs - before), "each that was sent is counted");
	fault(cfg, "off");
	close(cfg);
	close(link);
	close(load);
	/* The memory is another link's now. What had been held back does not come to it. */
	next_link();
}

/*
 * A card that does not answer one of its two commands of a link: there is none, its memory is
 * not used again, and the next link has other memory.
 */
static void unanswered(unsigned int which, unsigned int command)
{
	int load = from_open(dev[0], "load"), pit = chan_must(dev[1], "pit", 0);
	int cfg = fault_open(which), link;
	char text[48], any[64];

	snprintf(text, sizeof(text), "mbox-silent:after=%u:count=1", command);
	fault(cfg, text);
	errno = 0;
	link = link_fds(load, pit, 0);
	ok(link < 0 && errno == ETIMEDOUT, "card %c does not answer: ETIMEDOUT", "AB"[which]);
	fault(cfg, "off");
	close(cfg);
	if (command) {
		fails(read(load, any, sizeof(any)), EIO, "the end at A is off");
		fails(write(pit, any, sizeof(any)), EIO, "and that at B");
	}
	close(load);
	close(pit);
	next_link();
}

int main(int argc, char **argv)
{
	bool faults = argc > 1 && !strcmp(argv[1], "gone");
	/* QEMU with an IOMMU has lost a card now and then, when thousands of writes to another failed. */
	bool resets = argc < 2 || strcmp(argv[1], "no-reset");
	bool held = argc > 1 && !strcmp(argv[1], "late");

	alarm((unsigned int)PROGRAM_S * 4);
	dev[0] = card_nth(0);
	dev[1] = card_nth(1);
	ctl = chan_must(dev[0], "load-ctl", 0);
	if (held) {
		for (unsigned int i = 0; i < 4; i++)
			unanswered(i / 2, i % 2);
		late();
		return tap_done();
	}
	for (unsigned int flags = 0; flags <= NFP_CHAN_LINK_STAGE; flags++) {
		if (faults) {
			gone(flags);
			continue;
		}
		end_closed(flags, false);
		end_closed(flags, true);
		closed_in_order(flags, "lft");
		closed_in_order(flags, "ftl");
		closed_in_order(flags, "tfl");
		for (unsigned int which = 0; resets && which < 2; which++)
			reset(flags, which);
		unbound(flags, 1);
		unbound(flags, 0);
	}
	if (!faults)
		maker_killed();
	return tap_done();
}
