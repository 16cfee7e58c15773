// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_vfio_user_fuzz.c - run the fuzzer's corpus, and mutations of it, without libFuzzer and
  * sanitizers. Inputs that once found a bug must not crash the server again, and the card must
  * work afterwards. `make fuzz` runs the fuzzer itself.
 */
#include "../fuzz/vfio_user.c"

#include <nfp_chan_fw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "fds.h"
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

/* Copy a random input to @to, append the end of another input or not, and flip up to 5 bits. */
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
	/* Leave the first byte as it is: it may power-cycle the card, which takes long. */
	while (n-- && len > 1)
		to[1 + rnd((uint32_t)len - 1)] ^= (uint8_t)(1u << rnd(8));
	return len;
}

/* End the connection with FRESH inputs, and return the number of open descriptors. */
static int fds_left(void)
{
	static const uint8_t fresh = FRESH;

	for (unsigned int i = 0; i < FRESH_EVERY; i++)
		LLVMFuzzerTestOneInput(&fresh, 1);
	return fds_open();
}

static void as_before(int fds)
{
	uint32_t w = 0;

	assert_int_equal(fds_left(), fds);
	board_reset(board, BOARD_RESET_POWER);
	board_cfg_read(board, 0, &w, 4);
	assert_int_equal(w, 0x400019ee);
	while (board_run(board, 64))
		;
	assert_int_equal(board_sram_read(board, NFP_CHAN_FW_SRAM_BASE, &w, 4), 0);
	assert_int_equal(w, NFP_CHAN_FW_MAGIC);
}

static void corpus(void **state)
{
	int fds;

	(void)state;
	corpus_read();
	fds = fds_left();
	for (unsigned int i = 0; i < count; i++)
		LLVMFuzzerTestOneInput(inputs[i].data, inputs[i].len);
	as_before(fds);
}

static void mutations(void **state)
{
	uint8_t input[INPUT_MAX];

	int fds = fds_left();

	(void)state;
	for (unsigned int i = 0; i < EXECUTIONS; i++)
		LLVMFuzzerTestOneInput(input, mutation(input));
	as_before(fds);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(corpus),
		cmocka_unit_test(mutations),
	};

	/* The server logs a line for each request that it refuses. */
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	LLVMFuzzerInitialize(&argc, &argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
