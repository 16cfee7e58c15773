// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * kvs-client - queries the key-value store through the cache of kvs.cc, and checks the answers.
 *
 * There is a process for each LABEL. Each key has one writer, which numbers the key's values.
 * When a PUT is answered, the writer stores the number in memory that all processes share. A GET
 * that begins after that must not return a smaller number. Half of the queries are for the lowest
 * eighth of the keys.
 */
#include <errno.h>
#include <inttypes.h>
#include <ncrt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kvs.h"

static unsigned int keys = 256, queries = 1000, percent = 10, seed = 1;

static struct shared {
	uint64_t hits, misses, puts, hit_ns, miss_ns;
	uint32_t answered[];	/* by key: number of the last value whose PUT was answered */
} *shared;

static struct ncrt *nc;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void add(uint64_t *to, uint64_t n)
{
	__atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

/* Make a value. The number is repeated in all of it, so that a torn value is recognised. */
static int32_t value(char *val, uint64_t key, uint32_t number)
{
	for (unsigned int i = 0; i < KVS_VALUE / 8; i++) {
		uint32_t words[2] = { (uint32_t)key * 2654435761u + i, number };

		memcpy(val + 8 * i, words, 8);
	}
	return KVS_VALUE;
}

/*
 * Return the number in a value. 0: there is no value yet. -1: the value is torn, or of another
 * key.
 */
static int64_t number_of(const char *val, uint64_t key, int32_t len)
{
	char want[KVS_VALUE];
	uint32_t number;

	if (len == KVS_MISSING)
		return 0;
	memcpy(&number, val + 4, sizeof(number));
	value(want, key, number);
	return len == KVS_VALUE && !memcmp(val, want, KVS_VALUE) ? (int64_t)number : -1;
}

static int ask(uint64_t key, int put, int32_t *len, char *val, struct ncrt_window *w)
{
	struct ncrt_wnd wnd = { .size = sizeof(wnd), .flags = NCRT_BACK };
	struct ncrt_arg args[] = {
		[KVS_KEY] = { .i = (int64_t)key }, [KVS_PUT] = { .i = put },
		[KVS_LEN] = { .data = len, .count = 1, .size = sizeof(*len) },
		[KVS_VAL] = { .data = val, .count = KVS_VALUE, .size = 1 },
	};
	char text[256];
	int ret = ncrt_out_window(nc, "query", args, 4, &wnd, w);

	if (ret < 0)
		fprintf(stderr, "kvs-client: %s\n", ncrt_error(nc, text, sizeof(text)));
	return ret;
}

static int put(uint64_t key, uint32_t number)
{
	struct ncrt_window w;
	char val[KVS_VALUE];
	int32_t len = value(val, key, number);

	if (ask(key, 1, &len, val, &w) < 0)
		return -1;
	if (len == KVS_FAILED)
		return fprintf(stderr, "kvs-client: PUT of %" PRIu64 " was refused\n", key), -1;
	__atomic_store_n(&shared->answered[key], number, __ATOMIC_SEQ_CST);
	add(&shared->puts, 1);
	return 0;
}

static int get(uint64_t key, int server)
{
	uint32_t least = __atomic_load_n(&shared->answered[key], __ATOMIC_SEQ_CST);
	struct ncrt_window w;
	char val[KVS_VALUE] = "";
	int32_t len = 0;
	uint64_t t = now();
	int64_t number;

	if (ask(key, 0, &len, val, &w) < 0)
		return -1;
	t = now() - t;
	number = number_of(val, key, len);
	if (number < least) {
		fprintf(stderr, "kvs-client: key %" PRIu64 ": GET has %" PRId64 " after PUT %u, from %s\n",
			key, number, least, w.from == server ? "the server" : "the cache");
		return -1;
	}
	add(w.from == server ? &shared->misses : &shared->hits, 1);
	add(w.from == server ? &shared->miss_ns : &shared->hit_ns, t);
	return 0;
}

static int client(const char *label, unsigned int me, unsigned int clients)
{
	struct ncrt_opts opts = { .size = sizeof(opts), .host = label };
	unsigned int state = seed * 1000 + me;
	char err[256];
	int server;

	if (ncrt_open(&nc, &opts, err, sizeof(err)) < 0)
		return fprintf(stderr, "kvs-client: %s\n", err), 1;
	server = ncrt_node(nc, "server");
	for (unsigned int i = 0; i < queries; i++) {
		unsigned int range = rand_r(&state) % 2 ? keys : (keys + 7) / 8;
		unsigned int key = (unsigned int)rand_r(&state) % range;
		int is_put = (unsigned int)rand_r(&state) % 100 < percent;

		if (is_put)	/* the next key that this client writes */
			key = (key / clients * clients + me) % keys;
		if (is_put && key % clients != me)
			continue;
		if (is_put ? put(key, shared->answered[key] + 1) : get(key, server))
			return 1;
	}
	ncrt_close(nc);
	return 0;
}

static int run(char **label, unsigned int clients)
{
	unsigned int failed = 0;
	int status;

	for (unsigned int i = 0; i < clients; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return perror("fork"), 1;
		if (!pid)
			_exit(client(label[i], i, clients));
	}
	while (wait(&status) > 0)
		failed += status != 0;
	printf("%u clients: %" PRIu64 " hits, %" PRIu64 " misses, %" PRIu64 " puts\n", clients,
	       shared->hits, shared->misses, shared->puts);
	printf("a hit takes %.1f us, a miss %.1f us\n",
	       (double)shared->hit_ns / 1000 / (double)(shared->hits + !shared->hits),
	       (double)shared->miss_ns / 1000 / (double)(shared->misses + !shared->misses));
	return failed != 0;
}

int main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "k:n:u:s:")) != -1) {
		unsigned int n = optarg ? (unsigned int)strtoul(optarg, NULL, 0) : 0;

		switch (c) {
		case 'k': keys = n; break;
		case 'n': queries = n; break;
		case 'u': percent = n; break;
		case 's': seed = n; break;
		default: optind = argc;
		}
	}
	if (optind >= argc || !keys)
		return fprintf(stderr, "usage: kvs-client [-k KEYS] [-n QUERIES] [-u PERCENT-OF-PUTS] "
			       "[-s SEED] LABEL...\n"), 2;
	shared = mmap(NULL, sizeof(*shared) + keys * sizeof(uint32_t), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return perror("mmap"), 1;
	return run(argv + optind, (unsigned int)(argc - optind));
}
