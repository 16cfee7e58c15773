// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: CO-RE relocations cannot be linked
 * relocated.c - a field of the kernel that loads the program
 */
#include "../chain.h"

struct sk_buff {
	unsigned int len;
} __attribute__((preserve_access_index));

int next(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = next);

STAGE(next, 60)
{
	return __builtin_preserve_field_info(((struct sk_buff *)0)->len, 0) & 1 ? XDP_PASS : XDP_TX;
}

STAGE(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16) & 1);
	return XDP_PASS;
}
