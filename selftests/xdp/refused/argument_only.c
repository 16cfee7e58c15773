// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* argument_only.c - like argument.c, but the argument is only compared: this program loads */
#include "../programs/diff.h"

struct numbers {
	__u32 a, b;
};

__noinline int given(struct numbers *n)	/* unknown: unknown */
{
	return n ? 2 : 0;
}

SEC("xdp") int PROG(argument_only, 60)
{
	struct numbers n = { P8(14), P8(15) };

	return given(&n) ? XDP_PASS : XDP_DROP;
}
