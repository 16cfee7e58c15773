// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* helper_guess.c - a path that only the result of an unknown helper may take */
#include "../programs/diff.h"

SEC("xdp") int helper_guess(struct xdp_md *ctx)
{
	__u64 t = bpf_ktime_get_ns();	/* refused: helper */

	asm volatile("if %[t] > 5 goto +2;"	/* unknown: unknown */
		     "if %[t] < 6 goto +1;"
		     "%[t] = *(u64 *)(r10 + 8)" : [t] "+r"(t));
	return t & 1 ? XDP_PASS : XDP_DROP;
}
