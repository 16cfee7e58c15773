/* SPDX-License-Identifier: BSD-2-Clause */
/* rss.h - receive side scaling: a hash of addresses and ports indexes a table of rings. */
#ifndef RSS_H
#define RSS_H

#include <stdint.h>

#include "pkt_hdr.h"

#define RSS_KEY_SIZE	40
#define RSS_TABLE_SIZE	128
#define RSS_INPUT_MAX	36	/* two IPv6 addresses, two ports */

/* Fields that a hash covers (nfp_net_ctrl.h, NFP_NET_RSS_*). */
enum bd_rss_type {
	RSS_NONE = 0,
	RSS_IPV4 = 1,
	RSS_IPV6 = 2,
	RSS_IPV4_TCP = 4,
	RSS_IPV6_TCP = 5,
	RSS_IPV4_UDP = 7,
	RSS_IPV6_UDP = 8,
};

/*
 * Configuration word: the mask of the hash bits that index the table, and bits that choose which
 * packets are hashed.
 */
#define RSS_CFG_MASK		0x7fu
#define RSS_CFG_IPV4		(1u << 8)
#define RSS_CFG_IPV6		(1u << 9)
#define RSS_CFG_IPV4_TCP	(1u << 10)
#define RSS_CFG_IPV4_UDP	(1u << 11)
#define RSS_CFG_IPV6_TCP	(1u << 12)
#define RSS_CFG_IPV6_UDP	(1u << 13)
#define RSS_CFG_CRC32		(1u << 26)	/* the hash is a CRC-32, and not Toeplitz's */

/**
 * struct bd_rss - RSS configuration, as of the last update
 * @cfg: configuration word
 * @table: ring for each value of the hash's low bits
 * @seed: CRC-32: its initial value
 * @part: Toeplitz: contribution to the hash, by position in the input and by byte value. The
 *	hash is linear: the XOR of its bytes' contributions is the hash of a packet
 */
struct bd_rss {
	uint32_t cfg;
	uint8_t table[RSS_TABLE_SIZE];
	uint32_t seed;
	uint32_t part[RSS_INPUT_MAX][256];
};

void bd_rss_load(struct bd_rss *r, uint32_t cfg, const uint8_t key[RSS_KEY_SIZE],
		 const uint8_t table[RSS_TABLE_SIZE]);

/**
 * bd_rss_hash() - compute the hash of a frame
 * @frame: the frame, with @room bytes up to the end of its buffer. Bytes after @room count as 0
 * @h: the headers as they were when the frame arrived. An XDP program may have changed or moved
 *	the frame since
 */
enum bd_rss_type bd_rss_hash(const struct bd_rss *r, const uint8_t *frame, uint32_t room,
			     const struct bd_hdrs *h, uint32_t *hash);

#endif /* RSS_H */
