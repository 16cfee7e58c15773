// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_capitals.c - the ME process "capitals", run in the test's process (rig/card/fw_host.h). */
#include "fw_host.h"

/* Send a text of @len bytes to the process, and compare the answer. */
static void answers(struct fw_pipe *in, struct fw_pipe *out, const char *text, const char *want,
		    uint32_t len)
{
	char got[256];

	fw_send_run(in, text, len);
	fw_look(out);
	assert_int_equal(fw_recv(out, got, sizeof(got)), len);
	assert_memory_equal(got, want, len);
	fw_ring_run(out);
}

static void open_both(struct fw_host *h, struct fw_pipe *in, struct fw_pipe *out)
{
	assert_int_equal(fw_open(in, h, 0, CHAN_ID_CAPITALS_IN, 13), NFP_CHAN_FW_OK);
	assert_int_equal(fw_open(out, h, 1, CHAN_ID_CAPITALS_OUT, 13), NFP_CHAN_FW_OK);
}

static void only_letters_change(void **state)
{
	struct fw_pipe in, out;

	open_both(*state, &in, &out);
	answers(&in, &out, "Hello, world: a-z, 0-9, @[`{", "HELLO, WORLD: A-Z, 0-9, @[`{", 28);
}

static void every_length(void **state)
{
	char text[256], want[256];
	struct fw_pipe in, out;
	uint32_t len;

	memset(text, 'x', sizeof(text));
	memset(want, 'X', sizeof(want));
	open_both(*state, &in, &out);
	for (len = 0; len <= sizeof(text); len++)
		answers(&in, &out, text, want, len);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(only_letters_change), T(every_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
