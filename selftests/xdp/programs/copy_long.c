// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* copy_long.c - a copy of 128 bytes, the most that one command can move. */
#include "diff.h"

SEC("xdp") int PROG(copy_long, 300)
{
	COPY(__u64, 150, 14, 16);
	return XDP_TX;
}
