/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tap.h - test lines of programs, most of them in the guest. */
#ifndef TAP_H
#define TAP_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failed;

static inline bool __attribute__((format(printf, 2, 3)))
ok(bool good, const char *fmt, ...)
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

/* A limit of time, for a kernel that is as slow as scripts/vm says. */
static inline int slowly(int limit)
{
	const char *slow = getenv("NFPCHAN_SLOW");

	return limit * (slow ? atoi(slow) : 1);
}

/* @got as a system call returned it: below 0 means look at errno. */
static inline bool is(long got, long want, const char *what)
{
	int err = errno;
	bool good = got == want;

	ok(good, "%s", what);
	if (!good)
		printf("# got %ld (errno %d, %s), want %ld\n", got, err, strerror(err), want);
	return good;
}

/* A call that must fail with @want. */
static inline bool fails(long got, int want, const char *what)
{
	int err = errno;
	bool good = got == -1 && err == want;

	ok(good, "%s: %s", what, strerror(want));
	if (!good)
		printf("# got %ld, errno %d (%s)\n", got, err, strerror(err));
	return good;
}

static inline void skip(const char *name, const char *why)
{
	ok(true, "%s # SKIP %s", name, why);
}

static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? 1 : 0;
}

static inline void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

#endif /* TAP_H */
