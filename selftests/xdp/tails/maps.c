// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps.c - an array, a hash and counters, which all programs use */
#include "tails.h"

struct key {
	__u32 a;
	__u16 b, c;
};

int add(struct xdp_md *ctx);
int take(struct xdp_md *ctx);
int read(struct xdp_md *ctx);
JUMPS(jumps, 4, [0] = add, [1] = take, [3] = read);
MAP(table, HASH, 20, struct key, __u64);
MAP(words, ARRAY, 8, __u32, __u64);
MAP(counts, ARRAY, 8, __u32, __u64);

static __always_inline void count(__u32 key)
{
	__u64 *n = bpf_map_lookup_elem(&counts, &key);

	if (n)
		__sync_fetch_and_add(n, 1);
}

PROGRAM(add, 60)
{
	struct key k = { .a = P8(16) & 7 };
	__u64 v = P64(20);

	count(0);
	if (bpf_map_update_elem(&table, &k, &v, BPF_ANY))
		count(1);
	bpf_tail_call(ctx, &jumps, (P8(17) & 1) + 2);
	return XDP_PASS;
}

PROGRAM(take, 60)
{
	struct key k = { .a = P8(16) & 7 };

	count(2);
	if (bpf_map_delete_elem(&table, &k))
		count(3);
	bpf_tail_call(ctx, &jumps, 3);
	return XDP_ABORTED;
}

PROGRAM(read, 60)
{
	struct key k = { .a = P8(18) & 7 };
	__u32 i = P8(19) & 7;
	__u64 *v = bpf_map_lookup_elem(&table, &k), n = P64(28);

	count(4);
	if (v)
		P64(36) = *v + 1;
	v = bpf_map_lookup_elem(&words, &i);
	if (v)
		P64(44) = *v + 1;
	bpf_map_update_elem(&words, &i, &n, BPF_ANY);
	return VERDICT(P8(52));
}

PROGRAM(entry, 60)
{
	count(5);
	bpf_tail_call(ctx, &jumps, P8(15) & 3);
	count(6);
	return XDP_TX;
}
