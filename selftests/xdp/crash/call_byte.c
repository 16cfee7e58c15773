// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * call_byte.c - a function reads the second byte of its caller's stack (KNOWN.rst). Where
 * warnings are fatal, so is this. To be loaded by selftests/xdp/driver_crash.t only.
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
