// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_board_mac.c - frames from a wire through packet buffers to firmware, and the emulated
 * card's reaction to any access of a hostile host.
 */
#include <time.h>
#include <unistd.h>

#include "host.h"
#include "mac.h"
#include "mem_map.h"
#include "random.h"

/* A wire that gives frames to the board, and counts how often the board asks for one. */
struct source {
	uint8_t frame[4096];
	uint32_t caplen;
	uint32_t len;
	uint64_t left;
	uint64_t given;
	unsigned int asked;
	unsigned int closed;
	bool endless_wait;	/* no frame now, but perhaps later; otherwise the wire has ended */
	uint64_t deadline;
};

static int source_pull(void *ctx, struct board_frame *f)
{
	struct source *s = ctx;

	s->asked++;
	if (!s->left)
		return s->endless_wait ? 0 : -1;
	s->left--;
	s->given++;
	f->data = s->frame;
	f->caplen = s->caplen;
	f->len = s->len;
	f->ts_ns = 1000 + s->given;
	return 1;
}

static uint64_t source_deadline(void *ctx)
{
	return ((struct source *)ctx)->deadline;
}

static void source_close(void *ctx)
{
	((struct source *)ctx)->closed++;
}

static const struct board_wire_ops source_ops = {
	.pull = source_pull, .deadline = source_deadline, .close = source_close,
};

/* Firmware that keeps the buffers it receives, or gives each back at once. */
struct keeper {
	struct board *b;
	struct board_pkt *held[2048];
	unsigned int count;
	uint64_t total;
	bool keep;
	bool late;	/* give buffers back when the context runs */
	struct board_pkt last;
};

static void keeper_start(void *ctx, struct board *b)
{
	struct keeper *k = ctx;

	k->b = b;
	k->count = 0;
}

static void keeper_packet(void *ctx, struct board_pkt *pkt)
{
	struct keeper *k = ctx;

	k->total++;
	k->last = *pkt;
	if (k->keep)
		k->held[k->count++] = pkt;
	else
		board_pkt_free(k->b, pkt);
}

static bool keeper_run(void *ctx, unsigned int budget)
{
	struct keeper *k = ctx;

	(void)budget;
	while (k->late && k->count)
		board_pkt_free(k->b, k->held[--k->count]);
	return false;
}

static const struct board_fw keeper_fw = {
	.start = keeper_start, .packet = keeper_packet, .run = keeper_run,
};

static struct keeper keeper;
static struct source source;

static int setup(void **state)
{
	struct host *h;

	memset(&keeper, 0, sizeof(keeper));
	memset(&source, 0, sizeof(source));
	for (unsigned int i = 0; i < sizeof(source.frame); i++)
		source.frame[i] = i * 3;
	source.caplen = 60;
	source.len = 60;
	source.deadline = 77;
	h = host_create(&keeper_fw, &keeper);
	board_wire(h->b, 1, &source_ops, &source);
	*state = h;
	return 0;
}

static void test_starts_when_told(void **state)
{
	struct host *h = *state;

	source.left = 3;
	host_run(h);
	assert_int_equal(source.asked, 0);
	assert_int_equal(board_deadline(h->b), UINT64_MAX);
	board_port_rx(h->b, 1, true);
	host_run(h);
	assert_int_equal(keeper.total, 3);
	assert_int_equal(keeper.last.port, 1);
	assert_int_equal(keeper.last.ts_ns, 1003);
	assert_int_equal(keeper.last.caplen, 60);
	assert_memory_equal(keeper.last.data, source.frame, 60);
	/* The wire has ended, so the board never asks it for a frame again. */
	source.left = 1;
	host_run(h);
	assert_int_equal(keeper.total, 3);
	assert_int_equal(source.asked, 4);
}

static void test_start_link(void **state)
{
	struct host *h = *state;
	char err[100];

	source.left = 2;
	assert_int_equal(board_set(h->b, "start", "link", err, sizeof(err)), 0);
	host_run(h);
	assert_int_equal(keeper.total, 2);
	/* With start=link the port starts again after a reset. */
	source.left = 1;
	board_wire(h->b, 1, &source_ops, &source);
	board_reset(h->b, BOARD_RESET_POWER);
	host_run(h);
	assert_int_equal(keeper.total, 3);
}

static void test_waiting_source(void **state)
{
	struct host *h = *state;

	source.endless_wait = true;
	board_port_rx(h->b, 1, true);
	host_run(h);
	assert_int_equal(board_deadline(h->b), 77);
	source.left = 1;
	host_run(h);
	assert_int_equal(keeper.total, 1);
	board_port_rx(h->b, 1, false);
	assert_int_equal(board_deadline(h->b), UINT64_MAX);
}

/*
 * The board stops reading the wire when firmware holds all buffers. It goes on when a buffer is
 * free, and no frame is lost.
 */
static void test_back_pressure(void **state)
{
	struct host *h = *state;
	uint64_t got;

	keeper.keep = true;
	source.left = 5000;
	board_port_rx(h->b, 1, true);
	host_run(h);
	got = keeper.total;
	assert_in_range(got, 512, 2048);
	assert_int_equal(source.given, got + 1);	/* one frame waits at the MAC */
	host_run(h);
	assert_int_equal(source.given, got + 1);
	/* The board does not change the contents of a buffer that firmware holds. */
	assert_memory_equal(keeper.held[0]->data, source.frame, 60);
	board_pkt_free(h->b, keeper.held[0]);
	board_pkt_free(h->b, keeper.held[0]);		/* a double free does no harm */
	host_run(h);
	assert_int_equal(keeper.total, got + 1);
	keeper.keep = false;
	for (unsigned int i = 1; i < got; i++)
		board_pkt_free(h->b, keeper.held[i]);
	host_run(h);
	assert_int_equal(keeper.total, 5000);
	assert_int_equal(board_port_lost(h->b, 1), 0);
	assert_int_equal(mu_read(h, BD_MACSTAT_ADDR + 0x200 + 0x50, 8), 5000);
}

/* A context gives buffers back. The board then reads the wire again without any other event. */
static void test_pressure_released(void **state)
{
	struct host *h = *state;

	keeper.keep = true;
	source.left = 5000;
	board_port_rx(h->b, 1, true);
	host_run(h);
	keeper.late = true;
	host_run(h);
	assert_int_equal(keeper.total, 5000);
}

/* A reset frees the buffers that firmware held. */
static void test_reset_frees(void **state)
{
	struct host *h = *state;
	uint64_t first = 0;

	keeper.keep = true;
	source.left = 100000;
	for (unsigned int round = 0; round < 3; round++) {
		keeper.total = 0;
		board_port_rx(h->b, 1, true);
		host_run(h);
		if (!round)
			first = keeper.total;
		assert_int_equal(keeper.total, first);
		board_reset(h->b, BOARD_RESET_POWER);
	}
}

static void test_large_frames(void **state)
{
	struct host *h = *state;
	static struct source s;

	s = (struct source){ .left = 1, .caplen = 100, .len = 70000 };
	/*
	 * The first frame is cut (100 of 70000 bytes). The second is whole, and needs a large
	 * buffer.
	 */
	board_wire(h->b, 0, &source_ops, &s);
	board_port_rx(h->b, 0, true);
	host_run(h);
	assert_int_equal(keeper.last.caplen, 100);
	assert_int_equal(keeper.last.len, 70000);
	assert_int_equal(keeper.last.port, 0);
	source.left = 1;
	source.caplen = source.len = 4096;
	board_port_rx(h->b, 1, true);
	host_run(h);
	assert_int_equal(keeper.last.caplen, 4096);
	assert_memory_equal(keeper.last.data, source.frame, 4096);
}

static int pull_liar(void *ctx, struct board_frame *f)
{
	static uint8_t byte;
	unsigned int *n = ctx;

	switch ((*n)++) {
	case 0:		/* more than the longest frame */
		*f = (struct board_frame){ .data = &byte, .caplen = 262145, .len = 262145 };
		return 1;
	case 1:		/* more than the frame's own length */
		*f = (struct board_frame){ .data = &byte, .caplen = 2, .len = 1 };
		return 1;
	case 2:		/* no byte of the frame is there */
		*f = (struct board_frame){ .data = NULL, .caplen = 0, .len = 1500 };
		return 1;
	default:
		return -1;
	}
}

static void test_lying_source(void **state)
{
	static const struct board_wire_ops ops = { .pull = pull_liar };
	struct host *h = *state;
	unsigned int n = 0;

	board_wire(h->b, 0, &ops, &n);
	board_port_rx(h->b, 0, true);
	host_run(h);
	assert_int_equal(keeper.total, 1);
	assert_int_equal(keeper.last.caplen, 0);
	assert_int_equal(keeper.last.len, 1500);
	assert_int_equal(board_port_lost(h->b, 0), 2);
	assert_int_equal(mu_read(h, BD_MACSTAT_ADDR + 0x10, 8), 2);
}

/* The peer closes the wire while the board asks for a frame. No other event follows. */
static int pull_last(void *ctx, struct board_frame *f)
{
	(void)f;
	*(bool *)ctx = false;
	return 0;
}

static bool peer_there(void *ctx)
{
	return *(bool *)ctx;
}

static void test_peer_goes(void **state)
{
	static const struct board_wire_ops ops = {
		.pull = pull_last, .carrier = peer_there, .live = true,
	};
	struct host *h = *state;
	char err[100];
	bool there = true;

	board_wire(h->b, 0, &ops, &there);
	assert_int_equal(board_set(h->b, "start", "link", err, sizeof(err)), 0);
	assert_true(h->b->mac->port[0].link);
	host_run(h);
	assert_false(there);
	assert_false(h->b->mac->port[0].link);
	board_wire(h->b, 0, NULL, NULL);
}

static void test_wire_replaced(void **state)
{
	struct host *h = *state;

	board_wire(h->b, 1, NULL, NULL);
	assert_int_equal(source.closed, 1);
	board_wire(h->b, 2, &source_ops, &source);	/* no such port */
	board_wire(h->b, 1, &source_ops, &source);
	board_destroy(h->b);
	assert_int_equal(source.closed, 2);
	h->b = board_create(NULL, NULL);
}

static void test_statistics(void **state)
{
	static const struct {
		uint32_t len;
		uint16_t counter;
	} sizes[] = {
		{ 60, 0x80 }, { 61, 0x88 }, { 123, 0x88 }, { 124, 0xc0 }, { 251, 0xc0 },
		{ 252, 0xc8 }, { 507, 0xc8 }, { 508, 0x90 }, { 1019, 0x90 },
		{ 1020, 0x98 }, { 1514, 0x98 }, { 1515, 0xd0 }, { 4000, 0xd0 },
	};
	uint64_t m = BD_MACSTAT_ADDR + 0x200, octets = 0;
	struct host *h = *state;
	unsigned int i;

	source.endless_wait = true;
	board_port_rx(h->b, 1, true);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t before = mu_read(h, m + sizes[i].counter, 8);

		source.left = 1;
		source.caplen = source.len = sizes[i].len;
		host_run(h);
		assert_int_equal(mu_read(h, m + sizes[i].counter, 8), before + 1);
		octets += sizes[i].len + 4;
	}
	assert_int_equal(mu_read(h, m, 8), octets);
	assert_int_equal(mu_read(h, m + 0x60, 8), i);	/* unicast */
	source.left = 1;
	memset(source.frame, 0xff, 6);
	host_run(h);
	assert_int_equal(mu_read(h, m + 0x30, 8), 1);	/* broadcast */
	source.left = 1;
	source.frame[5] = 1;
	host_run(h);
	assert_int_equal(mu_read(h, m + 0x68, 8), 1);	/* multicast */
}

static void test_stats_json(void **state)
{
	char path[] = "/tmp/board-stats-XXXXXX", text[16384], *at;
	struct host *h = *state;
	int fd = mkstemp(path);
	ssize_t n;

	assert_true(fd >= 0);
	source.left = 3;
	board_port_rx(h->b, 1, true);
	host_run(h);
	assert_int_equal(board_stats_json(h->b, path), 0);
	n = read(fd, text, sizeof(text) - 1);
	assert_true(n > 0);
	text[n] = '\0';
	close(fd);
	unlink(path);
	at = strstr(text, "\"ports\"");
	assert_non_null(at);
	assert_non_null(strstr(at, "\"rx_frames\": 3, \"rx_bytes\": 180"));
	assert_non_null(strstr(text, "\"doorbell\": {"));
	assert_int_equal(board_stats_json(h->b, "/nonexistent/file"), -ENOENT);
}

/* ---- a hostile host ---- */

/* Return a random offset. Some offsets lie in windows, queues and registers. */
static uint64_t hostile_offset(uint64_t *s, unsigned int bar)
{
	static const uint64_t places[] = {
		0x30000, 0x30080, 0x80000, 0x81004, 0x8000, 0x1000, 0xfffff,
		2 * SLICE4 + 0x30000, 2 * SLICE4 + 0x80004, 2 * SLICE4 + 0x81004,
		3 * SLICE4, 3 * SLICE4 + 0x8000, 3 * SLICE4 + 0x10000, 4 * SLICE0, 5 * SLICE0,
		0x01100190, 2 * SLICE0, 3 * SLICE0,
	};
	uint64_t r = random_next(s);

	switch (r & 3) {
	case 0:
		return random_next(s);
	case 1:
		return random_next(s) % (board_bar_size(NULL, bar) + 64);
	default:
		return places[(r >> 8) % (sizeof(places) / sizeof(places[0]))] +
		       (random_next(s) & 0xfff);
	}
}

/*
 * Make random accesses of any size to any address; DMA and interrupts follow from some of them.
 * The card must stay within its memory (a sanitizer shows that) and must answer.
 */
static void test_hostile_accesses(void **state)
{
	static const size_t lens[] = { 1, 2, 4, 4, 4, 8, 8, 3, 7, 16, 64, 255 };
	struct host *h = *state;
	uint64_t seed = random_seed(0x9e3779b97f4a7c15);
	uint8_t buf[256];

	host_set(h, "stores", "lenient");
	for (unsigned int i = 0; i < 300000; i++) {
		unsigned int bar = random_next(&seed) % 7;
		size_t len = lens[random_next(&seed) % (sizeof(lens) / sizeof(lens[0]))], j;
		uint64_t off = hostile_offset(&seed, bar & 4 ? 4 : bar & 6);

		for (j = 0; j < sizeof(buf); j += 8) {
			uint64_t v = random_next(&seed);

			if (v & 1)
				v &= 0xff00ff00ff;
			memcpy(buf + j, &v, 8);
		}
		if (bar == 6)
			off %= 0x1100;
		switch (random_next(&seed) % 8) {
		case 0 ... 2:
			bar < 6 ? board_bar_read(h->b, bar, off, buf, len)
				: board_cfg_read(h->b, off, buf, len);
			break;
		case 3 ... 6:
			bar < 6 ? board_bar_write(h->b, bar, off, buf, len)
				: board_cfg_write(h->b, off, buf, len);
			break;
		default:
			board_run(h->b, 16);
			break;
		}
		if (i % 1000 == 0) {
			cfg_write(h, 4, 6, 2);
			host_windows(h);
		}
	}
	/* After a reset the card works again. */
	host_reset(h, BOARD_RESET_POWER);
	assert_int_equal(mu_read(h, BD_VNIC_ADDR + 0x30, 4), 0x305);
	assert_int_equal(mu_read(h, BD_MIP_ADDR, 4), 0x0050494d);
}

/* Print the rate of packets. The test does not check the rate, because the machine may be busy. */
static void test_rate(void **state)
{
	struct host *h = *state;
	struct timespec a, b;
	double s;

	source.left = 2000000;
	board_port_rx(h->b, 1, true);
	clock_gettime(CLOCK_MONOTONIC, &a);
	host_run(h);
	clock_gettime(CLOCK_MONOTONIC, &b);
	s = b.tv_sec - a.tv_sec + (b.tv_nsec - a.tv_nsec) / 1e9;
	assert_int_equal(keeper.total, 2000000);
	print_message("# wire to firmware: %.1f million 64-byte frames/s\n", 2 / s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_starts_when_told, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_start_link, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_waiting_source, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_back_pressure, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_pressure_released, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_reset_frees, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_large_frames, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_lying_source, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_peer_goes, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_wire_replaced, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_statistics, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_stats_json, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_hostile_accesses, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_rate, setup, host_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
