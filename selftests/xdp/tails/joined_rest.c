// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * part of: joined.c
 * joined_rest.c - the second of two objects
 */
#include "tails.h"

extern MAP(counts, ARRAY, 4, __u32, __u64);
extern MAP(others, PROG_ARRAY, 2, __u32, __u32);

static __noinline int count(__u32 key)
{
	__u64 *n = bpf_map_lookup_elem(&counts, &key);

	if (!n)
		return 0;
	__sync_fetch_and_add(n, 1);
	return 1;
}

PROGRAM(far, 60)
{
	int got;

	TRACE(3);
	got = count(P8(17) & 7);
	PACKET_AGAIN(ctx, 60, XDP_ABORTED);
	P8(30) = got;
	GO(&others, P8(18) & 1);
	return VERDICT(P8(21));
}
