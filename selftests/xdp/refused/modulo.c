// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* modulo.c - a remainder */
#include "../programs/diff.h"

SEC("xdp") int PROG(modulo, 60)
{
	return P32(26) % 10 ? XDP_PASS : XDP_DROP;	/* refused: modulo */
}
