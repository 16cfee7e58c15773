/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* firewall_tails.h - the maps of firewall_tails.c. Numbers are big endian, as in packets. */
#ifndef FIREWALL_TAILS_H
#define FIREWALL_TAILS_H

#include <linux/types.h>

/* Key of "blocked": an address; IPv4 uses the last word only. The value counts frames. */
struct firewall_addr {
	__u32 word[4];
};

/* Key of "services" */
struct firewall_service {
	__u16 port;
	__u8 proto;
	__u8 zero;
};

/* Value of "buckets": the tokens that a source has left on a CPU */
struct firewall_bucket {
	__u64 refilled_ns;
	__u64 tokens;
};

/* Keys of "limits" */
enum {
	FIREWALL_RATE,		/* tokens per second; 0: FIREWALL_RATE_DEFAULT */
	FIREWALL_BURST,		/* most tokens that a source can have; 0: as many as the rate */
	FIREWALL_LIMITS,
};

#define FIREWALL_RATE_DEFAULT	100

#endif /* FIREWALL_TAILS_H */
