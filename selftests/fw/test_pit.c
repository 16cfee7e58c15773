// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_pit.c - the processes "pit", "pit64", "sink" and "sink64" check the contents of messages
 * and streams (pit.h). After wrong contents the process ends, and all its senders get EPIPE.
 */
#define _GNU_SOURCE
#include <errno.h>
#include "pit.h"
#include "ring_end.h"
#include "ring_int.h"

static void fill_of(uint8_t *buf, uint32_t len, uint32_t sender, uint32_t seq)
{
	struct pit_msg say = { .magic = PIT_MAGIC, .len = len, .sender = sender, .seq = seq };
	uint32_t at = offsetof(struct pit_msg, sender);

	memcpy(buf, &say, sizeof(say));
	for (uint32_t i = sizeof(say); i < len; i++)
		buf[i] = (uint8_t)(seq + i * 7);
	say.sum = pit_sum(PIT_SUM, buf + at, len - at);
	memcpy(buf, &say, sizeof(say));
}

static void fill(uint8_t *buf, uint32_t len, uint32_t seq)
{
	fill_of(buf, len, 1, seq);
}

static void send(struct end *e, const uint8_t *buf, uint32_t len)
{
	assert_int_equal(ring_put(&e->r, buf, len), 0);
	ring_kick(&e->r);
	host_run(e->h->host);
}

/* Send a message that the process accepts. */
static void good(struct end *e, const uint8_t *buf, uint32_t len)
{
	send(e, buf, len);
	assert_int_equal(ring_taken(&e->r, e->r.pos), 0);
	assert_int_equal(ring_state(&e->r), -EAGAIN);
}

/* Send a message that makes the process end. */
static void bad(struct end *e, const uint8_t *buf, uint32_t len)
{
	send(e, buf, len);
	assert_int_equal(ring_taken(&e->r, e->r.pos), 0);
	assert_int_equal(ring_refresh(&e->r), 0);
	assert_int_equal(ring_state(&e->r), -EPIPE);
}

/*
 * Send good messages of @len bytes, then one with a wrong byte at @wrong, counted from the end of
 * the header. The number of the last message is right.
 */
static void judged(struct fw_host *h, unsigned int chan, uint32_t len, uint32_t wrong)
{
	uint8_t buf[2048], any[2048];
	struct end e;

	end_open(&e, h, 0, chan, 14);
	memset(any, 0xff, sizeof(any));
	good(&e, any, len);
	for (uint32_t seq = 0; seq < 100; seq++) {
		fill(buf, len, seq);
		good(&e, buf, len);
	}
	fill(buf, len, 100);
	buf[sizeof(struct pit_msg) + wrong] ^= 1;
	bad(&e, buf, len);
}

static void test_pit(void **state)
{
	judged(*state, CHAN_ID_PIT, 2048, 2048 - sizeof(struct pit_msg) - 1);
}

static void test_pit64(void **state)
{
	judged(*state, CHAN_ID_PIT64, 64, 0);
}

static void test_sink64(void **state)
{
	judged(*state, CHAN_ID_SINK64, 64, 39);
}

/*
 * A message shorter than its header says is wrong. A message too short for a header is not checked.
 */
static void test_short(void **state)
{
	uint8_t buf[200];
	struct end e;

	end_open(&e, *state, 0, CHAN_ID_PIT, 14);
	fill(buf, 200, 3);
	good(&e, buf, 8);	/* too short for struct pit_msg, so it is not checked */
	fill(buf, 100, 3);
	((struct pit_msg *)buf)->len = 200;
	bad(&e, buf, 100);
}

/* Several elements come in one receive, and the second is wrong. */
static void test_several(void **state)
{
	uint8_t buf[4 * 64];
	struct end e;

	end_open(&e, *state, 0, CHAN_ID_SINK64, 14);
	for (unsigned int i = 0; i < 4; i++)
		fill(buf + 64 * i, 64, i);
	good(&e, buf, sizeof(buf));
	for (unsigned int i = 0; i < 4; i++)
		fill(buf + 64 * i, 64, 4 + i);
	buf[64 + 30] ^= 0x80;
	bad(&e, buf, sizeof(buf));
}

/* ---- order ---- */

static void sent(struct end *e, uint32_t sender, uint32_t seq, bool fine)
{
	uint8_t buf[64];

	fill_of(buf, sizeof(buf), sender, seq);
	(fine ? good : bad)(e, buf, sizeof(buf));
}

static void ordered(struct fw_host *h, unsigned int chan, uint32_t seq)
{
	struct end e;

	end_open(&e, h, 0, chan, 14);
	for (uint32_t i = 1; i <= 10; i++)
		sent(&e, 7, i, true);
	sent(&e, 7, seq, false);
}

static void test_pit_missing(void **state)
{
	ordered(*state, CHAN_ID_PIT, 12);
}

static void test_pit64_twice(void **state)
{
	ordered(*state, CHAN_ID_PIT64, 10);
}

static void test_sink64_back(void **state)
{
	ordered(*state, CHAN_ID_SINK64, 1);
}

/* Three elements come in one receive, and the last two are swapped. */
static void test_sink64_swapped(void **state)
{
	uint8_t buf[3 * 64];
	struct end e;

	end_open(&e, *state, 0, CHAN_ID_SINK64, 14);
	fill(buf, 64, 1);
	fill(buf + 64, 64, 3);
	fill(buf + 128, 64, 2);
	bad(&e, buf, sizeof(buf));
}

/*
 * The process knows PIT_SENDERS senders, and checks the order of each. A further sender takes the
 * place of the sender whose last message is the oldest.
 */
static void test_senders(void **state)
{
	struct end e;

	end_open(&e, *state, 0, CHAN_ID_PIT64, 14);
	for (uint32_t seq = 40; seq < 50; seq++)
		for (uint32_t i = 0; i < PIT_SENDERS; i++)
			sent(&e, i, seq + i, true);
	/* Sender 1000 replaces sender 0, so sender 0 may begin with any number, and so on. */
	sent(&e, 1000, 3, true);
	sent(&e, 0, 7, true);
	sent(&e, 2, 52, true);
	sent(&e, 1000, 4, true);
	sent(&e, 3, 54, false);
}

/* 1000 senders send two messages each and no more. The process still checks sender 1. */
static void test_senders_killed(void **state)
{
	struct end e;

	end_open(&e, *state, 0, CHAN_ID_PIT64, 14);
	for (uint32_t i = 0; i < 1000; i++) {
		sent(&e, 1, 1 + i, true);
		sent(&e, 2 + i, 1, true);
		sent(&e, 2 + i, 2, true);
	}
	sent(&e, 1, 1002, false);
}

/* ---- bytes ---- */

#define BYTES	10000

static uint8_t bytes[sizeof(struct pit_stream) + BYTES];

/* Fill @bytes with a stream: the header and BYTES bytes. */
static void stream_fill(uint32_t seed)
{
	struct pit_stream say = { .magic = PIT_STREAM, .len = BYTES, .seed = seed };

	say.sum = pit_sum(PIT_SUM, (uint8_t *)&say, offsetof(struct pit_stream, sum));
	memcpy(bytes, &say, sizeof(say));
	for (uint32_t i = 0; i < BYTES; i++)
		bytes[sizeof(say) + i] = pit_byte(seed, i);
}

static void write_all(struct end *e, const uint8_t *buf, uint32_t len)
{
	void *to;

	assert_int_equal(ring_reserve(&e->r, &to, len), 0);
	memcpy(to, buf, len);
	ring_commit(&e->r, len);
	ring_kick(&e->r);
	host_run(e->h->host);
	assert_int_equal(ring_taken(&e->r, e->r.pos), 0);
	assert_int_equal(ring_refresh(&e->r), 0);
}

/*
 * Write @len bytes of the stream in parts of several sizes. Check that the process accepts them
 * (@fine), or ends.
 */
static void stream_is(struct fw_host *h, uint32_t len, bool fine)
{
	uint32_t at = sizeof(struct pit_stream) + 3, n;
	struct end e;

	end_open(&e, h, 0, CHAN_ID_SINK, 14);
	write_all(&e, bytes, at);
	for (n = 1; at < len && ring_state(&e.r) == -EAGAIN; at += n, n = n * 2 % 1021) {
		n = n < len - at ? n : len - at;
		write_all(&e, bytes + at, n);
	}
	assert_int_equal(ring_state(&e.r), fine ? -EAGAIN : -EPIPE);
	end_close(&e);
}

static void test_stream(void **state)
{
	uint8_t any[300];
	struct end e;

	memset(any, 0x5a, sizeof(any));
	stream_fill(1);
	stream_is(*state, sizeof(bytes), true);
	/*
	 * Bytes without a header are accepted after a complete stream, and so is the next stream.
	 */
	end_open(&e, *state, 0, CHAN_ID_SINK, 14);
	write_all(&e, any, sizeof(any));
	assert_int_equal(ring_state(&e.r), -EAGAIN);
	end_close(&e);
	stream_fill(2);
	stream_is(*state, sizeof(bytes), true);
}

/* A stream may be broken off after any byte if the next sender begins a stream. */
static void test_stream_broken(void **state)
{
	for (uint32_t i = 0; i < 300; i++) {
		stream_fill(i + 1);
		stream_is(*state, sizeof(struct pit_stream) + i, true);
	}
	stream_fill(1000);
	stream_is(*state, sizeof(bytes), true);
}

/* After a broken stream, bytes without a header are checked as the rest of that stream. */
static void test_stream_unsaid(void **state)
{
	stream_fill(7);
	stream_is(*state, 100, true);
	memset(bytes, 0x5a, sizeof(bytes));
	stream_is(*state, 200, false);
}

static void test_stream_corrupted(void **state)
{
	stream_fill(5);
	bytes[sizeof(bytes) - 1] ^= 1;
	stream_is(*state, sizeof(bytes), false);
}

static void test_stream_swapped(void **state)
{
	uint8_t part[64], *at = bytes + 4096;

	stream_fill(6);
	memcpy(part, at, sizeof(part));
	memcpy(at, at + sizeof(part), sizeof(part));
	memcpy(at + sizeof(part), part, sizeof(part));
	stream_is(*state, sizeof(bytes), false);
}

static void test_stream_missing(void **state)
{
	stream_fill(7);
	memmove(bytes + 4096, bytes + 4097, sizeof(bytes) - 4097);
	stream_is(*state, sizeof(bytes) - 1, false);
}

static void test_stream_twice(void **state)
{
	stream_fill(8);
	memmove(bytes + 4097, bytes + 4096, sizeof(bytes) - 4097);
	stream_is(*state, sizeof(bytes), false);
}

/* The same header twice is wrong: a card that delivers bytes twice would do that. */
static void test_stream_again(void **state)
{
	stream_fill(9);
	stream_is(*state, 1000, true);
	stream_is(*state, 1000, false);
}

static void test_stream_header(void **state)
{
	stream_fill(10);
	bytes[offsetof(struct pit_stream, len)]--;
	stream_is(*state, 1000, false);
}

/* After the end, a second sender of the channel gets EPIPE as well, and OPEN fails. */
static void test_others(void **state)
{
	struct nfp_chan_fw_req req = { .pipe = 2, .chan = CHAN_ID_PIT64, .ring_shift = 14 };
	struct end e, other, late;
	uint8_t buf[64];

	end_open(&e, *state, 0, CHAN_ID_PIT64, 14);
	end_open(&other, *state, 1, CHAN_ID_PIT64, 14);
	fill(buf, sizeof(buf), 1);
	good(&other, buf, sizeof(buf));
	buf[63]++;
	bad(&e, buf, sizeof(buf));
	assert_int_equal(ring_refresh(&other.r), 0);
	assert_int_equal(ring_state(&other.r), -EPIPE);
	assert_int_equal(end_try(&late, *state, req, NULL), NFP_CHAN_FW_ENOENT);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		T(test_pit),
		T(test_pit64),
		T(test_sink64),
		T(test_short),
		T(test_several),
		T(test_pit_missing),
		T(test_pit64_twice),
		T(test_sink64_back),
		T(test_sink64_swapped),
		T(test_senders),
		T(test_senders_killed),
		T(test_stream),
		T(test_stream_broken),
		T(test_stream_unsaid),
		T(test_stream_corrupted),
		T(test_stream_swapped),
		T(test_stream_missing),
		T(test_stream_twice),
		T(test_stream_again),
		T(test_stream_header),
		T(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
