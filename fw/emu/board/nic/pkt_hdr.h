/* SPDX-License-Identifier: BSD-2-Clause */
/* pkt_hdr.h - the headers of a frame, for checksums, segmentation and RSS. */
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
 * struct bd_hdrs - where the headers of a frame are
 * @l3: offset of the IP header
 * @l4: offset of the header after the IP header and its extensions. 0: the packet is a fragment,
 *	or the frame ends before this header
 * @end: offset of the first byte after the IP packet, where padding may follow. 0: the length
 *	field of the IP header exceeds the frame
 * @version: 4 or 6. 0: the packet is not IP, or its IP header is malformed
 * @proto: IP protocol of the header at @l4
 */
struct bd_hdrs {
	uint32_t l3;
	uint32_t l4;
	uint32_t end;
	uint8_t version;
	uint8_t proto;
};

/* Parse the headers of a frame. Never reads beyond @len, whatever lengths the headers have. */
void bd_hdrs_parse(const uint8_t *frame, uint32_t len, struct bd_hdrs *h);

/* Say whether the frame has a whole TCP or UDP packet, so that its checksum can be computed. */
bool bd_hdrs_l4_whole(const struct bd_hdrs *h);

static inline bool bd_is_bcast(const uint8_t *dst)
{
	return bd_get32(dst) == UINT32_MAX && bd_get16(dst + 4) == UINT16_MAX;
}

/* Add @seed and the big-endian 16-bit words at @p. The sum is one's complement, of 16 bits. */
uint16_t bd_sum16(const uint8_t *p, size_t len, uint32_t seed);
/* Return the pseudo-header's sum: IP addresses, length and protocol of the packet at @h. */
uint32_t bd_pseudo(const uint8_t *frame, const struct bd_hdrs *h);

#endif /* PKT_HDR_H */
