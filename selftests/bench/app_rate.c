// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * app_rate.c - the applications of userspace/examples/apps, in place in a stream, and with a
 * descriptor ring that has a buffer for each packet. The host's core alone is timed: app_card.h
 * fills the rings.
 *
 * usage: app_rate [SECONDS]
 *        app_rate NAME WAY ROUNDS     rounds of one of them in simulated(), for valgrind
 *
 * The program fails if the two ways of an application send or count different things.
 */
#define _GNU_SOURCE
#include "app_card.h"
#include "apps/lib/traffic.h"
#include "bench_time.h"
#include "kvs.h"
#include "logmon.h"
#include "maglev.h"
#include "sketch.h"

#define CHECKED		200	/* rounds of which the answers are compared */
#define WARM		32	/* rounds before those that are counted */
#define BACKENDS	16
#define SAMPLED		6	/* the sketch takes one in 2^6 */

/* ---- the applications' state, and a digest of what they have counted ---- */

static void *maglev_state(void)
{
	struct maglev *m = maglev_new(TRAFFIC_VIP);

	for (unsigned int i = 0; i < BACKENDS; i++) {
		uint8_t mac[6] = { 2, 0, 0, 0, 1, (uint8_t)i };

		maglev_add(m, htonl(0x0a000001 + i), mac);
	}
	maglev_fill(m);
	return m;
}

static uint64_t maglev_sum(void *app)
{
	struct maglev *m = app;
	uint64_t sum = m->fresh;

	for (unsigned int i = 0; i < m->count; i++)
		sum = packet_mix(sum ^ m->backends[i].packets);
	return sum;
}

static void *sketch_state(void)
{
	return sketch_new(SAMPLED);
}

static uint64_t sketch_sum(void *app)
{
	struct sketch *s = app;
	uint64_t sum = s->packets;

	for (unsigned int row = 0; row < SKETCH_ROWS; row++)
		for (unsigned int i = 0; i < SKETCH_COLS; i++)
			sum = packet_mix(sum ^ s->count[row][i]);
	return sum;
}

/* All keys are there already. */
static void *kvs_state(void)
{
	struct kvs *k = kvs_new(18, 25);
	uint64_t value;

	for (uint64_t key = 0; key < TRAFFIC_KEYS; key++) {
		value = traffic_value(key);
		kvs_set(k, key, &value, sizeof(value));
	}
	return k;
}

static uint64_t kvs_sum(void *app)
{
	struct kvs *k = app;

	return packet_mix(k->gets) ^ packet_mix(k->hits + 1) ^ packet_mix(k->sets + 2) ^ k->bad;
}

static void *log_state(void)
{
	struct logmon *m = logmon_new();

	logmon_add(m, TRAFFIC_WORD);
	return m;
}

static uint64_t log_sum(void *app)
{
	struct logmon *m = app;

	return packet_mix(m->lines[0]) ^ m->sum ^ packet_mix(m->bytes + m->tail_len);
}

/* ---- what the card writes ---- */

static uint32_t request(uint8_t *to, uint64_t i)
{
	return traffic_request(to, i + TRAFFIC_KEYS);
}

/* The text of packet @i */
static uint32_t text(uint8_t *to, uint64_t i)
{
	traffic_text(to, i * TRAFFIC_MSS, TRAFFIC_MSS);
	return TRAFFIC_MSS;
}

static uint32_t kilobyte(uint8_t *to, uint64_t i)
{
	memset(to, (int)i, 1024);
	return 1024;
}

/* ---- ways: each handles all packets that have come ---- */

struct run {
	struct card *c;
	void *app;
};

#define WAYS(name, send)								\
static void name##_stream(struct run *r)						\
{											\
	struct card *c = r->c;								\
											\
	while (frames_turn(&c->in.ch, send ? &c->out.ch : NULL, name##_packet, r->app,	\
			   NFPCHAN_NONBLOCK) > 0)					\
		;									\
}											\
											\
static void name##_ring(struct run *r)							\
{											\
	while (desc_turn(&r->c->ring, name##_packet, r->app, send))			\
		;									\
}

WAYS(maglev, true)
WAYS(sketch, false)
WAYS(kvs, true)

static void log_ring(struct run *r)
{
	while (desc_turn(&r->c->ring, logmon_packet, r->app, false))
		;
}

#define CHUNK	65536

/* Show up to a chunk of the stream. Return its bytes. */
static size_t chunk(struct run *r, const void **data)
{
	ssize_t n = nfpchan_peek(&r->c->in.ch, data, NFPCHAN_NONBLOCK);

	return n < 0 ? 0 : n < CHUNK ? (size_t)n : CHUNK;
}

static void log_stream(struct run *r)
{
	const void *data;
	size_t n;

	while ((n = chunk(r, &data))) {
		logmon_bytes(r->app, data, n);
		nfpchan_consume(&r->c->in.ch, n);
	}
}

/* ---- the same for messages, without an application: a byte of each is changed ---- */

static void *no_state(void)
{
	return NULL;
}

static uint64_t no_sum(void *app)
{
	return 0;
}

static bool echo_packet(void *app, uint8_t *packet, uint32_t len)
{
	packet[len - 1]++;
	return true;
}

static void echo_ring(struct run *r)
{
	while (desc_turn(&r->c->ring, echo_packet, NULL, true))
		;
}

static void echo_elem(struct run *r)
{
	ssize_t n;
	void *data;

	while ((n = nfpchan_returnable(&r->c->out.ch, &data, NFPCHAN_NONBLOCK)) > 0) {
		for (ssize_t i = 0; i < n; i += 64)
			echo_packet(NULL, (uint8_t *)data + i, 64);
		nfpchan_return(&r->c->out.ch, (size_t)n, NFPCHAN_NONBLOCK);
	}
}

static void echo_msg(struct run *r)
{
	static uint8_t room[DESC_BURST * 64];
	struct nfpchan_msg msgs[DESC_BURST];
	ssize_t n;

	while ((n = nfpchan_recv_msgs(&r->c->in.ch, room, sizeof(room), msgs, DESC_BURST,
				      NFPCHAN_NONBLOCK)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			echo_packet(NULL, room + (msgs[i].data - (void *)room), 64);
		nfpchan_send_msgs(&r->c->out.ch, msgs, (size_t)n, NFPCHAN_NONBLOCK);
	}
}

/* ---- and for a stream in chunks of 64 KiB, of which each byte is read ---- */

static void bulk_in_place(struct run *r)
{
	const void *data;
	size_t n;

	while ((n = chunk(r, &data))) {
		bench_read16(data, n);
		nfpchan_consume(&r->c->in.ch, n);
	}
}

static void bulk_copied(struct run *r)
{
	static uint64_t buf[CHUNK / 8];
	ssize_t n;

	while ((n = nfpchan_read(&r->c->in.ch, buf, sizeof(buf), NFPCHAN_NONBLOCK)) > 0)
		bench_read16(buf, (size_t)n);
}

/* ---- all of them ---- */

static const struct way {
	const char *name;
	const char *how;
	enum card_kind kind;
	card_make make;
	bool answers;
	void *(*state)(void);
	uint64_t (*sum)(void *app);
	void (*run)(struct run *r);
} ways[] = {
	{ "maglev", "stream", CARD_FRAMES, traffic_flow, true, maglev_state, maglev_sum,
	  maglev_stream },
	{ "maglev", "ring", CARD_RING, traffic_flow, true, maglev_state, maglev_sum, maglev_ring },
	{ "sketch", "stream", CARD_FRAMES, traffic_flow, false, sketch_state, sketch_sum,
	  sketch_stream },
	{ "sketch", "ring", CARD_RING, traffic_flow, false, sketch_state, sketch_sum, sketch_ring },
	{ "kvs", "stream", CARD_FRAMES, request, true, kvs_state, kvs_sum, kvs_stream },
	{ "kvs", "ring", CARD_RING, request, true, kvs_state, kvs_sum, kvs_ring },
	{ "log", "stream", CARD_BYTES, text, false, log_state, log_sum, log_stream },
	{ "log", "ring", CARD_RING, traffic_tcp, false, log_state, log_sum, log_ring },
	{ "echo", "msg", CARD_MSGS, traffic_flow, true, no_state, no_sum, echo_msg },
	{ "echo", "elem", CARD_ELEMS, traffic_flow, true, no_state, no_sum, echo_elem },
	{ "echo", "ring", CARD_RING, traffic_flow, true, no_state, no_sum, echo_ring },
	{ "bulk", "in_place", CARD_BYTES, kilobyte, false, no_state, no_sum, bulk_in_place },
	{ "bulk", "copied", CARD_BYTES, kilobyte, false, no_state, no_sum, bulk_copied },
};

#define N_WAYS	(sizeof(ways) / sizeof(ways[0]))
#define APPS	8	/* the first of them */
#define ECHO	9	/* elements, and the ring after them */

static void rounds(struct run *r, const struct way *w, unsigned long n)
{
	while (n--) {
		card_next(r->c);
		w->run(r);
	}
}

/* Do all ways of one application send and count the same? */
static void compare(void)
{
	uint64_t was[3] = { 0 }, now[3];
	struct run r;

	for (size_t i = 0; i < N_WAYS; i++) {
		r.c = card_new(ways[i].kind, ways[i].make, ways[i].answers, CARD_HERE);
		r.c->check = true;
		r.app = ways[i].state();
		rounds(&r, &ways[i], CHECKED);
		card_next(r.c);
		now[0] = r.c->digest;
		now[1] = r.c->sent;
		now[2] = ways[i].sum(r.app);
		if (i && !strcmp(ways[i].name, ways[i - 1].name) && memcmp(was, now, sizeof(now))) {
			fprintf(stderr, "app_rate: %s: the answers of %s and %s differ\n",
				ways[i].name, ways[i - 1].how, ways[i].how);
			exit(1);
		}
		if (ways[i].answers && now[1] != CHECKED * CARD_ROUND) {
			fprintf(stderr, "app_rate: %s: %llu answers to %u packets\n", ways[i].name,
				(unsigned long long)now[1], CHECKED * CARD_ROUND);
			exit(1);
		}
		memcpy(was, now, sizeof(was));
		card_free(r.c);
	}
}

static double rate(struct run *r, const struct way *w)
{
	double spent = 0, start;
	struct bench_peer card;
	uint64_t packets = 0;

	bench_peer_start(&card, card_step, NULL);
	while (spent < bench_seconds) {
		card_next(r->c);
		start = bench_now();
		w->run(r);
		spent += bench_now() - start;
		packets += CARD_ROUND;
	}
	bench_peer_stop(&card);
	usleep(50000);
	return (double)packets / spent;
}

/* Time the two ways of an application in turn, so that other load meets both. */
static void measure(const struct way *w)
{
	double best[2] = { 0 }, now;
	struct run r[2];
	char key[64];

	for (int i = 0; i < 2; i++) {
		r[i].c = card_new(w[i].kind, w[i].make, w[i].answers, CARD_BESIDE);
		r[i].app = w[i].state();
	}
	for (int run = 0; run <= BENCH_RUNS; run++) {
		for (int i = 0; i < 2; i++) {
			now = rate(&r[i], &w[i]);
			if (run && now > best[i])
				best[i] = now;
		}
	}
	for (int i = 0; i < 2; i++) {
		snprintf(key, sizeof(key), "app_%s_%s_Mps", w[i].name, w[i].how);
		bench_print(key, best[i] / 1e6);
		card_free(r[i].c);
	}
}

/* The simulator counts what this function executes, and simulates the caches from the start. */
static __attribute__((noinline)) void simulated(struct run *r, const struct way *w, unsigned long n)
{
	rounds(r, w, n);
}

static int simulate(const char *name, const char *how, const char *number)
{
	unsigned long n = strtoul(number, NULL, 10);
	struct run r;

	for (size_t i = 0; i < N_WAYS; i++) {
		if (strcmp(ways[i].name, name) || strcmp(ways[i].how, how))
			continue;
		r.c = card_new(ways[i].kind, ways[i].make, ways[i].answers, CARD_APART);
		r.app = ways[i].state();
		rounds(&r, &ways[i], WARM);
		simulated(&r, &ways[i], n);
		card_free(r.c);
		return 0;
	}
	fprintf(stderr, "app_rate: there is no %s %s\n", name, how);
	return 2;
}

int main(int argc, char **argv)
{
	if (argc == 4)
		return simulate(argv[1], argv[2], argv[3]);
	bench_args(argc, argv);
	compare();
	for (size_t i = 0; i < APPS; i += 2)
		measure(&ways[i]);
	measure(&ways[ECHO]);
	return bench_sink == 42;
}
