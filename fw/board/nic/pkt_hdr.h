/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pkt_hdr.h - headers of a frame as checksum, segmentation and RSS need them.
 */
#ifndef PKT_HDR_H
#define PKT_HDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

#define ETH_HLEN	14u
#define VLAN_HLEN	4u
#define ETH_P_VLAN	0x8100
#define ETH_P_QINQ	0x88a8
#define PROTO_TCP	6
#define PROTO_UDP	17

/**
 * struct bd_hdrs - where they are
 * @l3: offset of the IP header
 * @l4: offset of what follows it and its extensions; 0 when this is another
 *	fragment than the first and only one, or cut off
 * @end: offset behind the IP packet, padding follows; 0 when its length field
 *	does not fit the frame
 * @version: 4 or 6; 0: not IP, or not as IP should be
 * @proto: IP protocol at @l4
 */
struct bd_hdrs {
	uint32_t l3;
	uint32_t l4;
	uint32_t end;
	uint8_t version;
	uint8_t proto;
};

/* Nothing beyond @len is looked at, whatever the frame says of itself. */
void bd_hdrs_parse(const uint8_t *frame, uint32_t len, struct bd_hdrs *h);

/* TCP or UDP, all of it and unfragmented: its checksum can be checked. */
bool bd_hdrs_l4_whole(const struct bd_hdrs *h);

static inline bool bd_is_bcast(const uint8_t *dst)
{
	return bd_get32(dst) == UINT32_MAX && bd_get16(dst + 4) == UINT16_MAX;
}

/* One's complement sum of big-endian words, folded to 16 bits. */
uint16_t bd_sum16(const uint8_t *p, size_t len, uint32_t seed);
/* The sum over the addresses, length and protocol of the packet at @h. */
uint32_t bd_pseudo(const uint8_t *frame, const struct bd_hdrs *h);

#endif /* PKT_HDR_H */
