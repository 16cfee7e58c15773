/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * plain.h - the assertions of cmocka, for programs without cmocka. An assertion that fails aborts
 * the program.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include "must.h"

static inline bool plain_in_range(uintmax_t x, uintmax_t low, uintmax_t high)
{
	return x >= low && x <= high;
}

#define assert_true(x)		must(x)
#define assert_non_null(x)	assert_true(x)
#define assert_int_equal(a, b)	assert_true((a) == (b))
#define assert_in_range(x, low, high)	assert_true(plain_in_range(x, low, high))

#endif /* PLAIN_H */
