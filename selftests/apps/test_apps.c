// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_apps.c - the applications of userspace/examples/apps give the answers that simple
 * computations give, which know nothing of their tables.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "apps/lib/traffic.h"
#include "frames_io.h"
#include "kvs.h"
#include "logmon.h"
#include "maglev.h"
#include "random.h"
#include "sketch.h"

#define BACKENDS	10
#define MAC(i)		((const uint8_t [6]){ 2, 0, 0, 0, 1, (uint8_t)(i) })

static struct maglev *balancer(unsigned int backends)
{
	struct maglev *m = maglev_new(TRAFFIC_VIP);

	assert_non_null(m);
	for (unsigned int i = 0; i < backends; i++)
		assert_int_equal(maglev_add(m, htonl(0x0a000001 + i), MAC(i)), i);
	maglev_fill(m);
	return m;
}

/* Send packet @i of the flows. Return the number of the backend, or -1. */
static int balance(struct maglev *m, uint64_t i)
{
	uint8_t frame[TRAFFIC_SMALL];
	struct packet *p = (struct packet *)frame;

	traffic_flow(frame, i);
	if (!maglev_packet(m, frame, sizeof(frame)))
		return -1;
	return (int)(ntohl(p->daddr) - 0x0a000001);
}

static void maglev_shares_are_even(void **state)
{
	struct maglev *m = balancer(BACKENDS);
	unsigned int share[BACKENDS] = { 0 };

	for (unsigned int i = 0; i < MAGLEV_TABLE; i++)
		share[m->table[i]]++;
	for (unsigned int i = 0; i < BACKENDS; i++)
		assert_in_range(share[i], MAGLEV_TABLE / BACKENDS, MAGLEV_TABLE / BACKENDS + 1);
	free(m);
}

/* A packet that was sent on has right checksums, and nothing else of it has changed. */
static void maglev_rewrites(void **state)
{
	struct maglev *m = balancer(BACKENDS);
	uint8_t frame[TRAFFIC_SMALL], before[TRAFFIC_SMALL];
	struct packet *p = (struct packet *)frame;
	unsigned int b;

	for (uint64_t i = 0; i < 2000; i++) {
		traffic_flow(before, i);
		memcpy(frame, before, sizeof(frame));
		assert_true(maglev_packet(m, frame, sizeof(frame)));
		b = ntohl(p->daddr) - 0x0a000001;
		assert_in_range(b, 0, BACKENDS - 1);
		assert_memory_equal(p->dmac, MAC(b), 6);
		assert_int_equal(traffic_csum(&p->version, 20, 0), 0);
		assert_int_equal(p->udp_check, traffic_udp_csum(p));
		p->daddr = TRAFFIC_VIP;
		memcpy(frame, before, 12);
		p->check = ((struct packet *)before)->check;
		p->udp_check = ((struct packet *)before)->udp_check;
		assert_memory_equal(frame, before, sizeof(frame));
	}
	free(m);
}

static void maglev_leaves_other_packets(void **state)
{
	struct maglev *m = balancer(BACKENDS);
	uint8_t frame[TRAFFIC_SMALL];
	struct packet *p = (struct packet *)frame;

	traffic_flow(frame, 0);
	assert_false(maglev_packet(m, frame, 41));
	p->daddr = htonl(0xc0000202);
	assert_false(maglev_packet(m, frame, sizeof(frame)));
	p->daddr = TRAFFIC_VIP;
	p->version = 0x46;
	assert_false(maglev_packet(m, frame, sizeof(frame)));
	assert_int_equal(m->other, 3);
	for (unsigned int i = 0; i < BACKENDS; i++)
		m->backends[i].up = false;
	maglev_fill(m);
	assert_int_equal(balance(m, 0), -1);
	free(m);
}

/* A connection stays where it is, whether a backend comes or another one goes. */
static void maglev_connections_stay(void **state)
{
	struct maglev *m = balancer(BACKENDS);
	static int was[4000];
	unsigned int moved = 0, of_gone = 0, to_new = 0;
	int now;

	for (uint64_t i = 0; i < 4000; i++)
		was[i] = balance(m, i);
	assert_int_equal(maglev_add(m, htonl(0x0a000001 + BACKENDS), MAC(BACKENDS)), BACKENDS);
	m->backends[3].up = false;
	maglev_fill(m);
	for (uint64_t i = 0; i < 4000; i++) {
		now = balance(m, i);
		of_gone += was[i] == 3;
		moved += now != was[i];
		assert_true(now == was[i] || was[i] == 3);
		assert_int_not_equal(now, 3);
		to_new += now == BACKENDS;
	}
	assert_true(of_gone > 0 && to_new > 0);
	assert_int_equal(moved, of_gone);
	free(m);
}

/* Without connections, few entries of the table change besides those of the backend that goes. */
static void maglev_table_changes_little(void **state)
{
	struct maglev *m = balancer(BACKENDS);
	static uint16_t was[MAGLEV_TABLE];
	unsigned int moved = 0;

	memcpy(was, m->table, sizeof(was));
	m->backends[3].up = false;
	maglev_fill(m);
	for (unsigned int i = 0; i < MAGLEV_TABLE; i++)
		moved += was[i] != 3 && m->table[i] != was[i];
	assert_in_range(moved, 0, MAGLEV_TABLE / 10);
	free(m);
}

#define FLOWS	5000
#define PACKETS	200000

/* Send packets, a number of each flow that falls with the flow's number. Count them in @truth. */
static struct sketch *counted(uint32_t shift, uint64_t *hash, uint32_t *truth)
{
	struct sketch *s = sketch_new(shift);
	uint8_t frame[TRAFFIC_SMALL];
	uint64_t x = 1;
	uint32_t flow;

	assert_non_null(s);
	for (unsigned int i = 0; i < PACKETS; i++) {
		flow = random_below(&x, random_below(&x, FLOWS) + 1);
		traffic_udp(frame, sizeof(frame), htonl(0x0a000000 + flow), 99);
		assert_false(sketch_packet(s, frame, sizeof(frame)));
		hash[flow] = packet_hash((struct packet *)frame);
		truth[flow]++;
	}
	assert_int_equal(s->packets, PACKETS);
	return s;
}

/*
 * The excess of a flow is above e / SKETCH_COLS of all packets in one case in e for a row, so in
 * one case in 54 for the smallest of four rows.
 */
static void sketch_is_an_upper_bound(void **state)
{
	static uint64_t hash[FLOWS];
	static uint32_t truth[FLOWS];
	struct sketch *s = counted(0, hash, truth);
	uint32_t eps = (uint32_t)(2.72 * PACKETS / SKETCH_COLS) + 1;
	unsigned int above = 0;

	for (unsigned int i = 0; i < FLOWS; i++) {
		if (!truth[i])
			continue;
		assert_true(sketch_flow(s, hash[i]) >= truth[i]);
		above += sketch_flow(s, hash[i]) > truth[i] + eps;
	}
	assert_in_range(above, 0, FLOWS / 50);
	free(s);
}

static void sketch_samples(void **state)
{
	static uint64_t hash[FLOWS];
	static uint32_t truth[FLOWS];
	struct sketch *s = counted(3, hash, truth);
	uint64_t updates = 0;

	for (unsigned int row = 0; row < SKETCH_ROWS; row++)
		for (unsigned int i = 0; i < SKETCH_COLS; i++)
			updates += s->count[row][i];
	assert_in_range(updates, SKETCH_ROWS * PACKETS * 0.97, SKETCH_ROWS * PACKETS * 1.03);
	/* Of flows with hundreds of packets the estimate is off by some tens. */
	for (unsigned int i = 0; i < 20; i++)
		assert_in_range(sketch_flow(s, hash[i]), truth[i] * 0.6, truth[i] * 1.5);
	free(s);
}

/* Send a request with room for @room bytes. Return the answer's status. */
static unsigned int ask(struct kvs *k, unsigned int op, uint64_t key, void *value, uint16_t room)
{
	uint8_t frame[128];
	struct packet *p = traffic_udp(frame, sizeof(frame), htonl(0x0a000001), 99);
	struct kvs_msg *m = (struct kvs_msg *)(p + 1);

	m->op = (uint8_t)op;
	m->status = 0xee;
	m->len = htole16(room);
	m->id = 7;
	m->key = htole64(key);
	if (op == KVS_SET)
		memcpy(m->value, value, room);
	assert_true(kvs_packet(k, frame, sizeof(frame)));
	assert_int_equal(p->daddr, htonl(0x0a000001));
	assert_int_equal(p->saddr, TRAFFIC_VIP);
	assert_int_equal(ntohs(p->dport), 99);
	assert_int_equal(p->dmac[5], 2);
	assert_int_equal(m->id, 7);
	if (op == KVS_GET && m->status == KVS_OK)
		memcpy(value, m->value, le16toh(m->len));
	return m->status;
}

static void kvs_gets_what_was_set(void **state)
{
	struct kvs *k = kvs_new(12, 20);
	static uint64_t held[4000];
	uint64_t x = random_seed(5), key, value;

	for (unsigned int i = 0; i < 20000; i++) {
		key = random_below(&x, 4000);
		if (random_below(&x, 2)) {
			value = held[key] = random_next(&x);
			assert_int_equal(ask(k, KVS_SET, key, &value, 8), KVS_OK);
		} else if (held[key]) {
			assert_int_equal(ask(k, KVS_GET, key, &value, 8), KVS_OK);
			assert_int_equal(value, held[key]);
		} else {
			assert_int_equal(ask(k, KVS_GET, key, &value, 8), KVS_NONE);
		}
	}
	assert_int_equal(k->bad, 0);
	kvs_free(k);
}

static void kvs_refuses(void **state)
{
	struct kvs *k = kvs_new(4, 12);
	uint64_t value = 1;
	char large[40] = "0123456789";

	assert_int_equal(ask(k, KVS_SET, 1, large, 40), KVS_OK);
	assert_int_equal(ask(k, KVS_GET, 1, &value, 8), KVS_SHORT);
	assert_int_equal(ask(k, KVS_GET, 1, large, 40), KVS_OK);
	assert_int_equal(ask(k, 3, 1, &value, 8), KVS_BAD);
	assert_int_equal(ask(k, KVS_GET, 1, &value, 73), KVS_BAD);
	assert_int_equal(ask(k, KVS_GET, 1, large, 72), KVS_OK);
	assert_int_equal(k->bad, 2);
	kvs_free(k);
}

/* A store that is full forgets old keys, and never gives a wrong value. */
static void kvs_forgets_the_oldest(void **state)
{
	struct kvs *k = kvs_new(4, 12);
	unsigned int found = 0;
	uint64_t value;

	for (uint64_t key = 0; key < 1000; key++) {
		value = traffic_value(key);
		assert_int_equal(ask(k, KVS_SET, key, &value, 8), KVS_OK);
	}
	for (uint64_t key = 0; key < 1000; key++) {
		if (ask(k, KVS_GET, key, &value, 8) != KVS_OK)
			continue;
		assert_int_equal(value, traffic_value(key));
		assert_true(key >= 1000 - 4096 / 24);
		found++;
	}
	/* A bucket has room for 8 of 16 buckets' 170 keys. */
	assert_in_range(found, 64, 128);
	kvs_free(k);
}

/* Count the lines with a word, one line after the other, up to the end of the last whole line. */
static uint64_t lines_with(const char *text, size_t len, const char *word)
{
	const char *end = memrchr(text, '\n', len), *next;
	uint64_t n = 0;

	for (; end && text <= end; text = next + 1) {
		next = memchr(text, '\n', (size_t)(end + 1 - text));
		n += !!memmem(text, (size_t)(next - text), word, strlen(word));
	}
	return n;
}

static struct logmon *monitor(void)
{
	struct logmon *m = logmon_new();

	assert_non_null(m);
	assert_int_equal(logmon_add(m, TRAFFIC_WORD), 0);
	assert_int_equal(logmon_add(m, "host1"), 0);
	assert_int_equal(logmon_add(m, ""), -EINVAL);
	return m;
}

#define BYTES	(TRAFFIC_MSS * 400)

static void logmon_finds_lines(void **state)
{
	static char text[BYTES];
	uint64_t x = random_seed(3), sum = 0;
	struct logmon *m;
	size_t n;

	traffic_text(text, 0, BYTES);
	for (int run = 0; run < 20; run++) {
		m = monitor();
		for (size_t at = 0; at < BYTES; at += n) {
			n = 1 + random_below(&x, run ? 10 * (uint32_t)run : BYTES);
			if (n > BYTES - at)
				n = BYTES - at;
			logmon_bytes(m, text + at, n);
		}
		assert_int_equal(m->lines[0], lines_with(text, BYTES, TRAFFIC_WORD));
		assert_int_equal(m->lines[1], lines_with(text, BYTES, "host1"));
		assert_true(m->lines[0] > 0);
		assert_true(!run || m->sum == sum);
		sum = m->sum;
		free(m);
	}
}

static void logmon_finds_lines_over_packets(void **state)
{
	static char text[BYTES];
	struct logmon *m = monitor(), *whole = monitor();
	uint8_t frame[TRAFFIC_TCP];

	traffic_text(text, 0, BYTES);
	logmon_bytes(whole, text, BYTES);
	for (uint64_t i = 0; i < BYTES / TRAFFIC_MSS; i++)
		assert_false(logmon_packet(m, frame, traffic_tcp(frame, i)));
	assert_int_equal(m->lines[0], lines_with(text, BYTES, TRAFFIC_WORD));
	assert_int_equal(m->sum, whole->sum);
	assert_int_equal(m->bytes, whole->bytes);
	assert_int_equal(m->lost, 0);
	logmon_packet(m, frame, traffic_tcp(frame, 1000));
	assert_int_equal(m->lost, 1);
	free(m);
	free(whole);
}

static void logmon_cuts_long_lines(void **state)
{
	struct logmon *m = monitor();
	static char line[3 * LOGMON_LINE];

	memset(line, 'x', sizeof(line));
	memcpy(line + 100, TRAFFIC_WORD, strlen(TRAFFIC_WORD));
	for (size_t at = 0; at < sizeof(line); at += 1000)
		logmon_bytes(m, line + at, sizeof(line) - at < 1000 ? sizeof(line) - at : 1000);
	assert_int_equal(m->lines[0], 1);
	logmon_bytes(m, "\nERROR\n", 7);
	assert_int_equal(m->lines[0], 2);
	free(m);
}

static bool odd(void *app, uint8_t *packet, uint32_t len)
{
	assert_int_equal(len, packet[0]);
	++*(unsigned int *)app;
	return len % 2;
}

/* Frames are seen once each. The last one is left until all of its bytes are there. */
static void frames_back_to_back(void **state)
{
	_Alignas(16) static uint8_t ring[4096];
	unsigned int seen = 0, most = 0;
	struct nfp_frames_hdr *f;
	size_t at = 0;

	for (uint16_t len = 1; len < 60; len++) {
		f = (struct nfp_frames_hdr *)(ring + at);
		*f = (struct nfp_frames_hdr){ .kind = NFP_FRAMES_FRAME, .caplen = htole16(len), .ns = 1 };
		ring[at + sizeof(*f)] = (uint8_t)len;
		at += NFP_FRAMES_ROOM(len);
	}
	for (size_t size = 0, used; size <= at; size += 16, most = seen) {
		seen = 0;
		used = frames_each(ring, size, odd, &seen, true);
		assert_true(used <= size && size - used < NFP_FRAMES_ROOM(59));
		assert_in_range(seen, most, most + 1);
	}
	assert_int_equal(seen, 59);
	for (at = 0, seen = 1; seen < 60; at += NFP_FRAMES_ROOM(seen), seen++) {
		f = (struct nfp_frames_hdr *)(ring + at);
		assert_int_equal(f->port == FRAME_NO_PORT, seen % 2 == 0);
		assert_int_equal(f->ns, seen % 2 == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maglev_shares_are_even),
		cmocka_unit_test(maglev_rewrites),
		cmocka_unit_test(maglev_leaves_other_packets),
		cmocka_unit_test(maglev_connections_stay),
		cmocka_unit_test(maglev_table_changes_little),
		cmocka_unit_test(sketch_is_an_upper_bound),
		cmocka_unit_test(sketch_samples),
		cmocka_unit_test(kvs_gets_what_was_set),
		cmocka_unit_test(kvs_refuses),
		cmocka_unit_test(kvs_forgets_the_oldest),
		cmocka_unit_test(logmon_finds_lines),
		cmocka_unit_test(logmon_finds_lines_over_packets),
		cmocka_unit_test(logmon_cuts_long_lines),
		cmocka_unit_test(frames_back_to_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
