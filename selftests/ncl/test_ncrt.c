// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_ncrt.c - test libncrt with hosts that are processes. The device between the hosts is
 * simulated in user space; it loses, duplicates and reorders datagrams.
 */
#define _GNU_SOURCE
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
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "and.h"
#include "hosts.h"
#include "random.h"

#define WINDOWS		200
#define ELEMENTS	(WINDOWS * WINDOW)
#define ROUNDS		5

static uint64_t seed;

/* In memory that all processes share: the senders have ended. */
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

/*
 * Wait for the senders, tell the receiver that they have ended, and wait for the receiver. All
 * must exit with status 0.
 */
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
		printf("# w1: %lu windows, %lu sent again, %lu duplicates, %lu late, %lu us each\n",
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

/*
 * Send all windows first, without NCRT_BACK; then call the incoming kernel, which stores the
 * sums. The NCL paper writes its programs in this way.
 */
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

static void answers_are_kept_for_the_incoming_kernel(void **state)
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
	/* The session still works after the timeout. */
	struct ncrt_arg calc[] = { number('+'), number(2), number(3), number(0) };
	struct ncrt_window answer;

	NEED(!ncrt_out_window(nc, "calc", calc, 4, NULL, &answer));
	NEED(*(uint64_t *)ncrt_arg_at(nc, &answer, 3) == 5);
	return 0;
}

static void workers_time_out_after_one_is_killed(void **state)
{
	const struct ncrt_opts o = { .size = sizeof(o), .first = 1 };
	struct sim_counts *counts;
	pid_t device = loop_device(seed, 0, 0, 0, &counts), worker[WORKERS];
	int i, bad = 0;

	for (i = 0; i < WORKERS; i++)
		worker[i] = host(W1 + (unsigned int)i, alone_host, &o);
	/* Kill a worker in the middle of its work: after the device has received 1000 windows. */
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

static void a_kernel_computes_and_reflects(void **state)
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
		/*
		 * Each call uses slot 0, so `ver` rises by 1 with each call, as `invocation`
		 * does.
		 */
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

/*
 * Answer each window of kernel ask with the text "KEY of LABEL", until the test kills the
 * process.
 */
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

/*
 * All clients use the same invocation numbers, so only the node number tells which client an
 * answer is for.
 */
static void a_server_answers_windows(void **state)
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

static void acknowledged_windows_are_received_once(void **state)
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

/*
 * Receive no window of kernel log until the queue is full. libncrt does not acknowledge a window
 * that it drops, so the sender sends the window again.
 */
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

static void a_full_queue_loses_no_acknowledged_window(void **state)
{
	const struct ncrt_opts o = { .size = sizeof(o), .queue = 10 };
	struct sim_counts *counts;
	pid_t device = loop_device(seed, 0, 0, 0, &counts);
	pid_t server = host(SERVER, slow_host, &o), sender = host(W1, log_host, NULL);

	end_all(&sender, 1, server);
	sim_stop(device, counts);
}

/* ---- broadcasts ---- */

#define SPREAD	50

static int spreading_host(struct ncrt *nc, unsigned int node)
{
	struct ncrt_wnd w = { .size = sizeof(w), .mode = NCRT_NONE };
	uint32_t data[4 * SPREAD];
	struct ncrt_arg arg = array(data, 4 * SPREAD, 4);
	uint32_t i;

	for (i = 0; i < 4 * SPREAD; i++)
		data[i] = i;
	NEED(ncrt_out(nc, "log", &arg, 1, &w, NULL) == SPREAD);
	return 0;
}

/*
 * Three devices are linked in a ring, and each broadcasts the windows of the others. Each window
 * reaches host far by s1 and s3, because the way by s2 is longer.
 */
static void a_broadcast_runs_once_at_each_device(void **state)
{
	static const char * const label[] = { "s1", "s2", "s3" };
	struct ncrt *nc = loop_open(FAR, NULL);
	struct sim_counts *counts[3];
	pid_t device[3], sender;
	struct ncrt_stats st;
	struct ncrt_window w;
	uint32_t i;

	for (i = 0; i < 3; i++)
		device[i] = loop_ring(label[i], &counts[i]);
	sender = host(W1, spreading_host, NULL);
	for (i = 0; i < SPREAD; i++) {
		assert_int_equal(ncrt_recv(nc, "log", &w, 20000000000), 0);
		assert_true(w.from == W1 && w.flags & NCP_REPLY && w.seq == i);
		assert_int_equal(*(uint32_t *)ncrt_arg_at(nc, &w, 0), 4 * i + 2);
	}
	assert_int_equal(host_end(sender), 0);
	for (i = 0; i < 3; i++)
		while (__atomic_load_n(&counts[i]->windows, __ATOMIC_RELAXED) < SPREAD)
			sched_yield();
	assert_int_equal(ncrt_recv(nc, NULL, &w, 1000000), -ETIMEDOUT);
	ncrt_stats(nc, &st, sizeof(st));
	assert_int_equal(st.duplicates + st.malformed, 0);
	ncrt_close(nc);
	for (i = 0; i < 3; i++) {
		assert_int_equal(counts[i]->windows, SPREAD);
		assert_int_equal(counts[i]->malformed, 0);
		sim_stop(device[i], counts[i]);
	}
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
static void one_thread_sends_while_another_receives(void **state)
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

/* Is a socket of this machine a member of the group? */
static bool joined(uint32_t group)
{
	FILE *f = fopen("/proc/net/igmp", "r");
	char line[256];
	unsigned int ip;
	bool found = false;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		found |= sscanf(line, " %8X ", &ip) == 1 && ip == group;
	fclose(f);
	return found;
}

static void a_session_joins_the_groups_of_its_host(void **state)
{
	struct and_net *net;
	struct ncrt *nc;

	assert_int_equal(and_read(loop_net(), &net, NULL, 0), 0);
	assert_int_equal(net->multicasts, 1);
	nc = loop_open(W3, NULL);
	assert_false(joined(net->multicast[0].ip));
	ncrt_close(nc);
	nc = loop_open(W1, NULL);
	assert_true(joined(net->multicast[0].ip));
	ncrt_close(nc);
	assert_false(joined(net->multicast[0].ip));
	and_free(net);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_exact),
		cmocka_unit_test(sums_are_exact_with_loss),
		cmocka_unit_test(sums_are_exact_with_much_loss),
		cmocka_unit_test(answers_are_kept_for_the_incoming_kernel),
		cmocka_unit_test(workers_time_out_after_one_is_killed),
		cmocka_unit_test(a_kernel_computes_and_reflects),
		cmocka_unit_test(a_server_answers_windows),
		cmocka_unit_test(acknowledged_windows_are_received_once),
		cmocka_unit_test(a_full_queue_loses_no_acknowledged_window),
		cmocka_unit_test(a_broadcast_runs_once_at_each_device),
		cmocka_unit_test(one_thread_sends_while_another_receives),
		cmocka_unit_test(second_receiver_is_refused),
		cmocka_unit_test(a_session_joins_the_groups_of_its_host),
	};

	loop_files();
	ended = mmap(NULL, sizeof(*ended), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ended == MAP_FAILED)
		return 1;
	seed = random_seed((uint64_t)getpid());
	return cmocka_run_group_tests(tests, NULL, NULL);
}
