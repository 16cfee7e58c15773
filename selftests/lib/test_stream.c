// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stream.c - streams: the library's ring code against the firmware. */
#define _GNU_SOURCE
#include <errno.h>
#include "ring_end.h"
#include "random.h"
#include "stream.h"

#define OK	NFP_CHAN_FW_OK

static uint64_t random_state;

/* Send up to @most elements, as many as there is room for. */
static uint32_t produce(struct ring *r, uint64_t *pos, uint32_t most)
{
	int64_t room = ring_space(r);
	uint32_t len;
	uint8_t *to;
	void *buf;

	assert_true(room >= 0);
	if (!room || !most)
		return 0;
	len = (most < room ? most : (uint32_t)room) * r->elem_size;
	assert_int_equal(ring_reserve(r, &buf, len), 0);
	to = buf;
	for (uint32_t i = 0; i < len; i++)
		to[i] = byte_at((*pos)++);
	ring_commit(r, len);
	ring_kick(r);
	return len;
}

/* Check and give back up to @most of the elements that have come. */
static uint32_t consume(struct ring *r, uint64_t *pos, uint32_t most)
{
	const uint8_t *data;
	int64_t avail = ring_avail(r, &data);
	uint32_t n;

	if (avail < 0) {
		assert_int_equal(avail, -EAGAIN);
		return 0;
	}
	assert_true(avail > 0 && avail % r->elem_size == 0);
	n = (uint32_t)avail / r->elem_size;
	if (n > most)
		n = most;
	for (uint32_t i = 0; i < n * r->elem_size; i++)
		assert_int_equal(data[i], byte_at((*pos)++));
	ring_take_many(r, n);
	assert_int_equal(ring_release(r, n), 0);
	return n * r->elem_size;
}

/*
 * Send through a loop process and back in pieces of random size, until both rings have wrapped
 * round.
 */
static void loop(struct fw_host *h, unsigned int in_id, unsigned int out_id,
		 unsigned int tx_shift, unsigned int rx_shift, uint64_t total)
{
	uint64_t in = 0, out = 0;
	struct nfp_chan_fw_stat stat;
	struct end tx, rx;
	uint32_t most;

	end_open(&tx, h, 0, in_id, tx_shift);
	end_open(&rx, h, 1, out_id, rx_shift);
	while (out < total) {
		most = (uint32_t)(total - in) / tx.r.elem_size;
		produce(&tx.r, &in, random_below(&random_state, most < 3000 ? most + 1 : 3000));
		host_run(h->host);
		consume(&rx.r, &out, 1 + random_below(&random_state, 5000));
	}
	assert_int_equal(in, total);
	assert_int_equal(ring_taken(&tx.r, tx.r.pos), 0);
	host_run(h->host);
	assert_int_equal(ring_ready(&rx.r), 0);
	/* Nothing was armed. */
	assert_int_equal(irqs(&tx) + irqs(&rx), 0);
	stat = fw_stat(h, out_id);
	assert_int_equal(stat.bytes, total);
	assert_int_equal(stat.msgs, total / tx.r.elem_size);
	assert_int_equal(stat.dropped, 0);
}

static void test_bytes(void **state)
{
	loop(*state, CHAN_ID_LOOP_IN, CHAN_ID_LOOP_OUT, 12, 12, 300000);
}

/*
 * A large ring of bytes to the host counts units of 16 bytes: fewer are given back later, with
 * more.
 */
static void test_bytes_large_ring(void **state)
{
	loop(*state, CHAN_ID_LOOP_IN, CHAN_ID_LOOP_OUT, 16, 20, 5000001);
}

static void test_elements(void **state)
{
	loop(*state, CHAN_ID_LOOP64_IN, CHAN_ID_LOOP64_OUT, 12, 12, 64 * 10000);
}

static void test_elements_large_ring(void **state)
{
	loop(*state, CHAN_ID_LOOP64_IN, CHAN_ID_LOOP64_OUT, 22, 22, 64 * 200000);
}

static void ask_source(struct end *ctl, uint64_t bytes, uint32_t chunk, uint32_t target)
{
	struct source_req req = { bytes, chunk, target };

	assert_int_equal(ring_put(&ctl->r, &req, sizeof(req)), 0);
	host_run(ctl->h->host);
}

/* The ME process sends more than the ring holds, in parts. */
static void test_source(void **state)
{
	struct fw_host *h = *state;
	struct end ctl, rx;
	const uint8_t *data;
	uint64_t pos = 0;
	int64_t avail;

	end_open(&ctl, h, 0, CHAN_ID_SOURCE_CTL, 12);
	end_open(&rx, h, 1, CHAN_ID_SOURCE, 14);
	ask_source(&ctl, 1000000, 65536, SOURCE_BYTES);
	while (pos < 1000000) {
		avail = ring_avail(&rx.r, &data);
		if (avail == -EAGAIN) {
			host_run(h->host);
			continue;
		}
		assert_in_range(avail, 1, 16384);
		for (int64_t i = 0; i < avail; i++, pos++) {
			uint32_t word = (uint32_t)(pos % SOURCE_PERIOD) / 4;

			assert_int_equal(data[i], (uint8_t)(word >> 8 * (pos % 4)));
		}
		ring_take_many(&rx.r, (uint32_t)avail);
		assert_int_equal(ring_release(&rx.r, (uint32_t)avail), 0);
	}
	assert_int_equal(pos, 1000000);
	host_run(h->host);
	assert_int_equal(ring_ready(&rx.r), 0);
}

/*
 * A close counts the elements left in the ring as lost; the process's next part goes to the next
 * opener.
 */
static void test_close(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_req req = { .cmd = NFP_CHAN_FW_CMD_CLOSE, .pipe = 1 };
	struct end ctl, rx;
	const uint8_t *data;
	uint64_t got = 0;
	int64_t avail;

	end_open(&ctl, h, 0, CHAN_ID_SOURCE_CTL, 12);
	end_open(&rx, h, 1, CHAN_ID_SOURCE64, 12);
	ask_source(&ctl, 64 * 1000, 4096, SOURCE_64);
	assert_int_equal(ring_avail(&rx.r, &data) % 64, 0);
	ring_take_many(&rx.r, 10);
	assert_int_equal(ring_release(&rx.r, 10), 0);
	ring_flush(&rx.r);
	host_run(h->host);
	assert_int_equal(fw_request(h, &req), OK);
	/* 10 elements were given back, and 10 more came, so the ring was full again. */
	assert_int_equal(h->value, 64);
	end_open(&rx, h, 1, CHAN_ID_SOURCE64, 12);
	host_run(h->host);
	while (got < 1000 - 74) {
		avail = ring_avail(&rx.r, &data);
		assert_true(avail > 0 || avail == -EAGAIN);
		if (avail > 0) {
			ring_take_many(&rx.r, (uint32_t)avail / 64);
			assert_int_equal(ring_release(&rx.r, (uint32_t)avail / 64), 0);
			got += (uint64_t)avail / 64;
		}
		host_run(h->host);
	}
	assert_int_equal(fw_stat(h, CHAN_ID_SOURCE64).msgs, 1000);
	assert_int_equal(fw_stat(h, CHAN_ID_SOURCE64).dropped, 64);
	assert_int_equal(h->host->faults, 0);
}

/*
 * An arm says up to which position the host has seen the stream. The next bytes raise one
 * interrupt, at any position and of any number.
 */
static void test_arm(void **state)
{
	struct fw_host *h = *state;
	uint64_t in = 0, out = 0;
	struct end tx, rx;

	end_open(&tx, h, 0, CHAN_ID_LOOP_IN, 16);
	end_open(&rx, h, 1, CHAN_ID_LOOP_OUT, 20);
	for (unsigned int i = 0; i < 40; i++) {
		unsigned long before = irqs(&rx);

		assert_int_equal(consume(&rx.r, &out, 1), 0);
		assert_int_equal(ring_arm(&rx.r), 0);
		host_run(h->host);
		assert_int_equal(irqs(&rx), before);
		/*
		 * Less than a unit, more, and 65536 bytes, after which the low 16 bits are equal.
		 */
		for (uint32_t n = i < 20 ? i + 1 : 65536; n; ) {
			n -= produce(&tx.r, &in, n < 4096 ? n : 4096);
			host_run(h->host);
		}
		assert_int_equal(irqs(&rx), before + 1);
		while (out < in) {
			consume(&rx.r, &out, 1 << 20);
			host_run(h->host);
		}
	}
}

/* An arm while elements are unread raises an interrupt at once, and only one, as with messages. */
static void arm_unread(struct fw_host *h, unsigned int in_id, unsigned int out_id)
{
	uint64_t in = 0, out = 0;
	struct end tx, rx;

	end_open(&tx, h, 0, in_id, 12);
	end_open(&rx, h, 1, out_id, 12);
	produce(&tx.r, &in, 3);
	host_run(h->host);
	consume(&rx.r, &out, 1);
	assert_int_equal(ring_arm(&rx.r), 1);
	host_run(h->host);
	assert_int_equal(irqs(&rx), 1);
	while (out < in)
		consume(&rx.r, &out, 1);
	assert_int_equal(ring_arm(&rx.r), 0);
	host_run(h->host);
	assert_int_equal(irqs(&rx), 1);
}

static void test_arm_unread_bytes(void **state)
{
	arm_unread(*state, CHAN_ID_LOOP_IN, CHAN_ID_LOOP_OUT);
}

static void test_arm_unread_elements(void **state)
{
	arm_unread(*state, CHAN_ID_LOOP64_IN, CHAN_ID_LOOP64_OUT);
}

static bool has_space(void *arg)
{
	return ring_space(arg) > 0;
}

/* A sender that sleeps until there is room is woken even if one byte was taken. */
static void test_arm_room(void **state)
{
	struct fw_host *h = *state;
	uint64_t in = 0, out = 0;
	struct end tx, rx;

	end_open(&tx, h, 0, CHAN_ID_LOOP_IN, 16);
	/* The ME process takes one part, and cannot send it on. */
	while (in < 65535 + 4096) {
		assert_int_equal(host_run_until(h->host, has_space, &tx.r, 10000), 0);
		produce(&tx.r, &in, 10000);
	}
	assert_int_equal(in, 65535 + 4096);
	host_run(h->host);
	assert_int_equal(ring_arm(&tx.r), 0);
	host_run(h->host);
	assert_int_equal(irqs(&tx), 0);
	end_open(&rx, h, 1, CHAN_ID_LOOP_OUT, 12);
	host_run(h->host);
	assert_int_equal(irqs(&tx), 1);
	assert_true(ring_space(&tx.r) > 0);
	while (out < in) {
		consume(&rx.r, &out, 4096);
		host_run(h->host);
	}
}

/* A stream has one reader and one writer at a time; ring size and unit must fit its kind. */
static void test_open(void **state)
{
	static const struct {
		unsigned int chan, ring, unit;
		int status;
	} cases[] = {
		{ CHAN_ID_LOOP_IN, 16, 0, OK },
		{ CHAN_ID_LOOP_IN, 17, 0, NFP_CHAN_FW_EINVAL },
		{ CHAN_ID_LOOP_IN, 17, 1, NFP_CHAN_FW_EINVAL },	/* an element is less than a unit */
		{ CHAN_ID_LOOP_OUT, 17, 0, NFP_CHAN_FW_EINVAL },
		{ CHAN_ID_LOOP_OUT, 22, 6, OK },
		{ CHAN_ID_LOOP64_IN, 22, 6, OK },
		{ CHAN_ID_LOOP64_IN, 22, 7, NFP_CHAN_FW_EINVAL },
		{ CHAN_ID_ECHO_IN, 16, 0, NFP_CHAN_FW_EINVAL },	/* messages are aligned */
	};
	struct fw_host *h = *state;
	struct nfp_chan_fw_req req;
	struct fw_pipe p, q;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fw_open_req(&p, h, 0, cases[i].chan, cases[i].ring, &req);
		req.unit_shift = (uint8_t)cases[i].unit;
		assert_int_equal(fw_request(h, &req), cases[i].status);
		if (cases[i].status)
			continue;
		fw_open_req(&q, h, 1, cases[i].chan, cases[i].ring, &req);
		req.unit_shift = (uint8_t)cases[i].unit;
		assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EBUSY);
		assert_int_equal(fw_cancel(&p, 1), NFP_CHAN_FW_EINVAL);
		assert_int_equal(fw_close(&p), OK);
	}
}

/* A doorbell with part of an element, or with more than the ring: the card turns the pipe off. */
static void test_hostile(void **state)
{
	static const uint32_t units[] = { 1, 63, 65, 4160, 0x1ffff };
	struct fw_host *h = *state;
	struct end tx;

	for (unsigned int i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		struct nfp_chan_fw_req req = { .cmd = NFP_CHAN_FW_CMD_CLOSE, .pipe = 0 };

		end_open(&tx, h, 0, CHAN_ID_LOOP64_IN, 12);
		end_doorbell(&tx, RING_REG_DATA, units[i]);
		host_run(h->host);
		assert_int_equal(ring_space(&tx.r), -EIO);
		assert_int_equal(fw_request(h, &req), OK);
	}
}

/*
 * The host is busy with the first send: the card writes one record for many further sends. If the
 * card's contexts are slow, at random, the first record may show more than one send.
 */
static void test_reactive(void **state)
{
	struct fw_host *h = *state;
	int slow = hal_swap_get() == HAL_SWAP_RANDOM;
	struct board_tlp_count c;
	struct end ctl, rx;
	const uint8_t *data;
	ssize_t avail;

	end_open(&ctl, h, 0, CHAN_ID_SOURCE_CTL, 12);
	end_open(&rx, h, 1, CHAN_ID_SOURCE64, 16);
	board_tlp_clear(h->host->b);
	ask_source(&ctl, 64 * 1000, 64, SOURCE_64);
	avail = ring_avail(&rx.r, &data);
	assert_in_range(avail, 64, slow ? 64 * 1000 : 64);
	/* Giving part of that back is enough for the card to write the next record. */
	ring_take_many(&rx.r, (uint32_t)avail / 64);
	assert_int_equal(ring_release(&rx.r, 1), 0);
	ring_flush(&rx.r);
	host_run(h->host);
	assert_int_equal(ring_avail(&rx.r, &data), 64 * 1000 - avail);
	board_tlp_get(h->host->b, BOARD_TLP_NOTE, &c);
	assert_in_range(c.dev_posted, slow ? 2 : 3, slow ? 4 : 3);	/* and the request's */
	board_tlp_get(h->host->b, BOARD_TLP_MSIX, &c);
	assert_int_equal(c.dev_posted, 0);
}

/*
 * The host leaves all that it was shown, because a record of its own format is not whole. The next look
 * asks the card, and the look after that shows what has come since.
 */
static void test_left(void **state)
{
	struct fw_host *h = *state;
	struct end ctl, rx;
	const uint8_t *data;
	int64_t first;

	end_open(&ctl, h, 0, CHAN_ID_SOURCE_CTL, 12);
	end_open(&rx, h, 1, CHAN_ID_SOURCE64, 16);
	ask_source(&ctl, 64 * 100, 64, SOURCE_64);
	first = ring_avail(&rx.r, &data);
	assert_in_range(first, 64, 64 * 99);
	assert_int_equal(ring_avail(&rx.r, &data), first);
	host_run(h->host);
	assert_int_equal(ring_avail(&rx.r, &data), 64 * 100);
	ring_consume(&rx.r, 64 * 60);
	assert_int_equal(ring_avail(&rx.r, &data), 64 * 40);
	ask_source(&ctl, 64, 64, SOURCE_64);
	ring_avail(&rx.r, &data);
	host_run(h->host);
	assert_int_equal(ring_avail(&rx.r, &data), 64 * 41);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		T(test_left),
		T(test_bytes),
		T(test_bytes_large_ring),
		T(test_elements),
		T(test_elements_large_ring),
		T(test_source),
		T(test_close),
		T(test_arm),
		T(test_arm_unread_bytes),
		T(test_arm_unread_elements),
		T(test_arm_room),
		T(test_open),
		T(test_hostile),
		T(test_reactive),
	};

	random_state = random_seed(1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
