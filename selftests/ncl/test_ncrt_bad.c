// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_ncrt_bad.c - datagrams that libncrt must drop, and calls that it must refuse. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <cmocka.h>
#include "hosts.h"
#include "random.h"

static uint64_t seed;

/* ---- malformed and hostile datagrams ---- */

static int raw_socket(uint32_t ip)
{
	struct sockaddr_in from = { .sin_family = AF_INET, .sin_addr.s_addr = ip };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&from, sizeof(from)), 0);
	return fd;
}

struct raw {
	struct ncp_hdr hdr;
	uint8_t data[1600];
};

static void raw_send(int fd, unsigned int node, const void *data, size_t len)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_addr.s_addr = loop_ip(node), .sin_port = htons(NCP_PORT),
	};

	assert_int_equal(sendto(fd, data, len, 0, (struct sockaddr *)&to, sizeof(to)), len);
}

/*
 * Send a datagram to w1. Returns 1 if ncrt_recv() returns it as a window, 0 if the session has
 * counted it as malformed or late.
 */
static int raw_take(struct ncrt *nc, int fd, const struct raw *r, size_t len)
{
	struct ncrt_stats before, after;
	struct ncrt_window w;
	int ret;

	ncrt_stats(nc, &before, sizeof(before));
	raw_send(fd, W1, r, len);
	ret = ncrt_recv(nc, NULL, &w, NCRT_NONBLOCK);
	ncrt_stats(nc, &after, sizeof(after));
	if (!ret)
		return 1;
	assert_int_equal(ret, -EAGAIN);
	assert_int_equal(after.malformed + after.late, before.malformed + before.late + 1);
	return 0;
}

#define GOOD_LEN (sizeof(struct ncp_hdr) + 24)

static struct raw good(void)
{
	struct raw r = { .hdr = {
		.magic = htole16(NCP_MAGIC), .version = NCP_VERSION, .program = htole16(0x10c0),
		.kernel = htole16(4), .from = htole16(SERVER), .to = htole16(W1), .len = htole16(4),
		.size = htole16(24),
	} };

	return r;
}

static void malformed_datagrams_are_counted(void **state)
{
	struct ncrt *nc = loop_open(W1, NULL);
	int fd = raw_socket(loop_ip(SERVER)), stranger = raw_socket(htonl(INADDR_LOOPBACK));
	struct raw r = good();
	size_t len;

	assert_int_equal(raw_take(nc, fd, &r, GOOD_LEN), 1);
	assert_int_equal(raw_take(nc, stranger, &r, GOOD_LEN), 0);
	for (len = 0; len < GOOD_LEN; len++)
		assert_int_equal(raw_take(nc, fd, &r, len), 0);
	assert_int_equal(raw_take(nc, fd, &r, GOOD_LEN + 1), 0);
	assert_int_equal(raw_take(nc, fd, &r, sizeof(r)), 0);
#define WRONG(field, val) do { \
	r = good(); \
	r.hdr.field = val; \
	assert_int_equal(raw_take(nc, fd, &r, GOOD_LEN), 0); \
} while (0)
	WRONG(magic, 0);
	WRONG(version, 0);
	WRONG(version, NCP_VERSION + 1);
	WRONG(program, 0);
	WRONG(kernel, 0);
	WRONG(kernel, htole16(5));
	WRONG(kernel, 0xffff);
	WRONG(kernel, htole16(1));
	WRONG(from, 0);
	WRONG(from, htole16(FAR + 1));
	WRONG(from, 0xffff);
	WRONG(from, htole16(W1));
	WRONG(to, htole16(W2));
	WRONG(len, htole16(5));
	WRONG(size, htole16(23));
	WRONG(flags, NCP_ACK);
	WRONG(flags, NCP_ANSWER);
	r = good();
	assert_int_equal(raw_take(nc, fd, &r, GOOD_LEN), 1);
	close(fd);
	close(stranger);
	ncrt_close(nc);
}

/*
 * Send windows with random bytes in their headers. The session must return or count each of them.
 */
static void random_datagrams_are_received_or_counted(void **state)
{
	struct ncrt *nc = loop_open(W1, NULL);
	int fd = raw_socket(loop_ip(SERVER)), i, n, windows = 0;
	uint64_t x = seed;
	struct raw r;
	size_t len;

	for (i = 0; i < 20000; i++) {
		r = good();
		len = random_below(&x, 8) ? GOOD_LEN : random_below(&x, sizeof(r));
		for (n = (int)random_below(&x, 4); n > 0; n--)
			((uint8_t *)&r)[random_below(&x, sizeof(r.hdr))] = (uint8_t)random_next(&x);
		/* With these flags libncrt may count the datagram as a duplicate instead. */
		r.hdr.flags &= (uint8_t)~(NCP_WANT_ACK | NCP_REPLY);
		windows += raw_take(nc, fd, &r, len);
	}
	printf("# %d of %d were windows\n", windows, i);
	assert_in_range(windows, 1000, i - 1000);
	close(fd);
	ncrt_close(nc);
}

/*
 * The test sends forged answers while this host sends windows and checks the answers. At the end
 * the host waits until a forged answer has been counted as late.
 */
static int forged_host(struct ncrt *nc, unsigned int node)
{
	struct ncrt_stats st;
	int i;

	for (i = 0; i < 200; i++) {
		struct ncrt_arg arg[] = { number('*'), number(i), number(i), number(0) };
		struct ncrt_window w;

		NEED(!ncrt_out_window(nc, "calc", arg, 4, NULL, &w));
		NEED(*(uint64_t *)ncrt_arg_at(nc, &w, 3) == (uint64_t)i * (uint64_t)i);
	}
	do {
		struct ncrt_window w;

		NEED(ncrt_recv(nc, NULL, &w, 1000000) == -ETIMEDOUT);
		ncrt_stats(nc, &st, sizeof(st));
	} while (!st.late);
	return 0;
}

static void answers_with_forged_invocations_are_late(void **state)
{
	struct sim_counts *counts;
	pid_t device = loop_device(seed, 0, 0, 0, &counts);
	const struct ncrt_opts o = { .size = sizeof(o), .first = 1000 };
	pid_t pid = host(W1, forged_host, &o);
	int fd = raw_socket(loop_ip(SERVER)), status;
	struct raw r = good();

	r.hdr.kernel = htole16(2);
	r.hdr.len = 0;
	r.hdr.flags = NCP_ANSWER;
	while (!waitpid(pid, &status, WNOHANG)) {
		r.hdr.invocation = htole32(900 + (le32toh(r.hdr.invocation) + 1) % 100);
		raw_send(fd, W1, &r, GOOD_LEN);
		sched_yield();
	}
	assert_int_equal(status, 0);
	close(fd);
	sim_stop(device, counts);
}

/* ---- what is refused ---- */

static int open_fails(const char *net, const char *host_label, const char *desc,
		      const struct ncl_program *prog, const char *want)
{
	struct ncrt_opts o = {
		.size = sizeof(o), .net = net, .host = host_label, .description = desc, .program = prog,
	};
	struct ncrt *nc = NULL;
	char err[200] = "";
	int ret = ncrt_open(&nc, &o, err, sizeof(err));

	if (!strstr(err, want))
		fail_msg("'%s' is not in '%s'", want, err);
	return ret;
}

static void ncrt_open_refuses_wrong_options(void **state)
{
	struct ncl_program later = loop_program;
	struct ncrt *nc = loop_open(W1, NULL);

	later.abi++;
	assert_int_equal(open_fails(loop_net(), "w1", NULL, &loop_program, "w1: bind"), -EADDRINUSE);
	assert_int_equal(open_fails(loop_net(), "nosuch", NULL, &loop_program, "nosuch is no host"),
			 -EINVAL);
	assert_int_equal(open_fails(loop_net(), "s1", NULL, &loop_program, "s1 is no host"), -EINVAL);
	assert_int_equal(open_fails(loop_net(), NULL, NULL, &loop_program, "NCL_HOST"), -EINVAL);
	assert_int_equal(open_fails(NULL, "w1", NULL, &loop_program, "NCL_AND"), -EINVAL);
	assert_int_equal(open_fails(loop_net(), "w1", NULL, NULL, "NCL_PROGRAM"), -EINVAL);
	assert_int_equal(open_fails("/nonexistent/net", "w1", NULL, &loop_program, "/nonexistent/net"),
			 -ENOENT);
	assert_int_equal(open_fails(loop_net(), "w1", "/nonexistent/p", NULL, "/nonexistent/p"),
			 -ENOENT);
	assert_int_equal(open_fails(loop_net(), "w1", loop_net(), NULL, loop_net()), -EINVAL);
	assert_int_equal(open_fails(loop_net(), "w1", NULL, &later, "version 2"), -EPROTO);
	ncrt_close(nc);
}

static void refused(struct ncrt *nc, const char *kernel, struct ncrt_arg *args, unsigned int n,
		    struct ncrt_wnd w, int want, const char *text)
{
	char err[200];

	w.size = sizeof(w);
	assert_int_equal(ncrt_out(nc, kernel, args, n, &w, NULL), want);
	ncrt_error(nc, err, sizeof(err));
	if (!strstr(err, text))
		fail_msg("'%s' is not in '%s'", text, err);
}

static void calls_refuse_wrong_arguments(void **state)
{
	struct ncrt *nc = loop_open(W1, NULL);
	static int data[32];
	struct ncrt_arg a = array(data, 32, 4), odd = array(data, 31, 4), wide = array(data, 32, 8);
	struct ncrt_arg big[] = { number(256), number(0), number(0), number(0) };
	const uint16_t mask[] = { 15 };
	struct ncrt_window w;

#define WND(...) ((struct ncrt_wnd){ __VA_ARGS__ })
	refused(nc, "nosuch", &a, 1, WND(0), -ENOENT, "nosuch is no outgoing kernel of loop");
	refused(nc, "result", &a, 1, WND(0), -ENOENT, "result is no outgoing kernel");
	refused(nc, "sum", &a, 0, WND(0), -EINVAL, "0 arguments, the kernel has 1");
	refused(nc, "sum", &odd, 1, WND(0), -EINVAL, "31 elements of data are no multiple of 16");
	refused(nc, "sum", &wide, 1, WND(0), -EINVAL, "8 bytes for argument data, which is i32");
	refused(nc, "calc", big, 4, WND(0), -EDOM, "256 is no value of argument op, which is u8");
	refused(nc, "sum", &a, 1, WND(.mode = 3), -EINVAL, "mode 3");
	refused(nc, "sum", &a, 1, WND(.flags = 8), -EINVAL, "flags 0x8");
	refused(nc, "sum", &a, 1, WND(.to = 10), -EINVAL, "node 10: the AND file has 9");
	refused(nc, "sum", &a, 1, WND(.to = W1), -EINVAL, "windows for w1");
	refused(nc, "sum", &a, 1, WND(.slots = 1025), -EINVAL, "1025 slots: 1024 at most");
	assert_int_equal(ncrt_out(nc, "sum", &a, 1, NULL, mask), -EINVAL);
	assert_non_null(strstr(ncrt_last_error(), "_win_"));
	assert_int_equal(ncrt_recv(nc, "nosuch", &w, 0), -ENOENT);
	assert_int_equal(ncrt_in(nc, "sum", NULL, 0, 0), -EOPNOTSUPP);
	assert_int_equal(ncrt_node(nc, "server"), SERVER);
	assert_int_equal(ncrt_node(nc, NULL), W1);
	assert_int_equal(ncrt_node(nc, "nosuch"), -ENOENT);
	assert_string_equal(ncrt_label(nc, S1), "s1");
	assert_null(ncrt_label(nc, FAR + 1));
	ncrt_close(nc);
}

/* Structs of callers that know fewer fields than the library, or more */
static void options_may_be_older_or_newer(void **state)
{
	struct {
		struct ncrt_opts o;
		uint64_t more;
	} opts = { .o.net = loop_net(), .o.host = "w1", .o.program = &loop_program };
	struct {
		struct ncrt_wnd w;
		uint64_t more;
	} wnd = { .w.mode = NCRT_NONE, .w.flags = 8, .w.slots = 1025 };
	static int data[32];
	struct ncrt_arg a = array(data, 32, 4);
	struct ncrt *nc;

	/* Without its last fields the struct is accepted; what it has counts. */
	opts.o.queue = UINT32_MAX;
	opts.o.size = offsetof(struct ncrt_opts, queue);
	assert_int_equal(ncrt_open(&nc, &opts.o, NULL, 0), 0);
	ncrt_close(nc);
	opts.o.queue = 0;
	opts.o.size = sizeof(opts);
	assert_int_equal(ncrt_open(&nc, &opts.o, NULL, 0), 0);
	ncrt_close(nc);
	opts.more = 1;
	assert_int_equal(ncrt_open(&nc, &opts.o, NULL, 0), -E2BIG);
	assert_non_null(strstr(ncrt_last_error(), "struct ncrt_opts: options of"));
	opts.o.size = sizeof(opts.o.size) - 1;
	assert_int_equal(ncrt_open(&nc, &opts.o, NULL, 0), -EINVAL);

	nc = loop_open(W1, NULL);
	wnd.w.size = offsetof(struct ncrt_wnd, flags);	/* without the wrong flags and slots */
	assert_int_equal(ncrt_out(nc, "sum", &a, 1, &wnd.w, NULL), 2);
	wnd.w.size = offsetof(struct ncrt_wnd, slots);
	assert_int_equal(ncrt_out(nc, "sum", &a, 1, &wnd.w, NULL), -EINVAL);
	wnd.w.flags = 0;
	wnd.w.slots = 0;
	wnd.w.size = sizeof(wnd);
	assert_int_equal(ncrt_out(nc, "sum", &a, 1, &wnd.w, NULL), 2);
	wnd.more = (uint64_t)1 << 63;
	assert_int_equal(ncrt_out(nc, "sum", &a, 1, &wnd.w, NULL), -E2BIG);
	assert_non_null(strstr(ncrt_last_error(), "struct ncrt_wnd: options of"));
	wnd.w.size = 0;
	assert_int_equal(ncrt_out(nc, "sum", &a, 1, &wnd.w, NULL), -EINVAL);
	ncrt_close(nc);
}

/* No program with the name of this one is deployed on this machine. */
static void variables_need_a_deployed_device(void **state)
{
	struct ncrt *nc = loop_open(W1, NULL);
	uint64_t key = 1;
	uint32_t x = 1;

	assert_int_equal(ncrt_ctrl_wr(nc, "nosuch", NULL, 0, &x, 1, 4), -ENOENT);
	assert_non_null(strstr(ncrt_last_error(), "nosuch is no variable of loop"));
	assert_int_equal(ncrt_ctrl_wr(nc, "count", "s9", 0, &x, 1, 4), -ENOENT);
	assert_int_equal(ncrt_ctrl_wr(nc, "count", NULL, 0, &x, 1, 4), -ECONNREFUSED);
	assert_non_null(strstr(ncrt_last_error(), "/run/ncl/loop.s1"));
	assert_non_null(strstr(ncrt_last_error(), ":20813: `ncl serve`"));
	assert_int_equal(ncrt_map_put(nc, "table", NULL, &key, &x), -ECONNREFUSED);
	assert_int_equal(ncrt_ctrl_rd(nc, "count", NULL, 12, &x, 1, 4), -EINVAL);
	assert_int_equal(ncrt_map_get(nc, "count", NULL, &key, &x), -EINVAL);
	ncrt_close(nc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(malformed_datagrams_are_counted),
		cmocka_unit_test(random_datagrams_are_received_or_counted),
		cmocka_unit_test(answers_with_forged_invocations_are_late),
		cmocka_unit_test(ncrt_open_refuses_wrong_options),
		cmocka_unit_test(calls_refuse_wrong_arguments),
		cmocka_unit_test(options_may_be_older_or_newer),
		cmocka_unit_test(variables_need_a_deployed_device),
	};

	loop_files();
	seed = random_seed((uint64_t)getpid());
	return cmocka_run_group_tests(tests, NULL, NULL);
}
