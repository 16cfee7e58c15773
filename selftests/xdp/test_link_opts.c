// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_link_opts.c - nfpchan_xdp_link() takes options of older and of newer callers. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "nfpchan_xdp.h"

static const char *const missing[] = { "/nonexistent/prog.o" };

/**
 * struct newer - options of a caller that knows one field more
 * @o: the fields that the library knows
 * @more: the field that it does not know
 */
struct newer {
	struct nfpchan_xdp_link_opts o;
	uint64_t more;
};

static void link_fails(const struct newer *n, int want, const char *text)
{
	struct nfpchan_xdp_image image;
	char err[256] = "";

	memset(&image, 0xff, sizeof(image));
	assert_int_equal(nfpchan_xdp_link(&n->o, &image, err, sizeof(err)), want);
	assert_null(image.elf);
	if (!strstr(err, text))
		fail_msg("'%s' is not in '%s'", text, err);
}

/* The options are accepted: the object that they name is not there. */
static void missing_fields_count_as_0(void **state)
{
	struct newer n = {
		.o.size = sizeof(n.o), .o.objects = missing, .o.object_count = 1,
		.o.firmware = "/nonexistent/firmware.nffw",
	};

	(void)state;
	link_fails(&n, -ENOENT, "firmware.nffw");
	n.o.size = offsetof(struct nfpchan_xdp_link_opts, firmware);
	link_fails(&n, -ENOENT, "prog.o");
	n.o.size = offsetof(struct nfpchan_xdp_link_opts, object_count);
	link_fails(&n, -EINVAL, "no object to link");
	n.o.size = 1;
	link_fails(&n, -EINVAL, "options of 1 bytes");
}

static void unknown_fields_must_be_0(void **state)
{
	struct newer n = { .o.size = sizeof(n), .o.objects = missing, .o.object_count = 1 };

	(void)state;
	link_fails(&n, -ENOENT, "prog.o");
	n.more = (uint64_t)1 << 63;
	link_fails(&n, -E2BIG, "beyond them all must be 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing_fields_count_as_0),
		cmocka_unit_test(unknown_fields_must_be_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
