// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_ring_bad.c - the library's ring code against a card that breaks the
 * protocol, ends, or goes away.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "ring_peer.h"

/* The ring must have failed, with @part in the text, and stay so. */
static void assert_dead(struct ring *r, const char *part)
{
	assert_int_equal(take(r, NULL), -EIO);
	assert_non_null(strstr(text(r), part));
	assert_int_equal(take(r, NULL), -EIO);
	assert_int_equal(ring_ready(r), -EIO);
	assert_int_equal(ring_arm(r), -EIO);
}

static void test_bad_header(void **state)
{
	static const struct {
		uint32_t len;
		uint16_t seq;
		uint32_t elem_size;
		const char *text;
	} bad[] = {
		{ 257, 1, 0, "header at 0 says 257 bytes, the channel has at most 256" },
		{ UINT32_MAX, 1, 0, "says 4294967295 bytes" },
		{ 64, 1, 0, "header at 0 says 64 bytes, the card wrote up to 40" },
		{ 32, 2, 0, "header at 0 is of message 2, due is 1" },
		{ 32, 0, 0, "is of message 0, due is 1" },
		{ 24, 1, 32, "says 24 bytes" },
	};
	struct nfp_chan_hdr *hdr;
	uint8_t buf[32] = { 0 };
	struct ring r;
	struct peer *p;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		p = peer_new(TO_HOST(.elem_size = bad[i].elem_size), &r);
		assert_true(peer_send(p, buf, 32));
		hdr = (void *)p->data;
		hdr->len = htole32(bad[i].len);
		hdr->seq = htole16(bad[i].seq);
		assert_dead(&r, bad[i].text);
		peer_free(p);
	}
}

static void test_bad_position(void **state)
{
	static const struct {
		uint64_t pos;
		uint32_t state;
		const char *text;
	} bad[] = {
		{ 36, 0, "from 40 to 36" },
		{ 32, 0, "from 40 to 32" },
		{ 44, 0, "from 40 to 44" },
		{ 8192, 0, "card is at 8192" },
		{ 40, 77, "pipe state is 77" },
	};
	uint8_t buf[32] = { 0 };
	struct ring r;
	struct peer *p;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		p = peer_new(TO_HOST(), &r);
		assert_true(peer_send(p, buf, 32));
		assert_int_equal(take(&r, NULL), 32);
		p->pos = bad[i].pos;
		peer_note(p, bad[i].state);
		assert_dead(&r, bad[i].text);
		peer_free(p);
	}
	/* To NFP: the card took more than was sent */
	p = peer_new(TO_NFP(), &r);
	assert_int_equal(ring_put(&r, buf, 32), 0);
	p->pos = 48;
	peer_note(p, 0);
	assert_int_equal(ring_put(&r, buf, 32), -EIO);
	assert_non_null(strstr(text(&r), "card consumed up to 48, only 40 was sent"));
	peer_free(p);
}

static void test_ends(void **state)
{
	static const struct {
		uint32_t state;
		long first;
		int last;
	} ends[] = {
		{ NFP_CHAN_STATE_EPIPE, 32, -EPIPE },	/* messages before the end are received */
		{ NFP_CHAN_STATE_FAULT, 32, -EIO },
		{ NFP_CHAN_STATE_GONE, -ENODEV, -ENODEV },
	};
	uint8_t buf[32] = { 0 };
	struct ring r;
	struct peer *p;
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		p = peer_new(TO_HOST(), &r);
		assert_true(peer_send(p, buf, 32));
		peer_note(p, ends[i].state);
		assert_int_equal(take(&r, NULL), ends[i].first);
		assert_int_equal(take(&r, NULL), ends[i].last);
		assert_int_equal(ring_ready(&r), ends[i].last);
		peer_free(p);
		p = peer_new(TO_NFP(), &r);
		peer_note(p, ends[i].state);
		assert_int_equal(ring_put(&r, buf, 32), ends[i].last);
		assert_int_equal(p->data_rings, 0);
		peer_free(p);
	}
}

/* The card is removed while a message is read: the ring is replaced by zeros. */
static void test_gone_under_a_reader(void **state)
{
	uint8_t buf[32] = { 0 };
	const void *data;
	struct ring r;
	struct peer *p;
	uint32_t len;

	for (int taken = 0; taken < 2; taken++) {
		p = peer_new(TO_HOST(), &r);
		assert_true(peer_send(p, buf, 32));
		assert_true(peer_send(p, buf, 32));
		if (taken)
			assert_int_equal(take(&r, NULL), 32);
		else
			assert_int_equal(ring_peek(&r, &data, &len), 0);
		memset(p->data, 0, p->layout.ring_size);
		peer_note(p, NFP_CHAN_STATE_GONE);
		if (!taken)
			assert_int_equal(ring_verify(&r), -ENODEV);
		assert_int_equal(take(&r, NULL), -ENODEV);
		peer_free(p);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_header),
		cmocka_unit_test(test_bad_position),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_gone_under_a_reader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
