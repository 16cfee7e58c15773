// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* store_imm_v4.c - a store of a constant by one instruction */
#include "../programs/diff.h"

SEC("xdp") int PROG(store_imm_v4, 60)
{
	P32(20) = 5;	/* refused: store-imm */
	return XDP_TX;
}
