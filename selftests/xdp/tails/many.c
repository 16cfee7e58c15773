// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* many.c - 37 programs, each with a tail call to the next: the 34th tail call fails */
#include "tails.h"

#define EACH(X)	X(1, 2) X(2, 3) X(3, 4) X(4, 5) X(5, 6) X(6, 7) X(7, 8) X(8, 9) X(9, 10) X(10, 11) \
	X(11, 12) X(12, 13) X(13, 14) X(14, 15) X(15, 16) X(16, 17) X(17, 18) X(18, 19) X(19, 20) \
	X(20, 21) X(21, 22) X(22, 23) X(23, 24) X(24, 25) X(25, 26) X(26, 27) X(27, 28) X(28, 29) \
	X(29, 30) X(30, 31) X(31, 60) X(32, 33) X(33, 34) X(34, 35) X(35, 36)
#define DECLARE(n, next)	int p##n(struct xdp_md *ctx);
#define VALUE(n, next)		[n] = p##n,

EACH(DECLARE)
int p36(struct xdp_md *ctx);
JUMPS(jumps, 37, EACH(VALUE) [36] = p36);

#define BODY(n, next) \
PROGRAM(p##n, 60) \
{ \
	P8(14) = n; \
	if (P8(15) == n) \
		return XDP_TX; \
	GO(&jumps, next); \
	P8(16) += n; \
	return XDP_PASS; \
}

EACH(BODY)

PROGRAM(p36, 60)
{
	P8(14) = 36;
	return XDP_DROP;
}

PROGRAM(entry, 60)
{
	P8(15) &= 63;
	bpf_tail_call(ctx, &jumps, 1 + (P8(17) & 3));
	return XDP_DROP;
}
