// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* call.c - helpers, functions, tail calls */
#include "../programs/diff.h"

/* ---- helper: a helper for the time, which the card lacks */
SEC("xdp") int PROG(helper, 60)
{
	if (P8(14) != 0x45)
		return XDP_PASS;
	return bpf_ktime_get_ns() & 1 ? XDP_PASS : XDP_DROP;	/* refused: helper */
}

/* ---- helper_guess: a path that only the result of an unknown helper may take */
SEC("xdp") int helper_guess(struct xdp_md *ctx)
{
	__u64 t = bpf_ktime_get_ns();	/* refused: helper */

	asm volatile("if %[t] > 5 goto +2;"	/* unknown: unknown */
		     "if %[t] < 6 goto +1;"
		     "%[t] = *(u64 *)(r10 + 8)" : [t] "+r"(t));
	return t & 1 ? XDP_PASS : XDP_DROP;
}

/* ---- helper_key: the result of an unsupported helper as a key of 4 bytes */
MAP(per_cpu_counts, ARRAY, 2, __u32, __u64);

SEC("xdp") int helper_key(struct xdp_md *ctx)
{
	__u32 pair[2] = { bpf_get_smp_processor_id(), 0 };	/* refused: helper */

	pair[1] = pair[0] & 1;
	return bpf_map_lookup_elem(&per_cpu_counts, HIDDEN(&pair[0])) ? XDP_PASS : XDP_DROP;
}

/* ---- kfunc: a function of the kernel */
extern int bpf_xdp_metadata_rx_timestamp(const struct xdp_md *ctx, __u64 *timestamp) __ksym;

SEC("xdp") int kfunc(struct xdp_md *ctx)
{
	__u64 when = 0;

	return bpf_xdp_metadata_rx_timestamp(ctx, &when) ? XDP_PASS : XDP_DROP;	/* refused: kfunc */
}

/* ---- print: a call of bpf_trace_printk() */
SEC("xdp") int print(struct xdp_md *ctx)
{
	char text[] = "seen";	/* refused whole: map-global */

	bpf_trace_printk(text, sizeof(text));	/* refused: helper */
	return XDP_PASS;
}

/* ---- redirect: a redirect to another interface */
SEC("xdp") int redirect(struct xdp_md *ctx)
{
	return bpf_redirect(2, 0);	/* refused: helper */
}

/* ---- return_redirect: a verdict that the card treats as an abort */
SEC("xdp") int PROG(return_redirect, 60)
{
	if (P8(14) == 1)	/* notes: redirect */
		return XDP_REDIRECT;
	return XDP_PASS;
}

/* ---- call_depth: calls that are nested nine functions deep */
#define CALLS(n, next) \
	static __noinline int f##n(void *data) \
	{ \
		int x = P8(n); \
		HIDE(x); \
		return x + next; \
	}

CALLS(8, 1)
CALLS(7, f8(data))	/* refused: call-depth */
CALLS(6, f7(data))
CALLS(5, f6(data))
CALLS(4, f5(data))
CALLS(3, f4(data))
CALLS(2, f3(data))
CALLS(1, f2(data))

SEC("xdp") int PROG(call_depth, 60)
{
	return f1(data) > 100 ? XDP_DROP : XDP_PASS;
}

/* ---- argument: a global function with a pointer: explain does not follow the pointer */
struct numbers {
	__u32 a, b;
};

__noinline int sum(struct numbers *n)	/* unknown: unknown */
{
	return n ? n->a + n->b : 0;
}

SEC("xdp") int PROG(argument, 60)
{
	struct numbers n = { P8(14), P8(15) };

	return sum(&n) > 100 ? XDP_DROP : XDP_PASS;
}

/* ---- argument_map: a global function with a map as argument, in an object without maps */
struct map {
	int type;
};

__noinline int has(struct map *map)	/* unknown: unknown */
{
	__u32 key = 0;

	return map && bpf_map_lookup_elem(map, &key) ? 1 : 0;
}

SEC("xdp") int argument_map(struct xdp_md *ctx)
{
	struct map none = { 0 };

	return has(&none) ? XDP_DROP : XDP_PASS;
}

/* ---- argument_only: like argument, but the argument is only compared: this program loads */
struct numbers {
	__u32 a, b;
};

__noinline int given(struct numbers *n)	/* unknown: unknown */
{
	return n ? 2 : 0;
}

SEC("xdp") int PROG(argument_only, 60)
{
	struct numbers n = { P8(14), P8(15) };

	return given(&n) ? XDP_PASS : XDP_DROP;
}

/* ---- tail_call: a tail call to another program */
MAP(programs, PROG_ARRAY, 2, __u32, __u32);	/* refused whole: prog-array */

SEC("xdp") int tail_call(struct xdp_md *ctx)
{
	bpf_tail_call(ctx, &programs, 1);	/* refused: tail-call */
	return XDP_PASS;
}

/* ---- tail_values: a prog array that is filled by .values */
SEC("xdp") int PROG(tail_values_next, 60)
{
	return P8(14) ? XDP_PASS : XDP_DROP;
}

/* refused whole: prog-array */
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 2);
	__uint(key_size, 4);
	__array(values, int(struct xdp_md *ctx));
} tail_progs SEC(".maps") = { .values = { [1] = (void *)&tail_values_next } };

SEC("xdp") int PROG(tail_values, 60)
{
	bpf_tail_call(ctx, &tail_progs, 1);	/* refused: tail-call */
	return XDP_PASS;
}
