// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map.c - lookups, updates, deletes */
#include "diff.h"

/* ---- array: read values of an array map; the index may be out of range */
MAP(in_array, ARRAY, 20, __u32, __u64[3]);

SEC("xdp") int PROG(array, 60)
{
	__u32 key = P8(14) & 31;
	__u64 *v = bpf_map_lookup_elem(&in_array, &key);

	if (!v)
		return XDP_DROP;
	P64(20) = v[0];
	P32(28) = *(__u32 *)((void *)v + 6);
	P8(32) = *((__u8 *)v + 23);
	P16(34) = *(__u16 *)((void *)v + 17);
	return VERDICT(v[1]);
}

/* ---- hash: look a key up, and add it if it is missing */
struct key {
	__u32 a;
	__u16 b;
	__u16 c;
};

MAP(table, HASH, 20, struct key, __u64);

SEC("xdp") int hash(struct xdp_md *ctx)
{
	struct key k = {};
	__u64 *v, init;

	PACKET(ctx, 60);
	k.a = P8(14) & 15;
	k.b = P8(15) & 1;
	v = bpf_map_lookup_elem(&table, &k);
	if (v) {
		P64(20) = *v;
		return XDP_PASS;
	}
	init = P64(30);
	if (bpf_map_update_elem(&table, &k, &init, BPF_NOEXIST))
		return XDP_DROP;
	return XDP_TX;
}

/* ---- hash_flags: updates with each flag, and deletes; return values go to the packet */
MAP(table, HASH, 5, __u32, __u32);

SEC("xdp") int PROG(hash_flags, 60)
{
	__u32 k = P8(14) & 7, v = P32(16);
	long r;

	if (P8(15) & 1)
		r = bpf_map_update_elem(&table, &k, &v, BPF_EXIST);
	else if (P8(15) & 2)
		r = bpf_map_update_elem(&table, &k, &v, BPF_NOEXIST);
	else if (P8(15) & 4)
		r = bpf_map_update_elem(&table, &k, &v, BPF_ANY);
	else
		r = bpf_map_delete_elem(&table, &k);
	P64(20) = r;
	return VERDICT(r);
}

/* ---- hash_large: keys and values of the largest size that the card accepts */
struct large {
	__u32 w[7];
};

MAP(table, HASH, 4, struct large, struct large);

SEC("xdp") int hash_large(struct xdp_md *ctx)
{
	struct large k = {}, v = {};
	struct large *p;

	PACKET(ctx, 60);
	k.w[0] = P8(14) & 7;
	k.w[6] = 0x1234567;
	v.w[0] = P32(16);
	v.w[5] = P32(20);
	p = bpf_map_lookup_elem(&table, &k);
	if (p) {
		P32(30) = p->w[0];
		P32(34) = p->w[5];
	}
	bpf_map_update_elem(&table, &k, &v, BPF_ANY);
	return p ? XDP_PASS : XDP_TX;
}

/* ---- atomic_hash: count in entries of a hash map, and delete some of them */
MAP(in_counts, HASH, 12, __u32, __u64);

SEC("xdp") int PROG(atomic_hash, 60)
{
	__u32 k = P8(14) & 15;
	__u64 *v = bpf_map_lookup_elem(&in_counts, &k);

	if (!v)
		return XDP_DROP;
	__sync_fetch_and_add(v, P32(18));
	__sync_fetch_and_add(v, 1);
	if (P8(15) < 0x10)
		bpf_map_delete_elem(&in_counts, &k);
	return XDP_PASS;
}

/* ---- null_equal: a pointer to a map value that is not NULL because it equals one that is not */
MAP(in_equal, ARRAY, 4, __u32, __u32);

SEC("xdp") int PROG(null_equal, 60)
{
	__u32 k = P8(14) & 3, j = P8(15) & 3, *v, *u, r = 7;

	v = bpf_map_lookup_elem(&in_equal, &k);
	if (!v)
		return XDP_DROP;
	u = bpf_map_lookup_elem(&in_equal, &j);
	/* Assembly, because the compiler would use the pointer that was compared with NULL. */
	asm volatile("if %[u] != %[v] goto +1; %[r] = *(u32 *)(%[u] + 0)"
		     : [r] "+r"(r) : [u] "r"(u), [v] "r"(v));
	P32(20) = r;
	return VERDICT(r);
}

/* ---- two_maps: keep a key in a register during a call, and a value during another */
MAP(in_first, HASH, 10, __u32, __u32);
MAP(in_second, ARRAY, 12, __u32, __u32);

SEC("xdp") int PROG(two_maps, 60)
{
	__u32 r = 0, k = P8(14) & 15, *v = bpf_map_lookup_elem(&in_first, &k);
	__u32 j = v ? *v & 15 : k, *u = bpf_map_lookup_elem(&in_second, &j);

	if (v && u)
		r = *v + *u + k;
	P32(20) = r;
	return VERDICT(r);
}
