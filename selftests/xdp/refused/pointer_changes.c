// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pointer_changes.c - one access to the packet on one path, to the stack on another */
#include "../programs/diff.h"

SEC("xdp") int PROG(pointer_changes, 60)
{
	__u64 local = P8(20);
	void *p = data;

	HIDE(p);
	asm volatile("" : : "r"(&local) : "memory");
	if (P8(14) & 1)
		p = &local;
	asm volatile("" : "+r"(p) : : "memory");
	return *(volatile __u32 *)p & 1 ? XDP_PASS : XDP_DROP;	/* refused: pointer-changes */
}
