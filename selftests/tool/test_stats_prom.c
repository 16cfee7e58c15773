// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stats_prom.c - nfpchan stats --prometheus: the text of given counters. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "chan_row.h"

static char *print(const char *card, const struct chan_row *rows, size_t n)
{
	char *out;
	size_t len;
	FILE *f = open_memstream(&out, &len);

	assert_non_null(f);
	chan_rows_prometheus(f, card, rows, n);
	assert_int_equal(fclose(f), 0);
	return out;
}

/* Each metric: a line of help, its type, then a sample of each channel */
static void test_counters(void **state)
{
	static const char * const want[] = {
		"# TYPE nfpchan_messages_total counter\n"
		"nfpchan_messages_total{card=\"0000:01:00.0\",channel=\"a\",direction=\"to-host\"} 1\n"
		"nfpchan_messages_total{card=\"0000:01:00.0\",channel=\"b\",direction=\"to-nfp\"} "
		"18446744073709551615\n# HELP ",
		"nfpchan_bytes_total{card=\"0000:01:00.0\",channel=\"a\",direction=\"to-host\"} 2\n",
		"nfpchan_dropped_total{card=\"0000:01:00.0\",channel=\"a\",direction=\"to-host\"} 3\n",
		"nfpchan_stalls_total{card=\"0000:01:00.0\",channel=\"a\",direction=\"to-host\"} 4\n",
		"nfpchan_interrupts_total{card=\"0000:01:00.0\",channel=\"a\",direction=\"to-host\"} 5\n",
		"nfpchan_signals_total{card=\"0000:01:00.0\",channel=\"a\",direction=\"to-host\"} 6\n",
		"nfpchan_repeats_total{card=\"0000:01:00.0\",channel=\"a\",direction=\"to-host\"} 7\n",
		"nfpchan_repeats_total{card=\"0000:01:00.0\",channel=\"b\",direction=\"to-nfp\"} 0\n",
	};
	struct chan_row rows[] = {
		{ .q = { .name = "a", .dir = NFP_CHAN_TO_HOST, .msgs = 1, .bytes = 2, .dropped = 3,
			 .stalled = 4, .irqs = 5, .signals = 6 }, .repeated = 7 },
		{ .q = { .name = "b", .dir = NFP_CHAN_TO_NFP, .msgs = UINT64_MAX } },
	};
	char *out = print("0000:01:00.0", rows, 2), *at = out, *line;

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		at = strstr(at, want[i]);
		if (!at)
			fail_msg("not there, or not in order: %s", want[i]);
	}
	/* Nothing but comments and samples, and a newline at the end */
	assert_int_equal(out[strlen(out) - 1], '\n');
	for (line = strtok_r(out, "\n", &at); line; line = strtok_r(NULL, "\n", &at))
		assert_true(!strncmp(line, "# HELP nfpchan_", 15) || !strncmp(line, "# TYPE nfpchan_", 15) ||
			    !strncmp(line, "nfpchan_", 8));
	free(out);
}

static void test_escapes(void **state)
{
	struct chan_row row = { .q = { .name = "q\"uo\\te\nd" } };
	char *out = print("bpf:e\"0", &row, 1);

	assert_non_null(strstr(out, "{card=\"bpf:e\\\"0\",channel=\"q\\\"uo\\\\te\\nd\",direction="));
	free(out);
}

static void test_no_channels(void **state)
{
	char *out = print("0000:01:00.0", NULL, 0);

	assert_non_null(strstr(out, "# TYPE nfpchan_messages_total counter\n# HELP nfpchan_bytes_total "));
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_no_channels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
