// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* swap_v4.c - an unconditional byte swap */
#include "../programs/diff.h"

SEC("xdp") int PROG(swap_v4, 60)
{
	P32(20) = __builtin_bswap32(P32(24));	/* refused: newer-cpu */
	return XDP_TX;
}
