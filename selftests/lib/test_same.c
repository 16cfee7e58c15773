// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_same.c - messages on their fast path and beside it, one and many at a time, against the
 * card's half in ring_peer.h: on handles of one thread and on shared ones.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "chan_handle.h"
#include "ring_int.h"
#include "ring_peer.h"

/* A handle whose doorbells are words of memory, as a real card's are stores to a page */
struct handle {
	struct nfpchan ch;
	struct peer *p;
	uint32_t reg[2];
};

static void handle_open(struct handle *h, const struct pipe_spec *s, bool alone)
{
	memset(h, 0, sizeof(*h));
	h->p = peer_new(s, &h->ch.ring);
	h->ch.fd = -1;
	h->ch.layout = h->p->layout;
	if (s->dir == NFP_CHAN_TO_NFP) {
		h->ch.ring.db.store = NULL;
		h->ch.ring.db.reg[RING_REG_DATA] = &h->reg[0];
		h->ch.ring.db.reg[RING_REG_ARM] = &h->reg[1];
	}
	ring_alone(&h->ch.ring, alone);
}

static int send_one(struct handle *h, const void *buf, size_t len)
{
	int ret;

	h->reg[0] = 0;
	ret = nfpchan_send(&h->ch, buf, len, NFPCHAN_NONBLOCK);
	h->p->told += (uint64_t)le32toh(h->reg[0]) * h->p->unit;
	return ret;
}

/* Lengths of messages: runs of one length, of which one is the longest that takes the fast path */
static uint32_t len_of(uint32_t nr)
{
	static const uint32_t lens[] = { 64, 64, 0, 1, 7, 8, 15, 16, 17, 64, 100, 255, 256, 257, 300 };

	return nr < 2000 ? 64 : lens[nr / 50 % (sizeof(lens) / sizeof(lens[0]))];
}

static void carry(const struct pipe_spec *s, bool alone, uint32_t count)
{
	bool to_host = s->dir == NFP_CHAN_TO_HOST;
	struct nfpchan_stats st = { .size = sizeof(st) };
	uint8_t want[320], got[320];
	uint32_t in = 0, out = 0;
	uint64_t bytes = 0;
	struct handle h;
	long n;

	handle_open(&h, s, alone);
	while (out < count) {
		for (;; in++) {
			fill(want, len_of(in), in);
			if (to_host ? !peer_send(h.p, want, len_of(in)) :
			    send_one(&h, want, len_of(in)))
				break;
			/* A sender may call poll() after any message. */
			assert_true(to_host || h.p->ctl->pos == h.p->told);
			bytes += len_of(in);
		}
		assert_true(in > out);
		for (; out < in; out++) {
			memset(got, 0xee, sizeof(got));
			n = to_host ? nfpchan_recv(&h.ch, got, 310, NFPCHAN_NONBLOCK) :
			    peer_recv(h.p, got);
			fill(want, len_of(out), out);
			assert_int_equal(n, len_of(out));
			assert_memory_equal(got, want, (size_t)n);
			assert_int_equal(got[n], 0xee);
		}
		/* poll() does not report a message that was taken. */
		assert_int_equal(h.p->ctl->pos, h.p->pos);
	}
	assert_int_equal(nfpchan_stats(&h.ch, &st), 0);
	assert_int_equal(st.msgs, in);
	assert_int_equal(st.bytes, bytes);
	assert_int_equal(h.ch.ring.seq, s->seq + in);
	assert_int_equal(h.p->ctl->seq, h.ch.ring.seq);
	assert_int_equal(to_host ? -1 : (long)st.doorbells, to_host ? -1 : (long)in);
	peer_free(h.p);
}

static void test_carry(void **state)
{
	for (int alone = 0; alone < 2; alone++) {
		carry(TO_HOST(.max_size = 300, .depth = 12), alone, 3000);
		carry(TO_NFP(.max_size = 300, .depth = 12), alone, 3000);
		carry(TO_HOST(.max_size = 300, .ring_size = 1 << 16, .depth = 200, .unit_shift = 6),
		      alone, 3000);
		carry(TO_NFP(.max_size = 300, .ring_size = 1 << 16, .depth = 200, .unit_shift = 6),
		      alone, 3000);
	}
}

static void test_numbers(void **state)
{
	for (int alone = 0; alone < 2; alone++) {
		carry(TO_HOST(.max_size = 300, .depth = 12, .seq = 0xffff - 100), alone, 500);
		carry(TO_NFP(.max_size = 300, .depth = 12, .seq = 0xffff - 100), alone, 500);
		carry(TO_HOST(.max_size = 300, .depth = 12, .seq = 0xffffffff - 100), alone, 500);
		carry(TO_NFP(.max_size = 300, .depth = 12, .seq = 0xffffffff - 100), alone, 500);
	}
}

/* The host's doorbells give the room back as early as without the fast path. */
static void test_room(void **state)
{
	struct handle h;
	uint8_t buf[64] = { 0 };
	uint32_t n;

	for (int alone = 0; alone < 2; alone++) {
		handle_open(&h, TO_HOST(.max_size = 64, .depth = 16), alone);
		for (n = 0; peer_send(h.p, buf, 64); n++)
			;
		assert_int_equal(n, 16);
		for (n = 1; n <= 16; n++) {
			assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), 64);
			/* A batch is a quarter of the ring. */
			assert_int_equal(h.p->told, n / 4 * 4 * 72);
		}
		peer_free(h.p);
	}
}

/* Send and receive @n messages of 64 bytes, so that the next one takes the fast path. */
static void warm(struct handle *h, uint32_t n)
{
	uint8_t buf[64] = { 0 };

	for (uint32_t i = 0; i < n + 2; i++)
		assert_true(peer_send(h->p, buf, 64));
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(nfpchan_recv(&h->ch, buf, 64, NFPCHAN_NONBLOCK), 64);
}

static void test_hostile(void **state)
{
	/* Headers of message 3, and what a receive returns */
	static const struct {
		struct nfp_chan_hdr hdr;
		long ret;
	} cases[] = {
		{ { 64, 3, 0 }, 64 }, { { 64, 3, 7 }, 64 }, { { 65, 3, 0 }, 65 }, { { 0, 3, 0 }, 0 },
		{ { 0, 0, 0 }, -EIO }, { { 64, 4, 0 }, -EIO }, { { 64, 2, 0 }, -EIO },
		{ { 200, 3, 0 }, -EIO }, { { 0xffffffff, 3, 0 }, -EIO },
	};
	uint8_t buf[320];
	struct handle h;

	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		handle_open(&h, TO_HOST(.depth = 12), i % 2);
		warm(&h, 2);
		memcpy(h.p->data + 2 * 72, &cases[i / 2].hdr, 8);
		assert_int_equal(nfpchan_recv(&h.ch, buf, sizeof(buf), NFPCHAN_NONBLOCK),
				 cases[i / 2].ret);
		peer_free(h.p);
	}
}

static void test_ends(void **state)
{
	uint8_t buf[64] = { 0 };
	struct handle h;

	for (int alone = 0; alone < 2; alone++) {
		/* The kernel has replaced the ring's pages: what was copied is not the card's. */
		handle_open(&h, TO_HOST(.depth = 12), alone);
		warm(&h, 2);
		peer_note(h.p, NFP_CHAN_STATE_GONE);
		assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), -ENODEV);
		peer_free(h.p);
		/* The ME process has ended: its last messages come first. */
		handle_open(&h, TO_HOST(.depth = 12), alone);
		warm(&h, 2);
		peer_note(h.p, NFP_CHAN_STATE_EPIPE);
		assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), 64);
		assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), 64);
		assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), -EPIPE);
		peer_free(h.p);
		handle_open(&h, TO_NFP(.depth = 12), alone);
		assert_int_equal(send_one(&h, buf, 64), 0);
		assert_int_equal(send_one(&h, buf, 64), 0);
		peer_note(h.p, NFP_CHAN_STATE_EPIPE);
		assert_int_equal(send_one(&h, buf, 64), -EPIPE);
		peer_free(h.p);
	}
}

static void test_borrowed(void **state)
{
	uint8_t buf[64] = { 0 };
	const void *data;
	struct handle h;

	for (int alone = 0; alone < 2; alone++) {
		handle_open(&h, TO_HOST(.depth = 12), alone);
		warm(&h, 3);
		assert_int_equal(nfpchan_borrow(&h.ch, &data, NFPCHAN_NONBLOCK), 64);
		assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), -EBUSY);
		assert_int_equal(nfpchan_release(&h.ch, 1), 0);
		assert_int_equal(nfpchan_recv(&h.ch, buf, 63, NFPCHAN_NONBLOCK), -EMSGSIZE);
		assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), 64);
		assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), -EAGAIN);
		peer_free(h.p);
	}
}

/* ---- many at a time ---- */

#define MANY	16	/* messages of a call, at most */

/* Receive until nothing is there, by copies or by loans, and check the messages from @out on. */
static uint32_t get_all(struct handle *h, uint32_t out, bool borrow, size_t size)
{
	struct nfpchan_msg m[MANY];
	uint8_t buf[2048], want[320];
	ssize_t n, i;

	for (;;) {
		n = borrow ? nfpchan_borrow_many(&h->ch, m, MANY, NFPCHAN_NONBLOCK) :
		    nfpchan_recv_msgs(&h->ch, buf, size, m, MANY, NFPCHAN_NONBLOCK);
		if (n == -EAGAIN)
			return out;
		assert_in_range(n, 1, MANY);
		for (i = 0; i < n; i++, out++) {
			fill(want, len_of(out), out);
			assert_int_equal(m[i].len, len_of(out));
			assert_memory_equal(m[i].data, want, m[i].len);
			assert_true(borrow || ((const uint8_t *)m[i].data - buf) % 8 == 0);
			assert_true(borrow || (const uint8_t *)m[i].data + m[i].len <= buf + size);
		}
		/* In two parts, as a program may that works on some of them longer */
		assert_int_equal(borrow ? nfpchan_release(&h->ch, (unsigned int)n / 2) : 0, 0);
		assert_int_equal(borrow ? nfpchan_release(&h->ch, (unsigned int)(n - n / 2)) : 0, 0);
	}
}

static void many_to_host(const struct pipe_spec *s, bool alone, bool borrow, size_t size)
{
	struct nfpchan_stats st = { .size = sizeof(st) };
	uint32_t in = 0, out = 0;
	uint8_t want[320];
	struct handle h;

	handle_open(&h, s, alone);
	while (out < 4000) {
		for (;; in++) {
			fill(want, len_of(in), in);
			if (!peer_send(h.p, want, len_of(in)))
				break;
		}
		assert_true(in > out);
		out = get_all(&h, out, borrow, size);
		assert_int_equal(out, in);
		assert_int_equal(h.p->ctl->pos, h.p->pos);
	}
	assert_int_equal(nfpchan_stats(&h.ch, &st), 0);
	assert_int_equal(st.msgs, in);
	assert_int_equal(st.borrowed, 0);
	peer_free(h.p);
}

static void many_to_nfp(const struct pipe_spec *s, bool alone)
{
	struct nfpchan_stats st = { .size = sizeof(st) };
	uint8_t body[MANY][320], want[320];
	struct nfpchan_msg m[MANY];
	uint32_t in = 0, out = 0;
	struct handle h;
	ssize_t n;

	handle_open(&h, s, alone);
	while (out < 4000) {
		for (uint32_t i = 0; i < MANY; i++) {
			fill(body[i], len_of(in + i), in + i);
			m[i] = (struct nfpchan_msg){ body[i], len_of(in + i) };
		}
		h.reg[0] = 0;
		n = nfpchan_send_msgs(&h.ch, m, 1 + in % MANY, NFPCHAN_NONBLOCK);
		h.p->told += (uint64_t)le32toh(h.reg[0]) * h.p->unit;
		if (n > 0) {
			in += (uint32_t)n;
			assert_int_equal(h.p->ctl->pos, h.p->told);
			continue;
		}
		assert_int_equal(n, -EAGAIN);
		assert_true(in > out);
		for (; out < in; out++) {
			fill(want, len_of(out), out);
			assert_int_equal(peer_recv(h.p, body[0]), len_of(out));
			assert_memory_equal(body[0], want, len_of(out));
		}
	}
	assert_int_equal(nfpchan_stats(&h.ch, &st), 0);
	assert_int_equal(st.msgs, in);
	peer_free(h.p);
}

static void test_many(void **state)
{
	const uint32_t seqs[] = { 0, 0xffff - 100, 0xffffffff - 100 };

	for (int alone = 0; alone < 2; alone++)
		for (size_t i = 0; i < 3; i++) {
			many_to_host(TO_HOST(.max_size = 300, .depth = 12, .seq = seqs[i]), alone, true, 0);
			many_to_host(TO_HOST(.max_size = 300, .depth = 12, .seq = seqs[i]), alone, false, 300);
			many_to_host(TO_HOST(.max_size = 300, .ring_size = 1 << 16, .depth = 200, .seq = seqs[i]),
				     alone, false, 2048);
			many_to_nfp(TO_NFP(.max_size = 300, .depth = 12, .seq = seqs[i]), alone);
			many_to_nfp(TO_NFP(.max_size = 300, .ring_size = 1 << 16, .depth = 200, .seq = seqs[i]),
				    alone);
		}
}

/* On the fast path of many messages the third one is not as it should be, or the card has gone. */
static void test_many_hostile(void **state)
{
	static const struct {
		struct nfp_chan_hdr hdr;
		long n;
	} cases[] = {
		{ { 64, 5, 0 }, 4 }, { { 64, 5, 7 }, 4 }, { { 0, 5, 0 }, 3 }, { { 0, 0, 0 }, 2 },
		{ { 64, 6, 0 }, 2 }, { { 64, 4, 0 }, 2 }, { { 300, 5, 0 }, 2 }, { { 0xffffffff, 5, 0 }, 2 },
	};
	struct nfpchan_msg m[MANY];
	uint8_t buf[512] = { 0 };
	struct handle h;
	long n;

	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		handle_open(&h, TO_HOST(.depth = 12), true);
		for (n = 0; n < 6; n++)
			assert_true(peer_send(h.p, buf, 64));
		for (n = 0; n < 2; n++)
			assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), 64);
		memcpy(h.p->data + 4 * 72, &cases[i / 2].hdr, 8);
		n = i % 2 ? nfpchan_borrow_many(&h.ch, m, MANY, NFPCHAN_NONBLOCK) :
		    nfpchan_recv_msgs(&h.ch, buf, 512, m, MANY, NFPCHAN_NONBLOCK);
		assert_int_equal(n, cases[i / 2].n);
		assert_int_equal(m[0].len, 64);
		assert_int_equal(m[1].len, 64);
		/* The messages before a wrong header are valid, the next call says what is wrong. */
		if (n == 2)
			assert_int_equal(nfpchan_borrow_many(&h.ch, m, MANY, NFPCHAN_NONBLOCK), -EIO);
		peer_free(h.p);
	}
	handle_open(&h, TO_HOST(.depth = 12), true);
	warm(&h, 2);
	peer_note(h.p, NFP_CHAN_STATE_GONE);
	assert_int_equal(nfpchan_recv_msgs(&h.ch, buf, 512, m, MANY, NFPCHAN_NONBLOCK), -ENODEV);
	peer_free(h.p);
	handle_open(&h, TO_NFP(.depth = 12), true);
	m[0] = m[1] = (struct nfpchan_msg){ buf, 64 };
	assert_int_equal(nfpchan_send_msgs(&h.ch, m, 2, NFPCHAN_NONBLOCK), 2);
	peer_note(h.p, NFP_CHAN_STATE_EPIPE);
	assert_int_equal(nfpchan_send_msgs(&h.ch, m, 2, NFPCHAN_NONBLOCK), -EPIPE);
	peer_free(h.p);
}

/* Calls while messages are borrowed that the fast path has lent, and after their return */
static void test_many_lent(void **state)
{
	struct nfpchan_stats st = { .size = sizeof(st) };
	uint8_t buf[512] = { 0 };
	struct nfpchan_msg m[MANY];
	struct handle h;

	handle_open(&h, TO_HOST(.depth = 12), true);
	for (int i = 0; i < 9; i++)
		assert_true(peer_send(h.p, buf, 64));
	for (int i = 0; i < 2; i++)
		assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), 64);
	assert_int_equal(nfpchan_borrow_many(&h.ch, m, 3, NFPCHAN_NONBLOCK), 3);
	assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), -EBUSY);
	assert_int_equal(nfpchan_recv_msgs(&h.ch, buf, 512, m, MANY, NFPCHAN_NONBLOCK), -EBUSY);
	assert_int_equal(nfpchan_release(&h.ch, 4), -EINVAL);
	/* More of them, so the first three are not all any more */
	assert_int_equal(nfpchan_borrow_many(&h.ch, m, 2, NFPCHAN_NONBLOCK), 2);
	assert_int_equal(nfpchan_release(&h.ch, 3), 0);
	assert_int_equal(nfpchan_release(&h.ch, 2), 0);
	assert_int_equal(nfpchan_borrow_many(&h.ch, m, MANY, NFPCHAN_NONBLOCK), 2);
	/* poll() does not report what is borrowed, and the room is not the card's yet. */
	assert_int_equal(h.p->ctl->pos, 9 * 72);
	assert_in_range(h.p->told, 0, 7 * 72);
	assert_int_equal(nfpchan_stats(&h.ch, &st), 0);
	assert_int_equal(st.msgs, 9);
	assert_int_equal(st.borrowed, 2);
	assert_int_equal(nfpchan_release(&h.ch, 2), 0);
	assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), -EAGAIN);
	assert_int_equal(h.p->told, 9 * 72);
	peer_free(h.p);
}

static void test_many_refused(void **state)
{
	static const struct nfp_chan_hdr bad = { 64, 4, 0 };
	uint8_t buf[512] = { 0 };
	struct nfpchan_msg m[MANY], out[2] = { { buf, 64 }, { buf, 257 } };
	struct handle h;

	handle_open(&h, TO_HOST(.depth = 12), true);
	warm(&h, 1);
	assert_int_equal(nfpchan_recv_msgs(&h.ch, buf, 63, m, MANY, NFPCHAN_NONBLOCK), -EMSGSIZE);
	assert_int_equal(nfpchan_recv_msgs(&h.ch, buf, 64, m, 0, NFPCHAN_NONBLOCK), -EINVAL);
	assert_int_equal(nfpchan_send_msgs(&h.ch, out, 2, NFPCHAN_NONBLOCK), -EBADF);
	assert_int_equal(nfpchan_borrow_many(&h.ch, m, 1, NFPCHAN_NONBLOCK), 1);
	assert_int_equal(nfpchan_recv_msgs(&h.ch, buf, 512, m, MANY, NFPCHAN_NONBLOCK), -EBUSY);
	assert_int_equal(nfpchan_release(&h.ch, 2), -EINVAL);
	assert_int_equal(nfpchan_release(&h.ch, 1), 0);
	/* Message 3 has the header of message 4: the one before it is received, then comes the error. */
	assert_true(peer_send(h.p, buf, 64));
	memcpy(h.p->data + 2 * 72, &bad, 8);
	assert_int_equal(nfpchan_recv_msgs(&h.ch, buf, 512, m, MANY, NFPCHAN_NONBLOCK), -EIO);
	peer_free(h.p);
	handle_open(&h, TO_NFP(.depth = 12), true);
	h.reg[0] = 0;
	/* The second one is too long: the first is sent, and the next call says so. */
	assert_int_equal(nfpchan_send_msgs(&h.ch, out, 2, NFPCHAN_NONBLOCK), 1);
	assert_int_equal(nfpchan_send_msgs(&h.ch, out + 1, 1, NFPCHAN_NONBLOCK), -EMSGSIZE);
	assert_int_equal(nfpchan_recv_msgs(&h.ch, buf, 512, m, MANY, NFPCHAN_NONBLOCK), -EBADF);
	peer_free(h.p);
}

/* Messages and elements are waiting, so a fast path of the other direction would have them. */
static void test_direction(void **state)
{
	uint8_t buf[64] = { 0 };
	struct handle h;

	for (int alone = 0; alone < 2; alone++) {
		handle_open(&h, TO_HOST(.depth = 12), alone);
		warm(&h, 2);
		assert_int_equal(nfpchan_send(&h.ch, buf, 64, NFPCHAN_NONBLOCK), -EBADF);
		peer_free(h.p);
		handle_open(&h, TO_NFP(.depth = 12), alone);
		assert_int_equal(send_one(&h, buf, 64), 0);
		assert_int_equal(nfpchan_recv(&h.ch, buf, 64, NFPCHAN_NONBLOCK), -EBADF);
		peer_free(h.p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_carry),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_borrowed),
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_many_hostile),
		cmocka_unit_test(test_many_lent),
		cmocka_unit_test(test_many_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
