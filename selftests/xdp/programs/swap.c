// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* swap.c - byte swaps of 16, 32 and 64 bits. */
#include "diff.h"

SEC("xdp") int PROG(swap, 60)
{
	P16(14) = bpf_htons(P16(14));
	P32(17) = bpf_htonl(P32(17));
	P64(23) = bpf_cpu_to_be64(P64(23));
	P64(33) = bpf_htons(P64(33));
	P64(43) = bpf_htonl(P64(43));
	return VERDICT(bpf_htonl(P32(50)));
}
