/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* skip.h - skip unit tests that cannot run here. cmocka's skip() would print "not ok" in TAP. */
#ifndef SKIP_H
#define SKIP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void skipped(void **state)
{
	(void)state;
}

/* Return @test. If @reason is not NULL, return a test that is skipped with that reason. */
static inline struct CMUnitTest unless(const char *reason, struct CMUnitTest test)
{
	size_t size = strlen(test.name) + 300;
	char *name = reason ? malloc(size) : NULL;

	if (!name)
		return test;
	snprintf(name, size, "%s # SKIP %s", test.name, reason);
	return (struct CMUnitTest){ .name = name, .test_func = skipped };
}

#define UNLESS(reason, f)	unless(reason, (struct CMUnitTest)cmocka_unit_test(f))

#endif /* SKIP_H */
