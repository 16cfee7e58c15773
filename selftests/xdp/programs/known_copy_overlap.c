// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * known_copy_overlap.c - pairs of load and store, of which the second loads what the
 * first has stored in part. The JIT makes a copy of them all the same: it looks
 * for loads that begin behind where the stores do (jit.c, cross_mem_access()).
 */
#include "diff.h"

SEC("xdp") int PROG(known_copy_overlap, 60)
{
	COPY(__u32, 19, 14, 2);
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 v = P64(14);

	P64(19) = v;
	return XDP_PASS;
}
