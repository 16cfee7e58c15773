// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * stream_api.c - streams, many messages at a time, and select, through the
 * library and through read() and write().
 */
#define _GNU_SOURCE
#include <pthread.h>
#include "chan_test.h"
#include "random.h"
#include "stream.h"

#define TOTAL	300001		/* bytes, no multiple of anything */
#define RECORDS	5000

static bool bytes_are(const uint8_t *p, uint64_t from, size_t len)
{
	size_t i;

	for (i = 0; i < len && p[i] == byte_at(from + i); i++)
		;
	return i == len;
}

static struct nfpchan *chan_alone(const char *name)
{
	return chan_start_with(name, OPTS(.flags = NFPCHAN_ALONE));
}

static void opening(void)
{
	struct nfpchan *in = chan_start("loop-in", 0), *out = chan_start("loop-out", 0), *ch;
	struct nfpchan_opts o = { .size = sizeof(o), .ring_size = 1 << 17 };
	struct nfp_chan_query q = counters("loop64-out");
	char buf[64];

	is(q.kind, NFP_CHAN_STREAM, "a stream says that it is one");
	is(q.elem_size, 64, "and what its elements are");
	is(nfpchan_layout(in)->kind, NFP_CHAN_STREAM, "the layout, too");
	is(nfpchan_layout(in)->elem_size, 1, "bytes");
	is(nfpchan_open(&ch, card, "loop-in", NULL), -EBUSY, "one writer at a time");
	is(nfpchan_open(&ch, card, "loop-out", NULL), -EBUSY, "one reader at a time");
	is(nfpchan_read(in, buf, 1, NFPCHAN_NONBLOCK), -EBADF, "to the NFP: no read");
	is(nfpchan_write(out, buf, 1, NFPCHAN_NONBLOCK), -EBADF, "to the host: no write");
	is(nfpchan_write(in, buf, 0, NFPCHAN_NONBLOCK), -EMSGSIZE, "a write of 0 bytes");
	is(nfpchan_read(out, buf, 1, NFPCHAN_NONBLOCK), -EAGAIN, "nothing there");
	is(nfpchan_consume(out, 1), -EINVAL, "nothing to give back");
	nfpchan_close(in);
	is(nfpchan_open(&in, card, "loop-in", &o), -EMSGSIZE,
	   "the ring is too large for bytes to the NFP");
	nfpchan_close(out);
	is(nfpchan_open(&out, card, "loop-out", &o), 0, "a stream to the host may have that ring");
	nfpchan_close(out);
	in = chan_start("echo-in", 0);
	is(nfpchan_write(in, buf, 1, NFPCHAN_NONBLOCK), -EOPNOTSUPP, "messages are no stream");
	is(nfpchan_send_many(in, buf, 1, NFPCHAN_NONBLOCK), -EOPNOTSUPP,
	   "those that vary in size do not go by number");
	nfpchan_close(in);
}

static void *write_all(void *arg)
{
	uint8_t *data = malloc(TOTAL);
	uint64_t i;
	ssize_t n;

	for (i = 0; i < TOTAL; i++)
		data[i] = byte_at(i);
	n = nfpchan_write(arg, data, TOTAL, WAIT_NS);
	free(data);
	return (void *)n;
}

/* One call sends more than all rings on the way can hold. */
static void bulk(int spin)
{
	struct nfpchan *in = chan_start("loop-in", spin), *out = chan_start("loop-out", spin);
	struct nfp_chan_query before = counters("loop-out"), q;
	uint64_t pos = 0, good = 0;
	const void *data;
	pthread_t t;
	ssize_t n;
	void *ret;

	pthread_create(&t, NULL, write_all, in);
	while (pos < TOTAL && (n = nfpchan_peek(out, &data, WAIT_NS)) > 0) {
		/* Give back parts of different sizes. */
		if (n > 1000)
			n = n * 2 / 3;
		good += bytes_are(data, pos, (size_t)n) ? (uint64_t)n : 0;
		pos += (uint64_t)n;
		if (nfpchan_consume(out, (size_t)n))
			break;
	}
	pthread_join(t, &ret);
	is((long)ret, TOTAL, spin ? "asleep: a write larger than the rings" :
	   "a write larger than the rings");
	is(good, TOTAL, "all come back in order, read in place");
	ok(UNTIL((q = counters("loop-out")).bytes - before.bytes == TOTAL), "and are counted");
	is(q.dropped - before.dropped, 0, "none was lost");
	nfpchan_close(in);
	nfpchan_close(out);
}

/* Send and receive single records and many, on handles of one thread, which take no lock. */
static void records(void)
{
	struct nfpchan *in = chan_alone("loop64-in"), *out = chan_alone("loop64-out");
	uint64_t rec[32][8], sent = 0, got = 0, bad = 0;
	struct nfpchan_stats st = { .size = sizeof(st) };
	ssize_t n, i;

	while (got < RECORDS) {
		for (i = 0; i < 32 && sent + (uint64_t)i < RECORDS; i++)
			rec[i][0] = rec[i][7] = sent + (uint64_t)i;
		/* Alternate single records and many */
		if (i && sent % 3 == 0)
			n = nfpchan_send(in, rec[0], 64, NFPCHAN_NONBLOCK) ? 0 : 1;
		else if (i)
			n = nfpchan_send_many(in, rec, (size_t)i, NFPCHAN_NONBLOCK);
		else
			n = 0;
		sent += n > 0 ? (uint64_t)n : 0;
		if (got % 5 == 0)
			n = nfpchan_recv(out, rec[0], 64, NFPCHAN_NONBLOCK) == 64;
		else
			n = nfpchan_recv_many(out, rec, 32, sent == RECORDS ? WAIT_NS : 0);
		for (i = 0; i < n; i++, got++)
			bad += rec[i][0] != got || rec[i][7] != got;
	}
	is(bad, 0, "records, one by one and many at a time");
	nfpchan_stats(out, &st);
	is(st.msgs, RECORDS, "counted on the handle");
	is(st.bytes, 64 * RECORDS, "with their bytes");
	/* Drain in the middle of a stream, without a send that failed for lack of room */
	is(nfpchan_drain(in, WAIT_NS), 0, "all are taken");
	is(nfpchan_send(in, rec, 64, NFPCHAN_NONBLOCK), 0, "one more");
	is(nfpchan_drain(in, WAIT_NS), 0, "it is taken, too");
	ok(events_of(nfpchan_fd(in), POLLOUT, WAIT_MS) & POLLOUT, "poll: there is room again");
	is(nfpchan_recv(out, rec, 64, WAIT_NS), 64, "the record has come");
	is(nfpchan_send(in, rec, 63, NFPCHAN_NONBLOCK), -EMSGSIZE, "part of a record");
	is(nfpchan_write(in, rec, 100, NFPCHAN_NONBLOCK), -EMSGSIZE, "one and a half");
	is(nfpchan_read(out, rec, 63, NFPCHAN_NONBLOCK), -EMSGSIZE, "room for less than one");
	nfpchan_close(in);
	nfpchan_close(out);
}

/* Records written in the ring; borrowed, and given back in pieces. */
static void in_place(void)
{
	struct nfpchan *in = chan_start("loop64-in", 0), *out = chan_start("loop64-out", 0);
	const void *p;
	uint64_t *w;
	void *room;
	int i;

	is(nfpchan_commit(in, 64), -EINVAL, "commit without reserve");
	is(nfpchan_reserve(in, &room, 64 * 4, WAIT_NS), 0, "room for 4 records");
	for (w = room, i = 0; i < 4; i++)
		w[8 * i] = 100 + (uint64_t)i;
	is(nfpchan_commit(in, 64 * 5), -EINVAL, "more than was reserved");
	is(nfpchan_commit(in, 65), -EMSGSIZE, "part of one");
	is(nfpchan_commit(in, 64 * 3), 0, "3 of them");
	for (i = 0; i < 3; i++)
		if (nfpchan_borrow(out, &p, WAIT_NS) != 64 ||
		    *(const uint64_t *)p != 100 + (uint64_t)i)
			break;
	is(i, 3, "come, and are borrowed");
	is(nfpchan_recv(out, &w, 64, NFPCHAN_NONBLOCK), -EBUSY,
	   "receive while records are borrowed");
	is(nfpchan_consume(out, 64), -EINVAL, "borrowed records cannot be given back like that");
	is(nfpchan_release(out, 2), 0, "give two back");
	is(nfpchan_release(out, 2), -EINVAL, "no more than are borrowed");
	is(nfpchan_release(out, 1), 0, "give the last back");
	nfpchan_close(in);
	nfpchan_close(out);
}

/* read() and write(), and poll() before them. */
static void plain(void)
{
	struct nfp_chan_open o[2] = { { .size = sizeof(o[0]), .name = "loop64-in", .ring_fd = -1,
				        .port_fd = -1 },
				      { .size = sizeof(o[0]), .name = "loop64-out", .ring_fd = -1,
				        .port_fd = -1 } };
	int fd = nfpchan_card_fd(card), i;
	static uint64_t out[100][8], back[100][8];
	ssize_t n, done = 0;

	for (i = 0; i < 2; i++)
		if (ioctl(fd, NFP_CHAN_IOC_OPEN, &o[i]))
			die("open");
	for (i = 0; i < 100; i++)
		out[i][3] = (uint64_t)i * i;
	is(write(o[0].fd, out, 65), -1, "write of part of a record");
	is(errno, EMSGSIZE, "is refused");
	is(write(o[0].fd, out, sizeof(out)), sizeof(out), "write of 100 records");
	while (done < (ssize_t)sizeof(back)) {
		if (!(events_of(o[1].fd, POLLIN, WAIT_MS) & POLLIN))
			break;
		n = read(o[1].fd, (char *)back + done, sizeof(back) - (size_t)done);
		if (n <= 0 || n % 64)
			break;
		done += n;
	}
	is(done, sizeof(back), "read of as many as there are, until all are");
	ok(!memcmp(out, back, sizeof(back)), "the bytes are as sent");
	is(read(o[1].fd, back, 63), -1, "read of part of a record");
	is(errno, EMSGSIZE, "is refused");
	is(events_of(o[1].fd, POLLIN, 0), 0, "poll: nothing more");
	close(o[0].fd);
	close(o[1].fd);
}

/* ---- select ---- */

static uint64_t sleeps_of(struct nfpchan *ch)
{
	struct nfpchan_stats st = { .size = sizeof(st) };

	nfpchan_stats(ch, &st);
	return st.sleeps;
}

static uint64_t slept;

static void *tick_later(void *arg)
{
	if (!UNTIL(sleeps_of(arg) > slept))
		give_up("select", "does not sleep");
	nfpchan_signal(card, "tick");
	return NULL;
}

static void selecting(void)
{
	struct nfpchan *tick = chan_start("tick", NO_SPIN), *rv = chan_start("rv-in", NO_SPIN);
	struct nfpchan *in = chan_start("echo-in", NO_SPIN), *out = chan_start("echo-out", NO_SPIN);
	uint64_t count;
	char buf[MSG_MAX];
	struct nfpchan_case c[3] = {
		{ .ch = tick, .buf = &count, .len = 8, .guard = 1 },
		{ .ch = out, .buf = buf, .len = sizeof(buf), .guard = 1 },
		{ .ch = in, .buf = "hello", .len = 5, .guard = 0 },
	};
	unsigned int i, n[2] = { 0, 0 };
	pthread_t t;

	is(nfpchan_select(c, 3, NFPCHAN_NONBLOCK), -EAGAIN, "select: no case is ready, timeout 0");
	is(nfpchan_select(c, 3, 1000000), -ETIMEDOUT, "the same, with a timeout of 1 ms");
	slept = sleeps_of(tick);
	pthread_create(&t, NULL, tick_later, tick);
	is(nfpchan_select(c, 3, WAIT_NS), 0, "it sleeps until a message comes");
	is(c[0].ret, 8, "and has received it");
	pthread_join(t, NULL);
	c[2].guard = 1;
	is(nfpchan_select(c, 3, WAIT_NS), 2, "a guard opens: there is room to send");
	is(c[2].ret, 0, "and it was sent");
	c[2].guard = 0;
	is(nfpchan_select(c, 3, WAIT_NS), 1, "the echo");
	ok(c[1].ret == 5 && !memcmp(buf, "hello", 5), "is whole");
	c[0].guard = c[1].guard = 0;
	is(nfpchan_select(c, 3, WAIT_NS), -EINVAL, "no guard open");
	/* Both cases are always ready: select must choose each of them often. */
	for (i = 0; i < 8; i++)
		nfpchan_send(in, "x", 1, WAIT_NS);
	nfpchan_signal(card, "tick");
	c[0].guard = c[1].guard = 1;
	c[0].buf = NULL;
	if (nfpchan_wait(tick, WAIT_NS))
		give_up("tick", "does not come");
	for (i = 0; i < 64; i++) {
		int k;

		if (nfpchan_wait(out, WAIT_NS))
			break;
		k = nfpchan_select(c, 2, WAIT_NS);
		if (k < 0)
			break;
		n[k]++;
		if (k == 1)
			nfpchan_send(in, "x", 1, WAIT_NS);
	}
	ok(n[0] >= 8 && n[1] >= 8,
	   "two cases that are always ready: chosen %u and %u times of 64", n[0], n[1]);
	c[0] = (struct nfpchan_case){ .ch = rv, .buf = buf, .len = 1, .guard = 1 };
	is(nfpchan_select(c, 1, NFPCHAN_NONBLOCK), -EOPNOTSUPP,
	   "select does not offer a rendezvous send");
	c[0].buf = NULL;
	is(nfpchan_select(c, 1, NFPCHAN_NONBLOCK), 0,
	   "but waits until a rendezvous send can be offered");
	nfpchan_close(tick);
	nfpchan_close(rv);
	nfpchan_close(in);
	nfpchan_close(out);
}

/* Messages of up to 64 bytes are sent in the inline page, if the ring is empty. */
static void inlining(void)
{
	struct nfpchan *in = chan_start("echo-in", 0), *out = chan_start("echo-out", 0), *ch[8];
	struct nfpchan_stats st = { .size = sizeof(st) };
	char buf[MSG_MAX];
	unsigned int i, n;

	for (i = 0; i < 10; i++) {
		memset(buf, (int)i, sizeof(buf));
		if (nfpchan_send(in, buf, 8 * i, WAIT_NS) || nfpchan_drain(in, WAIT_NS) ||
		    nfpchan_recv(out, buf + 1024, 1024, WAIT_NS) != 8 * (ssize_t)i ||
		    memcmp(buf, buf + 1024, 8 * i))
			break;
	}
	is(i, 10, "messages of 0 to 72 bytes, one after another");
	nfpchan_stats(in, &st);
	is(st.inlined, 9, "messages of up to 64 bytes went inline");
	nfpchan_close(in);
	in = chan_start_with("echo-in", OPTS(.inline_max = -1));
	is(nfpchan_layout(in)->inline_size, 0, "a channel opened without inline page gets none");
	for (i = 0, n = 0; i < 8; i++) {
		ch[i] = chan_start("echo-in", 0);
		n += nfpchan_layout(ch[i])->inline_size != 0;
	}
	is(n, 6, "6 channels get a page, later ones do without");
	for (i = 0; i < 8; i++) {
		buf[0] = (char)i;
		if (nfpchan_send(ch[i], buf, 1, WAIT_NS) ||
		    nfpchan_recv(out, buf, 1, WAIT_NS) != 1 || buf[0] != (char)i)
			break;
	}
	is(i, 8, "messages of all of them arrive");
	for (i = 0; i < 8; i++)
		nfpchan_close(ch[i]);
	nfpchan_close(in);
	in = chan_start("echo-in", 0);
	ok(nfpchan_layout(in)->inline_size, "a closed channel's page is used again");
	nfpchan_close(in);
	nfpchan_close(out);
}

int main(void)
{
	card_start();
	opening();
	bulk(0);
	bulk(NO_SPIN);
	records();
	in_place();
	plain();
	selecting();
	inlining();
	is(counters("loop-in").pipes + counters("loop64-out").pipes, 0, "no pipe is left open");
	return tap_done();
}
