// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* program_flags.c - a program for packets of several buffers */
#include "../programs/diff.h"

SEC("xdp.frags") int program_flags(struct xdp_md *ctx)	/* refused whole: program-flags */
{
	return XDP_PASS;
}
