/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * traffic_more.h - the lanes of traffic.h that have several channels: some that report
 * to one port, and two that share a ring.
 */
#ifndef TRAFFIC_MORE_H
#define TRAFFIC_MORE_H

#include <linux/nfp_chan_flow.h>
#include "pits.h"
#include "stream.h"
#include "traffic_lane.h"

/* ---- a port: four channels, to both sides, waited for in one place ---- */

enum { ASK_TAKEN = 1, PIT_TAKEN = 2, TOTALS_CAME = 4, TICK_CAME = 8, PORT_ALL = 15 };

static struct port_ends {
	struct nfpchan_port *port;
	struct nfpchan *ctl, *flows;	/* a rendezvous, and what answers it */
	struct nfpchan *pit;		/* compares what comes */
	struct nfpchan *tick;		/* counts signals */
	struct nfpchan_async ask, drop;
	struct nfp_flow_req req;
	uint8_t buf[MSG_MAX];
	uint64_t ticks;			/* the last count, 0: none came yet */
	uint32_t sender;		/* to the pit */
} port_ends;

static int port_add(struct flow *f, struct nfpchan **ch, const char *name)
{
	struct nfpchan_opts o = { .size = sizeof(o), .port = port_ends.port };

	return nfpchan_open(ch, f->on, name, &o);
}

static int port_start(struct flow *f)
{
	struct port_ends *e = &port_ends;
	int err = nfpchan_port_open(&e->port, f->on, NULL);

	e->sender = pit_new();
	err = err ? : port_add(f, &e->flows, NFP_CHAN_FLOWS);
	err = err ? : port_add(f, &e->tick, "tick");
	err = err ? : port_add(f, &e->pit, "pit");
	return err ? : port_add(f, &e->ctl, NFP_CHAN_FLOW_CTL);
}

/* Whichever goes first. */
static void port_end(struct flow *f)
{
	struct port_ends *e = &port_ends;

	if (f->gen % 2)
		nfpchan_port_close(e->port);
	nfpchan_close(e->ctl);
	nfpchan_close(e->pit);
	nfpchan_close(e->tick);
	nfpchan_close(e->flows);
	if (f->gen % 2 == 0)
		nfpchan_port_close(e->port);
	memset(e, 0, sizeof(*e));
}

/* What was asked for by a generation that is no more can come in the first round only. */
static int totals_recv(struct flow *f, uint32_t seq, unsigned int *left)
{
	struct nfp_flow_totals t;
	ssize_t n;

	for (;;) {
		n = nfpchan_recv(port_ends.flows, &t, sizeof(t), NFPCHAN_NONBLOCK);
		if (n < 0)
			return n == -EAGAIN ? 0 : n;
		/* The system's own frames are reported, too. */
		if (n == sizeof(t) && t.type == NFP_FLOW_RECORD)
			continue;
		if (n != sizeof(t) || t.type != NFP_FLOW_TOTALS ||
		    (t.token != port_ends.req.token && seq > 1))
			lane_fault(f->lane, "%zd bytes of type %u, token %x are not totals %x", n,
				   t.type, le32toh(t.token), le32toh(port_ends.req.token));
		if (t.token == port_ends.req.token)
			*left &= ~TOTALS_CAME;
	}
}

static int ticks_recv(struct flow *f, unsigned int *left)
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
			lane_fault(f->lane, "tick %llu behind %llu", (unsigned long long)now,
				   (unsigned long long)port_ends.ticks);
		port_ends.ticks = now;
		*left &= ~TICK_CAME;
	}
}

static int port_told(struct flow *f, const struct nfpchan_event *event, uint32_t seq,
		     unsigned int *left)
{
	struct port_ends *e = &port_ends;

	if (event->req) {
		*left &= ~(event->req == &e->ask ? ASK_TAKEN : PIT_TAKEN);
		return event->req->ret;
	}
	if (event->ch == e->flows)
		return totals_recv(f, seq, left);
	if (event->ch == e->tick)
		return ticks_recv(f, left);
	lane_fault(f->lane, "the port told of a channel that has requests");
}

static int port_ask(struct flow *f, uint32_t seq)
{
	struct port_ends *e = &port_ends;
	uint32_t len = sizeof(struct pit_msg) + flow_random(f, MSG_MAX - sizeof(struct pit_msg));
	int err;

	e->req = (struct nfp_flow_req){
		.op = htole32(seq % 8 ? NFP_FLOW_OP_TOTALS : NFP_FLOW_OP_FLUSH),
		.token = htole32(f->gen << 16 ^ seq),
	};
	e->ask = (struct nfpchan_async){ .buf = &e->req, .len = sizeof(e->req) };
	pit_fill(e->buf, len, e->sender, seq);
	e->drop = (struct nfpchan_async){ .buf = e->buf, .len = len };
	err = nfpchan_send_async(e->ctl, &e->ask);
	err = err ? : nfpchan_send_async(e->pit, &e->drop);
	return err ? : nfpchan_raise(e->tick);
}

/* Everything at once: two messages taken, and two that come. */
static int port_round(struct flow *f, uint32_t seq)
{
	struct nfpchan_event event[4];
	unsigned int left = PORT_ALL;
	int n, i, err = port_ask(f, seq);

	while (!err && left) {
		n = nfpchan_port_wait(port_ends.port, event, 4, NFPCHAN_FOREVER);
		if (n < 0)
			return n;
		for (i = 0; i < n && !err; i++)
			err = port_told(f, &event[i], seq, &left);
	}
	return err;
}

/* ---- two channels, one ring: what the source sends goes into the sink ---- */

#define PAIR_ELEM	64
#define PAIR_WORDS	(PAIR_ELEM / 4)
#define PAIR_MOST	256		/* elements of a request */
#define PAIR_MARKS	512		/* a generation's first one is longer, by its number */
#define PAIR_CHECK	8		/* requests, then what the card has counted is looked at */

static struct pair_ends {
	struct nfpchan *back;
	uint64_t counted;		/* by the card, before */
	uint64_t returned;		/* elements */
	uint32_t sender;
	uint32_t seq;
} pair_ends;

static int pair_counted(struct flow *f, uint64_t *elements)
{
	struct nfp_chan_query q;
	int err = nfpchan_query(f->on, "sink64", &q);

	*elements = q.msgs;
	return err;
}

static int pair_open(struct flow *f)
{
	pair_ends.sender = pit_new();
	return nfpchan_open_return(&pair_ends.back, f->on, "sink64", f->out, NULL) ? :
	       pair_counted(f, &pair_ends.counted);
}

static void pair_close(struct flow *f)
{
	(void)f;
	nfpchan_close(pair_ends.back);
	memset(&pair_ends, 0, sizeof(pair_ends));
}

static int pair_request(struct flow *f, uint32_t elements)
{
	struct source_req req = {
		.bytes = htole64((uint64_t)elements * PAIR_ELEM), .chunk = htole32(4096),
		.target = htole32(SOURCE_64),
	};

	return nfpchan_send(f->in, &req, sizeof(req), NFPCHAN_FOREVER);
}

static uint32_t pair_mark(const struct flow *f)
{
	return PAIR_MOST + 1 + f->gen % PAIR_MARKS;
}

static uint32_t pair_elements(const struct flow *f, uint32_t seq)
{
	return 1 + mix(f->gen << 16 ^ seq) % PAIR_MOST;
}

/* The source's elements tell where in a request they are, and nothing of whose it is. */
static int pair_begin(struct flow *f)
{
	return pair_request(f, pair_mark(f));
}

static int pair_send(struct flow *f, uint32_t seq)
{
	return pair_request(f, pair_elements(f, seq));
}

/* The number in its request of an element that is whole, or -1. */
static int pair_number(const void *elem)
{
	uint32_t word[PAIR_WORDS], i;

	memcpy(word, elem, sizeof(word));
	for (i = 1; i < PAIR_WORDS; i++)
		if (le32toh(word[i]) != le32toh(word[0]) + i)
			return -1;
	return le32toh(word[0]) % PAIR_WORDS ? -1 : (int)(le32toh(word[0]) / PAIR_WORDS);
}

/* @n elements, changed where they lie to what the sink compares. */
static int pair_return(void *data, uint32_t n)
{
	size_t len = (size_t)n * PAIR_ELEM, at;
	ssize_t did;

	for (at = 0; at < len; at += PAIR_ELEM)
		pit_fill((uint8_t *)data + at, PAIR_ELEM, pair_ends.sender, ++pair_ends.seq);
	/* Fewer only if the card went: the next call says so. */
	while (len) {
		did = nfpchan_return(pair_ends.back, len, NFPCHAN_FOREVER);
		if (did < 0)
			return did;
		pair_ends.returned += did / PAIR_ELEM;
		len -= did;
	}
	return 0;
}

/* All but the first one are behind another: of the same request, or its last. */
static int pair_skip(struct flow *f, const void *data, uint32_t there, uint32_t *behind,
		     uint32_t *skip)
{
	uint32_t i;
	int nr;

	for (i = 0; i < there; i++) {
		nr = pair_number((const char *)data + (size_t)i * PAIR_ELEM);
		if (nr < 0 || (nr && *behind && (uint32_t)nr != *behind))
			return FLOW_GONE(f, pair_ends.back, "element %d behind %u others", nr, *behind);
		if (!nr && *behind == pair_mark(f))
			break;
		*behind = nr + 1;
	}
	*skip = i;
	return 0;
}

/* Behind a request of as many elements as only this generation's first one has. */
static int pair_start(struct flow *f)
{
	uint32_t behind = 0, there, skip;
	ssize_t n;
	void *data;
	int err;

	do {
		n = nfpchan_returnable(pair_ends.back, &data, NFPCHAN_FOREVER);
		if (n < 0)
			return n;
		there = n / PAIR_ELEM;
		err = pair_skip(f, data, there, &behind, &skip);
		if (!err && skip)
			err = pair_return(data, skip);
	} while (!err && skip == there);
	return err;
}

/* The sink gives nothing back; the card has counted what it took. */
static int pair_taken(struct flow *f)
{
	uint64_t counted, want = pair_ends.counted + pair_ends.returned;
	int err = nfpchan_drain(pair_ends.back, NFPCHAN_FOREVER) ? : pair_counted(f, &counted);

	if (!err && counted != want)
		err = FLOW_GONE(f, pair_ends.back, "the sink has taken %llu elements, not %llu",
				(unsigned long long)counted, (unsigned long long)want);
	return err;
}

static int pair_recv(struct flow *f, uint32_t seq)
{
	uint32_t due = 0, want = pair_elements(f, seq), i, there;
	ssize_t n;
	void *data;
	int err, nr;

	while (due < want) {
		n = nfpchan_returnable(pair_ends.back, &data, NFPCHAN_FOREVER);
		if (n < 0)
			return n;
		there = n / PAIR_ELEM < want - due ? n / PAIR_ELEM : want - due;
		for (i = 0; i < there; i++, due++) {
			nr = pair_number((char *)data + (size_t)i * PAIR_ELEM);
			if (nr != (int)due)
				return FLOW_GONE(f, pair_ends.back, "element %d of request %u, due is %u",
						 nr, seq, due);
		}
		err = pair_return(data, there);
		if (err)
			return err;
	}
	return seq % PAIR_CHECK ? 0 : pair_taken(f);
}

#endif /* TRAFFIC_MORE_H */
