// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* mul_quotient.c - a factor that is a quotient: the verifier knows no bounds of it */
#include "../programs/diff.h"

SEC("xdp") int PROG(mul_quotient, 60)
{
	__u32 x = P32(14) / 10;

	HIDE(x);
	P32(20) = x * P8(18);	/* refused: mul-range */
	return XDP_TX;
}
