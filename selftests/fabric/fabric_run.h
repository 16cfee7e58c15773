/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* fabric_run.h - helpers that run the model for its tests. */
#ifndef FABRIC_RUN_H
#define FABRIC_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "measure.h"

/* Return options that differ from the defaults. @first: "KEY=VALUE", and so on; end with NULL. */
static inline struct fab_opt options(const char *first, ...)
{
	const char *arg = first;
	struct fab_opt o;
	char why[256];
	va_list ap;

	fab_opt_default(&o);
	va_start(ap, first);
	for (; arg; arg = va_arg(ap, const char *)) {
		if (fab_opt_set(&o, arg, why, sizeof(why)))
			fail_msg("%s", why);
	}
	va_end(ap);
	if (fab_opt_check(&o, why, sizeof(why)))
		fail_msg("%s", why);
	return o;
}

/* Send @n messages as fast as the NIC takes them, and check that no error was counted. */
static inline struct fabric *run(const struct fab_opt *o, enum fab_mode mode, uint32_t n)
{
	struct fabric *f = fab_build(o, mode);
	struct fab_chain *c = f->chain;

	assert_int_equal(fab_chain_run(c, n, 1000), 0);
	assert_int_equal(c->offered, n);
	assert_int_equal(c->accepted + f->n.dropped, n);
	assert_int_equal(c->delivered, c->accepted);
	assert_int_equal(c->equal, c->accepted);
	assert_int_equal(f->n.overruns, 0);
	assert_int_equal(f->n.unclaimed, 0);
	assert_int_equal(f->n.denied, 0);
	assert_int_equal(f->n.bad, 0);
	return f;
}

#endif /* FABRIC_RUN_H */
