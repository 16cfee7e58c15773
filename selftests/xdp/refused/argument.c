// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* argument.c - a global function with a pointer: explain does not follow the pointer */
#include "../programs/diff.h"

struct numbers {
	__u32 a, b;
};

__noinline int sum(struct numbers *n)	/* unknown: unknown */
{
	return n ? n->a + n->b : 0;
}

SEC("xdp") int PROG(argument, 60)
{
	struct numbers n = { P8(14), P8(15) };

	return sum(&n) > 100 ? XDP_DROP : XDP_PASS;
}
