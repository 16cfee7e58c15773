// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * sum_ncl - add the arrays of all workers with windows of allreduce.c, measure it, and check the
 * sums.
 *
 * usage: sum_ncl worker NUMBER WORKERS COUNT ROUNDS	(NUMBER from 0)
 *        sum_ncl tell WORKERS	(give the device's program the nodes of the workers)
 *        sum_ncl server WORKERS	(add, in place of the device)
 *
 * The workers are the hosts w1, w2... If the device has the program, the device adds. Otherwise
 * the windows go through the device to the host "server". There the server does what the device's
 * program does, and answers each worker.
 *
 * The first round is not measured. When it ends, all workers have started.
 */
#include <errno.h>
#include <ncrt.h>
#include <signal.h>
#include <string.h>

#include "meter.h"
#include "sum.h"

#define WIN	16	/* as in allreduce.c */
#define SLOTS	16

static struct ncrt *nc;

static int fail(const char *what)
{
	char text[256];

	fprintf(stderr, "sum_ncl: %s: %s\n", what, ncrt_error(nc, text, sizeof(text)));
	return 1;
}

static int work(unsigned int number, unsigned int workers, uint32_t count, uint32_t rounds)
{
	struct ncrt_wnd wnd = {
		.size = sizeof(wnd), .flags = NCRT_BACK | NCRT_QUIET, .slots = SLOTS,
		.timeout_ms = 60000,
	};
	uint32_t *data = sum_arrays(number, rounds, count);
	struct ncrt_stats before, after;
	struct meter from = { 0 };

	if (!data)
		return perror("sum_ncl"), 1;
	for (uint32_t r = 0; r < rounds; r++) {
		struct ncrt_arg args[] = {
			{ .i = 0 },
			{ .data = data + (size_t)r * count, .count = count, .size = sizeof(*data) },
		};

		if (r == 1) {
			ncrt_stats(nc, &before, sizeof(before));
			meter_begin(&from);
		}
		if (ncrt_out(nc, "allreduce", args, 2, &wnd, NULL) < 0)
			return fail("sum");
	}
	meter_end(&from, "worker");
	ncrt_stats(nc, &after, sizeof(after));
	if (!sum_right(data, rounds, count, workers))
		return 1;
	printf("windows {\"sent\": %" PRIu64 ", \"again\": %" PRIu64 "}\n", after.sent - before.sent,
	       after.again - before.again);
	free(data);
	return 0;
}

/* ---- the server ---- */

static struct cell {
	uint32_t number, seen;
	uint32_t sum[WIN];
} cells[2 * SLOTS];

static volatile sig_atomic_t stopped;

static void stop(int sig)
{
	(void)sig;
	stopped = 1;
}

/*
 * Add a window to its cell, unless the cell has that worker's window already. Return true if @data
 * is now the sum of all workers. @first: this window was the last one that was missing.
 */
static bool add(struct cell *c, uint32_t ver, uint32_t me, uint32_t all, uint32_t *data,
		bool *first)
{
	if (!(me & all) || (c->seen && (int32_t)(ver - c->number) < 0))
		return false;
	if (ver != c->number)
		memset(c, 0, sizeof(*c));
	c->number = ver;
	*first = c->seen != all;
	for (int i = 0; i < WIN && !(c->seen & me); i++)
		c->sum[i] += data[i];
	c->seen |= me;
	memcpy(data, c->sum, sizeof(c->sum));
	return c->seen == all;
}

/* Look up the workers' nodes. Return a mask of them, or 0 if there is no such node. */
static uint32_t nodes(unsigned int workers, int *node)
{
	uint32_t all = 0;

	for (unsigned int i = 0; i < workers; i++) {
		char label[16];

		snprintf(label, sizeof(label), "w%u", i + 1);
		node[i] = ncrt_node(nc, label);
		if (node[i] < 0 || node[i] > 31)
			return 0;
		all |= 1u << node[i];
	}
	return all;
}

static int tell(unsigned int workers)
{
	int node[32];
	uint32_t all = nodes(workers, node);

	if (!all || ncrt_ctrl_wr(nc, "workers", NULL, 0, &all, 1, sizeof(all)) < 0)
		return fail("tell");
	return 0;
}

static int answer(struct ncrt_window *w, const int *node, unsigned int workers, uint32_t all)
{
	uint32_t ver = *(uint32_t *)ncrt_field_at(nc, w, "ver");
	uint16_t slot = *(uint16_t *)ncrt_field_at(nc, w, "slot");
	bool first = false;
	int ret = 0;

	if (!add(&cells[slot % SLOTS * 2 + ver % 2], ver, 1u << w->from % 32, all,
		 ncrt_arg_at(nc, w, 1), &first))
		return 0;
	if (!first)
		return ncrt_answer(nc, w);
	for (unsigned int i = 0; i < workers && !ret; i++) {
		w->from = (uint16_t)node[i];
		ret = ncrt_answer(nc, w);
	}
	return ret;
}

static int serve(unsigned int workers)
{
	struct sigaction sa = { .sa_handler = stop };
	struct meter from = { 0 };
	struct ncrt_window w;
	int node[32], ret;
	uint32_t warm = 0, all = nodes(workers, node);

	if (!all)
		return fail("workers");
	sigaction(SIGTERM, &sa, NULL);
	printf("ready\n");
	fflush(stdout);
	while (!stopped) {
		ret = ncrt_recv(nc, "allreduce", &w, NCRT_FOREVER);
		if (ret == -EINTR)
			continue;
		if (ret < 0)
			return fail("receive");
		if (!warm)
			warm = w.invocation;
		if (!from.ns && w.invocation != warm)
			meter_begin(&from);
		if (answer(&w, node, workers, all) < 0)
			return fail("answer");
	}
	meter_end(&from, "server");
	return 0;
}

int main(int argc, char **argv)
{
	bool worker = argc == 6 && !strcmp(argv[1], "worker");
	unsigned int arg[4] = { 0 };
	char err[256];
	int ret;

	if (!worker && (argc != 3 || (strcmp(argv[1], "server") && strcmp(argv[1], "tell"))))
		return fprintf(stderr, "usage: sum_ncl worker NUMBER WORKERS COUNT ROUNDS | "
			       "tell WORKERS | server WORKERS\n"), 2;
	for (int i = 2; i < argc; i++)
		arg[i - 2] = (unsigned int)atoi(argv[i]);
	if (arg[worker] < 1 || arg[worker] > 31)
		return fprintf(stderr, "sum_ncl: %u workers: 1 to 31\n", arg[worker]), 2;
	if (ncrt_open(&nc, NULL, err, sizeof(err)) < 0)
		return fprintf(stderr, "sum_ncl: %s\n", err), 1;
	ret = worker ? work(arg[0], arg[1], arg[2], arg[3] + 1) :
	      argv[1][0] == 't' ? tell(arg[0]) : serve(arg[0]);
	ncrt_close(nc);
	return ret;
}
