// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* load_signed_v4.c - a load that extends the sign */
#include "../programs/diff.h"

SEC("xdp") int PROG(load_signed_v4, 60)
{
	long x = *(volatile __s8 *)(data + 14);	/* refused: newer-cpu */

	return x < -5 ? XDP_DROP : XDP_PASS;
}
