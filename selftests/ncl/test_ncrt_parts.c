// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_ncrt_parts.c - parts of libncrt: retransmission timeouts, duplicates, arrays cut into
 * windows.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "random.h"
#include "rt.h"

/* ---- times ---- */

static void timeouts_before_the_first_measurement(void **state)
{
	struct rtt rtt = { 0 };

	assert_int_equal(rtt_wait(&rtt, 1), RTO_FIRST);
	assert_int_equal(rtt_wait(&rtt, 3), 4 * RTO_FIRST);
}

static void timeouts_have_limits(void **state)
{
	struct rtt rtt = { 0 };
	unsigned int i;

	for (i = 0; i < 100; i++)
		rtt_add(&rtt, 1000);
	assert_int_equal(rtt_wait(&rtt, 1), RTO_MIN);
	assert_int_equal(rtt_wait(&rtt, 2), 2 * RTO_MIN);
	assert_int_equal(rtt_wait(&rtt, 1000), RTO_MAX);
	rtt_add(&rtt, UINT64_MAX / 2);
	assert_int_equal(rtt_wait(&rtt, 1), RTO_MAX);
}

static void timeouts_follow_steady_round_trip_times(void **state)
{
	struct rtt rtt = { 0 };
	unsigned int i;

	for (i = 0; i < 200; i++)
		rtt_add(&rtt, 5000000);
	assert_in_range(rtt.smooth, 4990000, 5010000);
	assert_in_range(rtt_wait(&rtt, 1), 4990000, 5200000);
}

/* ---- duplicates ---- */

static void a_window_is_new_until_it_is_added(void **state)
{
	static struct seen s;
	uint64_t x = random_seed(1);
	uint32_t seq, i;

	memset(&s, 0, sizeof(s));
	for (i = 0; i < 20000; i++) {
		/* Neighbouring numbers are swapped or repeated at random. */
		seq = i ^ (random_next(&x) & 1);
		if (!seen_has(&s, 1, 7, seq))
			seen_add(&s, 1, 7, seq);
		assert_true(seen_has(&s, 1, 7, seq));
		assert_false(seen_has(&s, 1, 7, i + 2));
		assert_false(seen_has(&s, 2, 7, seq));
		assert_false(seen_has(&s, 1, 8, seq));
	}
}

static void windows_older_than_all_slots_count_as_seen(void **state)
{
	static struct seen s;

	memset(&s, 0, sizeof(s));
	seen_add(&s, 1, 1, 5000);
	assert_false(seen_has(&s, 1, 1, 5000 - NCRT_SLOTS_MAX + 1));
	assert_true(seen_has(&s, 1, 1, 5000 - NCRT_SLOTS_MAX));
	seen_add(&s, 1, 1, 5000 - NCRT_SLOTS_MAX + 1);
	assert_true(seen_has(&s, 1, 1, 5000 - NCRT_SLOTS_MAX + 1));
}

static void the_largest_window_number_is_valid(void **state)
{
	static struct seen s;

	memset(&s, 0, sizeof(s));
	seen_add(&s, 1, 1, 0);
	seen_add(&s, 1, 1, UINT32_MAX - 1);
	seen_add(&s, 1, 1, UINT32_MAX);
	assert_true(seen_has(&s, 1, 1, UINT32_MAX));
	assert_false(seen_has(&s, 1, 1, UINT32_MAX - 2));
}

static void the_oldest_invocation_is_forgotten_first(void **state)
{
	static struct seen s;
	uint32_t i;

	memset(&s, 0, sizeof(s));
	for (i = 0; i <= SEEN_INVOCATIONS; i++)
		seen_add(&s, 1, i, 3);
	assert_false(seen_has(&s, 1, 0, 3));
	for (i = 1; i <= SEEN_INVOCATIONS; i++)
		assert_true(seen_has(&s, 1, i, 3));
}

/* ---- arrays to windows ---- */

static const struct desc_kernel kernel = {
	.id = 1, .name = "k", .size = 40, .wins = 2, .win = { 4, 2 }, .args = 3,
	.arg = {
		{ "a", "u16", 4, 0, false }, { "v", "i32", 0, 8, false },
		{ "b", "u64", 2, 16, false },
	},
};

static struct desc desc = { .name = "p" };
static struct ncrt nc = { .desc = &desc };

static void plan_is(uint32_t flags, size_t a, size_t b, uint32_t windows, const uint16_t *mask,
		    int want, uint32_t made)
{
	static uint16_t as[64];
	static uint64_t bs[64];
	struct flight f = {
		.k = &kernel, .nargs = 3, .w = { .flags = flags, .windows = windows },
		.args = { { as, a, 2, 0, 0, 0 }, { NULL, 0, 0, 0, -3, 0 }, { bs, b, 8, 0, 0, 0 } },
	};

	assert_int_equal(window_plan(&f, mask), want);
	if (!want)
		assert_int_equal(f.windows, made);
}

static void arrays_are_cut_into_windows(void **state)
{
	const uint16_t right[] = { 4, 2 }, wrong[] = { 4, 4 };

	plan_is(0, 8, 4, 0, NULL, 0, 2);
	plan_is(0, 8, 4, 0, right, 0, 2);
	plan_is(0, 8, 4, 0, wrong, -EINVAL, 0);
	plan_is(0, 8, 0, 0, NULL, 0, 2);
	plan_is(0, 0, 0, 3, NULL, 0, 3);
	plan_is(0, 0, 0, 0, NULL, -EINVAL, 0);
	plan_is(0, 8, 6, 0, NULL, -EINVAL, 0);
	plan_is(0, 7, 4, 0, NULL, -EINVAL, 0);
	plan_is(NCRT_PAD, 7, 4, 0, NULL, 0, 2);
	plan_is(NCRT_PAD, 7, 1, 0, NULL, -EINVAL, 0);
	plan_is(0, 8, 4, 3, NULL, -EINVAL, 0);
}

static void value_is(const char *type, int64_t val, int want)
{
	struct desc_kernel k = { .id = 1, .name = "k", .size = 8, .args = 1 };
	struct flight f = { .k = &k, .nargs = 1, .args = { { .i = val } } };

	strcpy(k.arg[0].name, "v");
	strcpy(k.arg[0].type, type);
	assert_int_equal(window_plan(&f, NULL), want);
}

static void values_must_fit_their_type(void **state)
{
	value_is("u8", 255, 0);
	value_is("u8", 256, -EDOM);
	value_is("u8", -1, -EDOM);
	value_is("i8", -128, 0);
	value_is("i8", -129, -EDOM);
	value_is("i8", 127, 0);
	value_is("i8", 128, -EDOM);
	value_is("u32", UINT32_MAX, 0);
	value_is("u32", (int64_t)UINT32_MAX + 1, -EDOM);
	value_is("i32", INT32_MIN, 0);
	value_is("i32", (int64_t)INT32_MIN - 1, -EDOM);
	value_is("u64", -1, 0);
	value_is("i64", INT64_MIN, 0);
	value_is("bool", 1, 0);
	value_is("bool", 2, -EDOM);
	value_is("bytes4", 0, -EINVAL);
}

static void elements_are_packed_and_unpacked(void **state)
{
	uint16_t a[7] = { 1, 2, 3, 4, 5, 6, 7 };
	uint64_t b[4] = { 10, 20, 30, 40 };
	struct flight f = {
		.k = &kernel, .nargs = 3, .w = { .flags = NCRT_PAD, .slots = 2 },
		.args = { { a, 7, 2, 0, 0, 0 }, { NULL, 0, 0, 0, -3, 0 }, { b, 4, 8, 0, 0, 0 } },
	};
	uint64_t data[5], guard = 0x5555;
	const uint16_t *as = (const uint16_t *)data;

	assert_int_equal(window_plan(&f, NULL), 0);
	window_pack(&nc, &f, 1, 0, (uint8_t *)data);
	assert_int_equal(as[0], 5);
	assert_int_equal(as[2], 7);
	assert_int_equal(as[3], 0);
	assert_int_equal((int32_t)data[1], -3);
	assert_int_equal(data[2], 30);
	assert_int_equal(data[3], 40);

	memset(data, 0xff, sizeof(data));
	window_unpack(&f, 1, (uint8_t *)data);
	assert_int_equal(a[3], 4);
	assert_int_equal(a[4], 0xffff);
	assert_int_equal(a[6], 0xffff);
	assert_int_equal(b[1], 20);
	assert_int_equal(b[3], UINT64_MAX);
	assert_int_equal(guard, 0x5555);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timeouts_before_the_first_measurement),
		cmocka_unit_test(timeouts_have_limits),
		cmocka_unit_test(timeouts_follow_steady_round_trip_times),
		cmocka_unit_test(a_window_is_new_until_it_is_added),
		cmocka_unit_test(windows_older_than_all_slots_count_as_seen),
		cmocka_unit_test(the_largest_window_number_is_valid),
		cmocka_unit_test(the_oldest_invocation_is_forgotten_first),
		cmocka_unit_test(arrays_are_cut_into_windows),
		cmocka_unit_test(values_must_fit_their_type),
		cmocka_unit_test(elements_are_packed_and_unpacked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
