// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bad_helper.c - call a helper that no card has. The program must not load. */
#define NO_LICENSE
#include "diff.h"

SEC("xdp") int bad_helper(struct xdp_md *ctx)
{
	return bpf_ktime_get_ns() & 1 ? XDP_PASS : XDP_DROP;
}
