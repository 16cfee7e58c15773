// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * value_unwritten.c - an update of a map with a value at an address of the stack that was not
 * written: a page fault in the kernel (KNOWN.rst). Only selftests/xdp/driver_crash.t loads this.
 */
#include "../programs/diff.h"

MAP(table, HASH, 4, __u32, __u64[4]);

SEC("xdp") int value_unwritten(struct xdp_md *ctx)
{
	asm volatile("r2 = r10; r2 += -8; r3 = r10; r3 += -40;"	/* refused: value-unwritten */
		     "r4 = 0; r1 = %0 ll; call 2"
		     : : "i"(&table) : "r0", "r1", "r2", "r3", "r4", "r5", "memory");
	return XDP_PASS;
}
