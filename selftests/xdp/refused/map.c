// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map.c - maps that no card has */
#include "../programs/diff.h"

/* ---- map_array_key: an array with a long key */
MAP(m, ARRAY, 64, __u64, __u64);	/* refused whole: map-array-key */

SEC("xdp") int map_array_key(struct xdp_md *ctx) { return XDP_PASS; }

/* ---- map_key_size: a key over the limit */
MAP(m, HASH, 64, __u8[60], __u8);	/* refused whole: map-key-size, map-elem-size */

SEC("xdp") int map_key_size(struct xdp_md *ctx) { return XDP_PASS; }

/* ---- map_value_size: a value over the limit */
MAP(m, HASH, 64, __u8, __u8[60]);	/* refused whole: map-value-size, map-elem-size */

SEC("xdp") int map_value_size(struct xdp_md *ctx) { return XDP_PASS; }

/* ---- map_elem_size: key and value together over the limit */
MAP(m, HASH, 64, __u8[40], __u8[40]);	/* refused whole: map-elem-size */

SEC("xdp") int map_elem_size(struct xdp_md *ctx) { return XDP_PASS; }

/* ---- map_entries: two maps with more entries than the card has */
MAP(first, HASH, 2000000, __u32, __u64);
MAP(second, HASH, 48001, __u32, __u64);	/* refused whole: map-entries */

SEC("xdp") int map_entries(struct xdp_md *ctx) { return XDP_PASS; }

/* ---- map_empty: a map without entries */
MAP(m, HASH, 0, __u32, __u64);	/* refused whole: map-empty */

SEC("xdp") int map_empty(struct xdp_md *ctx) { return XDP_PASS; }

/* ---- map_flags: a hash map with BPF_F_NO_PREALLOC */
MAP(m, HASH, 64, __u32, __u64, __uint(map_flags, BPF_F_NO_PREALLOC););	/* refused whole: map-flags */

SEC("xdp") int map_flags(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	return v && *v ? XDP_DROP : XDP_PASS;
}

/* ---- map_type: an LRU hash map */
MAP(m, LRU_HASH, 64, __u32, __u64);	/* refused whole: map-type */

SEC("xdp") int map_type(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	return v && *v ? XDP_DROP : XDP_PASS;
}

/* ---- map_percpu: a per-CPU counter */
MAP(m, PERCPU_ARRAY, 4, __u32, __u64);	/* refused whole: map-percpu */

SEC("xdp") int map_percpu(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	return v && *v ? XDP_DROP : XDP_PASS;
}

/* ---- map_percpu_hash: a per-CPU hash map that no program uses */
MAP(m, PERCPU_HASH, 64, __u32, __u64);	/* refused whole: map-percpu */

SEC("xdp") int map_percpu_hash(struct xdp_md *ctx) { return XDP_PASS; }

/* ---- map_in_map: a map of maps, which the card does not support */
struct inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} inner SEC(".maps");

/* refused whole: map-type */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct inner);
} outer SEC(".maps") = { .values = { &inner } };

SEC("xdp") int map_in_map(struct xdp_md *ctx)
{
	void *map = value_0(&outer);
	__u64 *v = map ? value_0(map) : NULL;

	return v && *v ? XDP_PASS : XDP_DROP;
}

/* ---- map_global: a global variable */
__u64 packets;	/* refused whole: map-global */

SEC("xdp") int map_global(struct xdp_md *ctx)
{
	__sync_fetch_and_add(&packets, 1);
	return XDP_PASS;
}

/* ---- map_large: a global variable of 1 MiB */
__u64 table[1 << 17];	/* refused whole: map-global */

SEC("xdp") int PROG(map_large, 60)
{
	__sync_fetch_and_add(&table[7], 1);
	return XDP_PASS;
}

/* ---- map_rodata: a constant that the loader may set */
const volatile __u32 most = 100;	/* refused whole: map-global */

SEC("xdp") int map_rodata(struct xdp_md *ctx)
{
	return ctx->data_end - ctx->data > most ? XDP_DROP : XDP_PASS;
}
