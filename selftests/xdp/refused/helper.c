// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* helper.c - a helper for the time, which the card lacks */
#include "../programs/diff.h"

SEC("xdp") int PROG(helper, 60)
{
	if (P8(14) != 0x45)
		return XDP_PASS;
	return bpf_ktime_get_ns() & 1 ? XDP_PASS : XDP_DROP;	/* refused: helper */
}
