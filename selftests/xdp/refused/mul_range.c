// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* mul_range.c - a factor of 64 bits */
#include "../programs/diff.h"

SEC("xdp") int PROG(mul_range, 60)
{
	P64(20) = P64(28) * P8(14);	/* refused: mul-range */
	return XDP_TX;
}
