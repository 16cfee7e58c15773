// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_cache_paths.c - two loads that are from the same address on one path only (KNOWN.rst) */
#include "diff.h"

SEC("xdp") int PROG(known_cache_paths, 60)
{
	void *p = data;
	__u64 a, b;

	asm volatile("%0 = *(u8 *)(%3 + 14); if %0 > 127 goto +1; %2 += 4;"
		     "%0 = *(u32 *)(%2 + 16); %1 = *(u32 *)(%3 + 20)"
		     : "=&r"(a), "=&r"(b), "+&r"(p) : "r"(data));
	P64(32) = a;
	P64(40) = b;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u32 at = P8(14) > 127 ? 20 : 24;

	P64(40) = at == 20 ? P32(20) : P32(24);
	P64(32) = at == 20 ? P32(16) : P32(20);
	return XDP_PASS;
}
