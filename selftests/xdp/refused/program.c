// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* program.c - programs of other types, long programs, loops, jumps */
#include "../programs/diff.h"

/* ---- program_flags: a program for packets of several buffers */
SEC("xdp.frags") int program_flags(struct xdp_md *ctx)	/* refused whole: program-flags */
{
	return XDP_PASS;
}

/* ---- program_tc: a tc program: the driver can offload it, but not as XDP */
#include <linux/pkt_cls.h>

SEC("tc") int program_tc(struct __sk_buff *skb)	/* unknown whole: program-tc */
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;

	if (data + ETH_HLEN > end)
		return TC_ACT_SHOT;
	return P16(12) == bpf_htons(0x88b5) ? TC_ACT_SHOT : TC_ACT_UNSPEC;
}

/* ---- program_type: a program that is not for packets */
SEC("socket") int program_type(struct __sk_buff *skb)	/* refused whole: program-type */
{
	return skb->len > 100;
}

/* ---- too_long: a program that is too long because of an unrolled loop */
SEC("xdp") int PROG(too_long, 60)
{
	__u64 x = P64(20);	/* refused whole: too-long */

#pragma unroll
	for (int i = 1; i < 300; i++)
		x = (x << 7 | x >> 57) ^ (x + i * 0x12345679ull);
	P64(20) = x;
	return XDP_TX;
}

/* ---- loop_endless: a loop that does not end */
SEC("xdp") int loop_endless(struct xdp_md *ctx)
{
	asm volatile("r1 = 0\n1: r1 += 0\nif r1 == 0 goto 1b" : : : "r1");	/* refused: verifier */
	return XDP_PASS;
}

/* ---- loop_long: a loop with more steps than the verifier follows */
SEC("xdp") int loop_long(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	__u64 sum = 0;

	for (__u32 i = 0; i < 600000; i++) {	/* refused whole: complex */
		sum += P8(14) ^ i;
		HIDE(sum);
	}
	return sum & 1 ? XDP_PASS : XDP_DROP;
}

/* ---- jumps_many: a loop with more exits than the verifier can keep pending */
SEC("xdp") int PROG(jumps_many, 60)
{

	for (__u32 i = 0; i < 10000; i++) {	/* refused whole: complex */
		__u64 x = *(volatile __u8 *)(data + 14);

		/* In C the compiler has the way back be the one that jumps. */
		asm volatile goto("if %0 == 77 goto %l[out]" : : "r"(x) : : out);
	}
	return XDP_PASS;
out:
	return XDP_DROP;
}

/* ---- jump_far_v4: a jump with an offset of 32 bits */
SEC("xdp") int PROG(jump_far_v4, 60)
{
	__u64 x = P8(14);

	asm volatile("gotol +0" : "+r"(x));	/* refused: newer-cpu */
	return x > 9 ? XDP_DROP : XDP_PASS;
}
