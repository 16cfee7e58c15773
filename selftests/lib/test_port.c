// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_port.c - ports: one ring in which the card reports the pipes that have news. */
#define _GNU_SOURCE
#include <errno.h>
#include "test_apps.h"
#include "ring_end.h"
#include "ring_int.h"
#include "ring_peer.h"

#define OK	NFP_CHAN_FW_OK
#define PORT	31		/* pipe number of the port */
#define NONE	UINT64_MAX	/* the port's ring is empty */

/* The next element of the port, which stays in the ring; or NONE. */
static uint64_t look(struct end *port)
{
	const uint8_t *data;
	int64_t avail = ring_avail(&port->r, &data);
	uint64_t cookie;

	if (avail < 0) {
		assert_int_equal(avail, -EAGAIN);
		return NONE;
	}
	memcpy(&cookie, data, sizeof(cookie));
	return cookie;
}

/* As look(), but give the element back at once, so that the card can write the next one. */
static uint64_t next(struct end *port)
{
	uint64_t cookie = look(port);

	if (cookie != NONE) {
		ring_consume(&port->r, 8);
		ring_flush(&port->r);
	}
	return cookie;
}

/* Receive all messages that are there. Return how many. */
static unsigned int drain(struct end *e)
{
	unsigned int n = 0;
	uint8_t buf[2048];
	long len;

	while ((len = take(&e->r, buf)) >= 0)
		n++;
	assert_int_equal(len, -EAGAIN);
	return n;
}

static void tick(struct fw_host *h)
{
	fw_signal(h, CHAN_ID_TICK);
	host_run(h->host);
}

static void load(struct end *ctl, uint32_t count)
{
	struct load_req req = { .count = count, .size = 16, .target = LOAD_LOAD };

	assert_int_equal(ring_put(&ctl->r, &req, sizeof(req)), 0);
	host_run(ctl->h->host);
}

static uint64_t posted(struct fw_host *h, enum board_tlp purpose)
{
	struct board_tlp_count c;

	board_tlp_get(h->host->b, purpose, &c);
	return c.dev_posted;
}

static void test_told(void **state)
{
	struct fw_host *h = *state;
	struct end port, rx;

	end_open_port(&port, h, PORT);
	end_open_on(&rx, h, 3, CHAN_ID_TICK, 12, &port, 0x123456789abcdef0);
	assert_int_equal(next(&port), NONE);
	assert_int_equal(ring_arm(&port.r), 0);
	host_run(h->host);
	assert_int_equal(irqs(&port), 0);
	tick(h);
	/* All interrupts are the port's. */
	assert_int_equal(irqs(&port), 1);
	assert_int_equal(irqs(&rx), 0);
	assert_int_equal(next(&port), 0x123456789abcdef0);
	assert_int_equal(next(&port), NONE);
	assert_int_equal(drain(&rx), 1);
	host_run(h->host);
	assert_int_equal(next(&port), NONE);
	tick(h);
	assert_int_equal(next(&port), 0x123456789abcdef0);
	assert_int_equal(drain(&rx), 1);
}

/*
 * A pipe has at most one element in the ring. News that comes after it gives one more element,
 * once the first one was given back.
 */
static void test_aggregates(void **state)
{
	struct fw_host *h = *state;
	struct end port, rx;

	end_open_port(&port, h, PORT);
	end_open_on(&rx, h, 0, CHAN_ID_TICK, 12, &port, 7);
	for (unsigned int i = 0; i < 20; i++) {
		tick(h);
		assert_int_equal(drain(&rx), 1);
	}
	assert_int_equal(look(&port), 7);
	assert_int_equal(port.r.peer, 8);
	assert_int_equal(next(&port), 7);
	host_run(h->host);
	assert_int_equal(next(&port), 7);
	host_run(h->host);
	assert_int_equal(next(&port), NONE);
	/*
	 * The element is given back before the messages are received: news of later ones is there
	 * after that.
	 */
	tick(h);
	assert_int_equal(next(&port), 7);
	tick(h);
	drain(&rx);
	tick(h);
	assert_int_equal(look(&port), 7);
	assert_int_equal(drain(&rx), 1);
}

/* Count the PCIe writes that a port needs, besides the records of its pipes. */
static void test_cost(void **state)
{
	struct fw_host *h = *state;
	struct end ctl, port, rx[16];
	unsigned int n = 0;
	uint64_t c;

	end_open_port(&port, h, PORT);
	end_open(&ctl, h, 30, CHAN_ID_LOAD_CTL, 12);
	for (unsigned int i = 0; i < 16; i++)
		end_open_on(&rx[i], h, i, CHAN_ID_LOAD, 18, &port, i);
	load(&ctl, 16 * 32);
	board_tlp_clear(h->host->b);
	/*
	 * One pipe at a time. Three writes for each: the pipe's second record, which tells of all
	 * but the first message; the element; the port's record. If contexts swap at commands, the
	 * port's record may come only with the last element.
	 */
	for (c = next(&port); c != NONE; c = next(&port)) {
		n += drain(&rx[c]);
		host_run(h->host);
	}
	assert_int_equal(n, 16 * 32);
	assert_in_range(posted(h, BOARD_TLP_NOTE), 3 * 16, 3 * 16 + 1);
	/* All pipes have news at the same time, as under load: several elements go in one write. */
	load(&ctl, 16);
	while (n < 16 * 33) {
		for (c = next(&port); c != NONE; c = next(&port))
			n += drain(&rx[c]);
		host_run(h->host);
	}
	board_tlp_clear(h->host->b);
	for (unsigned int i = 0; i < 16; i++)
		drain(&rx[i]);
	load(&ctl, 16);
	assert_in_range(posted(h, BOARD_TLP_NOTE), 16 + 3, 2 * 16);
	/* Channels without messages cost nothing. */
	while (n < 16 * 34) {
		for (c = next(&port); c != NONE; c = next(&port))
			n += drain(&rx[c]);
		host_run(h->host);
	}
	board_tlp_clear(h->host->b);
	load(&ctl, 1);
	c = next(&port);
	assert_in_range(c, 0, 15);
	assert_int_equal(drain(&rx[c]), 1);
	/* Two records, of load-ctl and the pipe; the element, the port's record. */
	assert_int_equal(posted(h, BOARD_TLP_NOTE), 4);
	assert_int_equal(posted(h, BOARD_TLP_MSIX), 0);
}

/* The port's ring wraps round, and never overflows, however late elements are given back. */
static void test_all_pipes(void **state)
{
	struct fw_host *h = *state;
	unsigned int seen[PORT], n;
	struct end port, rx[PORT];

	end_open_port(&port, h, PORT);
	for (unsigned int i = 0; i < PORT; i++)
		end_open_on(&rx[i], h, i, CHAN_ID_TICK, 12, &port, i);
	for (unsigned int round = 0; round < 40; round++) {
		memset(seen, 0, sizeof(seen));
		for (unsigned int i = 0; i < PORT; i++)
			tick(h);
		for (n = 0; n < PORT; n++) {
			uint64_t c = look(&port);

			/* Run the card: it writes elements for which look() has given room. */
			if (c == NONE) {
				host_run(h->host);
				c = look(&port);
			}
			assert_true(c < PORT);
			seen[c]++;
			ring_consume(&port.r, 8);
			/* Give room back after each element, or at the end of the round. */
			if (round % 2)
				ring_flush(&port.r);
		}
		ring_flush(&port.r);
		for (unsigned int i = 0; i < PORT; i++) {
			assert_int_equal(seen[i], 1);
			assert_int_equal(drain(&rx[i]), 1);
		}
		host_run(h->host);
		assert_int_equal(next(&port), NONE);
	}
	assert_true(port.r.pos > 2 * port.r.size);
}

/* After each step of the card: whoever sees an element of the port also sees the message. */
static void test_record_first(void **state)
{
	struct fw_host *h = *state;
	struct end port, rx;

	end_open_port(&port, h, PORT);
	end_open_on(&rx, h, 0, CHAN_ID_TICK, 12, &port, 1);
	for (unsigned int i = 0; i < 50; i++) {
		bool more = true;

		fw_signal(h, CHAN_ID_TICK);
		while (more) {
			more = board_run(h->host->b, 1);
			if (look(&port) != NONE)
				assert_int_equal(ring_ready(&rx.r), 1);
		}
		assert_int_equal(next(&port), 1);
		assert_int_equal(drain(&rx), 1);
		host_run(h->host);
	}
}

/*
 * Messages, receives and doorbells in random order, between the card's steps: a host that
 * receives only from pipes that the port reports gets all messages.
 */
static void test_nothing_lost(void **state)
{
	struct fw_host *h = *state;
	unsigned int sent = 0, got = 0, idle;
	struct end ctl, port, rx[5];
	uint32_t r = 1;

	end_open_port(&port, h, PORT);
	end_open(&ctl, h, 30, CHAN_ID_LOAD_CTL, 12);
	for (unsigned int i = 0; i < 5; i++)
		end_open_on(&rx[i], h, i, CHAN_ID_LOAD, 18, &port, i);
	for (idle = 0; sent < 4000 || idle < 100; idle++) {
		struct load_req req = { .size = 16, .target = LOAD_LOAD };
		uint64_t c;

		r = r * 1664525 + 1013904223;
		req.count = r >> 28;
		if (sent < 4000 && r >> 8 & 1 && !ring_put(&ctl.r, &req, sizeof(req)))
			sent += req.count;
		board_run(h->host->b, r >> 12 & 63);
		if (sent >= 4000)
			host_run(h->host);
		c = look(&port);
		if (c == NONE)
			continue;
		idle = 0;
		/*
		 * The element is given back before, between or after the receives, alone or with
		 * others.
		 */
		ring_consume(&port.r, 8);
		if (r >> 20 & 1)
			ring_flush(&port.r);
		board_run(h->host->b, r >> 21 & 15);
		got += drain(&rx[c]);
		board_run(h->host->b, r >> 25 & 15);
		if (r >> 9 & 1)
			ring_flush(&port.r);
	}
	assert_int_equal(got, sent);
}

/*
 * For a channel to the NFP the port reports that messages were taken; it also reports the end of
 * an ME process.
 */
static void test_other_news(void **state)
{
	struct fw_host *h = *state;
	struct end port, tx, once, bad;

	end_open_port(&port, h, PORT);
	end_open_on(&tx, h, 0, CHAN_ID_PIT, 18, &port, 1);
	end_open_on(&once, h, 1, CHAN_ID_ONCE, 12, &port, 2);
	end_open_on(&bad, h, 2, CHAN_ID_TICK, 12, &port, 3);
	host_run(h->host);
	assert_int_equal(next(&port), NONE);
	assert_int_equal(ring_put(&tx.r, "x", 1), 0);
	host_run(h->host);
	assert_int_equal(next(&port), 1);
	assert_int_equal(ring_taken(&tx.r, tx.r.pos), 0);
	fw_signal(h, CHAN_ID_ONCE);
	host_run(h->host);
	assert_int_equal(next(&port), 2);
	host_run(h->host);
	/* The port reports the message and the end separately, or together. */
	next(&port);
	host_run(h->host);
	assert_int_equal(ring_ready(&once.r), 1);
	end_doorbell(&bad, RING_REG_DATA, 1);
	host_run(h->host);
	assert_int_equal(next(&port), 3);
	assert_int_equal(ring_ready(&bad.r), -EIO);
}

/* A pipe is closed while its element is in the ring, and its number used again. */
static void test_pipe_closes(void **state)
{
	struct fw_host *h = *state;
	struct end port, other, rx;

	end_open_port(&port, h, PORT);
	end_open_port(&other, h, PORT - 1);
	for (unsigned int i = 0; i < 100; i++) {
		end_open_on(&rx, h, 0, CHAN_ID_TICK, 12, &port, i);
		tick(h);
		assert_int_equal(drain(&rx), 1);
		end_close(&rx);
	}
	/* The element of the first pipe is in the ring, and that of the last one follows. */
	end_open_on(&rx, h, 0, CHAN_ID_TICK, 12, &port, 1000);
	tick(h);
	assert_int_equal(next(&port), 0);
	host_run(h->host);
	assert_int_equal(next(&port), 1000);
	assert_int_equal(drain(&rx), 1);
	tick(h);
	assert_int_equal(look(&port), 1000);
	end_close(&rx);
	/* Another port does not get that element. */
	end_open_on(&rx, h, 0, CHAN_ID_TICK, 12, &other, 2000);
	tick(h);
	assert_int_equal(next(&other), 2000);
	assert_int_equal(next(&port), 1000);
	assert_int_equal(drain(&rx), 1);
	end_close(&rx);
	/* A pipe without a port, or a close, writes no element. */
	end_open(&rx, h, 0, CHAN_ID_TICK, 12);
	tick(h);
	assert_int_equal(drain(&rx), 1);
	assert_int_equal(next(&port), NONE);
	assert_int_equal(next(&other), NONE);
}

/* A pipe closes before its element is written: the next pipe of that number has no news from it. */
static void test_news_closed(void **state)
{
	struct fw_host *h = *state;
	struct end port, rx;

	end_open_port(&port, h, PORT);
	end_open_on(&rx, h, 0, CHAN_ID_TICK, 12, &port, 1);
	tick(h);
	drain(&rx);
	tick(h);
	end_close(&rx);
	end_open_on(&rx, h, 0, CHAN_ID_TICK, 12, &port, 2);
	assert_int_equal(next(&port), 1);
	host_run(h->host);
	assert_int_equal(next(&port), NONE);
}

/* The port closes before its pipes: they go on, and its pipe number can be used again. */
static void test_port_closes(void **state)
{
	struct fw_host *h = *state;
	struct end port, rx;

	end_open_port(&port, h, PORT);
	end_open_on(&rx, h, 0, CHAN_ID_TICK, 12, &port, 1);
	tick(h);
	drain(&rx);
	tick(h);
	/* One element is in the ring, and further news waits until it is given back. */
	assert_int_equal(end_close(&port), 0);
	host_run(h->host);
	assert_int_equal(drain(&rx), 1);
	end_open_port(&port, h, PORT);
	tick(h);
	assert_int_equal(drain(&rx), 1);
	assert_int_equal(next(&port), NONE);
	end_close(&port);
	end_open(&port, h, PORT, CHAN_ID_TICK, 12);
	tick(h);
	tick(h);
	assert_int_equal(drain(&rx) + drain(&port), 2);
	assert_int_equal(h->host->faults, 0);
}

/* Once a close is answered the host's memory is unmapped: a later write of the card is a fault. */
static void let_go(struct fw_host *h, uint16_t cmd, struct end *port, struct end *rx, int count)
{
	bool all = cmd != NFP_CHAN_FW_CMD_CLOSE;
	struct nfp_chan_fw_req req = {
		.cmd = cmd, .pipe = PORT, .vector = FW_VEC_RSP, .seq = ++h->seq,
	};

	if (cmd == NFP_CHAN_FW_CMD_HELLO)
		req.ring_addr = h->rsp_bus;
	fw_post(h, &req);
	while (h->rsp->seq != req.seq)
		board_run(h->host->b, 1);
	assert_int_equal(h->rsp->status, OK);
	end_free(port);
	for (int i = 0; all && i < count; i++)
		end_free(&rx[i]);
}

/* Close the port or the pipe after each possible number of steps of the card. */
static void test_closes_at_work(void **state)
{
	static const uint16_t how[] = {
		NFP_CHAN_FW_CMD_HELLO, NFP_CHAN_FW_CMD_CLOSE, NFP_CHAN_FW_CMD_GOODBYE,
	};
	struct fw_host *h = *state;
	struct end port, rx[8];

	for (unsigned int steps = 0; steps < 60; steps++) {
		end_open_port(&port, h, PORT);
		for (unsigned int i = 0; i < 8; i++)
			end_open_on(&rx[i], h, i, CHAN_ID_TICK, 12, &port, i);
		fw_signal(h, CHAN_ID_TICK);
		for (unsigned int n = 0; n < steps; n++)
			board_run(h->host->b, 1);
		let_go(h, how[steps % 3], &port, rx, 8);
		for (unsigned int i = 0; how[steps % 3] == NFP_CHAN_FW_CMD_CLOSE && i < 8; i++)
			end_close(&rx[i]);
		host_run(h->host);
		assert_int_equal(h->host->faults, 0);
		if (how[steps % 3] == NFP_CHAN_FW_CMD_GOODBYE)
			assert_int_equal(fw_hello(h), OK);
	}
}

/*
 * The host gives back more elements than there were: the card turns the port off, and nothing
 * else.
 */
static void test_hostile(void **state)
{
	static const uint32_t units[] = { 1, 2, 31, 512, 0x3ffff };
	struct fw_host *h = *state;
	struct end other, rx[2];

	end_open_port(&other, h, PORT - 1);
	for (unsigned int i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		struct end port;

		end_open_port(&port, h, PORT);
		end_open_on(&rx[0], h, 0, CHAN_ID_TICK, 12, &port, 1);
		if (i) {
			tick(h);
			assert_int_equal(drain(&rx[0]), 1);
		}
		assert_int_equal(ring_arm(&port.r), i ? 1 : 0);
		end_doorbell(&port, RING_REG_DATA, units[i]);
		if (i == 1)
			end_doorbell(&port, RING_REG_DATA, 1);
		host_run(h->host);
		ring_refresh(&port.r);
		assert_int_equal(port.r.state, NFP_CHAN_STATE_FAULT);
		/*
		 * Its pipes go on, and another can be opened on it, but the port reports nothing.
		 */
		tick(h);
		assert_int_equal(drain(&rx[0]), 1);
		end_open_on(&rx[1], h, 1, CHAN_ID_TICK, 12, &port, 2);
		end_close(&rx[0]);
		tick(h);
		assert_int_equal(drain(&rx[1]), 1);
		end_close(&rx[1]);
		end_open_on(&rx[1], h, 1, CHAN_ID_TICK, 12, &other, 3);
		tick(h);
		assert_int_equal(next(&other), 3);
		assert_int_equal(drain(&rx[1]), 1);
		end_close(&rx[1]);
		assert_int_equal(end_close(&port), 0);
	}
}

static void refused(struct fw_host *h, struct nfp_chan_fw_req req)
{
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
}

static void test_open(void **state)
{
	struct nfp_chan_fw_req req, good, bad[4];
	struct fw_host *h = *state;
	struct fw_pipe p, q;
	struct end port, rx;

	end_open_port(&port, h, PORT);
	end_open(&rx, h, 0, CHAN_ID_TICK, 12);
	fw_open_req(&p, h, 5, CHAN_ID_TICK, 12, &req);
	for (unsigned int n = 1; n < 70; n++) {
		req.port = (uint16_t)n;
		if (n != PORT + 1)
			refused(h, req);
	}
	req.port = 0xffff;
	refused(h, req);
	/* A port cannot be on a port, and its doorbell unit must be one element. */
	fw_open_req(&q, h, 6, NFP_CHAN_ID_PORT, 12, &good);
	req = good;
	for (unsigned int unit = 0; unit < 8; unit++) {
		req.unit_shift = (uint8_t)unit;
		if (unit != 3)
			refused(h, req);
	}
	for (unsigned int i = 0; i < 4; i++)
		bad[i] = good;
	bad[0].port = PORT + 1;
	bad[1].ring_shift = 20;
	bad[2].inline_page = 1;
	bad[3].signal_db = 1;
	for (unsigned int i = 0; i < 4; i++)
		refused(h, bad[i]);
	assert_int_equal(fw_request(h, &good), OK);
	assert_int_equal(fw_cancel(&q, 1), NFP_CHAN_FW_EINVAL);
	refused(h, (struct nfp_chan_fw_req){ .cmd = NFP_CHAN_FW_CMD_CLOSE, .pipe = 6, .port = 1 });
	refused(h, (struct nfp_chan_fw_req){ .cmd = NFP_CHAN_FW_CMD_BIND, .pipe = 6, .map_id = 1 });
	assert_int_equal(fw_close(&q), OK);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		T(test_told),
		T(test_aggregates),
		T(test_cost),
		T(test_all_pipes),
		T(test_record_first),
		T(test_nothing_lost),
		T(test_other_news),
		T(test_pipe_closes),
		T(test_news_closed),
		T(test_port_closes),
		T(test_closes_at_work),
		T(test_hostile),
		T(test_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
