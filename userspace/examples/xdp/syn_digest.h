/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* syn_digest.h - the events of syn_digest.c. */
#ifndef SYN_DIGEST_H
#define SYN_DIGEST_H

#include <linux/in6.h>
#include <linux/types.h>

/**
 * struct syn_digest - the data of an event, for one SYN
 * @src: source address; of IPv4 as ::ffff:a.b.c.d
 * @dst: destination address; of IPv6 its last 32 bits
 * @sport: source port
 * @dport: destination port
 * @vlan: id of the outer VLAN tag, 0: none
 * @window: TCP window
 * @len: length of the frame
 * @hops: TTL or hop limit
 * @flags: TCP flags
 *
 * All fields are big endian.
 */
struct syn_digest {
	struct in6_addr src;
	__be32 dst;
	__be16 sport;
	__be16 dport;
	__be16 vlan;
	__be16 window;
	__be16 len;
	__u8 hops;
	__u8 flags;
};

#endif /* SYN_DIGEST_H */
