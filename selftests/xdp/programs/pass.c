// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pass.c - the smallest program. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("xdp")
int pass(struct xdp_md *ctx)
{
	return XDP_PASS;
}
