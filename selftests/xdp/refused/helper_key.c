// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* helper_key.c - the result of an unsupported helper as a key of 4 bytes */
#include "../programs/diff.h"

MAP(per_cpu_counts, ARRAY, 2, __u32, __u64);

SEC("xdp") int helper_key(struct xdp_md *ctx)
{
	__u32 pair[2] = { bpf_get_smp_processor_id(), 0 };	/* refused: helper */

	pair[1] = pair[0] & 1;
	return bpf_map_lookup_elem(&per_cpu_counts, HIDDEN(&pair[0])) ? XDP_PASS : XDP_DROP;
}
