// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_vfio_user_fuzz.c - the fuzzer's inputs, and some mutations of them, without
 * libFuzzer and sanitizers: what was found once is not found again. `make fuzz` is
 * the whole thing.
 */
#include "../fuzz/vfio_user.c"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "random.h"

#define CORPUS		"selftests/fuzz/vfio_user.corpus"
#define EXECUTIONS	20000
#define INPUTS_MAX	1024
#define INPUT_MAX	1024

static struct {
	uint8_t data[INPUT_MAX];
	size_t len;
} inputs[INPUTS_MAX];

static unsigned int count;

static uint32_t rnd(uint32_t n)
{
	static uint64_t x;

	if (!x)
		x = random_seed(88172645463325252);
	return random_below(&x, n);
}

static void corpus_read(void)
{
	char line[2 * INPUT_MAX + 2];
	FILE *f = fopen(CORPUS, "r");

	assert_non_null(f);
	while (count < INPUTS_MAX && fgets(line, sizeof(line), f)) {
		unsigned int byte_read;
		size_t n = 0;

		while (n < INPUT_MAX && sscanf(line + 2 * n, "%2x", &byte_read) == 1)
			inputs[count].data[n++] = (uint8_t)byte_read;
		if (*line == '#')
			continue;
		inputs[count++].len = n;
	}
	fclose(f);
	assert_true(count > 50);
}

/* A few bytes changed, or the end of another input behind the beginning of this. */
static size_t mutation(uint8_t *to)
{
	unsigned int one = rnd(count), other = rnd(count), n = rnd(6);
	size_t len = inputs[one].len, from = rnd((uint32_t)inputs[other].len + 1);
	size_t more = inputs[other].len - from;

	memcpy(to, inputs[one].data, len);
	if (rnd(2)) {
		more = more > INPUT_MAX - len ? INPUT_MAX - len : more;
		memcpy(to + len, inputs[other].data + from, more);
		len += more;
	}
	/* The first byte has the card switched on anew, which takes long. */
	while (n-- && len > 1)
		to[1 + rnd((uint32_t)len - 1)] ^= (uint8_t)(1u << rnd(8));
	return len;
}

static void corpus(void **state)
{
	(void)state;
	corpus_read();
	for (unsigned int i = 0; i < count; i++)
		assert_int_equal(LLVMFuzzerTestOneInput(inputs[i].data, inputs[i].len), 0);
}

static void mutations(void **state)
{
	uint8_t input[INPUT_MAX];

	(void)state;
	for (unsigned int i = 0; i < EXECUTIONS; i++)
		assert_int_equal(LLVMFuzzerTestOneInput(input, mutation(input)), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(corpus),
		cmocka_unit_test(mutations),
	};

	/* A line for each request that is refused */
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	LLVMFuzzerInitialize(&argc, &argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
