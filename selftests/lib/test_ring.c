// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_ring.c - the library's ring code against the card's half in ring_peer.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "ring_peer.h"
#include "ring_int.h"

static uint32_t some_len(uint32_t nr, uint32_t max)
{
	return nr % 5 ? nr * 37 % (max + 1) : nr % 2 ? 0 : max;
}

/* ---- messages ---- */

static void carry(const struct pipe_spec *s, uint32_t count)
{
	uint8_t want[4096], got[4096];
	uint32_t in, out = 0, len;
	struct ring r;
	struct peer *p = peer_new(s, &r);
	long n;

	/* Send as long as there is room, then receive until the ring is empty */
	for (in = 0; out < count;) {
		for (;;) {
			len = s->elem_size ? s->elem_size : some_len(in, p->layout.max_size);
			fill(want, len, in);
			if (s->dir == NFP_CHAN_TO_HOST ? !peer_send(p, want, len) :
			    ring_put(&r, want, len) != 0)
				break;
			in++;
		}
		assert_true(in > out);
		while (out < in) {
			n = s->dir == NFP_CHAN_TO_HOST ? take(&r, got) : peer_recv(p, got);
			len = s->elem_size ? s->elem_size : some_len(out, p->layout.max_size);
			fill(want, len, out);
			assert_int_equal(n, len);
			assert_memory_equal(got, want, len);
			out++;
		}
		assert_int_equal(s->dir == NFP_CHAN_TO_HOST ? take(&r, got) : peer_recv(p, got),
				 s->dir == NFP_CHAN_TO_HOST ? -EAGAIN : -1);
		/* The doorbell never counts more messages than there are, and in the end all */
		ring_flush(&r);
		assert_int_equal(p->told, p->pos);
		assert_int_equal(p->ctl->pos, p->pos);
		assert_int_equal(p->ctl->rung, p->pos);
		assert_int_equal(p->ctl->seq, p->seq);
	}
	assert_true(p->pos - s->pos > 3ull * p->layout.ring_size);
	peer_free(p);
}

static void test_wrap(void **state)
{
	carry(TO_HOST(), 500);
	carry(TO_NFP(), 500);
	carry(TO_HOST(.elem_size = 80, .depth = 46), 500);
	carry(TO_NFP(.elem_size = 80, .depth = 46), 500);
	/* One message fills the ring */
	carry(TO_HOST(.max_size = 4088, .depth = 1), 100);
	carry(TO_NFP(.max_size = 4088, .depth = 1), 100);
}

static void test_large_units(void **state)
{
	carry(TO_HOST(.unit_shift = 6), 500);
	carry(TO_NFP(.unit_shift = 6), 500);
	carry(TO_HOST(.ring_size = 1 << 20, .unit_shift = 4, .max_size = 4000, .depth = 200), 3000);
	carry(TO_NFP(.ring_size = 1 << 20, .unit_shift = 4, .max_size = 4000, .depth = 200), 3000);
}

static void test_counts_wrap(void **state)
{
	carry(TO_HOST(.pos = (1ull << 32) - 4096, .seq = 0xffff - 100), 500);
	carry(TO_NFP(.pos = (1ull << 32) - 4096, .seq = 0xffff - 100), 500);
	carry(TO_HOST(.pos = (1ull << 63) - 4096, .seq = 0xffffffff - 100), 500);
	carry(TO_NFP(.pos = (1ull << 63) - 4096, .seq = 0xffffffff - 100), 500);
}

static void test_sizes(void **state)
{
	uint8_t buf[300] = { 0 };
	struct ring r;
	struct peer *p = peer_new(TO_NFP(.depth = 4), &r);

	assert_int_equal(ring_put(&r, buf, 257), -EMSGSIZE);
	assert_string_equal(text(&r), "message of 257 bytes, the channel takes at most 256");
	assert_int_equal(ring_put(&r, buf, UINT32_MAX), -EMSGSIZE);
	assert_int_equal(ring_put(&r, buf, 256), 0);
	peer_free(p);

	p = peer_new(TO_NFP(.elem_size = 16), &r);
	assert_int_equal(ring_put(&r, buf, 15), -EMSGSIZE);
	assert_int_equal(ring_put(&r, buf, 17), -EMSGSIZE);
	assert_int_equal(p->data_rings, 0);
	peer_free(p);
}

/* No length is mistaken for the mark that turns the fast path off. */
static void test_short_way(void **state)
{
	static const size_t odd[] = { 0, 64, UINT32_MAX, SIZE_MAX };
	uint8_t buf[300] = { 0 };
	const void *data;
	struct ring tx, rx;
	struct peer *p = peer_new(TO_NFP(.depth = 4), &tx), *q = peer_new(TO_HOST(.depth = 4), &rx);
	uint32_t len;

	/* The messages are known already, so that receives could take the fast path */
	for (len = 1; len <= 3; len++)
		assert_true(peer_send(q, buf, len));
	assert_int_equal(ring_peek(&rx, &data, &len), 0);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		assert_false(ring_put_one(&tx, tx.put_stop, tx.fast, buf, odd[i]));
		assert_false(ring_get_one(&rx, rx.get_stop, rx.fast, buf, odd[i]));
	}
	assert_int_equal(p->data_rings, 0);
	peer_free(p);
	peer_free(q);
}

static void test_direction(void **state)
{
	struct ring r;
	struct peer *p = peer_new(TO_NFP(), &r);

	assert_int_equal(take(&r, NULL), -EBADF);
	peer_free(p);
	p = peer_new(TO_HOST(), &r);
	assert_int_equal(ring_put(&r, "", 1), -EBADF);
	peer_free(p);
}

static void test_geometry(void **state)
{
	static const struct nfp_chan_layout good = {
		.dir = NFP_CHAN_TO_HOST, .kind = NFP_CHAN_MESSAGE, .ring_size = 4096, .unit_shift = 3,
		.max_size = 256, .depth = 8, .limit = 8 * 264,
	};
	struct nfp_chan_note note = { 0 };
	struct nfp_chan_ctl ctl = { 0 };
	struct ring_db db = { .ctx = NULL };
	struct nfp_chan_layout bad[8];
	struct ring r;
	size_t i;

	for (i = 0; i < 8; i++)
		bad[i] = good;
	bad[0].ring_size = 6000;
	bad[1].unit_shift = 2;
	bad[2].limit = 8192;
	bad[3].limit = 256;
	bad[4].dir = 3;
	bad[5].elem_size = 8;
	bad[6].kind = 3;
	bad[7].kind = NFP_CHAN_STREAM;	/* without elements */
	for (i = 0; i < 8; i++)
		assert_int_equal(ring_init(&r, &bad[i], NULL, &note, &ctl, &db), -EINVAL);
	assert_int_equal(ring_init(&r, &good, NULL, &note, &ctl, &db), 0);
	ctl.pos = 4;
	assert_int_equal(ring_init(&r, &good, NULL, &note, &ctl, &db), -EINVAL);
}

/* ---- room ---- */

static void test_credits_batched(void **state)
{
	struct ring r;
	struct peer *p = peer_new(TO_HOST(.elem_size = 56, .depth = 64), &r);
	uint8_t buf[56] = { 0 };
	int i;

	for (i = 0; i < 640; i++) {
		assert_true(peer_send(p, buf, 56));
		assert_int_equal(take(&r, NULL), 56);
	}
	/* The ring has room for 64 messages: one doorbell for each 16 */
	assert_int_equal(p->data_rings, 40);
	assert_int_equal(r.count.doorbells, 40);
	peer_free(p);
}

/* Room that the library has not given back yet must not prevent the card's largest message. */
static void test_credits_leave_room(void **state)
{
	uint8_t buf[256] = { 0 };
	struct ring r;
	struct peer *p;
	uint32_t depth;

	for (depth = 1; depth <= 5; depth++) {
		p = peer_new(TO_HOST(.depth = depth), &r);
		for (uint32_t i = 0; i < 200; i++) {
			assert_true(peer_send(p, buf, i % 2 ? 256 : 1));
			assert_int_equal(take(&r, NULL), i % 2 ? 256 : 1);
		}
		peer_free(p);
	}
}

static void test_send_full(void **state)
{
	struct ring r;
	struct peer *p = peer_new(TO_NFP(.elem_size = 56, .depth = 4), &r);
	uint8_t buf[56] = { 0 };
	int i;

	for (i = 0; i < 4; i++)
		assert_int_equal(ring_put(&r, buf, 56), 0);
	assert_int_equal(ring_put(&r, buf, 56), -EAGAIN);
	assert_int_equal(ring_ready(&r), 0);
	assert_int_equal(p->data_rings, 4);
	assert_int_equal(peer_recv(p, buf), 56);
	assert_int_equal(ring_ready(&r), 1);
	assert_int_equal(ring_put(&r, buf, 56), 0);
	peer_free(p);
}

static void test_rendezvous(void **state)
{
	uint8_t buf[256] = { 0 };
	struct ring r;
	struct peer *p = peer_new(TO_NFP(.rendezvous = true), &r);
	uint64_t end;

	/* A rendezvous has one message at a time, also if there were room */
	assert_int_equal(ring_put(&r, buf, 1), 0);
	end = r.pos;
	assert_int_equal(ring_put(&r, buf, 1), -EAGAIN);
	assert_int_equal(ring_taken(&r, end), -EAGAIN);
	assert_int_equal(peer_recv(p, buf), 1);
	assert_int_equal(ring_taken(&r, end), 0);
	assert_int_equal(ring_put(&r, buf, 1), 0);
	peer_free(p);

	/* To host: each message's room is given back at once, as its sender waits for that */
	p = peer_new(TO_HOST(.rendezvous = true), &r);
	for (int i = 1; i <= 10; i++) {
		assert_true(peer_send(p, buf, 1));
		assert_false(peer_send(p, buf, 1));
		assert_int_equal(take(&r, NULL), 1);
		assert_int_equal(p->data_rings, i);
	}
	peer_free(p);
}

/* A message that was taken just before the card was removed counts as delivered. */
static void test_taken_then_gone(void **state)
{
	uint8_t buf[256] = { 0 };
	struct ring r;
	struct peer *p = peer_new(TO_NFP(.rendezvous = true), &r);

	assert_int_equal(ring_put(&r, buf, 8), 0);
	assert_int_equal(peer_recv(p, buf), 8);
	peer_note(p, NFP_CHAN_STATE_GONE);
	assert_int_equal(ring_taken(&r, r.pos), 0);
	assert_int_equal(ring_put(&r, buf, 8), -ENODEV);
	peer_free(p);
}

/* ---- borrowing ---- */

static void test_borrow(void **state)
{
	struct ring r;
	struct peer *p = peer_new(TO_HOST(.depth = 8), &r);
	const void *data[8];
	uint8_t buf[256];
	uint32_t len, i;

	for (i = 0; i < 8; i++) {
		fill(buf, i * 32, i);
		assert_true(peer_send(p, buf, i * 32));
	}
	for (i = 0; i < 8; i++) {
		assert_int_equal(ring_peek(&r, &data[i], &len), 0);
		assert_int_equal(len, i * 32);
		ring_take(&r, len);
	}
	/* The borrowed message was seen, but its room is not given back */
	assert_int_equal(p->ctl->pos, p->pos);
	assert_int_equal(ring_ready(&r), 0);
	ring_flush(&r);
	assert_int_equal(p->told, 0);
	for (i = 0; i < 8; i++) {
		fill(buf, i * 32, i);
		assert_memory_equal(data[i], buf, i * 32);
	}
	assert_int_equal(ring_release(&r, 9), -EINVAL);
	assert_int_equal(r.borrowed, 8);
	assert_int_equal(ring_release(&r, 3), 0);
	ring_flush(&r);
	assert_int_equal(p->told, 8 + 40 + 72);
	assert_int_equal(ring_release(&r, 5), 0);
	ring_flush(&r);
	assert_int_equal(p->told, p->pos);
	assert_int_equal(ring_release(&r, 1), -EINVAL);
	peer_free(p);
}

static void test_borrowed_header_changes(void **state)
{
	uint8_t buf[32] = { 0 };
	const void *data;
	struct ring r;
	struct peer *p = peer_new(TO_HOST(), &r);
	uint32_t len;

	for (int i = 0; i < 2; i++) {
		assert_true(peer_send(p, buf, 32));
		assert_int_equal(ring_peek(&r, &data, &len), 0);
		ring_take(&r, len);
	}
	*(uint32_t *)p->data = htole32(200);
	assert_int_equal(ring_release(&r, 1), -EIO);
	assert_int_equal(p->told, 0);
	peer_free(p);
}

/* ---- arming ---- */

static void test_arm(void **state)
{
	uint8_t buf[8] = { 0 };
	struct ring r;
	struct peer *p = peer_new(TO_HOST(.seq = 0xfffe), &r);
	uint32_t last = 0;

	for (unsigned int i = 0; i < 8; i++) {
		assert_int_equal(take(&r, NULL), -EAGAIN);
		assert_int_equal(ring_arm(&r), 0);
		assert_int_equal(p->fired, i);
		/*
		 * The arm register gets the value of the control page, and never the same value
		 * twice
		 */
		assert_int_equal(p->arm_reg, p->ctl->arm);
		assert_int_equal(p->arm_reg & 0xffff, (0xfffe + i) & 0xffff);
		assert_true(p->arm_reg != last);
		last = p->arm_reg;
		assert_true(peer_send(p, buf, 8));
		assert_int_equal(p->fired, i + 1);
		assert_int_equal(take(&r, NULL), 8);
	}
	/* Not armed: no interrupt */
	assert_true(peer_send(p, buf, 8));
	assert_int_equal(p->fired, 8);
	peer_free(p);
}

static void test_arm_after_message(void **state)
{
	uint8_t buf[8] = { 0 };
	struct ring r;
	struct peer *p = peer_new(TO_HOST(), &r);

	/*
	 * A message came between the look and the arm: the interrupt comes at once, and the
	 * message is seen
	 */
	assert_int_equal(take(&r, NULL), -EAGAIN);
	assert_true(peer_send(p, buf, 8));
	assert_int_equal(ring_arm(&r), 1);
	assert_int_equal(p->fired, 1);
	/* The end of the ME process also raises an interrupt */
	assert_int_equal(take(&r, NULL), 8);
	peer_note(p, NFP_CHAN_STATE_EPIPE);
	assert_int_equal(ring_arm(&r), -EPIPE);
	assert_int_equal(p->fired, 2);
	peer_free(p);
}

static void test_arm_to_nfp(void **state)
{
	uint8_t buf[256] = { 0 };
	struct ring r;
	struct peer *p = peer_new(TO_NFP(.depth = 1), &r);

	assert_int_equal(ring_put(&r, buf, 256), 0);
	assert_int_equal(ring_put(&r, buf, 256), -EAGAIN);
	assert_int_equal(ring_arm(&r), 0);
	assert_int_equal(p->fired, 0);
	assert_int_equal(peer_recv(p, buf), 256);
	assert_int_equal(p->fired, 1);
	assert_int_equal(ring_arm(&r), 1);
	peer_free(p);
}

/*
 * The kernel's poll() arms by the same word of the control page, and may write the doorbell at any
 * time.
 */
static void test_arm_with_kernel(void **state)
{
	struct ring r;
	struct peer *p = peer_new(TO_HOST(), &r);
	uint32_t old, val;
	int i;

	for (i = 0; i < 100; i++) {
		old = p->ctl->arm;
		val = (uint32_t)(i * 77 & 0xffff) | (~old & NFP_CHAN_ARM_TOGGLE);
		__atomic_exchange_n(&p->ctl->arm, val, __ATOMIC_SEQ_CST);
		assert_int_equal(ring_arm(&r), 0);
		/* The kernel's doorbell reaches the card after ours */
		peer_doorbell(p, RING_REG_ARM, (val - old) & NFP_CHAN_ARM_MASK);
		assert_int_equal(p->arm_reg, p->ctl->arm);
	}
	peer_free(p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_large_units),
		cmocka_unit_test(test_counts_wrap),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_short_way),
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_geometry),
		cmocka_unit_test(test_credits_batched),
		cmocka_unit_test(test_credits_leave_room),
		cmocka_unit_test(test_send_full),
		cmocka_unit_test(test_rendezvous),
		cmocka_unit_test(test_taken_then_gone),
		cmocka_unit_test(test_borrow),
		cmocka_unit_test(test_borrowed_header_changes),
		cmocka_unit_test(test_arm),
		cmocka_unit_test(test_arm_after_message),
		cmocka_unit_test(test_arm_to_nfp),
		cmocka_unit_test(test_arm_with_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
