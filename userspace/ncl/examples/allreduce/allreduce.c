/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * AllReduce: each worker sends an array, and receives the sum of the arrays of all workers.
 *
 * The device adds up a window in a cell. A worker has SLOTS windows outstanding, one in each
 * slot, and each slot has two cells. When a worker has received a sum, it sends the slot's next
 * window into the other cell, and the device keeps the first sum for workers that have not
 * received it yet. A worker uses the first cell again only after the second sum is complete. By
 * then all workers have sent into the second cell, so all have received the first sum.
 *
 * A cell has the number of its window and a bit for each worker in the sum. The number is
 * window.ver, which rises by 1 with each use of the slot. With them the device adds a window once
 * if it arrives twice, drops a window that arrives late, and returns the whole sum or nothing to
 * a worker that sends its window again.
 */
#include <stdbool.h>
#include <stdint.h>

#define NCL_WINDOW	uint32_t ver; uint16_t slot;
#include <ncl.h>

#define WIN	16	/* integers in a window */
#define SLOTS	16	/* windows that a worker has outstanding: ncrt_wnd.slots */
#define CELLS	(2 * SLOTS)

enum op { ADD, LARGEST };

_net_ _at_("s1") _ctrl_ uint32_t workers;	/* bit 1 << node of each worker */
_net_ _at_("s1") uint32_t number[CELLS];	/* window.ver of the cell's window */
_net_ _at_("s1") uint32_t seen[CELLS];		/* workers that are in the sum */
_net_ _at_("s1") int32_t sum[CELLS][WIN];

/*
 * ADD: the sum of each integer. LARGEST: the largest of each integer, which must not be negative;
 * blockfloat.h needs it for exponents of floats. Masks need fewer instructions than a branch for
 * each integer.
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
	"       allreduce -c LABEL,LABEL...	(on the device's machine: set the workers)\n"
	"Sum arrays in the network, and compare the sums with the expected ones.\n"
	"  -n INTEGERS  elements of an array (1024)\n"
	"  -r ROUNDS    number of sums (1)\n"
	"  -f           arrays of floats\n"
	"  -o FILE      write the last sums to FILE\n"
	"Environment: NCL_AND, the AND file; NCL_HOST, this worker's label; NCL_FIRST, a number that is\n"
	"equal for all workers, and larger than in earlier runs on the same device.\n";

static int fail(const char *what)
{
	fprintf(stderr, "allreduce: %s: %s\n", what, ncl_error());
	return 1;
}

/*
 * Find the nodes of a list of labels. Returns their number, or 0 after a message if a label is
 * wrong.
 */
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

/* Return element @i of the array of worker @node. All elements differ, and their sums wrap. */
static uint32_t value(int node, uint32_t round, uint32_t i)
{
	uint32_t x = (i + 1) * 2654435761u ^ (round * 40503u + (uint32_t)node) * 2246822519u;

	return x ^ x >> 15;
}

/* Check the sums of a round. */
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

/* Make floats of many magnitudes, so that blocks have different exponents. */
static void floats_of(float *x, int node, uint32_t round, uint32_t block)
{
	for (uint32_t i = 0; i < WIN; i++)
		x[i] = ldexpf((float)(int32_t)value(node, round, block * WIN + i),
			      (int)(value(node, round + 1, block) % 64) - 32);
}

/* Compute the sum of a block from the integers that the workers send. */
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

/* Sum arrays of floats, whole blocks at a time. */
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
