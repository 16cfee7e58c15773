// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* program_tc.c - a tc program: the driver can offload it, but not as XDP */
#include "../programs/diff.h"

#include <linux/pkt_cls.h>

SEC("tc") int program_tc(struct __sk_buff *skb)	/* unknown whole: program-tc */
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;

	if (data + ETH_HLEN > end)
		return TC_ACT_SHOT;
	return P16(12) == bpf_htons(0x88b5) ? TC_ACT_SHOT : TC_ACT_UNSPEC;
}
