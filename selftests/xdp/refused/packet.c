// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* packet.c - accesses to the packet and to its context */
#include "../programs/diff.h"

/* ---- ctx_load: read the number of the interface */
SEC("xdp") int ctx_load(struct xdp_md *ctx)
{
	return ctx->ingress_ifindex == 2 ? XDP_PASS : XDP_DROP;	/* refused: ctx-load */
}

/* ---- ctx_store: set another end of the packet */
SEC("xdp") int ctx_store(struct xdp_md *ctx)
{
	asm volatile("r2 = 0\n*(u32 *)(%0 + 4) = r2" : : "r"(ctx) : "r2", "memory");	/* refused: ctx-store */
	return XDP_PASS;
}

/* ---- ctx_size: access parts of fields of the context, two fields at once, and no field */
/* Keep the compiler from making one access of two, or two of one. */
#define ACCESS(text)	asm volatile("r2 = 0\n" text : : "r"(ctx) : "r2", "memory")

SEC("xdp") int ctx_size(struct xdp_md *ctx)
{
	switch (bpf_get_prandom_u32() & 7) {
	case 0:
		ACCESS("r2 = *(u64 *)(%0 + 8)");	/* refused: ctx-size */
		break;
	case 1:
		ACCESS("r2 = *(u64 *)(%0 + 0)");	/* refused: ctx-size */
		break;
	case 2:
		ACCESS("r2 = *(u8 *)(%0 + 12)");	/* refused: ctx-size */
		break;
	case 3:
		ACCESS("r2 = *(u16 *)(%0 + 2)");	/* refused: ctx-size */
		break;
	case 4:
		ACCESS("r2 = *(u32 *)(%0 + 24)");	/* refused: ctx-size */
		break;
	case 5:
		ACCESS("*(u64 *)(%0 + 16) = r2");	/* refused: ctx-size */
		break;
	}
	return XDP_PASS;
}

/* ---- ctx_joined: read 8 bytes of the context in C: the compiler joins two fields of 4 bytes */
SEC("xdp") int ctx_joined(struct xdp_md *ctx)
{
	__u64 both = *(volatile __u64 *)&ctx->data;	/* refused: ctx-size */

	return both ? XDP_PASS : XDP_DROP;
}

/* ---- metadata: access to the metadata before the packet */
SEC("xdp") int metadata(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data;
	__u32 *meta = (void *)(long)ctx->data_meta;	/* refused: ctx-load */

	if ((void *)(meta + 1) > data)
		return XDP_PASS;
	return *meta ? XDP_PASS : XDP_DROP;	/* refused: pointer */
}

/* ---- bounds_missing: the packet is read without a comparison with its end */
SEC("xdp") int bounds_missing(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data;

	return P8(14) == 0x45 ? XDP_PASS : XDP_DROP;	/* refused: verifier */
}

/* ---- pointer_changes: one access to the packet on one path, to the stack on another */
SEC("xdp") int PROG(pointer_changes, 60)
{
	__u64 local = P8(20);
	void *p = data;

	HIDE(p);
	asm volatile("" : : "r"(&local) : "memory");
	if (P8(14) & 1)
		p = &local;
	asm volatile("" : "+r"(p) : : "memory");
	return *(volatile __u32 *)p & 1 ? XDP_PASS : XDP_DROP;	/* refused: pointer-changes */
}

/* ---- store_imm_v4: a store of a constant by one instruction */
SEC("xdp") int PROG(store_imm_v4, 60)
{
	P32(20) = 5;	/* refused: store-imm */
	return XDP_TX;
}

/* ---- open_copy: a copy directly before the exit, which crashes the driver */
SEC("xdp") __attribute__((naked)) int open_copy(struct xdp_md *ctx)
{
	asm volatile("r0 = 2\n"	/* refused: open-copy */
		     "r2 = *(u32 *)(r1 + 0)\n"
		     "r3 = *(u32 *)(r1 + 4)\n"
		     "r4 = r2\n"
		     "r4 += 16\n"
		     "if r4 > r3 goto 1f\n"
		     "r5 = *(u8 *)(r2 + 0)\n"
		     "*(u8 *)(r2 + 6) = r5\n"
		     "1: exit");
}
