// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cache.c - overlapping loads, which the JIT combines into one read, and stores between them. */
#include "diff.h"

SEC("xdp") int PROG(cache, 80)
{
	__u64 sum = P32(14) + P16(16) + P8(19) + P64(20) + P32(27);

	P32(30) = sum;
	sum += P32(28) ^ P64(29);
	HIDE(sum);
	if (sum & 16)
		sum += P16(62) + P32(60);
	P64(40) = sum + P8(14);
	return VERDICT(sum);
}
