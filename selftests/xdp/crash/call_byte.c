// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * call_byte.c - a function reads the second byte of its caller's stack (KNOWN.rst). The driver
 * warns, which crashes a kernel with panic_on_warn. Only driver_crash.t loads this.
 */
#include "../programs/diff.h"

static __noinline int byte(__u8 *p)
{
	return p ? p[1] : 0;
}

SEC("xdp") int PROG(call_byte, 60)
{
	__u64 a = P64(14);

	P32(30) = byte((__u8 *)&a);
	return XDP_PASS;
}
