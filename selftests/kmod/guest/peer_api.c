// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peer_api.c - links between two cards by ioctl: messages and streams by push and by staging,
 * refusals, what a link does to messages. peer.t counts TLPs.
 */
#define _GNU_SOURCE
#include "link_fds.h"
#include "stream.h"

#define MANY	20000	/* messages that go from card to card */

static int dev_a, dev_b;

static int card_nth(unsigned int n)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/nfp_chan%u", n);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die(path);
	return fd;
}

static struct nfp_chan_query query(int dev, const char *name)
{
	struct nfp_chan_query q = { .size = sizeof(q) };

	snprintf(q.name, sizeof(q.name), "%s", name);
	if (ioctl(dev, NFP_CHAN_IOC_QUERY, &q))
		die(name);
	return q;
}

/* load of card A -> echo of card B, whose messages the host reads there. */
static void messages(unsigned int flags, unsigned int via)
{
	int ctl = chan_must(dev_a, "load-ctl", 0), load = from_open(dev_a, "load");
	int in = chan_must(dev_b, "echo-in", 0), out = chan_must(dev_b, "echo-out", 0);
	uint64_t taken = query(dev_b, "echo-in").msgs;
	struct nfp_chan_link_stat s;
	int link = link_fds(load, in, flags);
	char any[8];

	ok(link >= 0, "%s: linked", via == NFP_CHAN_LINK_PUSHED ? "push" : "staging");
	if (link < 0)
		die("link");
	is(link_stat(link).via, via, "it says how");
	order(ctl, MANY, LOAD_LOAD);
	ok(rest_comes(out, 0, MANY), "%u messages come, in order", MANY);
	s = link_stat(link);
	is(s.msgs, MANY, "counted");
	is(s.bytes, 64ull * MANY, "with their bytes");
	is(s.dropped, 0, "none is dropped");
	is(s.state, NFP_CHAN_LINK_UP, "up");
	is(query(dev_b, "echo-in").msgs - taken, MANY, "the process has taken as many");
	fails(read(load, any, sizeof(any)), EISCONN, "no read() of a linked end");
	fails(link_fds(load, in, flags), EISCONN, "nor a second link");
	close(link);
	fails(read(load, any, sizeof(any)), EIO, "behind the link the end is off");
	close(load);
	close(in);
	close(out);
	close(ctl);
}

int main(void)
{
	dev_a = card_nth(0);
	dev_b = card_nth(1);
	messages(0, NFP_CHAN_LINK_PUSHED);
	messages(NFP_CHAN_LINK_STAGE, NFP_CHAN_LINK_STAGED);
	messages(0, NFP_CHAN_LINK_PUSHED);
	return tap_done();
}
