// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack_pointer.c - a pointer to the stack of a function that has returned */
#include "../programs/diff.h"

static __noinline int put(void *data, __u32 **to)
{
	__u32 here = P8(14);

	HIDE(here);
	*(__u32 *volatile *)to = &here;	/* refused: verifier */
	return here & 1;
}

SEC("xdp") int PROG(stack_pointer, 60)
{
	__u32 *there = (void *)0;

	if (put(data, &there))
		return XDP_DROP;
	return *there ? XDP_PASS : XDP_DROP;
}
