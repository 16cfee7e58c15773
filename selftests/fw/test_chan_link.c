// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_chan_link.c - links (LINK and UNLINK of the mailbox): messages go from ME process to ME
 * process without the host.
 */
#include "stream.h"
#include "fw_link.h"

/* Return the number of TLPs since the last call. */
static uint64_t tlps(struct fw_host *h)
{
	struct board_tlp_count c;
	uint64_t n = 0;

	for (int i = 0; i < BOARD_TLP_PURPOSES; i++) {
		board_tlp_get(h->host->b, (enum board_tlp)i, &c);
		n += c.host_posted + c.host_nonposted + c.dev_posted + c.dev_nonposted +
		     c.completions;
	}
	board_tlp_clear(h->host->b);
	return n;
}

/*
 * Two links, load -> echo -> pit: 1000 messages need as many TLPs as one. All TLPs are for the
 * request to "load".
 */
static void chain(void **state)
{
	static const uint32_t sizes[] = { 16, 56, 57, 64, 2048 };
	struct fw_host *h = *state;
	struct nfp_chan_fw_stat s;
	uint64_t msgs = 0, bytes = 0, one;
	struct fw_pipe p[5];

	OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_LOAD, CHAN_ID_ECHO_IN, CHAN_ID_ECHO_OUT, CHAN_ID_PIT);
	assert_int_equal(make(&p[1], &p[2]), OK);
	assert_int_equal(make(&p[3], &p[4]), OK);
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		tlps(h);
		load(&p[0], 1, sizes[i], LOAD_LOAD);
		one = tlps(h);
		assert_true(one);
		load(&p[0], 1000, sizes[i], LOAD_LOAD);
		assert_int_equal(tlps(h), one);
		msgs += 1001;
		bytes += 1001ull * sizes[i];
	}
	s = link_stat(&p[1]);
	assert_int_equal(s.msgs, msgs);
	assert_int_equal(s.bytes, bytes);
	assert_int_equal(s.dropped, 0);
	s = link_stat(&p[3]);
	assert_int_equal(s.msgs, msgs);
	assert_int_equal(s.bytes, bytes);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).msgs, msgs);
	assert_int_equal(fw_stat(h, CHAN_ID_ECHO_IN).msgs, msgs);
	assert_int_equal(fw_stat(h, CHAN_ID_PIT).bytes, bytes);
	assert_int_equal(fw_irqs(&p[1]) + fw_irqs(&p[2]) + fw_irqs(&p[3]) + fw_irqs(&p[4]), 0);
	assert_int_equal(p[1].note->pos + p[2].note->pos + p[3].note->pos + p[4].note->pos, 0);
}

/* While "echo" waits for a receiver of its answer, later messages of the link wait. */
static void waits(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p[3], out;

	OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_LOAD, CHAN_ID_ECHO_IN);
	assert_int_equal(make(&p[1], &p[2]), OK);
	load(&p[0], 50, 100, LOAD_LOAD);
	assert_int_equal(link_stat(&p[1]).msgs, 1);
	assert_int_equal(link_stat(&p[1]).stalled, 1);
	assert_int_equal(fw_open(&out, h, 3, CHAN_ID_ECHO_OUT, 12), OK);
	host_run(h->host);
	for (uint64_t i = 1; i <= 50; i++)
		assert_int_equal(load_take(&out, 100), i);
	assert_int_equal(link_stat(&p[1]).msgs, 50);
	assert_int_equal(link_stat(&p[1]).dropped, 0);
}

/* A rendezvous over a link: the send ends when the receiving process has the message. */
static void rendezvous(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p[4], rv[3];
	uint8_t msg[8] = "message", buf[256];

	OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_LOAD_RV, CHAN_ID_ECHO_IN, CHAN_ID_ECHO_OUT);
	assert_int_equal(make(&p[1], &p[2]), OK);
	load(&p[0], 20, 64, LOAD_RV);
	fw_look(&p[3]);
	for (uint64_t i = 1; i <= 20; i++)
		assert_int_equal(load_take(&p[3], 64), i);
	assert_int_equal(link_stat(&p[1]).msgs, 20);
	/*
	 * The process "rv": rv-in from the host, rv-out linked to "pit". Its send waits for "pit"
	 * only.
	 */
	assert_int_equal(fw_open(&rv[0], h, 4, CHAN_ID_RV_IN, 12), OK);
	assert_int_equal(fw_open(&rv[1], h, 5, CHAN_ID_RV_OUT, 12), OK);
	assert_int_equal(fw_open(&rv[2], h, 6, CHAN_ID_PIT, 18), OK);
	assert_int_equal(make(&rv[1], &rv[2]), OK);
	for (int i = 1; i <= 5; i++) {
		fw_send_run(&rv[0], msg, sizeof(msg));
		assert_int_equal(rv[0].note->seq, i);
		assert_int_equal(link_stat(&rv[1]).msgs, i);
	}
	assert_int_equal(unmake(&rv[2]), OK);
	fw_send_run(&rv[0], msg, sizeof(msg));
	assert_int_equal(fw_recv(&rv[1], buf, sizeof(buf)), sizeof(msg));
	assert_int_equal(link_stat(&rv[1]).msgs, 5);
}

/*
 * With policy "drop", a message is dropped if the receiving process does not wait in a receive. The
 * link's statistics count the dropped message.
 */
static void drops(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p[3];

	OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_POUR, CHAN_ID_ECHO_IN);
	assert_int_equal(make(&p[1], &p[2]), OK);
	load(&p[0], 30, 100, LOAD_POUR);
	assert_int_equal(link_stat(&p[1]).msgs, 1);
	assert_int_equal(link_stat(&p[1]).dropped, 29);
	assert_int_equal(fw_stat(h, CHAN_ID_POUR).dropped, 29);
}

/* Streams of bytes, and of elements of 64 bytes, over a link: all of the stream, in order. */
static void streams(void **state)
{
	static const unsigned int ends[2][4] = {
		{ CHAN_ID_SOURCE, CHAN_ID_LOOP_IN, CHAN_ID_LOOP_OUT, 1 },
		{ CHAN_ID_SOURCE64, CHAN_ID_LOOP64_IN, CHAN_ID_LOOP64_OUT, 64 },
	};
	struct source_req req = { 50048, 32768, 0 };
	struct fw_host *h = *state;
	struct fw_pipe p[4];
	uint32_t word;

	for (unsigned int k = 0; k < 2; k++) {
		assert_int_equal(fw_hello(h), OK);
		for (unsigned int i = 0; i < 4; i++) {
			struct nfp_chan_fw_req open;

			fw_open_req(&p[i], h, i, i ? ends[k][i - 1] : CHAN_ID_SOURCE_CTL, 16, &open);
			open.unit_shift = i && !k ? 0 : 3;
			assert_int_equal(fw_request(h, &open), OK);
		}
		assert_int_equal(make(&p[1], &p[2]), OK);
		req.target = k ? SOURCE_64 : SOURCE_BYTES;
		fw_send_run(&p[0], &req, sizeof(req));
		fw_look(&p[3]);
		assert_int_equal(p[3].note->pos, req.bytes);
		for (uint64_t at = 0; at < req.bytes; at += 4) {
			fw_copy_out(&p[3], at, &word, sizeof(word));
			assert_int_equal(word, at / 4 % (SOURCE_PERIOD / 4));
		}
		assert_int_equal(link_stat(&p[1]).bytes, req.bytes);
		assert_int_equal(link_stat(&p[1]).msgs, req.bytes / ends[k][3]);
	}
}

/* A link drops the parts of a send: each part is counted, and the send completes once. */
static void drops_parts(void **state)
{
	struct source_req req = { 10 * SOURCE_PERIOD, SOURCE_PERIOD, SOURCE_64 };
	struct fw_host *h = *state;
	struct fw_pipe p[2], none = { .index = NFP_CHAN_FW_LINK_DROP };

	OPEN(h, p, CHAN_ID_SOURCE_CTL, CHAN_ID_SOURCE64);
	assert_int_equal(make(&p[1], &none), OK);
	fw_send_run(&p[0], &req, sizeof(req));
	assert_int_equal(fw_stat(h, CHAN_ID_SOURCE64).dropped, req.bytes / 64);
	assert_int_equal(link_stat(&p[1]).dropped, req.bytes / 64);
}

enum { UNLINK, CLOSE_FROM, CLOSE_TO, HELLO, WAYS };

/* End a link after @turns turns of the board. Return the number of messages that it has carried. */
static uint64_t broken_off(struct fw_host *h, struct fw_pipe *p, unsigned int turns, int way)
{
	struct load_req req = { 300, 64, LOAD_LOAD, 0xabcd };

	assert_int_equal(fw_hello(h), OK);
	OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_LOAD, CHAN_ID_PIT);
	assert_int_equal(make(&p[1], &p[2]), OK);
	fw_send(&p[0], &req, sizeof(req));
	while (turns--)
		board_run(h->host->b, 1);
	if (way == UNLINK)
		assert_int_equal(unmake(&p[1]), OK);
	else if (way == HELLO)
		assert_int_equal(fw_hello(h), OK);
	else
		assert_int_equal(fw_close(&p[way == CLOSE_FROM ? 1 : 2]), OK);
	return link_stat(&p[1]).msgs;
}

/*
 * End a link at any moment. Messages that the link has not carried come to the sender's pipe, or
 * to the pipe that is opened next.
 */
static void ends_in_the_middle(void **state)
{
	struct fw_host *h = *state;
	uint64_t before, taken, part = 0;
	struct fw_pipe p[3];

	for (int way = 0; way < WAYS; way++) {
		for (unsigned int turns = 0; turns < 400; turns += 1 + turns / 16) {
			before = fw_stat(h, CHAN_ID_PIT).msgs;
			taken = broken_off(h, p, turns, way);
			assert_int_equal(fw_stat(h, CHAN_ID_PIT).msgs - before, taken);
			part += taken && taken < 300;
			if (way == CLOSE_FROM || way == HELLO)
				assert_int_equal(fw_open(&p[1], h, 1, CHAN_ID_LOAD, 18), OK);
			host_run(h->host);
			fw_look(&p[1]);
			for (uint64_t i = taken + 1; i <= 300; i++)
				assert_int_equal(load_take(&p[1], 64), i);
			assert_int_equal(p[1].note->pos, p[1].pos);
			assert_int_equal(unmake(&p[1]), NFP_CHAN_FW_ENOENT);
			for (int i = 0; i < 3; i++)
				fw_free(&p[i]);
		}
	}
	assert_true(part > 50);
}

/* End a link while its process does not receive: the messages that wait go to the host. */
static void ends_while_it_waits(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p[4];
	uint64_t taken;

	for (int way = 0; way < WAYS; way++) {
		assert_int_equal(fw_hello(h), OK);
		OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_LOAD, CHAN_ID_ECHO_IN);
		assert_int_equal(fw_open(&p[3], h, 3, CHAN_ID_ECHO_OUT, 12), OK);
		assert_int_equal(make(&p[1], &p[2]), OK);
		load(&p[0], 300, 64, LOAD_LOAD);
		fw_look(&p[3]);
		for (uint64_t i = 1; i <= 20; i++)
			assert_int_equal(load_take(&p[3], 64), i);
		taken = link_stat(&p[1]).msgs;
		assert_in_range(taken, 20, 100);
		if (way == UNLINK)
			assert_int_equal(unmake(&p[1]), OK);
		else if (way != HELLO)
			assert_int_equal(fw_close(&p[way == CLOSE_FROM ? 1 : 2]), OK);
		else
			assert_int_equal(fw_hello(h), OK);
		assert_int_equal(link_stat(&p[1]).msgs, taken);
		if (way == CLOSE_FROM || way == HELLO)
			assert_int_equal(fw_open(&p[1], h, 1, CHAN_ID_LOAD, 18), OK);
		host_run(h->host);
		fw_look(&p[1]);
		for (uint64_t i = taken + 1; i <= 300; i++)
			assert_int_equal(load_take(&p[1], 64), i);
		if (way != HELLO) {
			fw_look(&p[3]);
			for (uint64_t i = 21; i <= taken; i++)
				assert_int_equal(load_take(&p[3], 64), i);
		}
	}
}

/* A pipe that was opened for links only (OPEN_LINK) gets no message before or after the link. */
static void for_a_link(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_req open;
	struct fw_pipe p[4], from, bad;

	OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_PIT);
	fw_open_req(&from, h, 4, CHAN_ID_LOAD, 18, &open);
	open.flags = NFP_CHAN_FW_OPEN_LINK;
	assert_int_equal(fw_request(h, &open), OK);
	load(&p[0], 10, 64, LOAD_LOAD);
	assert_int_equal(from.note->pos, 0);
	assert_int_equal(fw_stat(h, CHAN_ID_LOAD).msgs, 0);
	assert_int_equal(make(&from, &p[1]), OK);
	host_run(h->host);
	assert_int_equal(link_stat(&from).msgs, 10);
	assert_int_equal(unmake(&from), OK);
	load(&p[0], 10, 64, LOAD_LOAD);
	fw_look(&from);
	assert_int_equal(from.note->pos, 0);
	/* Another pipe of the channel gets the messages. */
	assert_int_equal(fw_open(&p[2], h, 2, CHAN_ID_LOAD, 18), OK);
	fw_look(&p[2]);
	for (uint64_t i = 1; i <= 10; i++)
		assert_int_equal(load_take(&p[2], 64), i);
	fw_open_req(&bad, h, 5, CHAN_ID_LOAD, 18, &open);
	open.flags = 2;
	assert_int_equal(fw_request(h, &open), NFP_CHAN_FW_EINVAL);
	fw_open_req(&bad, h, 5, CHAN_ID_ECHO_IN, 18, &open);
	open.flags = NFP_CHAN_FW_OPEN_LINK;
	assert_int_equal(fw_request(h, &open), NFP_CHAN_FW_EINVAL);
	/* A pipe of a stream, too, gets no elements before the link. */
	fw_open_req(&from, h, 6, CHAN_ID_SOURCE64, 16, &open);
	open.flags = NFP_CHAN_FW_OPEN_LINK;
	assert_int_equal(fw_request(h, &open), OK);
	assert_int_equal(fw_open(&p[3], h, 3, CHAN_ID_SOURCE_CTL, 12), OK);
	fw_send_run(&p[3], &(struct source_req){ 640, 64, SOURCE_64 }, sizeof(struct source_req));
	assert_int_equal(fw_stat(h, CHAN_ID_SOURCE64).msgs, 0);
}

/*
 * A link from a process to the same process: its send waits until the link ends, because the
 * process does not receive. Other processes still work.
 */
static void circle(void **state)
{
	struct fw_host *h = *state;
	uint8_t msg[8] = "message", buf[2048];
	struct fw_pipe p[4];

	OPEN(h, p, CHAN_ID_RV_IN, CHAN_ID_RV_OUT, CHAN_ID_ECHO_IN, CHAN_ID_ECHO_OUT);
	assert_int_equal(make(&p[1], &p[0]), OK);
	fw_send_run(&p[0], msg, sizeof(msg));
	assert_int_equal(link_stat(&p[1]).msgs, 0);
	assert_int_equal(link_stat(&p[1]).stalled, 1);
	fw_send_run(&p[2], msg, sizeof(msg));
	assert_int_equal(fw_recv(&p[3], buf, sizeof(buf)), sizeof(msg));
	assert_int_equal(unmake(&p[1]), OK);
	assert_int_equal(fw_recv(&p[1], buf, sizeof(buf)), sizeof(msg));
	assert_memory_equal(buf, msg, sizeof(msg));
}

/*
 * A link leaves the rings as they are: the host can read older messages after the link, and the
 * process receives messages that the host sends.
 */
static void rings_as_they_are(void **state)
{
	struct fw_host *h = *state;
	uint8_t msg[4] = "old", buf[2048];
	struct fw_pipe p[4];

	OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_LOAD, CHAN_ID_ECHO_IN, CHAN_ID_ECHO_OUT);
	load(&p[0], 3, 100, LOAD_LOAD);
	assert_int_equal(make(&p[1], &p[2]), OK);
	fw_send_run(&p[2], msg, sizeof(msg));
	assert_int_equal(fw_recv(&p[3], buf, sizeof(buf)), sizeof(msg));
	load(&p[0], 2, 64, LOAD_LOAD);
	fw_look(&p[3]);
	assert_int_equal(load_take(&p[3], 64), 1);
	assert_int_equal(load_take(&p[3], 64), 2);
	assert_int_equal(unmake(&p[1]), OK);
	load(&p[0], 1, 100, LOAD_LOAD);
	fw_look(&p[1]);
	for (uint64_t i = 1; i <= 3; i++)
		assert_int_equal(load_take(&p[1], 100), i);
	assert_int_equal(load_take(&p[1], 100), 1);
}

/* A channel with a link and a pipe of the host: each gets part of the messages. */
static void beside_others(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p[4], echo[2];
	uint8_t msg[2] = { 7, 7 };

	OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_LOAD, CHAN_ID_PIT, CHAN_ID_LOAD);
	assert_int_equal(make(&p[1], &p[2]), OK);
	load(&p[0], 60, 64, LOAD_LOAD);
	fw_look(&p[3]);
	assert_int_equal(p[3].note->seq + link_stat(&p[1]).msgs, 60);
	assert_true(link_stat(&p[1]).msgs >= 30);
	/* Two links to one process */
	assert_int_equal(fw_open(&echo[0], h, 4, CHAN_ID_ECHO_OUT, 12), OK);
	assert_int_equal(fw_open(&echo[1], h, 5, CHAN_ID_PIT, 18), OK);
	assert_int_equal(fw_open(&p[0], h, 6, CHAN_ID_ECHO_IN, 12), OK);
	assert_int_equal(make(&echo[0], &echo[1]), OK);
	fw_send_run(&p[0], msg, sizeof(msg));
	assert_int_equal(link_stat(&echo[0]).msgs, 1);
	assert_int_equal(fw_stat(h, CHAN_ID_PIT).msgs, 1 + link_stat(&p[1]).msgs);
}

static void refused(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p[10], none = { .h = h, .index = 20 }, big = { .h = h, .index = 32 };
	struct nfp_chan_fw_link req = { .cmd = NFP_CHAN_FW_CMD_LINK, .pipe = 1, .to = 2 };
	struct nfp_chan_fw_req open;

	OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_LOAD, CHAN_ID_ECHO_IN, CHAN_ID_ECHO_OUT, CHAN_ID_RV_IN,
	     CHAN_ID_TICK, CHAN_ID_PIT64, CHAN_ID_SOURCE64);
	assert_int_equal(make(&p[1], &none), NFP_CHAN_FW_ENOENT);
	assert_int_equal(make(&none, &p[2]), NFP_CHAN_FW_ENOENT);
	assert_int_equal(make(&big, &p[2]), NFP_CHAN_FW_EINVAL);
	assert_int_equal(make(&p[1], &big), NFP_CHAN_FW_EINVAL);
	assert_int_equal(make(&p[2], &p[1]), NFP_CHAN_FW_EINVAL);
	assert_int_equal(make(&p[1], &p[3]), NFP_CHAN_FW_EINVAL);
	assert_int_equal(make(&p[1], &p[4]), NFP_CHAN_FW_ESIZE);
	assert_int_equal(make(&p[5], &p[6]), NFP_CHAN_FW_ESIZE);
	assert_int_equal(make(&p[1], &p[6]), NFP_CHAN_FW_ESIZE);
	assert_int_equal(make(&p[7], &p[2]), NFP_CHAN_FW_EKIND);
	fw_open_req(&p[8], h, 8, CHAN_ID_SINK, 12, &open);
	open.unit_shift = 0;
	assert_int_equal(fw_request(h, &open), OK);
	assert_int_equal(make(&p[7], &p[8]), NFP_CHAN_FW_ESIZE);
	assert_int_equal(make(&p[1], &p[8]), NFP_CHAN_FW_EKIND);
	fw_open_req(&p[9], h, 9, NFP_CHAN_ID_PORT, 12, &open);
	assert_int_equal(fw_request(h, &open), OK);
	assert_int_equal(make(&p[9], &p[2]), NFP_CHAN_FW_EINVAL);
	for (size_t i = offsetof(struct nfp_chan_fw_link, hdr_len); i < sizeof(req); i++) {
		((uint8_t *)&req)[i] = 0x55;
		assert_int_equal(fw_request_link(h, &req), NFP_CHAN_FW_EINVAL);
		((uint8_t *)&req)[i] = 0;
	}
	assert_int_equal(unmake(&p[1]), NFP_CHAN_FW_ENOENT);
	assert_int_equal(fw_request_link(h, &req), OK);
	assert_int_equal(make(&p[1], &p[2]), NFP_CHAN_FW_EBUSY);
	assert_int_equal(make(&p[3], &p[2]), NFP_CHAN_FW_EBUSY);
	assert_int_equal(unmake(&p[2]), OK);
	assert_int_equal(unmake(&p[1]), NFP_CHAN_FW_ENOENT);
	assert_int_equal(make(&p[3], &p[2]), OK);
}

/* A pipe whose ring has both directions cannot be linked, nor can a process that has ended. */
static void refused_for_now(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_req open;
	struct fw_pipe p[4], back;

	OPEN(h, p, CHAN_ID_SOURCE64, CHAN_ID_LOOP64_IN, CHAN_ID_ONCE, CHAN_ID_ECHO_IN);
	fw_open_req(&back, h, 4, CHAN_ID_SINK64, 18, &open);
	open.ring_addr = p[0].ring_bus;
	open.ring_of = 1;
	assert_int_equal(make(&p[0], &p[1]), OK);
	assert_int_equal(fw_request(h, &open), NFP_CHAN_FW_ERING);
	assert_int_equal(unmake(&p[0]), OK);
	assert_int_equal(fw_request(h, &open), OK);
	assert_int_equal(make(&p[0], &p[1]), NFP_CHAN_FW_EBUSY);
	fw_signal_run(h, CHAN_ID_ONCE);
	assert_int_equal(make(&p[2], &p[3]), NFP_CHAN_FW_ENDED);
}

/*
 * A host's breach turns off the receiving pipe: the link carries nothing, the sending pipe works.
 */
static void end_is_off(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p[3];

	OPEN(h, p, CHAN_ID_LOAD_CTL, CHAN_ID_LOAD, CHAN_ID_PIT);
	assert_int_equal(make(&p[1], &p[2]), OK);
	p[2].pos = 8;
	fw_put(&p[2], "x", 1);
	fw_ring_run(&p[2]);
	assert_int_equal(p[2].note->state, NFP_CHAN_STATE_FAULT);
	load(&p[0], 5, 64, LOAD_LOAD);
	assert_int_equal(link_stat(&p[1]).msgs, 0);
	assert_int_equal(fw_close(&p[2]), OK);
	host_run(h->host);
	fw_look(&p[1]);
	for (uint64_t i = 1; i <= 5; i++)
		assert_int_equal(load_take(&p[1], 64), i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(chain),
		T(waits),
		T(rendezvous),
		T(drops),
		T(streams),
		T(drops_parts),
		T(ends_in_the_middle),
		T(ends_while_it_waits),
		T(for_a_link),
		T(circle),
		T(rings_as_they_are),
		T(beside_others),
		T(refused),
		T(refused_for_now),
		T(end_is_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
