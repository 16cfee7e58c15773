// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* random.c - random numbers differ from each other. */
#include "diff.h"

SEC("xdp") int PROG(random, 60)
{
	__u32 a = bpf_get_prandom_u32(), b = bpf_get_prandom_u32();
	__u32 c = bpf_get_prandom_u32();

	return a == b && b == c ? XDP_ABORTED : VERDICT(P8(14));
}
