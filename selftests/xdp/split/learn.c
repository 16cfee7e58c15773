// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * learn.c - the second program calls bpf_map_update_elem(), and nothing else that a card may lack.
 * Firmware without that helper leaves it to the host.
 */
#include "../programs/diff.h"

MAP(seen, HASH, 64, __u32, __u32);

int learn(struct xdp_md *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__array(values, int (struct xdp_md *ctx));
} progs SEC(".maps") = { .values = { (void *)&learn } };

SEC("xdp") int sort(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	if (P8(40) == 3)
		bpf_tail_call(ctx, &progs, 0);
	return XDP_PASS;
}

SEC("xdp") int learn(struct xdp_md *ctx)
{
	__u32 key, n = 1;

	PACKET(ctx, 60);
	key = P8(41);
	bpf_map_update_elem(&seen, &key, &n, BPF_ANY);
	return XDP_PASS;
}
