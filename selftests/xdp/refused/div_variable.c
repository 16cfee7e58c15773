// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* div_variable.c - a divisor from the packet */
#include "../programs/diff.h"

SEC("xdp") int PROG(div_variable, 60)
{
	P32(20) = P32(28) / P32(32);	/* refused: div-variable */
	return XDP_TX;
}
