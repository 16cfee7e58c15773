// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* div_range.c - a dividend of 64 bits */
#include "../programs/diff.h"

SEC("xdp") int PROG(div_range, 60)
{
	P64(20) = P64(28) / 1000;	/* refused: div-range */
	return XDP_TX;
}
