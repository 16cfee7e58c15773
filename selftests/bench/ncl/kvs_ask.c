// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * kvs_ask - measure queries of the example kvs, one after another, by the node that answers.
 *
 * usage: kvs_ask put KEYS		(put a value for each key below KEYS)
 *        kvs_ask get HOT TIMES		(get each key below HOT, TIMES times)
 *        kvs_ask ask HOT KEYS QUERIES PERCENT	(time QUERIES gets: PERCENT of them for
 *						keys below HOT, the rest for the other
 *						keys below KEYS, each in turn)
 *
 * Each value that arrives is compared with the value that was put.
 */
#include <ncrt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "meter.h"
#include "../../../userspace/ncl/examples/kvs/kvs.h"

static struct ncrt *nc;

static void value(char *val, unsigned int key)
{
	for (unsigned int i = 0; i < KVS_VALUE; i++)
		val[i] = (char)(key * 31 + i);
}

/* Put or get @key. Return the node that answered, or -1. */
static int ask(unsigned int key, bool put)
{
	struct ncrt_wnd wnd = { .size = sizeof(wnd), .flags = NCRT_BACK };
	char val[KVS_VALUE] = "", want[KVS_VALUE], text[256];
	int32_t len = put ? KVS_VALUE : 0;
	struct ncrt_arg args[] = {
		[KVS_KEY] = { .i = key }, [KVS_PUT] = { .i = put },
		[KVS_LEN] = { .data = &len, .count = 1, .size = sizeof(len) },
		[KVS_VAL] = { .data = val, .count = KVS_VALUE, .size = 1 },
	};
	struct ncrt_window w;

	value(want, key);
	if (put)
		memcpy(val, want, sizeof(val));
	if (ncrt_out_window(nc, "query", args, 4, &wnd, &w) < 0) {
		fprintf(stderr, "kvs_ask: %s\n", ncrt_error(nc, text, sizeof(text)));
		return -1;
	}
	if (len == KVS_VALUE && !memcmp(val, want, KVS_VALUE))
		return w.from;
	fprintf(stderr, "kvs_ask: key %u: not the value that was put (length %d)\n", key, (int)len);
	return -1;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void report(const char *what, uint64_t *ns, size_t n)
{
	qsort(ns, n, sizeof(*ns), compare);
	printf("%s {\"queries\": %zu", what, n);
	if (n)
		printf(", \"median_us\": %.1f, \"p99_us\": %.1f", (double)ns[n / 2] / 1000,
		       (double)ns[n * 99 / 100] / 1000);
	printf("}\n");
}

static int measure(unsigned int hot, unsigned int keys, unsigned int queries, unsigned int percent)
{
	uint64_t *ns[2] = { calloc(queries, 8), calloc(queries, 8) };
	int server = ncrt_node(nc, "server");
	unsigned int next[2] = { 0, 0 };
	struct meter from;
	size_t n[2] = { 0 };

	if (!ns[0] || !ns[1])
		return perror("kvs_ask"), 1;
	meter_begin(&from);
	for (unsigned int i = 0; i < queries; i++) {
		bool cold = i * 37 % 100 >= percent;
		unsigned int key = cold ? hot + next[1]++ % (keys - hot) : next[0]++ % hot;
		uint64_t t = meter_now();
		int node = ask(key, false);

		t = meter_now() - t;
		if (node < 0)
			return 1;
		ns[node == server][n[node == server]++] = t;
	}
	meter_end(&from, "client");
	report("hit", ns[0], n[0]);
	report("miss", ns[1], n[1]);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int arg[4] = { 0 };
	char err[256];

	for (int i = 2; i < argc && i < 6; i++)
		arg[i - 2] = (unsigned int)atoi(argv[i]);
	if (argc < 3 || !arg[0])
		return fprintf(stderr, "usage: kvs_ask put KEYS | get HOT TIMES | "
			       "ask HOT KEYS QUERIES PERCENT\n"), 2;
	if (ncrt_open(&nc, NULL, err, sizeof(err)) < 0)
		return fprintf(stderr, "kvs_ask: %s\n", err), 1;
	if (!strcmp(argv[1], "ask"))
		return measure(arg[0], arg[1], arg[2], arg[3]);
	for (unsigned int i = 0; i < arg[0] * (arg[1] ? arg[1] : 1); i++)
		if (ask(i % arg[0], !strcmp(argv[1], "put")) < 0)
			return 1;
	return 0;
}
