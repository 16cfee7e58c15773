// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shared.c - functions that several programs call, with pointers to packet and stack */
#include "tails.h"

struct state {
	__u64 sum;
	__u32 last, turn;
};

int left(struct xdp_md *ctx);
int right(struct xdp_md *ctx);
int leaf(struct xdp_md *ctx);
JUMPS(forks, 4, [0] = left, [1] = right);
JUMPS(leaves, 2, [1] = leaf);

/* A function with tail calls, and with a pointer to its caller's stack */
static __noinline int step(struct xdp_md *ctx, struct state *s, __u32 n)
{
	if (!s)
		return 0;
	s->sum += n;
	s->last = n;
	s->turn = s->turn + 1;
	bpf_tail_call(ctx, &leaves, n & 3);
	return n & 1;
}

/* The function has no tail call, so one copy is enough. */
static __noinline int mix(struct state *s, __u32 n)
{
	if (!s)
		return 0;
	s->sum ^= (__u64)n << 7;
	return s->last + n;
}

static __always_inline int show(struct xdp_md *ctx, struct state *s, int got)
{
	void *data, *end;

	PACKET_AGAIN(ctx, 60, XDP_ABORTED);
	P64(30) += s->sum;
	P32(38) += s->last;
	P32(42) = s->turn;
	P32(46) = got;
	return VERDICT(P8(26) + got);
}

PROGRAM(leaf, 60)
{
	TRACE(4);
	return P8(24) & 7;
}

PROGRAM(left, 60)
{
	struct state s = { .sum = P32(16), .last = 1 };
	int got;

	TRACE(2);
	got = mix(&s, P8(18)) + step(ctx, &s, P8(17));
	return show(ctx, &s, got);
}

PROGRAM(right, 60)
{
	struct state s = { .sum = P32(16), .turn = 7 };
	int got;

	TRACE(3);
	got = mix(&s, P8(19)) + step(ctx, &s, P8(18));
	PACKET_AGAIN(ctx, 60, XDP_ABORTED);
	got += step(ctx, &s, P8(21));
	return show(ctx, &s, got);
}

PROGRAM(entry, 60)
{
	struct state s = { .last = P8(20) };
	int got = step(ctx, &s, P8(21));

	PACKET_AGAIN(ctx, 60, XDP_ABORTED);
	P8(50) = got;
	P8(51) = s.sum;
	bpf_tail_call(ctx, &forks, P8(22) & 3);
	return show(ctx, &s, got);
}
