// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shared.c - programs whose two sides count in one map; the host's side redirects. */
#include "../programs/diff.h"

MAP(total, ARRAY, 2, __u32, __u64);

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} out SEC(".maps");

int host(struct xdp_md *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__array(values, int (struct xdp_md *ctx));
} progs SEC(".maps") = { .values = { (void *)&host } };

static __always_inline void count(__u32 key)
{
	__u64 *n = bpf_map_lookup_elem(&total, &key);

	if (n)
		__sync_fetch_and_add(n, 1);
}

SEC("xdp") int card(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	count(P8(40) & 1);
	if (P8(40) & 1)
		bpf_tail_call(ctx, &progs, 0);
	return XDP_PASS;
}

SEC("xdp") int host(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	count(0);
	P8(40) = 0;		/* passed when the redirected frame arrives again by the cable */
	return bpf_redirect_map(&out, 0, XDP_DROP);
}
