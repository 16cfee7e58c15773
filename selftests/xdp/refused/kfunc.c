// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* kfunc.c - a function of the kernel */
#include "../programs/diff.h"

extern int bpf_xdp_metadata_rx_timestamp(const struct xdp_md *ctx, __u64 *timestamp) __ksym;

SEC("xdp") int kfunc(struct xdp_md *ctx)
{
	__u64 when = 0;

	return bpf_xdp_metadata_rx_timestamp(ctx, &when) ? XDP_PASS : XDP_DROP;	/* refused: kfunc */
}
