// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peer_api.c - links between two cards by ioctl. The ring is in the receiving card's memory (push)
 * or in host memory (staging). Messages and streams, links that select messages and put a header
 * template in front of them, links in both directions, refusals.
 */
#define _GNU_SOURCE
#include "peer_cards.h"
#include "stream.h"

#define MANY	10000	/* messages that go from card to card */
#define BYTES	(512u << 10)	/* bytes of a stream */

static int dev_a, dev_b, ctl;

/* Link load of card A to the echo process of card B, whose messages the host reads at B. */
static void messages(unsigned int flags)
{
	int load = from_open(dev_a, "load");
	int in = chan_must(dev_b, "echo-in", 0), out = chan_must(dev_b, "echo-out", 0);
	uint64_t taken = query(dev_b, "echo-in").msgs;
	struct nfp_chan_link_stat s;
	int link = peer_fds(load, in, flags);
	char any[8];

	if (link < 0)
		die("link");
	printf("# %s\n", via_name(flags));
	is(link_stat(link).via, flags ? NFP_CHAN_LINK_STAGED : NFP_CHAN_LINK_PUSHED,
	   "LINK_STAT says which way");
	order(ctl, MANY, LOAD_LOAD);
	ok(rest_comes(out, 0, MANY), "%u messages come, in order", MANY);
	s = link_stat(link);
	is(s.msgs, MANY, "the messages are counted");
	is(s.bytes, 64ull * MANY, "their bytes are counted");
	is(s.dropped, 0, "none is dropped");
	is(s.state, NFP_CHAN_LINK_UP, "the link is up");
	is(query(dev_b, "echo-in").msgs - taken, MANY, "the process has taken all messages");
	fails(read(load, any, sizeof(any)), EISCONN, "read() of a linked end");
	fails(peer_fds(load, in, flags), EISCONN, "a second link of the same ends");
	close(link);
	fails(read(load, any, sizeof(any)), EIO, "after the link's close its end at A is off");
	fails(write(in, any, sizeof(any)), EIO, "after the link's close its end at B is off");
	close(load);
	close(in);
	close(out);
}

/* Read @bytes bytes, and check that they are the words that a source sends. */
static bool source_words(int fd, uint32_t bytes)
{
	static uint32_t buf[16384];
	uint32_t at = 0;

	while (at < bytes) {
		ssize_t n = read(fd, buf, sizeof(buf));

		if (n <= 0 || n % 64)
			return false;
		for (ssize_t i = 0; i < n / 4; i++)
			if (le32toh(buf[i]) != (at / 4 + (uint32_t)i) % (SOURCE_PERIOD / 4))
				return false;
		at += (uint32_t)n;
	}
	return at == bytes;
}

/* Link source64 of card A to loop64 of card B, and check the bytes that come back at B. */
static void stream(unsigned int flags)
{
	struct source_req req = { htole64(BYTES), htole32(4096), htole32(SOURCE_64) };
	int src = chan_must(dev_a, "source-ctl", 0), from = from_open(dev_a, "source64");
	int in = chan_must(dev_b, "loop64-in", 0), out = chan_must(dev_b, "loop64-out", 0);
	int link = peer_fds(from, in, flags);

	if (link < 0)
		die("link");
	ok(write(src, &req, sizeof(req)) == sizeof(req), "a stream by %s", via_name(flags));
	ok(source_words(out, BYTES), "%u bytes come as they were sent", BYTES);
	is(link_stat(link).msgs, BYTES / 64, "its elements are counted");
	is(link_stat(link).bytes, BYTES, "its bytes are counted");
	close(link);
	close(from);
	close(in);
	close(out);
	close(src);
}

/* Link one of four messages, with a template that counts them; the rest comes to the host. */
static void shaped(unsigned int flags)
{
	static const char front[12] = "template\x07";
	static const uint8_t mask = 3, value = 2;
	static const struct nfp_chan_link_op add = {
		.op = NFP_CHAN_LINK_ADD, .off = 8, .len = 4, .arg = 5,
	};
	struct nfp_chan_link l = {
		.size = sizeof(l), .flags = flags, .fd = -1, .hdr = (uintptr_t)front,
		.hdr_len = sizeof(front), .mask = (uintptr_t)&mask, .value = (uintptr_t)&value,
		.match_len = 1, .ops = (uintptr_t)&add, .op_count = 1,
	};
	int load = from_open(dev_a, "load"), rest = chan_must(dev_a, "load", 0);
	int in = chan_must(dev_b, "echo-in", 0), out = chan_must(dev_b, "echo-out", 0);
	struct __attribute__((packed)) {
		char text[8];
		uint32_t state;
		struct load_msg m;
		char more[48];
	} m;
	struct load_msg other[4];
	unsigned int good = 0;

	l.to_fd = in;
	if (ioctl(load, NFP_CHAN_IOC_PEER, &l))
		die("link");
	order(ctl, 400, LOAD_LOAD);
	for (unsigned int i = 0; i < 300 && read(rest, other, 64) == 64; i++)
		good += le64toh(other[0].seq) % 4 != 2;
	ok(good == 300, "three of four come to the host (%s)", via_name(flags));
	for (good = 0; good < 100; good++)
		if (read(out, &m, sizeof(m)) != 76 || memcmp(m.text, "template", 8) ||
		    le32toh(m.state) != 7 + 5 * good || le64toh(m.m.seq) != 2 + 4 * good)
			break;
	is(good, 100, "the fourth goes to the other card, with a template that counts");
	close(l.fd);
	close(load);
	close(rest);
	close(in);
	close(out);
}

/*
 * A send to a rendezvous channel returns when the other card's process has the message. The echo
 * process takes messages until its ring to the host is full, and one more, with which it waits for
 * room. Then the sender waits with the next message.
 */
static void rendezvous(unsigned int flags)
{
	int rv = from_open(dev_a, "load-rv"), in = chan_must(dev_b, "echo-in", 0);
	int out = out_open(dev_b), link = peer_fds(rv, in, flags);
	uint64_t before = query(dev_a, "load-rv").msgs, most = 4096 / 72 + 1;

	if (link < 0)
		die("link");
	order(ctl, 200, LOAD_RV);
	ok(UNTIL(query(dev_a, "load-rv").msgs - before == most + 1),
	   "a sender of a rendezvous waits with one message more than was taken (%s)", via_name(flags));
	is(link_stat(link).msgs, most, "the receiver takes no more");
	is(query(dev_a, "load-rv").msgs - before, most + 1, "nothing more is sent");
	ok(rest_comes(out, 0, 200), "all messages come");
	close(link);
	close(rv);
	close(in);
	close(out);
}

/* Link load of A to echo of B, and echo of B to pit of A: a link in each direction. */
static void there_and_back(void)
{
	int load = from_open(dev_a, "load"), in = chan_must(dev_b, "echo-in", 0);
	int out = from_open(dev_b, "echo-out"), pit = chan_must(dev_a, "pit", 0);
	uint64_t before = query(dev_a, "pit").msgs;
	int there = peer_fds(load, in, 0), back = peer_fds(out, pit, NFP_CHAN_PEER_STAGE);

	if (there < 0 || back < 0)
		die("link");
	order(ctl, MANY, LOAD_LOAD);
	ok(UNTIL(query(dev_a, "pit").msgs - before == MANY),
	   "messages go to B by push and back to A by staging");
	is(link_stat(there).msgs, MANY, "the link to B has counted them");
	is(link_stat(back).msgs, MANY, "the link to A has counted them");
	close(there);
	close(back);
	close(load);
	close(in);
	close(out);
	close(pit);
}

/* A ring of 4 MiB does not fit into the card's memory for rings: the link uses host memory. */
static void large_ring(void)
{
	int load = chan_open(dev_a, "load", NFP_CHAN_OPEN_LINK, 4 << 20);
	int pit = chan_must(dev_b, "pit", 0), link = peer_fds(load, pit, 0);

	ok(link >= 0, "a link with a ring larger than the card's memory for rings");
	is(link_stat(link).via, NFP_CHAN_LINK_STAGED, "its ring is in host memory");
	order(ctl, 1000, LOAD_LOAD);
	ok(UNTIL(link_stat(link).msgs == 1000), "it carries messages");
	close(link);
	close(load);
	close(pit);
}

/* Link two fds that root has opened, as another user. */
static void without_right(void *arg)
{
	const int *fds = arg;

	if (setgid(65534) || setuid(65534))
		die("setuid");
	_exit(peer_fds(fds[0], fds[1], 0) >= 0 ? 0 : errno);
}

static void refusals(void)
{
	int load = from_open(dev_a, "load"), open = chan_must(dev_a, "load", 0);
	int echo = chan_must(dev_b, "echo-in", 0), used = chan_must(dev_b, "pit", 0);
	int rv = chan_must(dev_b, "rv-in", 0), sink = chan_must(dev_b, "sink", 0);
	int here = chan_must(dev_a, "echo-in", 0), source = from_open(dev_a, "source64");
	int bytes = chan_open(dev_a, "source", NFP_CHAN_OPEN_LINK, 1 << 20), link;

	fails(peer_fds(open, echo, 0), EBUSY, "an end that was not opened for a link");
	fails(link_fds(load, echo, 0), EXDEV, "LINK of two cards");
	fails(link_fds(load, echo, NFP_CHAN_PEER_STAGE), EINVAL, "LINK, the flag of PEER");
	fails(peer_fds(load, here, 0), EXDEV, "PEER within a card");
	fails(peer_fds(load, here, NFP_CHAN_PEER_STAGE), EXDEV, "staging within a card");
	fails(peer_fds(load, -1, 0), EBADF, "PEER to nowhere");
	fails(peer_fds(load, 9999, 0), EBADF, "an fd that is not open");
	fails(peer_fds(load, source, 0), EBADF, "a channel to the host");
	fails(peer_fds(used, echo, 0), EOPNOTSUPP, "PEER from a channel to the NFP");
	is(WEXITSTATUS(reap(spawn(without_right, (int[]){ load, echo }))), EPERM,
	   "a user without CAP_SYS_RAWIO");
	fails(peer_fds(load, echo, 2), EINVAL, "an unknown flag");
	fails(peer_fds(load, rv, 0), EMSGSIZE, "into a channel of smaller messages");
	fails(peer_fds(load, sink, 0), EPROTOTYPE, "messages into a stream");
	fails(peer_fds(source, sink, 0), EMSGSIZE, "elements of another size");
	fails(peer_fds(bytes, sink, 0), EMSGSIZE, "bytes in a ring whose unit is larger");
	is(write(used, "any", 3), 3, "a message to the other card");
	fails(peer_fds(load, used, 0), EBUSY, "an end that has carried something");
	link = peer_fds(load, echo, 0);
	ok(link >= 0, "the refused calls have left the ends usable");
	close(link);
	close(load);
	close(open);
	close(echo);
	close(used);
	close(rv);
	close(sink);
	close(here);
	close(source);
	close(bytes);
}

/* Two cards that cannot write to each other: links between them are refused, the ends stay. */
static void out_of_reach(void)
{
	int load = from_open(dev_a, "load"), there = chan_must(dev_b, "pit", 0);
	int here = chan_must(dev_a, "pit", 0), link;

	fails(peer_fds(load, there, 0), EHOSTUNREACH, "a link to a card out of reach");
	fails(peer_fds(load, there, NFP_CHAN_PEER_STAGE), EHOSTUNREACH,
	      "a link to a card out of reach, by staging");
	link = link_fds(load, here, 0);
	ok(link >= 0, "the end can still be linked within its card");
	order(ctl, 100, LOAD_LOAD);
	ok(UNTIL(link_stat(link).msgs == 100), "that link carries messages");
	close(link);
	is(write(there, "any", 3), 3, "the end on the other card takes messages");
	close(load);
	close(here);
	close(there);
}

int main(int argc, char **argv)
{
	bool few = argc > 1 && !strcmp(argv[1], "messages");

	alarm((unsigned int)PROGRAM_S * 3);
	dev_a = card_nth(0);
	dev_b = card_nth(1);
	ctl = chan_must(dev_a, "load-ctl", 0);
	if (argc > 1 && !strcmp(argv[1], "unreachable")) {
		out_of_reach();
		return tap_done();
	}
	for (unsigned int flags = 0; flags <= NFP_CHAN_PEER_STAGE; flags++) {
		messages(flags);
		if (few)
			continue;
		stream(flags);
		shaped(flags);
		rendezvous(flags);
	}
	if (few)
		return tap_done();
	there_and_back();
	large_ring();
	refusals();
	return tap_done();
}
