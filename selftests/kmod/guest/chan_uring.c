// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_uring.c - channel fds in io_uring: reads that wait for messages, writes that wait for
 * room or for their receiver, polls, and requests that are cancelled.
 */
#define _GNU_SOURCE
#include <liburing.h>
#include <sys/uio.h>
#include "chan_test.h"

#define DEPTH_ECHO	16	/* depth of echo-in and of echo-out */
#define READS		8

static struct io_uring ring;
static int node;

static struct io_uring_sqe *request(uint64_t tag)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);

	if (!sqe)
		give_up("io_uring", "no free entry");
	io_uring_sqe_set_data64(sqe, tag);
	return sqe;
}

static void submit(void)
{
	if (io_uring_submit(&ring) < 0)
		give_up("io_uring", "submit");
}

/* Return the result of the next completion, -ETIME if none comes. */
static int complete(uint64_t *tag)
{
	struct __kernel_timespec ts = { .tv_sec = WAIT_MS / 1000 };
	struct io_uring_cqe *cqe;
	int ret = io_uring_wait_cqe_timeout(&ring, &cqe, &ts);

	if (ret)
		return ret;
	ret = cqe->res;
	if (tag)
		*tag = io_uring_cqe_get_data64(cqe);
	io_uring_cqe_seen(&ring, cqe);
	return ret;
}

static bool none_complete(void)
{
	struct io_uring_cqe *cqe;

	return io_uring_peek_cqe(&ring, &cqe) == -EAGAIN;
}

/* Each message completes one of the reads that wait, in any order. */
static void reads(void)
{
	struct echo_count got[READS];
	uint64_t tag, seen = 0, first = ~0ull, last = 0;
	int fd = chan_must(node, "tick", 0), i, bad = 0;

	for (i = 0; i < READS; i++)
		io_uring_prep_read(request(i), fd, &got[i], sizeof(got[i]), 0);
	submit();
	ok(none_complete(), "reads wait while there is no message");
	for (i = 0; i < READS; i++) {
		nfpchan_signal(card, "tick");
		bad += complete(&tag) != sizeof(got[0]) || tag >= READS || seen & 1u << tag;
		seen |= 1u << (tag % READS);
		if (le64toh(got[tag % READS].count) < first)
			first = le64toh(got[tag % READS].count);
		if (le64toh(got[tag % READS].count) > last)
			last = le64toh(got[tag % READS].count);
	}
	is(bad, 0, "each message completes one read");
	is(last - first, READS - 1, "no message completes two reads");

	/* If a message has come already, a read completes without waiting. */
	nfpchan_signal(card, "tick");
	ok(events_of(fd, POLLIN, WAIT_MS) & POLLIN, "a message is there");
	io_uring_prep_read(request(1), fd, got, 4, 0);
	submit();
	is(complete(NULL), -EMSGSIZE, "a read with too small a buffer leaves the message there");
	io_uring_prep_read(request(2), fd, got, sizeof(got[0]), 0);
	submit();
	is(complete(NULL), sizeof(got[0]), "a read with a large enough buffer takes the message");
	close(fd);
}

/* A read that was cancelled takes no message: the next message is there for the next read. */
static void cancels(void)
{
	struct echo_count got;
	int fd = chan_must(node, "tick", 0), a, b;
	uint64_t tag[2];

	io_uring_prep_read(request(1), fd, &got, sizeof(got), 0);
	submit();
	io_uring_prep_cancel64(request(2), 1, 0);
	submit();
	a = complete(&tag[0]);
	b = complete(&tag[1]);
	is(tag[0] == 1 ? a : b, -ECANCELED, "a read that waits is cancelled");
	is(tag[0] == 1 ? b : a, 0, "the cancel request succeeds");
	nfpchan_signal(card, "tick");
	is(read(fd, &got, sizeof(got)), sizeof(got), "the next message is for the next read");
	close(fd);
}

/* A poll request arms the pipe's interrupt. */
static void polls(void)
{
	struct echo_count got;
	int fd = chan_must(node, "tick", 0);

	io_uring_prep_poll_add(request(1), fd, POLLIN);
	submit();
	ok(none_complete(), "a poll waits");
	nfpchan_signal(card, "tick");
	is(complete(NULL), POLLIN, "the poll completes with POLLIN alone when the message comes");
	is(read(fd, &got, sizeof(got)), sizeof(got), "the message can be read then");
	close(fd);
}

/* Submit a write to the echo process and the read of its answer together. */
static void echo(void)
{
	unsigned char out[MSG_MAX], in[MSG_MAX];
	int tx = chan_must(node, "echo-in", 0), rx = chan_must(node, "echo-out", 0), i, bad = 0;
	uint64_t tag;

	for (i = 1; i <= 200; i++) {
		unsigned int len = i * 37u % MSG_MAX + 1, k;

		memset(out, i, len);
		io_uring_prep_write(request(1), tx, out, len, 0);
		io_uring_prep_read(request(2), rx, in, sizeof(in), 0);
		submit();
		for (k = 0; k < 2; k++)
			bad += complete(&tag) != (int)len;
		bad += memcmp(in, out, len) != 0;
	}
	is(bad, 0, "200 messages there and back");
	close(tx);
	close(rx);
}

/* Writes without room wait until a receiver makes room. */
static void room(void)
{
	int tx = chan_must(node, "echo-in", 0), rx = chan_must(node, "echo-out", 0);
	unsigned char byte[MSG_MAX] = { 0 };
	int n = 0, i, bad = 0;
	uint64_t stalled = counters("echo-out").stalled;

	/*
	 * The two rings hold 16 messages each, and the process one. So some of the 48 writes wait.
	 */
	for (i = 0; i < 3 * DEPTH_ECHO; i++)
		io_uring_prep_write(request(i), tx, byte, sizeof(byte), 0);
	submit();
	while (n < 2 * DEPTH_ECHO)
		bad += complete(NULL) != MSG_MAX, n++;
	is(bad, 0, "writes complete while there is room");
	ok(UNTIL(counters("echo-out").stalled > stalled), "the channel is full after them");
	for (i = 0; i < 3 * DEPTH_ECHO; i++)
		bad += read(rx, byte, sizeof(byte)) != MSG_MAX;
	while (n < 3 * DEPTH_ECHO)
		bad += complete(NULL) != MSG_MAX, n++;
	is(bad, 0, "the other writes complete once the channel is read; all messages arrive");
	ok(none_complete(), "each write completed once");
	close(tx);
	close(rx);
}

/* RWF_NOWAIT gets EAGAIN instead of waiting, also on a blocking file, and sends nothing. */
static void nowait(void)
{
	int tx = chan_must(node, "echo-in", 0), rx = chan_must(node, "echo-out", 0);
	int tick = chan_must(node, "tick", 0), rv = chan_must(node, "rv-in", 0);
	struct nfp_chan_query before = counters("rv-in"), q;
	struct iovec v = { .iov_base = (char[8]){ 0 }, .iov_len = 8 };

	fails(preadv2(tick, &v, 1, -1, RWF_NOWAIT), EAGAIN, "a read without a message");
	is(pwritev2(tx, &v, 1, -1, RWF_NOWAIT), 8, "a write that has room");
	ok(events_of(rx, POLLIN, WAIT_MS) & POLLIN, "the message comes back");
	is(preadv2(rx, &v, 1, -1, RWF_NOWAIT), 8, "a read takes it");
	fails(pwritev2(rv, &v, 1, -1, RWF_NOWAIT), EAGAIN,
	      "a write of a rendezvous, which would always wait");
	q = counters("rv-in");
	is(q.msgs - before.msgs, 0, "the refused write has sent nothing");
	close(tick);
	close(tx);
	close(rx);
	close(rv);
}

/* A write to a rendezvous channel completes when the receiver has received the message. */
static void rendezvous(void)
{
	int tx = chan_must(node, "rv-in", 0), rx = chan_must(node, "rv-out", 0);
	unsigned char out[256], in[256];
	uint64_t tag[2];
	int a, b;

	memset(out, 0x5a, sizeof(out));
	io_uring_prep_write(request(1), tx, out, sizeof(out), 0);
	submit();
	is(complete(NULL), sizeof(out),
	   "a rendezvous: the write completes, the process has received the message");
	io_uring_prep_write(request(1), tx, out, 9, 0);
	submit();
	ok(none_complete(), "the next write waits while the process holds the first message");
	io_uring_prep_read(request(2), rx, in, sizeof(in), 0);
	submit();
	a = complete(&tag[0]);
	b = complete(&tag[1]);
	is(tag[0] == 2 ? a : b, sizeof(in), "the answer to the first message is read");
	is(tag[0] == 2 ? b : a, 9, "then the second write completes");
	is(read(rx, in, sizeof(in)), 9, "the answer to the second message is read");
	close(tx);
	close(rx);
}

int main(void)
{
	card_start();
	node = card_open(O_RDWR);
	if (io_uring_queue_init(64, &ring, 0))
		give_up("io_uring", "not there");
	reads();
	cancels();
	polls();
	echo();
	room();
	nowait();
	rendezvous();
	io_uring_queue_exit(&ring);
	return tap_done();
}
