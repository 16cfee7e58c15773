/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * diff.h - what the programs of xdp_diff share. Each reads operands from its
 * packet, and leaves what it computed there, in its maps, or in its verdict.
 * Packets are 60 bytes or longer, and random.
 */
#ifndef DIFF_H
#define DIFF_H

#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "Dual BSD/GPL";

/* Head of a program that needs @n bytes of packet. */
#define PACKET(ctx, n) \
	void *data = (void *)(long)(ctx)->data, *end = (void *)(long)(ctx)->data_end; \
	if (data + (n) > end) \
		return XDP_ABORTED

#define P8(off)		(*(__u8 *)(data + (off)))
#define P16(off)	(*(__u16 *)(data + (off)))
#define P32(off)	(*(__u32 *)(data + (off)))
#define P64(off)	(*(__u64 *)(data + (off)))

/* The compiler may not know what @x is, nor merge what is done to it. */
#define HIDE(x)		asm volatile("" : "+r"(x))

/* A verdict that depends on @x, other than XDP_REDIRECT */
#define VERDICT(x) \
	((x) & 1 ? XDP_PASS : (x) & 2 ? XDP_TX : (x) & 4 ? XDP_DROP : XDP_PASS)

/* @n loads, each with its store: the JIT makes one copy of them. */
#define COPY(type, to, from, n) do { \
		_Pragma("unroll") \
		for (int i_ = 0; i_ < (n); i_++) \
			((volatile type *)(data + (to)))[i_] = \
				((volatile type *)(data + (from)))[i_]; \
	} while (0)

#endif /* DIFF_H */
