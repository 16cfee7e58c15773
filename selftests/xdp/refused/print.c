// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print.c - a call of bpf_trace_printk() */
#include "../programs/diff.h"

SEC("xdp") int print(struct xdp_md *ctx)
{
	char text[] = "seen";	/* refused whole: map-global */

	bpf_trace_printk(text, sizeof(text));	/* refused: helper */
	return XDP_PASS;
}

