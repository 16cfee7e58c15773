// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_copy_overlap.c - a load of bytes that the store before has changed in part (KNOWN.rst) */
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
