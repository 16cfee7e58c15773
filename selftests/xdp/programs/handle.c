// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* handle.c - what becomes of frames: programs that many tests load */
#include "diff.h"

/* ---- macs: swap the MAC addresses, as for a reply */
SEC("xdp") int PROG(macs, 14)
{
	struct ethhdr *eth = data;
	__u8 mac[6];

	__builtin_memcpy(mac, eth->h_dest, 6);
	__builtin_memcpy(eth->h_dest, eth->h_source, 6);
	__builtin_memcpy(eth->h_source, mac, 6);
	return XDP_TX;
}

/* ---- mark_pass: pass marked frames; the test replaces this program by mark_tx, and back */
#define MARK	'p'
#define MARKED	XDP_PASS
#include "mark.h"

/* ---- mark_tx: send marked frames back; the mark tells which program has handled it */
#define MARK	't'
#define MARKED	XDP_TX
#include "mark.h"
