// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* null_missing.c - a map value is read without a comparison with NULL */
#include "../programs/diff.h"

MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int null_missing(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	return *v ? XDP_PASS : XDP_DROP;	/* refused: verifier */
}
