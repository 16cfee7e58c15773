// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* storm_kinds.c - traffic of the storms: every kind of channel, to the card and back. */
#define _GNU_SOURCE
#include <nfpchan/nfp_chan_flow.h>
#include "storm.h"

/* ---- four channels, in both directions, that report to one port ---- */

enum { ASK_TAKEN = 1, DROP_TAKEN = 2, TOTALS_CAME = 4, TICK_CAME = 8, PORT_ALL = 15 };

static struct port_ends {
	struct nfpchan *ctl;		/* a rendezvous; the reply to its requests comes on @out */
	struct nfpchan *tick;		/* counts signals */
	struct nfpchan_async ask, drop;	/* a send to @ctl, and one to the channel pit */
	struct nfp_flow_req req;
	uint8_t buf[MSG_MAX];
	uint64_t ticks;			/* the last count, 0 before the first */
} port_ends;

static int port_start(struct flow *f)
{
	struct nfpchan_opts o = { .size = sizeof(o), .port = f->port };
	struct port_ends *e = &port_ends;

	return nfpchan_open(&e->tick, f->on, "tick", &o) ? :
	       nfpchan_open(&e->ctl, f->on, NFP_CHAN_FLOW_CTL, &o);
}

static void port_end(struct flow *f)
{
	(void)f;
	nfpchan_close(port_ends.ctl);
	nfpchan_close(port_ends.tick);
	memset(&port_ends, 0, sizeof(port_ends));
}

/* Receive totals. Those that an earlier generation asked for may come in the first round only. */
static int totals_recv(struct flow *f, uint32_t seq, unsigned int *left)
{
	struct nfp_flow_totals t;
	ssize_t n;

	for (;;) {
		n = nfpchan_recv(f->out, &t, sizeof(t), NFPCHAN_NONBLOCK);
		if (n < 0)
			return n == -EAGAIN ? 0 : n;
		/* Skip reports of frames that the guest itself has sent. */
		if (n == sizeof(t) && t.type == NFP_FLOW_RECORD)
			continue;
		if (n != sizeof(t) || t.type != NFP_FLOW_TOTALS ||
		    (t.token != port_ends.req.token && seq > 1))
			traffic_fault("%zd bytes of type %u, token %x are not totals %x", n,
				      t.type, le32toh(t.token), le32toh(port_ends.req.token));
		if (t.token == port_ends.req.token)
			*left &= ~TOTALS_CAME;
	}
}

static int ticks_recv(unsigned int *left)
{
	struct echo_count count;
	uint64_t now;
	ssize_t n;

	for (;;) {
		n = nfpchan_recv(port_ends.tick, &count, sizeof(count), NFPCHAN_NONBLOCK);
		if (n < 0)
			return n == -EAGAIN ? 0 : n;
		now = n == sizeof(count) ? le64toh(count.count) : 0;
		if (!now || (port_ends.ticks && now != port_ends.ticks + 1))
			traffic_fault("tick %llu behind %llu", (unsigned long long)now,
				      (unsigned long long)port_ends.ticks);
		port_ends.ticks = now;
		*left &= ~TICK_CAME;
	}
}

static int port_event(struct flow *f, const struct nfpchan_event *event, uint32_t seq,
		      unsigned int *left)
{
	struct port_ends *e = &port_ends;

	if (event->req) {
		*left &= ~(event->req == &e->ask ? ASK_TAKEN : DROP_TAKEN);
		return event->req->ret;
	}
	if (event->ch == f->out)
		return totals_recv(f, seq, left);
	if (event->ch == e->tick)
		return ticks_recv(left);
	traffic_fault("the port has an event for a channel that has requests");
}

static int port_ask(struct flow *f, uint32_t seq)
{
	struct port_ends *e = &port_ends;
	int err;

	e->req = (struct nfp_flow_req){
		.op = htole32(seq % 8 ? NFP_FLOW_OP_TOTALS : NFP_FLOW_OP_FLUSH),
		.token = htole32(f->gen << 16 ^ seq),
	};
	e->ask = (struct nfpchan_async){ .buf = &e->req, .len = sizeof(e->req) };
	e->drop = (struct nfpchan_async){ .buf = e->buf, .len = flow_fill(f, e->buf, seq) };
	err = nfpchan_send_async(e->ctl, &e->ask);
	err = err ? : nfpchan_send_async(f->in, &e->drop);
	return err ? : nfpchan_raise(e->tick);
}

/* Send two messages and make two come, and wait for all four events. */
static int port_round(struct flow *f, uint32_t seq)
{
	struct nfpchan_event event[4];
	unsigned int left = PORT_ALL;
	int n, i, err = port_ask(f, seq);

	while (!err && left) {
		n = nfpchan_port_wait(f->port, event, 4, NFPCHAN_FOREVER);
		if (n < 0)
			return n;
		for (i = 0; i < n && !err; i++)
			err = port_event(f, &event[i], seq, &left);
	}
	return err;
}

const struct kind storm_kinds[STORM_KINDS] = {
	{ .name = "messages", .in = "echo-in", .out = "echo-out",
	  .send = msg_send, .recv = msg_recv, .got = stamp_got },
	{ .name = "rendezvous", .in = "rv-in", .out = "rv-out", .raw = true,
	  .send = msg_send, .recv = msg_recv, .got = stamp_got },
	{ .name = "elements", .in = "loop64-in", .out = "loop64-out", .raw = true,
	  .send = msg_send, .recv = poll_recv, .got = stamp_got },
	{ .name = "bytes", .in = "loop-in", .out = "loop-out",
	  .begin = bytes_begin, .send = bytes_send, .start = bytes_start, .recv = bytes_recv },
	{ .name = "requests", .in = "load-ctl", .out = "load", .raw = true,
	  .send = load_send, .recv = msg_recv, .got = load_got },
	{ .name = "signals", .out = "own", .recv = signal_round },
	{ .name = "port", .in = "pit", .out = NFP_CHAN_FLOWS, .ported = true,
	  .open = port_start, .close = port_end, .recv = port_round },
	{ .name = "pair", .in = "source-ctl", .out = "source64", .back = "sink64",
	  .open = pair_open,
	  .begin = pair_begin, .send = pair_send, .start = pair_start, .recv = pair_recv },
};
