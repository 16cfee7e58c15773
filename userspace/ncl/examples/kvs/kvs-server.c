// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * kvs-server - answers, from memcached, the queries that the cache of kvs.cc passes on, and fills
 * the cache.
 *
 * A key enters the cache when it was missed there HOT times. It replaces the key that has been in
 * the cache for the longest time. One thread does everything, so memcached and the cache get all
 * writes in the same order.
 */
#include <errno.h>
#include <inttypes.h>
#include <ncrt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kvs.h"
#include "memcached.h"

#define ASKED	4096		/* counters of misses, indexed by the hash of the key */
#define NODES	256

static struct ncrt *nc;
static struct memcached store;
static unsigned int hot = 3;
static volatile sig_atomic_t stopped;

static struct entry {
	uint64_t key;
	int32_t len;
	char val[KVS_VALUE];
	bool used;
} entries[KVS_ENTRIES];
static unsigned int oldest;
static uint16_t asked[ASKED];

/* The last PUT of each client. A PUT that arrives again is answered, and not stored again. */
static struct {
	uint32_t invocation;
	bool any;
} last[NODES];

static uint64_t gets_here, puts_here, again;

static int die(const char *what, int err)
{
	char text[256];

	fprintf(stderr, "kvs-server: %s: %s\n", what,
		err ? strerror(err) : ncrt_error(nc, text, sizeof(text)));
	exit(1);
}

static void control(const char *var, size_t index, const void *data, size_t count, size_t size)
{
	if (ncrt_ctrl_wr(nc, var, NULL, index, data, count, size) < 0)
		die(var, 0);
}

/*
 * Write an entry to the device. The entry is invalid meanwhile, so the device passes GETs on to
 * here.
 */
static void entry_write(unsigned int i)
{
	uint32_t yes = 1, no = 0;

	control("valid", i, &no, 1, sizeof(no));
	control("cache", (size_t)i * KVS_VALUE, entries[i].val, KVS_VALUE, 1);
	control("length", i, &entries[i].len, 1, sizeof(entries[i].len));
	control("valid", i, &yes, 1, sizeof(yes));
}

static struct entry *entry_of(uint64_t key)
{
	for (unsigned int i = 0; i < KVS_ENTRIES; i++)
		if (entries[i].used && entries[i].key == key)
			return &entries[i];
	return NULL;
}

static void entry_set(struct entry *e, const char *val, int32_t len)
{
	memcpy(e->val, val, KVS_VALUE);
	e->len = len;
	entry_write((unsigned int)(e - entries));
}

static void entry_insert(uint64_t key, const char *val, int32_t len)
{
	struct entry *e = &entries[oldest];
	uint8_t number = (uint8_t)oldest;

	if (e->used && ncrt_map_del(nc, "entry", NULL, &e->key) < 0)
		die("entry", 0);
	oldest = (oldest + 1) % KVS_ENTRIES;
	e->key = key;
	e->used = true;
	entry_set(e, val, len);
	if (ncrt_map_put(nc, "entry", NULL, &key, &number) < 0)
		die("entry", 0);
}

static void get(uint64_t key, int32_t *len, char *val)
{
	uint16_t *n = &asked[(key * 0x9e3779b97f4a7c15u) >> 52];
	int got;

	gets_here++;
	memset(val, 0, KVS_VALUE);
	got = memcached_get(&store, key, val, KVS_VALUE);
	if (got < 0 && got != -ENOENT)
		die("memcached", -got);
	*len = got < 0 ? KVS_MISSING : got;
	if (got < 0 || entry_of(key) || ++*n < hot)
		return;
	*n = 0;
	entry_insert(key, val, *len);
}

static void put(const struct ncrt_window *w, uint64_t key, int32_t *len, const char *val)
{
	bool repeated = last[w->from % NODES].any && last[w->from % NODES].invocation == w->invocation;
	struct entry *e = entry_of(key);
	int err = 0;

	if (*len < 0 || *len > KVS_VALUE) {
		*len = KVS_FAILED;
		return;
	}
	if (repeated)
		again++;
	else
		err = memcached_set(&store, key, val, (size_t)*len);
	if (err == -EIO)
		die("memcached", EIO);
	if (err) {
		*len = KVS_FAILED;
		return;
	}
	puts_here += !repeated;
	last[w->from % NODES].any = true;
	last[w->from % NODES].invocation = w->invocation;
	if (e && repeated)
		entry_write((unsigned int)(e - entries));
	else if (e)
		entry_set(e, val, *len);
}

/* Is this PUT older than the client's last PUT? A late copy would restore the old value. */
static bool is_old(const struct ncrt_window *w)
{
	return last[w->from % NODES].any &&
	       (int32_t)(w->invocation - last[w->from % NODES].invocation) < 0;
}

static void serve(struct ncrt_window *w)
{
	uint64_t key = *(uint64_t *)ncrt_arg_at(nc, w, KVS_KEY);
	bool is_put = *(uint8_t *)ncrt_arg_at(nc, w, KVS_PUT);
	int32_t *len = ncrt_arg_at(nc, w, KVS_LEN);
	char *val = ncrt_arg_at(nc, w, KVS_VAL);

	if (is_put && is_old(w))
		return;
	if (is_put)
		put(w, key, len, val);
	else
		get(key, len, val);
	if (ncrt_answer(nc, w) < 0)
		die("answer", 0);
}

static void stop(int sig)
{
	(void)sig;
	stopped = 1;
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = stop };
	struct ncrt_window w;
	uint16_t port = 11211;
	char err[256];
	int c, ret;

	while ((c = getopt(argc, argv, "p:t:")) != -1) {
		if (c == 'p')
			port = (uint16_t)strtoul(optarg, NULL, 0);
		else if (c == 't')
			hot = (unsigned int)strtoul(optarg, NULL, 0);
		else
			return fprintf(stderr, "usage: kvs-server [-p MEMCACHED-PORT] [-t HOT]\n"), 2;
	}
	if (ncrt_open(&nc, NULL, err, sizeof(err)) < 0)
		return fprintf(stderr, "kvs-server: %s\n", err), 1;
	ret = memcached_open(&store, port);
	if (ret < 0)
		die("memcached", -ret);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	printf("kvs-server: ready\n");
	fflush(stdout);
	while (!stopped) {
		ret = ncrt_recv(nc, "query", &w, NCRT_FOREVER);
		if (!ret)
			serve(&w);
		else if (ret != -EINTR)
			die("receive", 0);
	}
	printf("kvs-server: %" PRIu64 " GETs and %" PRIu64 " PUTs came here, %" PRIu64
	       " PUTs again\n", gets_here, puts_here, again);
	ncrt_close(nc);
	return 0;
}
