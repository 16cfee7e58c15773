/* SPDX-License-Identifier: BSD-2-Clause */
/* pkt_hdr.h - offsets of a frame's headers, for checksums, segmentation and RSS. */
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
 * struct bd_hdrs - offsets of headers
 * @l3: offset of the IP header
 * @l4: offset of the header that follows IP and its extensions; 0 if the packet is a
 * 	fragment, or cut off
 * @end: offset of the end of the IP packet, where padding may follow; 0 if the length field
 * 	does not fit the frame
 * @version: 4 or 6; 0 if the frame is not IP, or malformed
 * @proto: IP protocol of the header at @l4
 */
struct bd_hdrs {
	uint32_t l3;
	uint32_t l4;
	uint32_t end;
	uint8_t version;
	uint8_t proto;
};

/* Parse a frame. Bytes from @len on are not read, whatever the headers say. */
void bd_hdrs_parse(const uint8_t *frame, uint32_t len, struct bd_hdrs *h);

/*
 * Return true for TCP or UDP, complete and not fragmented, so that the checksum can be checked.
 */
bool bd_hdrs_l4_whole(const struct bd_hdrs *h);

static inline bool bd_is_bcast(const uint8_t *dst)
{
	return bd_get32(dst) == UINT32_MAX && bd_get16(dst + 4) == UINT16_MAX;
}

/* One's complement sum of big-endian 16-bit words, folded to 16 bits. */
uint16_t bd_sum16(const uint8_t *p, size_t len, uint32_t seed);
/* Sum of the pseudo-header: addresses, length and protocol. */
uint32_t bd_pseudo(const uint8_t *frame, const struct bd_hdrs *h);

#endif /* PKT_HDR_H */
