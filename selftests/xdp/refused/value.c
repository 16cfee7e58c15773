// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* value.c - keys and values of maps: what programs may not do with them */
#include "../programs/diff.h"

/* ---- map_use: a counter that the program reads */
MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int map_use(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	if (!v)
		return XDP_PASS;
	if (*v > 1000)
		return XDP_DROP;
	__sync_fetch_and_add(v, 1);	/* refused: map-use */
	return XDP_PASS;
}

/* ---- map_write: a store to a map value */
MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int map_write(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	if (v)
		*v += 1;	/* refused: map-write */
	return XDP_PASS;
}

/* ---- map_offset: a value that is an array, with an index from the packet */
MAP(m, ARRAY, 1, __u32, __u32[8]);

SEC("xdp") int PROG(map_offset, 60)
{
	__u32 key = 0, i = P8(14) & 7;
	__u32 *v = bpf_map_lookup_elem(&m, &key);

	if (v)
		__sync_fetch_and_add(&v[i], 1);	/* refused: map-offset */
	return XDP_PASS;
}

/* ---- null_missing: a map value is read without a comparison with NULL */
MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int null_missing(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	return *v ? XDP_PASS : XDP_DROP;	/* refused: verifier */
}

/* ---- key_align: a key that is not aligned to 4 */
MAP(m, HASH, 64, __u8, __u64);

SEC("xdp") int PROG(key_align, 60)
{
	struct {
		__u8 before[2], key;
	} __attribute__((packed)) x;

	x.key = P8(14);
	return bpf_map_lookup_elem(&m, &x.key) ? XDP_DROP : XDP_PASS;	/* refused: key-align */
}

/* ---- key_not_stack: a key that is passed from the packet */
MAP(m, HASH, 64, __u32, __u64);

SEC("xdp") int PROG(key_not_stack, 60)
{
	return bpf_map_lookup_elem(&m, data + 26) ? XDP_DROP : XDP_PASS;	/* refused: key-not-stack */
}

/* ---- value_not_stack: a map value that is passed from the packet */
MAP(m, HASH, 64, __u32, __u64);

SEC("xdp") int PROG(value_not_stack, 60)
{
	__u32 key = P8(14);

	bpf_map_update_elem(&m, &key, data + 26, BPF_ANY);	/* refused: key-not-stack */
	return XDP_PASS;
}

/* ---- value_unwritten: an update of a map with a value at an address of the stack that was not
 * written: a page fault in the kernel (KNOWN.rst). Only selftests/xdp/driver_crash.t loads this.
 */
MAP(table, HASH, 4, __u32, __u64[4]);

SEC("xdp") int value_unwritten(struct xdp_md *ctx)
{
	asm volatile("r2 = r10; r2 += -8; r3 = r10; r3 += -40;"	/* refused: value-unwritten */
		     "r4 = 0; r1 = %0 ll; call 2"
		     : : "i"(&table) : "r0", "r1", "r2", "r3", "r4", "r5", "memory");
	return XDP_PASS;
}

/* ---- counter_update: counters that are set to a value from the packet */
MAP(m, HASH, 64, __u32, __u64);

SEC("xdp") int PROG(counter_update, 60)
{
	__u32 key = P32(26);
	__u64 was = P32(30), *v = bpf_map_lookup_elem(&m, &key);

	if (v) {
		__sync_fetch_and_add(v, 1);
		return XDP_PASS;
	}
	bpf_map_update_elem(&m, &key, &was, BPF_ANY);	/* refused: counter-update */
	return XDP_PASS;
}

/* ---- counter_nonzero: counters that the program creates with a value that is not 0 */
MAP(m, HASH, 64, __u32, __u64);

SEC("xdp") int PROG(counter_nonzero, 60)
{
	__u32 key = P32(26);
	__u64 one = 1, *v = bpf_map_lookup_elem(&m, &key);

	if (!v) {
		bpf_map_update_elem(&m, &key, &one, BPF_ANY);
		v = bpf_map_lookup_elem(&m, &key);
	}
	if (v)
		__sync_fetch_and_add(v, 1);	/* refused: counter-nonzero */
	return XDP_PASS;
}

/* ---- counter_zero: counters that are created with 0, which the driver does not notice */
MAP(m, HASH, 64, __u32, __u64);

SEC("xdp") int PROG(counter_zero, 60)
{
	__u32 key = P32(26);
	__u64 zero = 0, *v = bpf_map_lookup_elem(&m, &key);

	if (!v) {
		bpf_map_update_elem(&m, &key, &zero, BPF_ANY);
		v = bpf_map_lookup_elem(&m, &key);
	}
	if (v)
		__sync_fetch_and_add(v, 1);	/* refused: counter-nonzero */
	return XDP_PASS;
}

/* ---- atomic_fetch: an atomic addition that returns the old value */
MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int atomic_fetch(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	if (!v)
		return XDP_PASS;
	return __sync_fetch_and_add(v, 1) > 100 ? XDP_DROP : XDP_PASS;	/* refused: atomic-op */
}

/* ---- atomic_or: an atomic operation that is no addition */
MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int atomic_or(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	if (v)
		asm volatile("r1 = 1\nlock *(u64 *)(%0 + 0) |= r1" : : "r"(v) : "r1", "memory");	/* refused: atomic-op */
	return XDP_PASS;
}

/* ---- atomic_pointer: an atomic addition of a pointer */
MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int atomic_pointer(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	if (v)
		asm volatile("lock *(u64 *)(%0 + 0) += %1" : : "r"(v), "r"(ctx) : "memory");	/* refused: atomic-value */
	return XDP_PASS;
}

/* ---- atomic_stack: an atomic addition to a local variable */
SEC("xdp") int atomic_stack(struct xdp_md *ctx)
{
	__u64 x = 1, one = 1;

	asm volatile("lock *(u64 *)(%0 + 0) += %1" : : "r"(&x), "r"(one) : "memory");	/* refused: atomic-target */
	return x;
}
