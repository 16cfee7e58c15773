// SPDX-License-Identifier: BSD-2-Clause
/* pkt_hdr.c - find the IP, TCP and UDP headers of a frame, and compute checksums over it. */
#include <endian.h>
#include <string.h>

#include "pkt_hdr.h"

#define ETH_P_IP	0x0800
#define ETH_P_IPV6	0x86dd
#define IP6_HLEN	40u
#define IP6_HOP		0
#define IP6_ROUTING	43
#define IP6_FRAGMENT	44
#define IP6_DEST	60

typedef uint64_t sum_words __attribute__((vector_size(32)));

static void ipv4(const uint8_t *frame, uint32_t len, struct bd_hdrs *h)
{
	const uint8_t *ip = frame + h->l3;
	uint32_t room = len - h->l3, hlen, total;

	if (room < 20 || ip[0] >> 4 != 4)
		return;
	hlen = (ip[0] & 15) * 4u;
	if (hlen < 20 || hlen > room)
		return;
	h->version = 4;
	h->proto = ip[9];
	total = bd_be16(ip + 2);
	if (total >= hlen && total <= room)
		h->end = h->l3 + total;
	if (!(bd_be16(ip + 6) & 0x3fff))
		h->l4 = h->l3 + hlen;
}

static void ipv6(const uint8_t *frame, uint32_t len, struct bd_hdrs *h)
{
	const uint8_t *ip = frame + h->l3;
	uint32_t at = h->l3 + IP6_HLEN, total;
	uint8_t next;

	if (len < at || ip[0] >> 4 != 6)
		return;
	h->version = 6;
	total = IP6_HLEN + bd_be16(ip + 4);
	if (total <= len - h->l3)
		h->end = h->l3 + total;
	for (next = ip[6]; next == IP6_HOP || next == IP6_ROUTING || next == IP6_DEST; ) {
		if (at + 8 > len)
			return;
		next = frame[at];
		at += 8 * (frame[at + 1] + 1u);
	}
	h->proto = next;
	if (next != IP6_FRAGMENT && at < len)
		h->l4 = at;
}

void bd_hdrs_parse(const uint8_t *frame, uint32_t len, struct bd_hdrs *h)
{
	uint32_t at = ETH_HLEN;
	uint16_t type;

	*h = (struct bd_hdrs){ 0 };
	if (len < ETH_HLEN)
		return;
	type = bd_be16(frame + 12);
	for (; (type == ETH_P_VLAN || type == ETH_P_QINQ) && at + VLAN_HLEN <= len; at += VLAN_HLEN)
		type = bd_be16(frame + at + 2);
	h->l3 = at;
	if (type == ETH_P_IP)
		ipv4(frame, len, h);
	else if (type == ETH_P_IPV6)
		ipv6(frame, len, h);
}

bool bd_hdrs_l4_whole(const struct bd_hdrs *h)
{
	uint32_t hlen = h->proto == PROTO_TCP ? 20 : 8;

	return (h->proto == PROTO_TCP || h->proto == PROTO_UDP) && h->version &&
	       h->l4 && h->end >= h->l4 + hlen;
}

/*
 * Add in wide words of the machine's byte order, and swap the bytes of the result. The one's
 * complement sum allows this: it depends neither on the size nor on the byte order of the
 * words (RFC 1071).
 */
uint16_t bd_sum16(const uint8_t *p, size_t len, uint32_t seed)
{
	sum_words w, low = { 0 }, high = { 0 };
	uint32_t half, last = 0;
	uint64_t s;

	for (; len >= sizeof(w); len -= sizeof(w), p += sizeof(w)) {
		memcpy(&w, p, sizeof(w));
		low += w & UINT32_MAX;
		high += w >> 32;
	}
	low += high;
	s = low[0] + low[1] + low[2] + low[3];
	for (; len >= sizeof(half); len -= sizeof(half), p += sizeof(half)) {
		memcpy(&half, p, sizeof(half));
		s += half;
	}
	memcpy(&last, p, len);
	s += last;
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	s = be16toh(s) + seed;
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return s;
}

uint32_t bd_pseudo(const uint8_t *frame, const struct bd_hdrs *h)
{
	uint32_t len = h->end - h->l4, seed = h->proto + (len >> 16) + (len & 0xffff);

	if (h->version == 4)
		return bd_sum16(frame + h->l3 + 12, 8, seed);
	return bd_sum16(frame + h->l3 + 8, 32, seed);
}
