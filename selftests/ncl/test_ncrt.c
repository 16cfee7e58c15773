// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_ncrt.c - hosts in processes of their own, and a device in user space between them
 * that loses, doubles and reorders datagrams.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "loop.h"
#include "random.h"

#define WINDOWS		200
#define ELEMENTS	(WINDOWS * WINDOW)
#define ROUNDS		5

static uint64_t seed;

/* ---- processes ---- */

typedef int host_main(struct ncrt *nc, unsigned int node);

static pid_t host(unsigned int node, host_main *run, const struct ncrt_opts *more)
{
	struct ncrt *nc;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	nc = loop_open(node, more);
	alarm(60);
	node = (unsigned int)run(nc, node);
	ncrt_close(nc);
	_exit((int)node);
}

static int host_end(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The sender has ended: whose acknowledgement was lost has come again until then. */
static bool *ended;

static int linger(struct ncrt *nc)
{
	struct ncrt_window w;
	int err;

	do {
		err = ncrt_recv(nc, NULL, &w, 1000000);
	} while (err == -ETIMEDOUT && !__atomic_load_n(ended, __ATOMIC_ACQUIRE));
	return err == -ETIMEDOUT ? 0 : 1;
}

/* Senders first, then the receiver. */
static void end_all(pid_t *sender, int senders, pid_t receiver)
{
	int i, bad = 0;

	for (i = 0; i < senders; i++)
		bad += host_end(sender[i]);
	__atomic_store_n(ended, true, __ATOMIC_RELEASE);
	bad += host_end(receiver);
	*ended = false;
	assert_int_equal(bad, 0);
}

/* In a host's process, where cmocka is not: 1 fails it. */
#define NEED(cond) do { \
	if (!(cond)) { \
		fprintf(stderr, "# line %d: %s: %s\n", __LINE__, #cond, ncrt_last_error()); \
		return 1; \
	} \
} while (0)

static struct ncrt_arg array(void *p, size_t n, uint32_t size)
{
	return (struct ncrt_arg){ .data = p, .count = n, .size = size };
}

static struct ncrt_arg number(int64_t x)
{
	return (struct ncrt_arg){ .i = x };
}

/* ---- sums ---- */

static int element(unsigned int node, int round, size_t i)
{
	return (int)(i * 7 + node * 1000003u + (unsigned int)round * 31);
}

static int sum_of(int round, size_t i)
{
	unsigned int node;
	int sum = 0;

	for (node = W1; node <= W4; node++)
		sum += element(node, round, i);
	return sum;
}

static int sum_host(struct ncrt *nc, unsigned int node)
{
	struct ncrt_wnd w = { .size = sizeof(w), .flags = NCRT_BACK };
	static int data[ELEMENTS];
	struct ncrt_arg arg = array(data, ELEMENTS, 4);
	struct ncrt_stats st;
	int round;
	size_t i;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < ELEMENTS; i++)
			data[i] = element(node, round, i);
		NEED(ncrt_out(nc, "sum", &arg, 1, &w, NULL) == WINDOWS);
		for (i = 0; i < ELEMENTS; i++)
			NEED(data[i] == sum_of(round, i));
	}
	ncrt_stats(nc, &st, sizeof(st));
	NEED(st.sent == ROUNDS * WINDOWS && st.done == st.sent && st.received == st.sent);
	NEED(!st.malformed && !st.full && !st.timeouts);
	if (node == W1)
		printf("# w1: %lu windows, %lu again, %lu duplicates, %lu late, %lu us each\n",
		       st.sent, st.again, st.duplicates, st.late, st.rtt_ns / 1000);
	fflush(stdout);
	return 0;
}

static void sums_with(unsigned int loss, unsigned int twice, unsigned int late)
{
	const struct ncrt_opts o = { .size = sizeof(o), .first = 1 };
	struct sim_counts *counts;
	pid_t device = loop_device(seed, loss, twice, late, &counts), worker[WORKERS];
	int i, bad = 0;

	for (i = 0; i < WORKERS; i++)
		worker[i] = host(W1 + (unsigned int)i, sum_host, &o);
	for (i = 0; i < WORKERS; i++)
		bad += host_end(worker[i]);
	printf("# device: %lu windows, %lu lost, %lu twice, %lu late\n", counts->windows,
	       counts->lost, counts->twice, counts->late);
	assert_int_equal(bad, 0);
	assert_int_equal(counts->malformed, 0);
	assert_true(!loss == !counts->lost && !twice == !counts->twice && !late == !counts->late);
	sim_stop(device, counts);
}

static void sums_are_exact(void **state)
{
	sums_with(0, 0, 0);
}

static void sums_are_exact_with_loss(void **state)
{
	sums_with(10, 20, 50);
}

static void sums_are_exact_with_much_loss(void **state)
{
	sums_with(100, 50, 100);
}

/* The same as the paper writes it: all goes out, then an incoming kernel takes the sums. */
static int in_host(struct ncrt *nc, unsigned int node)
{
	static int data[ELEMENTS], sums[ELEMENTS];
	struct ncrt_arg arg = array(data, ELEMENTS, 4);
	struct ncrt_window w;
	bool done = false;
	void *ext[] = { sums, &done };
	size_t i;

	for (i = 0; i < ELEMENTS; i++)
		data[i] = element(node, 0, i);
	NEED(ncrt_out(nc, ncrt_kernel_at(nc, loop_sum), &arg, 1, NULL, NULL) == WINDOWS);
	NEED(ncrt_in(nc, "result", ext, 1, 0) == -EINVAL);
	for (i = 0; i < WINDOWS; i++)
		NEED(!ncrt_in(nc, ncrt_kernel_at(nc, loop_result), ext, 2, NCRT_NONBLOCK));
	NEED(done && ncrt_in(nc, "result", ext, 2, NCRT_NONBLOCK) == -EAGAIN);
	NEED(ncrt_recv(nc, "sum", &w, 1000000) == -ETIMEDOUT);
	for (i = 0; i < ELEMENTS; i++)
		NEED(sums[i] == sum_of(0, i) && data[i] == element(node, 0, i));
	return 0;
}

static void answers_wait_for_the_incoming_kernel(void **state)
{
	const struct ncrt_opts o = { .size = sizeof(o), .first = 77 };
	struct sim_counts *counts;
	pid_t device = loop_device(seed, 20, 20, 20, &counts), worker[WORKERS];
	int i, bad = 0;

	for (i = 0; i < WORKERS; i++)
		worker[i] = host(W1 + (unsigned int)i, in_host, &o);
	for (i = 0; i < WORKERS; i++)
		bad += host_end(worker[i]);
	sim_stop(device, counts);
	assert_int_equal(bad, 0);
}

/* ---- a host that ends ---- */

static int alone_host(struct ncrt *nc, unsigned int node)
{
	struct ncrt_wnd w = { .size = sizeof(w), .flags = NCRT_BACK, .timeout_ms = 300 };
	static int data[ELEMENTS];
	struct ncrt_arg arg = array(data, ELEMENTS, 4);
	struct ncrt_stats st;
	char err[200];
	int64_t ret;

	do {
		ret = ncrt_out(nc, "sum", &arg, 1, &w, NULL);
	} while (ret > 0);
	NEED(ret == -ETIMEDOUT);
	ncrt_error(nc, err, sizeof(err));
	NEED(strstr(err, "sum: window ") && strstr(err, " by s1") && strstr(err, "within 300 ms"));
	ncrt_stats(nc, &st, sizeof(st));
	NEED(st.timeouts == 1);
	/* The session is as good as before. */
	struct ncrt_arg calc[] = { number('+'), number(2), number(3), number(0) };
	struct ncrt_window answer;

	NEED(!ncrt_out_window(nc, "calc", calc, 4, NULL, &answer));
	NEED(*(uint64_t *)ncrt_arg_at(nc, &answer, 3) == 5);
	return 0;
}

static void a_killed_host_ends_no_wait(void **state)
{
	const struct ncrt_opts o = { .size = sizeof(o), .first = 1 };
	struct sim_counts *counts;
	pid_t device = loop_device(seed, 0, 0, 0, &counts), worker[WORKERS];
	int i, bad = 0;

	for (i = 0; i < WORKERS; i++)
		worker[i] = host(W1 + (unsigned int)i, alone_host, &o);
	/* They are at work: */
	while (__atomic_load_n(&counts->windows, __ATOMIC_RELAXED) < 1000)
		sched_yield();
	kill(worker[2], SIGKILL);
	for (i = 0; i < WORKERS; i++)
		if (i != 2)
			bad += host_end(worker[i]);
	assert_int_equal(host_end(worker[2]), 128 + SIGKILL);
	assert_int_equal(bad, 0);
	sim_stop(device, counts);
}

/* ---- request and response ---- */

static void numbers_are_computed(void **state)
{
	struct sim_counts *counts;
	pid_t device = loop_device(seed, 50, 50, 50, &counts);
	struct ncrt *nc = loop_open(W1, NULL);
	struct ncrt_wnd back = { .size = sizeof(back), .flags = NCRT_BACK };
	struct ncrt_window w;
	uint64_t r = 0;
	int i;

	for (i = 0; i < 300; i++) {
		struct ncrt_arg arg[] = { number('+'), number(1000 + i), number(-i), number(0) };

		assert_int_equal(ncrt_out_window(nc, "calc", arg, 4, NULL, &w), 0);
		assert_int_equal(*(uint64_t *)ncrt_arg_at(nc, &w, 3), 1000);
		assert_int_equal(w.from, W1);
		assert_true(w.flags & NCP_REPLY && w.flags & NCP_LAST);
		/* A slot that is used again has the next number. */
		assert_int_equal(*(uint16_t *)ncrt_field_at(nc, &w, "slot"), 0);
		assert_int_equal(*(uint32_t *)ncrt_field_at(nc, &w, "ver"), w.invocation);
		arg[0].i = '*';
		arg[3] = array(&r, 0, 8);
		assert_int_equal(ncrt_out_window(nc, "calc", arg, 4, &back, NULL), 0);
		assert_int_equal(r, (uint64_t)(1000 + i) * (uint64_t)(int64_t)-i);
	}
	assert_null(ncrt_arg_at(nc, &w, 4));
	assert_null(ncrt_field_at(nc, &w, "nosuch"));
	assert_int_equal(ncrt_recv(nc, NULL, &w, NCRT_NONBLOCK), -EAGAIN);
	ncrt_close(nc);
	sim_stop(device, counts);
}

/* Answers each question with the key in the value, as many as there are. */
static int answer_host(struct ncrt *nc, unsigned int node)
{
	struct ncrt_window w;
	uint64_t key;
	int8_t *val;

	for (;;) {
		NEED(!ncrt_recv(nc, "ask", &w, NCRT_FOREVER));
		memcpy(&key, ncrt_arg_at(nc, &w, 0), sizeof(key));
		val = ncrt_arg_at(nc, &w, 1);
		snprintf((char *)val, 32, "%lu of %s", key, ncrt_label(nc, w.from));
		NEED(!ncrt_answer(nc, &w));
	}
}

static int asking_host(struct ncrt *nc, unsigned int node)
{
	struct ncrt_wnd w = { .size = sizeof(w), .to = SERVER, .flags = NCRT_BACK };
	char val[32], want[32];
	int i;

	for (i = 0; i < 100; i++) {
		struct ncrt_arg arg[] = { number(i), array(val, sizeof(val), 1) };

		memset(val, 0, sizeof(val));
		NEED(!ncrt_out_window(nc, "ask", arg, 2, &w, NULL));
		snprintf(want, sizeof(want), "%d of w%u", i, node);
		NEED(!strcmp(val, want));
	}
	return 0;
}

/* All clients count their invocations alike: answers are told from one another by node. */
static void programs_answer(void **state)
{
	const struct ncrt_opts o = { .size = sizeof(o), .first = 1 };
	struct sim_counts *counts;
	pid_t device = loop_device(seed, 50, 50, 50, &counts), client[WORKERS];
	pid_t server = host(SERVER, answer_host, NULL);
	int i, bad = 0;

	for (i = 0; i < WORKERS; i++)
		client[i] = host(W1 + (unsigned int)i, asking_host, &o);
	for (i = 0; i < WORKERS; i++)
		bad += host_end(client[i]);
	kill(server, SIGKILL);
	host_end(server);
	sim_stop(device, counts);
	assert_int_equal(bad, 0);
}

/* ---- acknowledged windows ---- */

static int log_host(struct ncrt *nc, unsigned int node)
{
	struct ncrt_wnd w = { .size = sizeof(w), .to = SERVER, .mode = NCRT_ACK, .slots = 100 };
	static uint32_t data[4 * WINDOWS];
	struct ncrt_arg arg = array(data, 4 * WINDOWS, 4);
	size_t i;

	for (i = 0; i < 4 * WINDOWS; i++)
		data[i] = (uint32_t)(i + node * 100000);
	NEED(ncrt_out(nc, "log", &arg, 1, &w, NULL) == WINDOWS);
	NEED(ncrt_out(nc, "log", &arg, 1, &w, NULL) == WINDOWS);
	return 0;
}

static int logged_host(struct ncrt *nc, unsigned int node)
{
	static int came[WORKERS + 1][WINDOWS];
	struct ncrt_stats st;
	struct ncrt_window w;
	uint32_t *data;
	int i, k;

	for (i = 0; i < 2 * WORKERS * WINDOWS; i++) {
		NEED(!ncrt_recv(nc, NULL, &w, 20000000000));
		data = ncrt_arg_at(nc, &w, 0);
		NEED(w.kernel == 4 && w.seq < WINDOWS && w.from <= WORKERS);
		NEED(w.flags & NCP_WANT_ACK && !(w.flags & NCP_LAST) == (w.seq + 1 != WINDOWS));
		for (k = 0; k < 4; k++)
			NEED(data[k] == w.seq * 4 + (uint32_t)k + w.from * 100000);
		came[w.from][w.seq]++;
	}
	for (i = 1; i <= WORKERS; i++)
		for (k = 0; k < WINDOWS; k++)
			NEED(came[i][k] == 2);
	NEED(!linger(nc));
	ncrt_stats(nc, &st, sizeof(st));
	printf("# server: %lu received, %lu acknowledgements, %lu duplicates\n", st.received,
	       st.acks, st.duplicates);
	fflush(stdout);
	NEED(st.acks == st.received + st.duplicates && st.duplicates);
	return 0;
}

static void acknowledged_windows_come_once(void **state)
{
	struct sim_counts *counts;
	pid_t device = loop_device(seed, 100, 50, 50, &counts), sender[WORKERS];
	pid_t server = host(SERVER, logged_host, NULL);
	int i;

	for (i = 0; i < WORKERS; i++)
		sender[i] = host(W1 + (unsigned int)i, log_host, NULL);
	end_all(sender, WORKERS, server);
	sim_stop(device, counts);
}

/* More than the receiver keeps: they are not acknowledged, and come again. */
static int slow_host(struct ncrt *nc, unsigned int node)
{
	struct ncrt_stats st;
	struct ncrt_window w;
	int i;

	do {
		NEED(ncrt_recv(nc, "ask", &w, 1000000) == -ETIMEDOUT);
		ncrt_stats(nc, &st, sizeof(st));
	} while (!st.full);
	for (i = 0; i < 2 * WINDOWS; i++)
		NEED(!ncrt_recv(nc, "log", &w, 20000000000));
	return linger(nc);
}

static void a_full_receiver_loses_nothing(void **state)
{
	const struct ncrt_opts o = { .size = sizeof(o), .queue = 10 };
	struct sim_counts *counts;
	pid_t device = loop_device(seed, 0, 0, 0, &counts);
	pid_t server = host(SERVER, slow_host, &o), sender = host(W1, log_host, NULL);

	end_all(&sender, 1, server);
	sim_stop(device, counts);
}

/* ---- threads ---- */

static void *receiving(void *arg)
{
	struct ncrt_window w;
	uintptr_t n = 0;

	while (!ncrt_recv(arg, "log", &w, NCRT_FOREVER))
		if (++n == 2 * WINDOWS)
			break;
	return (void *)n;
}

static int busy_host(struct ncrt *nc, unsigned int node)
{
	pthread_t thread;
	void *n;
	int i;

	NEED(!pthread_create(&thread, NULL, receiving, nc));
	for (i = 0; i < 500; i++) {
		struct ncrt_arg arg[] = { number('*'), number(i), number(i), number(0) };
		struct ncrt_window w;

		NEED(!ncrt_out_window(nc, "calc", arg, 4, NULL, &w));
		NEED(*(uint64_t *)ncrt_arg_at(nc, &w, 3) == (uint64_t)i * (uint64_t)i);
	}
	NEED(!pthread_join(thread, &n));
	NEED((uintptr_t)n == 2 * WINDOWS);
	return linger(nc);
}

/* One thread of the server sends while another receives. */
static void two_threads_share_a_session(void **state)
{
	struct sim_counts *counts;
	pid_t device = loop_device(seed, 20, 20, 20, &counts);
	pid_t server = host(SERVER, busy_host, NULL), sender = host(W1, log_host, NULL);

	end_all(&sender, 1, server);
	sim_stop(device, counts);
}

static void *wait_for_nothing(void *arg)
{
	struct ncrt_window w;

	return (void *)(intptr_t)ncrt_recv(arg, NULL, &w, 300000000);
}

static void second_receiver_is_refused(void **state)
{
	struct ncrt *nc = loop_open(W1, NULL);
	struct ncrt_window w;
	pthread_t thread;
	void *ret;
	int err;

	assert_int_equal(pthread_create(&thread, NULL, wait_for_nothing, nc), 0);
	do {
		err = ncrt_recv(nc, NULL, &w, NCRT_NONBLOCK);
	} while (err == -EAGAIN);
	assert_int_equal(err, -EBUSY);
	pthread_join(thread, &ret);
	assert_int_equal((int)(intptr_t)ret, -ETIMEDOUT);
	ncrt_close(nc);
}

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

/* What the session makes of it: 1 if it is a window. */
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

static void wrong_datagrams_are_counted(void **state)
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
	WRONG(from, htole16(S1 + 1));
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

/* Random changes of a window: nothing breaks, and each is a window, or is counted. */
static void random_datagrams_break_nothing(void **state)
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
		/* A window that wants an acknowledgement may be a duplicate. */
		r.hdr.flags &= (uint8_t)~(NCP_WANT_ACK | NCP_REPLY);
		windows += raw_take(nc, fd, &r, len);
	}
	printf("# %d of %d were windows\n", windows, i);
	assert_in_range(windows, 1000, i - 1000);
	close(fd);
	ncrt_close(nc);
}

/* While a session waits for an answer, another host makes up answers. */
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

static void answers_with_other_numbers_are_late(void **state)
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

static void sessions_are_refused(void **state)
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

static void calls_are_refused(void **state)
{
	struct ncrt *nc = loop_open(W1, NULL);
	static int data[32];
	struct ncrt_arg a = array(data, 32, 4), odd = array(data, 31, 4), wide = array(data, 32, 8);
	struct ncrt_arg big[] = { number(256), number(0), number(0), number(0) };
	struct ncrt_wnd big_wnd = { .size = 1000 };
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
	refused(nc, "sum", &a, 1, WND(.to = 9), -EINVAL, "node 9: the AND file has 6");
	refused(nc, "sum", &a, 1, WND(.to = W1), -EINVAL, "windows for w1");
	refused(nc, "sum", &a, 1, WND(.slots = 1025), -EINVAL, "1025 slots: 1024 at most");
	assert_int_equal(ncrt_out(nc, "sum", &a, 1, &big_wnd, NULL), -E2BIG);
	assert_int_equal(ncrt_out(nc, "sum", &a, 1, NULL, mask), -EINVAL);
	assert_non_null(strstr(ncrt_last_error(), "_win_"));
	assert_int_equal(ncrt_recv(nc, "nosuch", &w, 0), -ENOENT);
	assert_int_equal(ncrt_in(nc, "sum", NULL, 0, 0), -EOPNOTSUPP);
	assert_int_equal(ncrt_node(nc, "server"), SERVER);
	assert_int_equal(ncrt_node(nc, NULL), W1);
	assert_int_equal(ncrt_node(nc, "nosuch"), -ENOENT);
	assert_string_equal(ncrt_label(nc, S1), "s1");
	assert_null(ncrt_label(nc, 7));
	ncrt_close(nc);
}

/* Nothing is deployed here under this name. */
static void variables_need_a_device(void **state)
{
	struct ncrt *nc = loop_open(W1, NULL);
	uint64_t key = 1;
	uint32_t x = 1;

	assert_int_equal(ncrt_ctrl_wr(nc, "nosuch", NULL, 0, &x, 1, 4), -ENOENT);
	assert_non_null(strstr(ncrt_last_error(), "nosuch is no variable of loop"));
	assert_int_equal(ncrt_ctrl_wr(nc, "count", "s9", 0, &x, 1, 4), -ENOENT);
	assert_int_equal(ncrt_ctrl_wr(nc, "count", NULL, 0, &x, 1, 4), -ENOENT);
	assert_non_null(strstr(ncrt_last_error(), "/run/ncl/loop.s1"));
	assert_int_equal(ncrt_map_put(nc, "table", NULL, &key, &x), -ENOENT);
	ncrt_close(nc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_exact),
		cmocka_unit_test(sums_are_exact_with_loss),
		cmocka_unit_test(sums_are_exact_with_much_loss),
		cmocka_unit_test(answers_wait_for_the_incoming_kernel),
		cmocka_unit_test(a_killed_host_ends_no_wait),
		cmocka_unit_test(numbers_are_computed),
		cmocka_unit_test(programs_answer),
		cmocka_unit_test(acknowledged_windows_come_once),
		cmocka_unit_test(a_full_receiver_loses_nothing),
		cmocka_unit_test(two_threads_share_a_session),
		cmocka_unit_test(second_receiver_is_refused),
		cmocka_unit_test(wrong_datagrams_are_counted),
		cmocka_unit_test(random_datagrams_break_nothing),
		cmocka_unit_test(answers_with_other_numbers_are_late),
		cmocka_unit_test(sessions_are_refused),
		cmocka_unit_test(calls_are_refused),
		cmocka_unit_test(variables_need_a_device),
	};

	loop_files();
	ended = mmap(NULL, sizeof(*ended), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ended == MAP_FAILED)
		return 1;
	seed = random_seed((uint64_t)getpid());
	return cmocka_run_group_tests(tests, NULL, NULL);
}
