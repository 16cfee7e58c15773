// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_pit.c - channels whose contents nobody sends back: their processes compare what
 * says how it should be, and end with the first that is not; the end of a channel to the
 * NFP, as its senders see it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include "pit.h"
#include "ring_end.h"
#include "ring_int.h"

static void fill(uint8_t *buf, uint32_t len, uint8_t seed)
{
	struct pit_msg say = { .magic = PIT_MAGIC, .len = len };

	for (uint32_t i = sizeof(say); i < len; i++)
		buf[i] = (uint8_t)(seed + i * 7);
	say.sum = pit_sum(PIT_SUM, buf + sizeof(say), len - sizeof(say));
	memcpy(buf, &say, sizeof(say));
}

static void send(struct end *e, const uint8_t *buf, uint32_t len)
{
	assert_int_equal(ring_put(&e->r, buf, len), 0);
	ring_kick(&e->r);
	inproc_run(e->h->ip);
}

/* Taken, and the channel is as it was. */
static void good(struct end *e, const uint8_t *buf, uint32_t len)
{
	send(e, buf, len);
	assert_int_equal(ring_taken(&e->r, e->r.pos), 0);
	assert_int_equal(ring_state(&e->r), -EAGAIN);
}

/* Taken, too, but the process has ended. */
static void bad(struct end *e, const uint8_t *buf, uint32_t len)
{
	send(e, buf, len);
	assert_int_equal(ring_taken(&e->r, e->r.pos), 0);
	assert_int_equal(ring_refresh(&e->r), 0);
	assert_int_equal(ring_state(&e->r), -EPIPE);
}

/* @len bytes of which the one at @wrong, counted from the end of the header, is another. */
static void judged(struct fw_host *h, unsigned int chan, uint32_t len, uint32_t wrong)
{
	uint8_t buf[2048], any[2048];
	struct end e;

	end_open(&e, h, 0, chan, 14);
	memset(any, 0xff, sizeof(any));
	good(&e, any, len);
	for (uint8_t seed = 0; seed < 100; seed++) {
		fill(buf, len, seed);
		good(&e, buf, len);
	}
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
	judged(*state, CHAN_ID_SINK64, 64, 47);
}

/* Part of it is not all, though what there is of it is right. */
static void test_short(void **state)
{
	uint8_t buf[200];
	struct end e;

	end_open(&e, *state, 0, CHAN_ID_PIT, 14);
	fill(buf, 200, 3);
	good(&e, buf, 8);	/* too little to say anything */
	fill(buf, 100, 3);
	((struct pit_msg *)buf)->len = 200;
	bad(&e, buf, 100);
}

/* The second of several elements at a time. */
static void test_several(void **state)
{
	uint8_t buf[4 * 64];
	struct end e;

	end_open(&e, *state, 0, CHAN_ID_SINK64, 14);
	for (unsigned int i = 0; i < 4; i++)
		fill(buf + 64 * i, 64, (uint8_t)i);
	good(&e, buf, sizeof(buf));
	buf[64 + 30] ^= 0x80;
	bad(&e, buf, sizeof(buf));
}

/* Who did nothing wrong sees the end as well, and nobody opens it again. */
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

#define T(f)	cmocka_unit_test_setup_teardown(f, fw_setup, fw_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		T(test_pit),
		T(test_pit64),
		T(test_sink64),
		T(test_short),
		T(test_several),
		T(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
