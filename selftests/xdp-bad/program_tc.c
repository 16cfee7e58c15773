// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* program_tc.c - a program of tc: the driver offloads it, only not for XDP */
#include "../xdp/diff.h"

SEC("tc")
int program_tc(struct __sk_buff *skb)	/* unknown whole: program-tc */
{
	return 2;
}
