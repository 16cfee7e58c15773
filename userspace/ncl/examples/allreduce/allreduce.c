/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * AllReduce: each worker sends an array, and each gets the sum of all of them.
 *
 * A window's sum grows in a cell of the device. A worker has SLOTS windows outstanding, and a
 * slot has two cells: a worker that has a sum sends the next window of the slot into the
 * other cell, while the first sum is kept for a worker that has not got it yet. Nobody can
 * come back to the first cell before all have sent into the second, so all have the first sum.
 *
 * A cell knows the number of its window (window.ver, which rises by one with each use of the
 * slot) and the workers that are in the sum. So a window that comes twice is added once, one
 * that comes late is dropped, and a worker that asks again gets the whole sum or nothing.
 */
#include <stdbool.h>
#include <stdint.h>

#define NCL_WINDOW	uint32_t ver; uint16_t slot;
#include <ncl.h>

#define WIN	16	/* integers in a window */
#define SLOTS	16	/* windows that a worker has outstanding: ncrt_wnd.slots */
#define CELLS	(2 * SLOTS)

enum op { ADD, LARGEST };

_net_ _at_("s1") _ctrl_ uint32_t workers;	/* 1 << node, of each */
_net_ _at_("s1") uint32_t number[CELLS];	/* window.ver of the cell's window */
_net_ _at_("s1") uint32_t seen[CELLS];		/* workers that are in the sum */
_net_ _at_("s1") int32_t sum[CELLS][WIN];

/*
 * The sum of each integer, or the largest of each, of those from 0 on: exponents of floats
 * (blockfloat.h). Masks are shorter than a branch for each integer.
 */
_net_ _out_ _at_("s1") _win_(WIN) void allreduce(uint32_t op, int32_t *data)
{
	uint32_t cell = window.slot % SLOTS * 2 + window.ver % 2;
	uint32_t me = 1u << window.from % 32, before = seen[cell];
	int32_t age = window.ver - number[cell];

	if (!(workers & me) || (before && age < 0)) {
		_drop();
		return;
	}
	if (age)
		before = 0;
	int32_t keep = before ? -1 : 0, take = before & me ? 0 : -1;
	int32_t largest = op == LARGEST ? -1 : 0;

	for (int i = 0; i < WIN; i++) {
		int32_t a = sum[cell][i] & keep, b = data[i] & take;
		int32_t least = a < b ? a : b;

		data[i] = a + b - (least & largest);
		sum[cell][i] = data[i];
	}
	number[cell] = window.ver;
	seen[cell] = before | me;
	if ((before | me) != workers)
		_drop();
	else if (before == workers)
		_reflect();
	else
		_bcast();
}

/* ---- the hosts' code ---- */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blockfloat.h"

#define MAX_WORKERS	16

static const char usage[] =
	"usage: allreduce [-f] [-n INTEGERS] [-r ROUNDS] [-o FILE] LABEL,LABEL...	(a worker)\n"
	"       allreduce -c LABEL,LABEL...	(tell the device, on its machine, who the workers are)\n"
	"Workers sum arrays of INTEGERS (1024) in the network, ROUNDS (1) times, and compare each sum\n"
	"with what it has to be; -f: arrays of floats. FILE gets the last sums. NCL_AND is the file of the network, NCL_HOST this worker's label;\n"
	"NCL_FIRST is a number that is the same for all, and larger in a later run on the same device.\n";

static int fail(const char *what)
{
	fprintf(stderr, "allreduce: %s: %s\n", what, ncl_error());
	return 1;
}

/* Nodes of a list of labels; 0: there is a wrong one */
static unsigned int nodes_of(char *list, int *node)
{
	unsigned int n = 0;

	for (char *l = strtok(list, ","); l; l = strtok(NULL, ",")) {
		int id = ncrt_node(ncl_session(), l);

		if (n == MAX_WORKERS)
			return fprintf(stderr, "allreduce: more than %d workers\n", MAX_WORKERS), 0;
		if (id < 0 || id > 31)
			return fprintf(stderr, "allreduce: no node below 32 is called '%s'\n", l), 0;
		node[n++] = id;
	}
	return n;
}

/* Element @i of worker @node's array: no two are alike, and their sums wrap. */
static uint32_t value(int node, uint32_t round, uint32_t i)
{
	uint32_t x = (i + 1) * 2654435761u ^ (round * 40503u + (uint32_t)node) * 2246822519u;

	return x ^ x >> 15;
}

/* The sums of a round are what they have to be. */
static bool right(const int32_t *data, uint32_t count, uint32_t round, const int *node,
		  unsigned int n)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t want = 0;

		for (unsigned int w = 0; w < n; w++)
			want += value(node[w], round, i);
		if ((uint32_t)data[i] == want)
			continue;
		fprintf(stderr, "allreduce: round %u: sum %u is %d, not %d\n", round, i, data[i],
			(int32_t)want);
		return false;
	}
	return true;
}

static int save(const char *path, const int32_t *data, uint32_t count)
{
	FILE *f = fopen(path, "w");
	bool good = f && fwrite(data, sizeof(*data), count, f) == count;

	if (!f || fclose(f) || !good)
		return perror(path), 1;
	return 0;
}

static int sum_up(enum op op, int32_t *data, uint32_t count)
{
	struct ncrt_wnd wnd = {
		.size = sizeof(wnd), .flags = NCRT_BACK | NCRT_QUIET | NCRT_PAD, .slots = SLOTS,
		.timeout_ms = 60000,
	};

	return ncl_out(allreduce, &wnd, ncl_value(op), ncl_array(data, count)) < 0 ? fail("sum") : 0;
}

/* Of many sizes, so that blocks have exponents that differ */
static void floats_of(float *x, int node, uint32_t round, uint32_t block)
{
	for (uint32_t i = 0; i < WIN; i++)
		x[i] = ldexpf((float)(int32_t)value(node, round, block * WIN + i),
			      (int)(value(node, round + 1, block) % 64) - 32);
}

/* A block's sum: of the integers that workers send */
static void float_sum(const int *node, unsigned int n, uint32_t round, uint32_t block, float *sum)
{
	int32_t e, largest = 0, q[WIN], total[WIN] = { 0 };
	float x[WIN];

	for (unsigned int w = 0; w < n; w++) {
		floats_of(x, node[w], round, block);
		blockfloat_exponent(x, WIN, &e);
		largest = e > largest ? e : largest;
	}
	for (unsigned int w = 0; w < n; w++) {
		floats_of(x, node[w], round, block);
		blockfloat_to_int(x, q, WIN, largest, n);
		for (int i = 0; i < WIN; i++)
			total[i] += q[i];
	}
	blockfloat_from_int(total, sum, WIN, largest, n);
}

static int float_round(const int *node, unsigned int n, uint32_t blocks, uint32_t round, int32_t *e,
		       int32_t *q)
{
	int me = ncrt_node(ncl_session(), NULL);
	float x[WIN], want[WIN];

	for (uint32_t b = 0; b < blocks; b++) {
		floats_of(x, me, round, b);
		blockfloat_exponent(x, WIN, &e[b]);
	}
	if (sum_up(LARGEST, e, blocks))
		return 1;
	for (uint32_t b = 0; b < blocks; b++) {
		floats_of(x, me, round, b);
		blockfloat_to_int(x, &q[b * WIN], WIN, e[b], n);
	}
	if (sum_up(ADD, q, blocks * WIN))
		return 1;
	for (uint32_t b = 0; b < blocks; b++) {
		blockfloat_from_int(&q[b * WIN], x, WIN, e[b], n);
		float_sum(node, n, round, b, want);
		if (memcmp(x, want, sizeof(x)))
			return fprintf(stderr, "allreduce: round %u: floats of block %u differ\n",
				       round, b), 1;
	}
	return 0;
}

/* Rounds of floats: whole blocks */
static int work_floats(const int *node, unsigned int n, uint32_t count, uint32_t rounds)
{
	uint32_t blocks = (count + WIN - 1) / WIN;
	int32_t *e = calloc(blocks, sizeof(*e)), *q = calloc(blocks, WIN * sizeof(*q));
	int failed = !e || !q;

	for (uint32_t r = 0; r < rounds && !failed; r++)
		failed = float_round(node, n, blocks, r, e, q);
	free(e);
	free(q);
	if (!failed)
		printf("%u sums of %u workers' %u floats are right\n", rounds, n, blocks * WIN);
	return failed;
}

static int work(const int *node, unsigned int n, uint32_t count, uint32_t rounds, const char *out)
{
	int me = ncrt_node(ncl_session(), NULL);
	int32_t *data = malloc(count * sizeof(*data));
	struct ncrt_stats stats;

	if (!data)
		return perror("allreduce"), 1;
	for (uint32_t r = 0; r < rounds; r++) {
		for (uint32_t i = 0; i < count; i++)
			data[i] = (int32_t)value(me, r, i);
		if (sum_up(ADD, data, count) || !right(data, count, r, node, n))
			return 1;
	}
	ncrt_stats(ncl_session(), &stats, sizeof(stats));
	printf("%s: %u sums of %u workers' %u integers are right: %" PRIu64 " windows, %" PRIu64
	       " sent again\n", ncrt_label(ncl_session(), (unsigned int)me), rounds, n, count,
	       stats.sent, stats.again);
	return out ? save(out, data, count) : 0;
}

int main(int argc, char **argv)
{
	uint32_t count = 1024, rounds = 1, mask = 0;
	int node[MAX_WORKERS], control = 0, floats = 0, c;
	const char *out = NULL;
	unsigned int n;

	while ((c = getopt(argc, argv, "cfn:o:r:h")) != -1) {
		switch (c) {
		case 'c': control = 1; break;
		case 'f': floats = 1; break;
		case 'n': count = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'o': out = optarg; break;
		case 'r': rounds = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'h': return fputs(usage, stdout), 0;
		default: return fputs(usage, stderr), 2;
		}
	}
	if (optind + 1 != argc || !count || count > 1 << 26)
		return fputs(usage, stderr), 2;
	if (!ncl_session())
		return fail("open");
	n = nodes_of(argv[optind], node);
	if (!n)
		return 2;
	if (floats)
		return work_floats(node, n, count, rounds);
	if (!control)
		return work(node, n, count, rounds, out);
	for (unsigned int w = 0; w < n; w++)
		mask |= 1u << node[w];
	return ncl_ctrl_wr(&workers, mask) < 0 ? fail("workers") : 0;
}
