/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* firewall_chain.h - maps of firewall_chain.c. Numbers are big endian, as in a packet. */
#ifndef FIREWALL_CHAIN_H
#define FIREWALL_CHAIN_H

#include <linux/types.h>

/* Key of "blocked": an address; of IPv4 the last word. The value counts frames. */
struct firewall_addr {
	__u32 word[4];
};

/* Key of "services" */
struct firewall_service {
	__u16 port;
	__u8 proto;
	__u8 zero;
};

/* A value of "buckets": what a source has left, on a CPU */
struct firewall_bucket {
	__u64 refilled_ns;
	__u64 tokens;
};

/* Keys of "limits" */
enum {
	FIREWALL_RATE,		/* tokens a second; 0: FIREWALL_RATE_DEFAULT */
	FIREWALL_BURST,		/* tokens at most; 0: as many */
	FIREWALL_LIMITS,
};

#define FIREWALL_RATE_DEFAULT	100

#endif /* FIREWALL_CHAIN_H */
