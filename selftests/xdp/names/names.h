/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* names.h - maps whose names have the first 15 characters, which the kernel keeps, in common */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define COUNTER(name) \
	struct { \
		__uint(type, BPF_MAP_TYPE_ARRAY); \
		__uint(max_entries, 1); \
		__type(key, __u32); \
		__type(value, __u64); \
	} name SEC(".maps")

#define EVENTS(name) \
	struct { \
		__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY); \
		__uint(key_size, 4); \
		__uint(value_size, 4); \
	} name SEC(".maps")

static __always_inline void add(void *map, __u64 n)
{
	__u32 key = 0;
	__u64 *v = bpf_map_lookup_elem(map, &key);

	if (v)
		__sync_fetch_and_add(v, n);
}

char _license[] SEC("license") = "Dual BSD/GPL";
