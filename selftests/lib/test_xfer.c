// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_xfer.c - sends that are interrupted by a timeout, an error or another thread: over
 * the firmware in this process, with an ioctl() that fails as the test needs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include "card_handle.h"
#include "port_rig.h"
#include "ring_int.h"
#include "stream.h"

/* What the next ioctl() does, and the errno that it fails with. */
static struct {
	void (*meanwhile)(struct chan *c);
	struct chan *chan;
	int err;
	unsigned int calls;
} kernel;

/* Replaces the C library's ioctl(). */
int ioctl(int fd, unsigned long nr, ...)
{
	kernel.calls++;
	if (kernel.meanwhile)
		kernel.meanwhile(kernel.chan);
	errno = kernel.err;
	return kernel.err ? -1 : 0;
}

static uint64_t *note_words(struct chan *c)
{
	return c->end.note;
}

/* Move the record to the end of all that was sent: the card has taken it, or took it back. */
static void moved(struct chan *c)
{
	__atomic_store_n(note_words(c), htole64(c->ch.ring.pos), __ATOMIC_RELEASE);
}

static void ended(struct chan *c)
{
	__atomic_store_n(&note_words(c)[1], htole64((uint64_t)NFP_CHAN_STATE_EPIPE << 32),
			 __ATOMIC_RELEASE);
}

/* ---- a rendezvous send that times out ---- */

static void test_unsure(void **state)
{
	static const struct {
		int err, ret;
		void (*meanwhile)(struct chan *c);
	} cases[] = {
		{ 0, -EAGAIN, moved },
		{ EALREADY, 0, moved },
		/*
		 * The record moved, but it also moves when a message is taken back, so it does not
		 * tell.
		 */
		{ ETIMEDOUT, -EIO, NULL },
		{ ETIMEDOUT, -EIO, moved },
		{ EIO, -EIO, NULL },
		{ EIO, -EIO, moved },
		/* The ioctl() failed before it asked the card. */
		{ EINVAL, -EIO, NULL },
		{ EINVAL, 0, moved },
		{ EINVAL, -EPIPE, ended },
		{ ENODEV, 0, moved },
		{ ENODEV, -ENODEV, NULL },
	};
	struct chan tx;
	char text[100];

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		chan_plain(&tx, *state, i, CHAN_ID_RV_IN, 12);
		kernel.chan = &tx;
		kernel.err = cases[i].err;
		kernel.meanwhile = cases[i].meanwhile;
		kernel.calls = 0;
		assert_int_equal(nfpchan_send(&tx.ch, "x", 1, NFPCHAN_NONBLOCK), cases[i].ret);
		assert_int_equal(kernel.calls, 1);
		if (cases[i].ret == -EIO)
			assert_non_null(strstr(nfpchan_error(&tx.ch, text, sizeof(text)),
					       "could not be taken back"));
	}
}

/* ---- reserve and commit ---- */

static void reserve(struct chan *tx, size_t len)
{
	void *to;

	assert_int_equal(nfpchan_reserve(&tx->ch, &to, len, NFPCHAN_NONBLOCK), 0);
	memset(to, 0x55, len);
}

/* nfpchan_commit() fails with @err, and neither sends nor counts anything. */
static void commit_fails(struct chan *tx, size_t len, int err)
{
	struct ring r = tx->ch.ring;

	assert_int_equal(nfpchan_commit(&tx->ch, len), err);
	assert_int_equal(tx->ch.ring.pos, r.pos);
	assert_int_equal(tx->ch.ring.unrung, 0);
	assert_int_equal(tx->ch.ring.count.doorbells, r.count.doorbells);
}

static void test_commit(void **state)
{
	static const unsigned int ids[] = { CHAN_ID_ECHO_IN, CHAN_ID_LOOP64_IN };
	uint8_t other[64] = { 0 };
	struct chan tx;
	void *to;

	for (unsigned int i = 0; i < 2; i++) {
		chan_plain(&tx, *state, i, ids[i], 12);
		commit_fails(&tx, 64, -EINVAL);
		reserve(&tx, 64);
		assert_int_equal(nfpchan_commit(&tx.ch, 64), 0);
		commit_fails(&tx, 64, -EINVAL);
		/* A send after the reserve took its place in the ring. */
		reserve(&tx, 64);
		assert_int_equal(nfpchan_send(&tx.ch, other, 64, NFPCHAN_NONBLOCK), 0);
		commit_fails(&tx, 64, -EINVAL);
		/* A reserve that fails also discards the earlier reservation. */
		reserve(&tx, 64);
		assert_int_equal(nfpchan_reserve(&tx.ch, &to, 1 << 20, 0), -EMSGSIZE);
		commit_fails(&tx, 64, -EINVAL);
		/* The ME process ended after the reserve. */
		reserve(&tx, 64);
		ended(&tx);
		commit_fails(&tx, 64, -EPIPE);
	}
}

static void test_commit_fault(void **state)
{
	struct chan tx;

	chan_plain(&tx, *state, 0, CHAN_ID_LOOP64_IN, 12);
	reserve(&tx, 64);
	end_doorbell(&tx.end, RING_REG_DATA, 0x1ffff);
	host_run(tx.end.h->host);
	commit_fails(&tx, 64, -EIO);
	chan_plain(&tx, *state, 1, CHAN_ID_ECHO_IN, 12);
	reserve(&tx, 64);
	__atomic_store_n(&note_words(&tx)[1], htole64((uint64_t)NFP_CHAN_STATE_GONE << 32),
			 __ATOMIC_RELEASE);
	commit_fails(&tx, 64, -ENODEV);
	/* The handle remembers that the card is gone, whatever the record says later. */
	__atomic_store_n(&note_words(&tx)[1], 0, __ATOMIC_RELEASE);
	commit_fails(&tx, 64, -ENODEV);
}

/* ---- room for some elements ---- */

#define ROOM	10			/* elements that there is room for */
#define NAP_NS	20000000ll
/* Six that are shorter than a millisecond, and the last */
#define NAPS	(NAP_NS / 1000000 + 7)
#define SOON	10000000000ll

/*
 * Open a stream with room for @room elements. Its file is readable if there is room for one, as
 * poll() would say.
 */
static void nearly_full(struct chan *tx, struct fw_host *h, unsigned int room)
{
	static char buf[4096];

	chan_plain(tx, h, 0, CHAN_ID_LOOP64_IN, 12);
	tx->ch.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	assert_true(tx->ch.fd >= 0);
	if (!room)
		assert_int_equal(eventfd_write(tx->ch.fd, UINT64_MAX - 1), 0);
	assert_int_equal(nfpchan_send(&tx->ch, buf, 4096 - 64 * room, NFPCHAN_NONBLOCK), 0);
}

static void full_close(struct chan *tx)
{
	close(tx->ch.fd);
	chan_off(tx);
}

static int by_send(struct nfpchan *ch, int64_t timeout)
{
	char buf[64 * (ROOM + 1)] = { 0 };

	return nfpchan_send(ch, buf, sizeof(buf), timeout);
}

static int by_reserve(struct nfpchan *ch, int64_t timeout)
{
	void *to;

	return nfpchan_reserve(ch, &to, 64 * (ROOM + 1), timeout);
}

static int by_select(struct nfpchan *ch, int64_t timeout)
{
	char buf[64 * (ROOM + 1)] = { 0 };
	struct nfpchan_case c = { ch, buf, sizeof(buf), 1, 0 };
	int ret = nfpchan_select(&c, 1, timeout);

	return ret < 0 ? ret : (int)c.ret;
}

static int (*const ways[])(struct nfpchan *ch, int64_t timeout) = {
	by_send, by_reserve, by_select,
};

#define WAYS	(sizeof(ways) / sizeof(ways[0]))

/* A send of more than there is room for naps, as poll() would return at once. */
static void test_part(void **state)
{
	struct chan tx;

	for (unsigned int i = 0; i < WAYS; i++) {
		nearly_full(&tx, *state, ROOM);
		assert_int_equal(ways[i](&tx.ch, NAP_NS), -ETIMEDOUT);
		assert_in_range(tx.ch.sleeps, 1, NAPS);
		full_close(&tx);
		/* With no room at all it waits in poll(). */
		nearly_full(&tx, *state, 0);
		assert_int_equal(ways[i](&tx.ch, NAP_NS), -ETIMEDOUT);
		assert_int_equal(tx.ch.sleeps, 1);
		full_close(&tx);
	}
}

/* Once the other thread has slept for room, give it enough room. */
static void *taker(void *arg)
{
	struct nfpchan_stats s = { .size = sizeof(s) };
	struct chan *tx = arg;

	do
		sched_yield();
	while (!nfpchan_stats(&tx->ch, &s) && !s.sleeps);
	moved(tx);
	return NULL;
}

static void test_part_then_all(void **state)
{
	pthread_t thread;
	struct chan tx;

	for (unsigned int i = 0; i < WAYS; i++) {
		nearly_full(&tx, *state, ROOM);
		assert_int_equal(pthread_create(&thread, NULL, taker, &tx), 0);
		assert_int_equal(ways[i](&tx.ch, SOON), 0);
		pthread_join(thread, NULL);
		full_close(&tx);
	}
}

/* ---- a channel that returns what comes on another ---- */

/* Receive, as another thread might, while the second channel is opened. */
static void received(struct chan *c)
{
	char buf[64];

	assert_int_equal(nfpchan_recv(&c->ch, buf, 64, NFPCHAN_NONBLOCK), -EBUSY);
}

static void test_lent_first(void **state)
{
	struct nfpchan_card nowhere = { .ops = &card_node_ops, .fd = -1, .path = "nowhere" };
	struct source_req req = { 64 * 3, 64, SOURCE_64 };
	struct nfpchan *ch;
	struct chan ctl, rx;
	char buf[64];

	chan_plain(&ctl, *state, 0, CHAN_ID_SOURCE_CTL, 12);
	chan_plain(&rx, *state, 1, CHAN_ID_SOURCE64, 12);
	assert_int_equal(nfpchan_send(&ctl.ch, &req, sizeof(req), NFPCHAN_NONBLOCK), 0);
	host_run(ctl.end.h->host);
	kernel.chan = &rx;
	kernel.meanwhile = received;
	kernel.err = ENOSPC;
	kernel.calls = 0;
	assert_int_equal(nfpchan_open_return(&ch, &nowhere, "loop64-in", &rx.ch, NULL), -ENOSPC);
	assert_int_equal(kernel.calls, 1);
	assert_null(ch);
	/* The receiving channel works as before. */
	assert_int_equal(nfpchan_recv(&rx.ch, buf, 64, NFPCHAN_NONBLOCK), 64);
	assert_int_equal(nfpchan_open_return(&ch, &nowhere, "loop64-in", &rx.ch, NULL), -ESTALE);
	assert_int_equal(kernel.calls, 1);
}

/* ---- the wrong direction ---- */

/* Elements are waiting, so a send that did not look at the direction would take the fast path. */
static void test_direction(void **state)
{
	struct source_req req = { 64 * 3, 64, SOURCE_64 };
	struct chan ctl, rx;
	char buf[64] = { 0 };

	chan_plain(&ctl, *state, 0, CHAN_ID_SOURCE_CTL, 12);
	chan_plain(&rx, *state, 1, CHAN_ID_SOURCE64, 12);
	assert_int_equal(nfpchan_send(&ctl.ch, &req, sizeof(req), NFPCHAN_NONBLOCK), 0);
	host_run(ctl.end.h->host);
	assert_int_equal(nfpchan_wait(&rx.ch, NFPCHAN_NONBLOCK), 0);
	ring_alone(&rx.ch.ring, true);
	assert_int_equal(nfpchan_send(&rx.ch, buf, 64, NFPCHAN_NONBLOCK), -EBADF);
	/* On a shared handle the kernel's poll() does not find an element that was received. */
	ring_alone(&rx.ch.ring, false);
	assert_int_equal(nfpchan_recv(&rx.ch, buf, 64, NFPCHAN_NONBLOCK), 64);
	assert_int_equal(rx.ch.ring.ctl->pos, 64);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		T(test_unsure),
		T(test_commit),
		T(test_commit_fault),
		T(test_part),
		T(test_part_then_all),
		T(test_lent_first),
		T(test_direction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
