// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tap.c - TAP output of test programs in the guest. */
#define _GNU_SOURCE
#include "tap.h"

int tap_count;
static int tap_failed;

bool ok(bool good, const char *fmt, ...)
{
	va_list ap;

	printf("%s %d - ", good ? "ok" : "not ok", ++tap_count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
	tap_failed += !good;
	return good;
}

/*
 * Test that @got is @want. If it is not, print errno as well, because @got is often the result of
 * a system call.
 */
bool is(long got, long want, const char *what)
{
	int err = errno;
	bool good = got == want;

	ok(good, "%s", what);
	if (!good)
		printf("# got %ld (errno %d, %s), want %ld\n", got, err, strerror(err), want);
	return good;
}

/* Test that a call has failed with errno @want. */
bool fails(long got, int want, const char *what)
{
	int err = errno;
	bool good = got == -1 && err == want;

	ok(good, "%s: %s", what, strerror(want));
	if (!good)
		printf("# got %ld, errno %d (%s)\n", got, err, strerror(err));
	return good;
}

void skip(const char *name, const char *why)
{
	ok(true, "%s # SKIP %s", name, why);
}

int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? 1 : 0;
}

void __attribute__((noreturn)) die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}
