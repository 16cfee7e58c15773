// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * value_unwritten.c - an update of a map with a value where the stack was not used
 * before. The driver looks at what the verifier knows of those bytes, before the
 * verifier has a place for that (verifier.c, nfp_bpf_map_update_value_ok()): a
 * page fault in the kernel. To be loaded by selftests/xdp/driver_crash.t only.
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
