// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: variables of section .kconfig cannot be linked
 * link: --native
 * kconfig.c - a variable whose value the kernel that loads it has
 */
#include "../chain.h"

extern unsigned long CONFIG_HZ __kconfig;
int next(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = next);

STAGE(next, 60)
{
	return VERDICT(CONFIG_HZ);
}

STAGE(entry, 60)
{
	bpf_tail_call(ctx, &jumps, 1);
	return XDP_PASS;
}
