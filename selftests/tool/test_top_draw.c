// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_top_draw.c - what nfpchan top draws from given counters, in windows of several sizes. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "top.h"

#define CHANS	30
#define LINES	64

static struct top_chan chans[CHANS];
static struct flow flows[4];
static struct top top;

/* Channel n has sent n messages of 100 bytes in the interval; number 7 is one of two that dropped some. */
static int setup(void **state)
{
	size_t i;

	memset(chans, 0, sizeof(chans));
	for (i = 0; i < CHANS; i++) {
		struct nfp_chan_query *q = &chans[i].row.q;

		snprintf(q->name, sizeof(q->name), "chan-%02zu", i);
		q->dir = i % 2 ? NFP_CHAN_TO_NFP : NFP_CHAN_TO_HOST;
		q->depth = 64;
		q->pipes = 1;
		q->msgs = 1000000 + i;
		q->bytes = 123456789;
		chans[i].msgs = i;
		chans[i].bytes = 100 * i;
	}
	chans[7].drops = 20000;
	chans[7].row.q.dropped = 20001;
	chans[8].drops = 5;
	chans[9].stalls = 3;
	chans[4].irqs = 1500;
	memset(flows, 0, sizeof(flows));
	for (i = 0; i < 4; i++)
		flows[i] = (struct flow){ .family = 4, .proto = 6, .sport = (uint16_t)(1000 + i), .dport = 80,
					  .src = { 192, 0, 2, 1 }, .dst = { 192, 0, 2, 2 },
					  .packets = 10 * (i + 1), .bytes = 5000 - 1000 * i };
	top = (struct top){ .card = "0000:01:00.0", .sort = TOP_BY_MSGS, .ns = 1000000000, .chan = chans,
			    .chans = CHANS, .flow = flows, .flows = 4,
			    .info = { .fw_name = "nfp-chan", .fw_version = "0.2.0", .pipe_used = 3,
				      .pipe_count = 32 } };
	return 0;
}

/**
 * struct drawn - a window
 * @text: all of it
 * @line: its lines
 * @lines: number of lines
 */
struct drawn {
	char *text;
	char *line[LINES];
	size_t lines;
};

static struct drawn draw(unsigned int rows, unsigned int cols, bool escapes, bool colours)
{
	const struct top_screen screen = { rows, cols, escapes, colours };
	struct drawn d = { .lines = 0 };
	char *rest, *line;
	size_t len;
	FILE *f = open_memstream(&d.text, &len);

	assert_non_null(f);
	top_sort(&top);
	top_draw(f, &top, &screen);
	assert_int_equal(fclose(f), 0);
	assert_true(rows || d.text[len - 1] == '\n');
	if (!rows)
		d.text[len - 1] = '\0';
	for (rest = d.text; (line = strsep(&rest, "\n"));) {
		assert_true(d.lines < LINES);
		d.line[d.lines++] = line;
	}
	return d;
}

/* A line without its escape codes */
static const char *plain(const char *line)
{
	static char text[600];
	size_t n = 0;

	while (*line && n < sizeof(text) - 1) {
		if (*line == '\033')
			line += strcspn(line, "HKmJ") + 1;
		else
			text[n++] = *line++;
	}
	text[n] = '\0';
	return text;
}

static void test_80x24(void **state)
{
	struct drawn d = draw(24, 80, false, false);

	assert_int_equal(d.lines, 24);
	assert_string_equal(d.line[0], "nfpchan top: 30 channels, 3 of 32 pipes open; card 0000:01:00.0, "
			    "nfp-chan 0.2.0");
	assert_string_equal(d.line[1], "CHANNEL              *MSG/S  BYTE/S  DROP/S  STALL/S   IRQ/S     "
			    "DIR DEPTH PIPES");
	assert_string_equal(d.line[2], "chan-29                  29    2900       0        0       0  "
			    "to-nfp    64     1");
	/* 21 of 30 channels have room */
	assert_memory_equal(d.line[22], "chan-09 ", 8);
	assert_string_equal(d.line[23], "q quit  f flows  by n name, m msgs, b bytes, d drops, "
			    "s stalls, i irqs  9 more");
	free(d.text);
	chans[0].row.q = (struct nfp_chan_query){ .name = "a-name-of-thirty-one-characters" };
	d = draw(24, 80, false, false);
	assert_memory_equal(d.line[2], "a-name-of-thirty-~       29 ", 28);
	free(d.text);
}

static void test_200x50(void **state)
{
	struct drawn d = draw(50, 200, false, false);

	assert_int_equal(d.lines, 50);
	assert_string_equal(d.line[1] + strlen(d.line[1]) - 76, "        MESSAGES             BYTES       "
			    "DROPPED       STALLED          IRQS");
	assert_string_equal(d.line[2] + 32 + 61, "         1000029         123456789             0"
			    "             0             0");
	assert_memory_equal(d.line[31], "chan-00", 7);
	for (size_t i = 32; i < 49; i++)
		assert_string_equal(d.line[i], "");
	assert_memory_equal(d.line[49], "q quit ", 7);
	assert_null(strstr(d.line[49], "more"));
	free(d.text);
}

/* In a window of any size each line fits, and all of it is drawn. */
static void test_sizes(void **state)
{
	unsigned int rows, cols;
	struct drawn d;
	size_t i;

	for (int flows_view = 0; flows_view <= 1; flows_view++)
		for (rows = 1; rows <= 40; rows++)
			for (cols = 1; cols <= 250; cols++) {
				top.flows_view = flows_view;
				d = draw(rows, cols, true, true);
				assert_int_equal(d.lines, rows);
				for (i = 0; i < d.lines; i++)
					assert_true(strlen(plain(d.line[i])) <= cols);
				free(d.text);
			}
}

static void test_once(void **state)
{
	struct drawn d = draw(0, 200, false, false);

	assert_int_equal(d.lines, 2 + CHANS);
	assert_memory_equal(d.line[1 + CHANS], "chan-00", 7);
	for (size_t i = 0; i < d.lines; i++)
		assert_null(strchr(d.line[i], '\033'));
	free(d.text);
}

static void assert_first(const char *name)
{
	struct drawn d = draw(0, 200, false, false);

	assert_memory_equal(d.line[2], name, strlen(name));
	free(d.text);
}

static void test_order(void **state)
{
	static const char * const first[] = {
		[TOP_BY_NAME] = "chan-00", [TOP_BY_MSGS] = "chan-29", [TOP_BY_BYTES] = "chan-29",
		[TOP_BY_DROPS] = "chan-07", [TOP_BY_STALLS] = "chan-09", [TOP_BY_IRQS] = "chan-04",
	};

	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++) {
		top.sort = (enum top_sort)i;
		assert_first(first[i]);
	}
	top.flows_view = true;
	top.sort = TOP_BY_BYTES;
	assert_first("192.0.2.1:1000 ");
	top.sort = TOP_BY_MSGS;
	assert_first("192.0.2.1:1003 ");
	top.sort = TOP_BY_NAME;
	assert_first("192.0.2.1:1000 ");
}

static void test_rates(void **state)
{
	static const struct {
		uint64_t count, ns;
		const char *want;
	} rates[] = {
		{ 5, 0, "-" }, { 0, 1000000000, "0" }, { 1, 2000000000, "0.5" },
		{ 5, 1000000000, "5.0" }, { 10, 1000000000, "10" }, { 9999, 1000000000, "9999" },
		{ 10000, 1000000000, "10.0k" }, { 999499, 1000000000, "999k" },
		{ 999500, 1000000000, "1.00M" }, { 1234567, 100000000, "12.3M" },
		{ 9996000, 1000000000, "10.0M" }, { UINT64_MAX, 1000000000, "18.4E" },
	};
	char want[40];

	top.chans = 1;
	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		struct drawn d;

		chans[0].msgs = rates[i].count;
		top.ns = rates[i].ns;
		d = draw(0, 27, false, false);
		snprintf(want, sizeof(want), "chan-00 %*s", 19, rates[i].want);
		assert_string_equal(d.line[2], want);
		free(d.text);
	}
}

/* The line of a channel that a window has */
static const char *found(const struct drawn *d, const char *name)
{
	for (size_t i = 2; i < d->lines; i++)
		if (strstr(d->line[i], name))
			return d->line[i];
	fail_msg("no %s", name);
	return NULL;
}

static void test_colours(void **state)
{
	struct drawn d = draw(40, 80, true, true);

	assert_memory_equal(d.text, "\033[H\033[K", 6);
	assert_memory_equal(d.line[1], "\033[K\033[7m", 7);
	assert_int_equal(strlen(plain(d.line[1])), 80);
	assert_memory_equal(found(&d, "chan-07"), "\033[K\033[31mchan-07", 15);
	assert_memory_equal(found(&d, "chan-09"), "\033[K\033[33mchan-09", 15);
	assert_memory_equal(found(&d, "chan-00"), "\033[K\033[2mchan-00", 14);
	assert_memory_equal(found(&d, "chan-10"), "\033[Kchan-10", 10);
	free(d.text);
	d = draw(40, 80, true, false);
	assert_memory_equal(found(&d, "chan-07"), "\033[Kchan-07", 10);
	free(d.text);
	/* Names are the firmware's, and may be anything. */
	snprintf(chans[0].row.q.name, sizeof(chans[0].row.q.name), "x\033[2Jy\n");
	chans[0].msgs = 999;
	d = draw(40, 80, true, true);
	assert_int_equal(d.lines, 40);
	assert_memory_equal(d.line[2], "\033[Kx?[2Jy?", 10);
	free(d.text);
}

static void test_flows(void **state)
{
	struct drawn d;

	top.flows_view = true;
	top.sort = TOP_BY_BYTES;
	top.meter = (struct totals){ .seen = 1000, .not_ip = 4, .dropped = 0 };
	flows[3] = (struct flow){ .family = 6, .proto = 58, .sport = 0x8000, .packets = 1, .bytes = 100,
				  .src = { 0x20, 1, 0xd, 0xb8, [15] = 1 }, .dst = { 0xff, 2, [15] = 1 } };
	d = draw(24, 80, false, false);
	assert_int_equal(d.lines, 24);
	assert_memory_equal(d.line[0], "nfpchan top: 4 flows, packets/s: 1000 seen, 0 dropped, 4.0 not IP;", 66);
	assert_string_equal(d.line[1], "SOURCE                    DESTINATION               PROTO     PKT/S "
			    "*BYTE/S PORT");
	assert_string_equal(d.line[2], "192.0.2.1:1000            192.0.2.2:80              tcp          10 "
			    "   5000    0");
	assert_memory_equal(d.line[5], "2001:db8::1               ff02::1                   icmpv6 ", 59);
	assert_memory_equal(d.line[23], "q quit  c channels  by n name, m packets, b bytes", 50);
	free(d.text);
	top.flows = 0;
	strcpy(top.why, "flows: the channel is exclusive, and open already");
	d = draw(24, 80, false, false);
	assert_string_equal(d.line[2], top.why);
	free(d.text);
}

static void test_since(void **state)
{
	struct top_chan before[2], now[3];

	memset(before, 0, sizeof(before));
	memset(now, 0, sizeof(now));
	before[0].row.q = (struct nfp_chan_query){ .name = "b", .msgs = 10, .bytes = 100, .dropped = 1,
						   .stalled = 2, .irqs = 3 };
	before[1].row.q = (struct nfp_chan_query){ .name = "a", .msgs = 50 };
	now[0].row.q = (struct nfp_chan_query){ .name = "a", .msgs = 7 };
	now[1].row.q = (struct nfp_chan_query){ .name = "b", .msgs = 15, .bytes = 600, .dropped = 4,
						.stalled = 10, .irqs = 3 };
	now[2].row.q = (struct nfp_chan_query){ .name = "new", .msgs = 1000 };
	top_chans_since(now, 3, before, 2);
	assert_int_equal(now[0].msgs, 7);	/* it began again at 0 */
	assert_int_equal(now[1].msgs, 5);
	assert_int_equal(now[1].bytes, 500);
	assert_int_equal(now[1].drops, 3);
	assert_int_equal(now[1].stalls, 8);
	assert_int_equal(now[1].irqs, 0);
	assert_int_equal(now[2].msgs, 0);	/* it was not there before */
}

static void test_merge(void **state)
{
	struct flow f[5] = { flows[0], flows[1], flows[0], flows[1], flows[0] };

	f[4].vlan = 5;
	assert_int_equal(top_flows_merge(f, 5), 3);
	assert_int_equal(f[0].packets, 20);
	assert_int_equal(f[0].bytes, 10000);
	assert_int_equal(f[1].vlan, 5);
	assert_int_equal(f[1].packets, 10);
	assert_int_equal(f[2].packets, 40);
	assert_int_equal(top_flows_merge(f, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_80x24, setup),
		cmocka_unit_test_setup(test_200x50, setup),
		cmocka_unit_test_setup(test_sizes, setup),
		cmocka_unit_test_setup(test_once, setup),
		cmocka_unit_test_setup(test_order, setup),
		cmocka_unit_test_setup(test_rates, setup),
		cmocka_unit_test_setup(test_colours, setup),
		cmocka_unit_test_setup(test_flows, setup),
		cmocka_unit_test_setup(test_since, setup),
		cmocka_unit_test_setup(test_merge, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
