// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_wire_live.c - wires with a peer: Unix sockets, peers that connect and go, a tap interface;
 * and the queue of frames that wait for the peer.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "frame_fifo.h"
#include "skip.h"
#include "slowly.h"
#include "wire.h"

static char dir[] = "/tmp/test_wire.XXXXXX", path[64];
static uint8_t buf[65536];

static struct board_frame frame(uint32_t number, uint32_t len)
{
	memset(buf, number, len);
	memcpy(buf, &number, sizeof(number));
	return (struct board_frame){ .data = buf, .caplen = len, .len = len };
}

static void is_frame(const struct board_frame *f, uint32_t number, uint32_t len)
{
	assert_int_equal(f->len, len);
	assert_int_equal(f->caplen, len);
	assert_memory_equal(f->data, &number, sizeof(number));
	assert_int_equal(f->data[len - 1], len > 4 ? (uint8_t)number : f->data[len - 1]);
}

/* ---- the queue ---- */

static void test_fifo_wraps(void **state)
{
	struct board_frame f;
	uint32_t in = 0, out = 0;
	struct frame_fifo q;

	(void)state;
	assert_true(frame_fifo_init(&q));
	while (out < 20000) {
		while (frame_fifo_room(&q)) {
			f = frame(in, 60 + in * 7919 % 9000);
			assert_true(frame_fifo_put(&q, &f));
			in++;
		}
		while (out + 40 < in) {
			assert_true(frame_fifo_first(&q, &f));
			is_frame(&f, out, 60 + out * 7919 % 9000);
			frame_fifo_drop(&q);
			out++;
		}
	}
	frame_fifo_clear(&q);
	assert_false(frame_fifo_first(&q, &f));
	frame_fifo_exit(&q);
}

static void test_fifo_full(void **state)
{
	uint32_t in = 0, out;
	struct board_frame f;
	struct frame_fifo q;

	(void)state;
	assert_true(frame_fifo_init(&q));
	for (f = frame(in, 1500); frame_fifo_put(&q, &f); f = frame(in, 1500))
		in++;
	assert_in_range(in, FRAME_FIFO_SIZE / 1536, FRAME_FIFO_SIZE / 1500);
	for (out = 0; frame_fifo_first(&q, &f); out++) {
		is_frame(&f, out, 1500);
		frame_fifo_drop(&q);
	}
	assert_int_equal(out, in);
	frame_fifo_drop(&q);
	f = frame(1, 64);
	assert_true(frame_fifo_put(&q, &f));
	frame_fifo_exit(&q);
}

/* ---- Unix sockets ---- */

static struct wire_unix *open_ok(void)
{
	struct wire_unix *w;
	char err[256] = "";

	w = wire_unix_open(path, err, sizeof(err));
	assert_non_null(w);
	return w;
}

static int pull(struct wire_unix *w, struct board_frame *f)
{
	return wire_unix_ops.pull(w, f);
}

static void wait_fd(struct wire_unix *w)
{
	struct pollfd p = { 0 };

	p.fd = wire_unix_ops.fd(w, &p.events);
	assert_int_equal(poll(&p, 1, slowly(5000)), 1);
}

static void test_unix_both_ways(void **state)
{
	struct wire_unix *l = open_ok(), *c = open_ok();
	struct board_frame f;

	(void)state;
	assert_true(wire_unix_ops.carrier(c));
	assert_false(wire_unix_ops.carrier(l));
	wait_fd(l);
	assert_int_equal(pull(l, &f), 0);
	assert_true(wire_unix_ops.carrier(l));
	for (uint32_t i = 0; i < 300; i++) {
		f = frame(i, 60 + i * 200);
		wire_unix_ops.push(i & 1 ? l : c, &f);
		assert_int_equal(pull(i & 1 ? c : l, &f), 1);
		is_frame(&f, i, 60 + i * 200);
	}
	assert_int_equal(pull(l, &f), 0);
	wire_unix_ops.close(c);
	wire_unix_ops.close(l);
	assert_int_equal(access(path, F_OK), -1);
}

/* Frames that the socket does not take wait in the queue, in order; then the queue is full. */
static void test_unix_backlog(void **state)
{
	struct wire_unix *l = open_ok(), *c = open_ok();
	uint32_t in = 0, out = 0;
	struct board_frame f;
	short events;

	(void)state;
	pull(l, &f);
	while (wire_unix_ops.room(c) && in < 5000) {
		f = frame(in++, 1514);
		wire_unix_ops.push(c, &f);
	}
	assert_in_range(in, 501, 4999);
	wire_unix_ops.fd(c, &events);
	assert_int_equal(events, POLLIN | POLLOUT);
	while (out < in) {
		if (!pull(l, &f)) {
			wait_fd(c);
			assert_int_equal(pull(c, &f), 0);
			continue;
		}
		is_frame(&f, out++, 1514);
	}
	assert_true(wire_unix_ops.room(c));
	wire_unix_ops.close(c);
	wire_unix_ops.close(l);
}

static void test_unix_peer_gone(void **state)
{
	struct wire_unix *l = open_ok(), *c = open_ok();
	struct board_frame f;

	(void)state;
	pull(l, &f);
	wire_unix_ops.close(c);
	/* The wire may not know yet that the peer has gone. It then counts the frame as lost. */
	f = frame(1, 60);
	wire_unix_ops.push(l, &f);
	assert_int_equal(pull(l, &f), 0);
	assert_false(wire_unix_ops.carrier(l));
	assert_true(wire_unix_ops.room(l));
	f = frame(2, 60);
	wire_unix_ops.push(l, &f);
	assert_int_equal(wire_unix_ops.lost(l), 2);
	/* Another peer connects. */
	c = open_ok();
	assert_int_equal(pull(l, &f), 0);
	assert_true(wire_unix_ops.carrier(l));
	/* If the listening wire ends, the other wire tries to connect until somebody listens. */
	wire_unix_ops.close(l);
	assert_int_equal(pull(c, &f), 0);
	assert_false(wire_unix_ops.carrier(c));
	assert_true(wire_unix_ops.deadline(c) != UINT64_MAX);
	l = open_ok();
	while (!wire_unix_ops.carrier(c))
		assert_int_equal(pull(c, &f), 0);
	wire_unix_ops.close(c);
	wire_unix_ops.close(l);
}

/* An empty message is not a frame, and does not end the connection. */
static void test_unix_empty_message(void **state)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	struct wire_unix *l = open_ok();
	struct board_frame f = frame(7, 60);

	(void)state;
	strcpy(a.sun_path, path);
	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(send(fd, "", 0, 0), 0);
	assert_int_equal(send(fd, f.data, f.len, 0), f.len);
	memset(buf, 0, sizeof(buf));
	wait_fd(l);
	assert_int_equal(pull(l, &f), 0);
	assert_true(wire_unix_ops.carrier(l));
	assert_int_equal(pull(l, &f), 1);
	is_frame(&f, 7, 60);
	/* When the peer closes the socket, the connection ends. */
	close(fd);
	assert_int_equal(pull(l, &f), 0);
	assert_false(wire_unix_ops.carrier(l));
	assert_int_equal(wire_unix_ops.lost(l), 0);
	wire_unix_ops.close(l);
}

/* Leave a socket at the path that nobody listens at, as a killed program does. */
static void leave_stale(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);

	strcpy(a.sun_path, path);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	close(fd);
}

static void test_unix_stale(void **state)
{
	struct wire_unix *w;
	char err[256];

	(void)state;
	leave_stale();
	w = open_ok();
	assert_false(wire_unix_ops.carrier(w));
	wire_unix_ops.close(w);
	/* A file that is not a socket is not removed. */
	fclose(fopen(path, "w"));
	assert_null(wire_unix_open(path, err, sizeof(err)));
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
}

static pthread_barrier_t together;

static void *open_together(void *arg)
{
	char err[256];

	(void)arg;
	pthread_barrier_wait(&together);
	return wire_unix_open(path, err, sizeof(err));
}

/* Two wires open the same path at the same time: one listens, and the other connects to it. */
static void test_unix_at_once(void **state)
{
	struct wire_unix *w[2], *l;
	struct board_frame f;
	pthread_t t[2];
	void *got;

	(void)state;
	assert_int_equal(pthread_barrier_init(&together, NULL, 2), 0);
	for (unsigned int i = 0; i < 1000; i++) {
		if (i & 1)
			leave_stale();
		for (int k = 0; k < 2; k++)
			assert_int_equal(pthread_create(&t[k], NULL, open_together, NULL), 0);
		for (int k = 0; k < 2; k++) {
			pthread_join(t[k], &got);
			assert_non_null(got);
			w[k] = got;
		}
		l = wire_unix_ops.carrier(w[0]) ? w[1] : w[0];
		assert_false(wire_unix_ops.carrier(l));
		assert_true(wire_unix_ops.carrier(l == w[0] ? w[1] : w[0]));
		wait_fd(l);
		assert_int_equal(pull(l, &f), 0);
		assert_true(wire_unix_ops.carrier(l));
		wire_unix_ops.close(w[0]);
		wire_unix_ops.close(w[1]);
	}
	pthread_barrier_destroy(&together);
}

static void test_refused(void **state)
{
	char err[256], longer[200];

	(void)state;
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	assert_null(wire_unix_open(longer, err, sizeof(err)));
	assert_non_null(strstr(err, "107 characters"));
	assert_null(wire_unix_open("", err, sizeof(err)));
	assert_null(wire_unix_open("/nonexistent/dir/x", err, sizeof(err)));
	assert_null(wire_tap_open("more_than_15_characters", err, sizeof(err)));
	assert_non_null(strstr(err, "15 characters"));
	assert_int_equal(wire_plug(NULL, 1, "pipe:x", err, sizeof(err)), -1);
	assert_non_null(strstr(err, "port1=pipe:x"));
}

/* Return the reason why this process cannot make a tap interface, or NULL. */
static const char *no_tap(void)
{
	static char err[256];
	struct wire_tap *w = wire_tap_open("nfpchantest0", err, sizeof(err));

	if (!w)
		return err;
	wire_tap_ops.close(w);
	return NULL;
}

/* When the interface comes up, the kernel sends a frame of its own, which must arrive. */
static void test_tap(void **state)
{
	struct wire_tap *w;
	struct board_frame f = frame(3, 60);
	char err[256] = "", cmd[128];
	short events;

	(void)state;
	w = wire_tap_open("nfpchantest0", err, sizeof(err));
	assert_non_null(w);
	assert_int_equal(wire_tap_ops.pull(w, &f), 0);
	wire_tap_ops.light(w, true);
	snprintf(cmd, sizeof(cmd), "ip link set nfpchantest0 up >/dev/null 2>&1");
	if (!system(cmd)) {
		struct pollfd p = { .fd = wire_tap_ops.fd(w, &events), .events = POLLIN };

		if (poll(&p, 1, slowly(5000)) == 1) {
			assert_int_equal(wire_tap_ops.pull(w, &f), 1);
			assert_true(f.len >= 42);
		}
		f = frame(3, 60);
		wire_tap_ops.push(w, &f);
	}
	wire_tap_ops.close(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fifo_wraps),
		cmocka_unit_test(test_fifo_full),
		cmocka_unit_test(test_unix_both_ways),
		cmocka_unit_test(test_unix_backlog),
		cmocka_unit_test(test_unix_peer_gone),
		cmocka_unit_test(test_unix_empty_message),
		cmocka_unit_test(test_unix_stale),
		cmocka_unit_test(test_unix_at_once),
		cmocka_unit_test(test_refused),
		UNLESS(no_tap(), test_tap),
	};
	int ret;

	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/s", dir);
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(dir);
	return ret;
}
