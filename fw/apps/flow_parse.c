// SPDX-License-Identifier: BSD-2-Clause
/*
 * flow_parse.c - from a frame to a flow key.
 *
 * Lengths: a frame has three, the bytes that are there (caplen), the bytes that were on the wire
 * (len), and the length in the IP header. If a header is not within all three, the packet is
 * truncated. A packet is also truncated if the IP length exceeds the bytes on the wire.
 *
 * An IPv4 total length of 0, or an IPv6 payload length of 0 before a next header, comes from
 * captures on a sender with segmentation offload, and from IPv6 jumbograms. The length on the
 * wire is used instead, as tshark does for the former; the jumbo option is not read. So the
 * padding of such a packet counts.
 *
 * VLAN tags: the key has the ids of the first two tags. A priority tag has the id 0, so packets
 * with a priority tag and packets without a tag are two flows.
 *
 * IPv6: the parser skips hop-by-hop, routing and destination options, and fragment and
 * authentication headers. Any other header is the packet's protocol. Mobility (135), HIP (139)
 * and shim6 (140) are such headers: more headers may follow, and they have no ports.
 *
 * Fragments: all fragments of a datagram, the first one included, count in one flow without
 * ports, because later fragments do not have the ports.
 */
#include <nfpchan/nfp_chan_flow.h>
#include <nfp/mem_bulk.h>

#include "chan_mem.h"
#include "flow.h"

#define ETH_HDR		14
#define TAG_LEN		4
#define TAGS_MAX	8	/* a frame with more tags is malformed */
#define EXT_MAX		16	/* IPv6 extension headers; a packet with more is malformed */

#define ETH_IPV4	0x0800
#define ETH_IPV6	0x86dd
#define ETH_8021Q	0x8100
#define ETH_8021AD	0x88a8
#define ETH_QINQ	0x9100	/* before 802.1ad */

#define IP_HOPOPTS	0
#define IP_ICMP		1
#define IP_TCP		6
#define IP_UDP		17
#define IP_ROUTING	43
#define IP_FRAGMENT	44
#define IP_ESP		50
#define IP_AH		51
#define IP_ICMPV6	58
#define IP_NONE		59
#define IP_DSTOPTS	60
#define IP_SCTP		132

#define IPV4_HDR	20
#define IPV6_HDR	40

/* A frame during the parse. The next header begins at @off. */
struct cursor {
	const __mem40 uint8_t *data;
	uint32_t off;
	uint32_t end;		/* end of the packet's bytes that are there */
	uint32_t cap;		/* end of the bytes that are there */
	uint32_t wire;
};

static uint32_t be16(const __mem40 uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static int have(const struct cursor *c, uint32_t n)
{
	return c->off <= c->end && n <= c->end - c->off;
}

/* The IP packet has @bytes from @off on. Return: 0 if there were fewer on the wire. */
static int bound(struct cursor *c, uint32_t off, uint32_t bytes)
{
	if (bytes > c->wire - off)
		return 0;
	c->end = off + bytes < c->cap ? off + bytes : c->cap;
	return 1;
}

/* Parse ports, type and code, and flags, for protocols that have them. */
static enum flow_verdict parse_l4(struct cursor *c, struct flow_pkt *pkt)
{
	const __mem40 uint8_t *p = c->data + c->off;
	struct flow_key *k = &pkt->key;
	uint32_t need = 0;

	if (k->proto == IP_TCP)
		need = 20;
	else if (k->proto == IP_UDP)
		need = 8;
	else if (k->proto == IP_SCTP)
		need = 12;
	else if (k->proto == (k->family == 4 ? IP_ICMP : IP_ICMPV6))
		need = 4;
	if (!need)
		return FLOW_COUNTED;
	if (!have(c, need))
		return FLOW_TRUNCATED;
	k->sport[0] = p[0];
	k->sport[1] = p[1];
	if (need == 4)
		return FLOW_COUNTED;
	k->dport[0] = p[2];
	k->dport[1] = p[3];
	if (k->proto != IP_TCP)
		return FLOW_COUNTED;
	if (p[12] >> 4 < 5)
		return FLOW_MALFORMED;
	if (!have(c, (p[12] >> 4) * 4))
		return FLOW_TRUNCATED;
	pkt->tcp_flags = p[13];
	return FLOW_COUNTED;
}

static __swaps enum flow_verdict parse_ipv4(struct cursor *c, struct flow_pkt *pkt)
{
	const __mem40 uint8_t *p = c->data + c->off;
	struct flow_key *k = &pkt->key;
	uint32_t hdr, total;

	if (!have(c, 1))
		return FLOW_TRUNCATED;
	if (p[0] >> 4 != 4 || (p[0] & 15) < 5)
		return FLOW_MALFORMED;
	hdr = (p[0] & 15) * 4;
	if (!have(c, hdr))
		return FLOW_TRUNCATED;
	total = be16(p + 2);
	if (!total)
		total = c->wire - c->off;
	if (total < hdr)
		return FLOW_MALFORMED;
	if (!bound(c, c->off, total))
		return FLOW_TRUNCATED;
	pkt->bytes = total;
	pkt->tos = p[1];
	pkt->ttl = p[8];
	k->family = 4;
	k->proto = p[9];
	chan_mem_read(k->src, p + 12, 4);
	chan_mem_read(k->dst, p + 16, 4);
	c->off += hdr;
	if (be16(p + 6) & 0x3fff)	/* more fragments, or an offset */
		return FLOW_COUNTED;
	return parse_l4(c, pkt);
}

/*
 * Skip extension headers, and set the protocol after them. *@ports: whether a header of that
 * protocol follows.
 */
static enum flow_verdict pass_extensions(struct cursor *c, struct flow_pkt *pkt,
					 uint32_t next, int *ports)
{
	const __mem40 uint8_t *p;
	uint32_t n, len;

	*ports = 0;
	for (n = 0; n <= EXT_MAX; n++) {
		pkt->key.proto = (uint8_t)next;
		if (next != IP_HOPOPTS && next != IP_ROUTING && next != IP_DSTOPTS &&
		    next != IP_FRAGMENT && next != IP_AH) {
			*ports = next != IP_ESP && next != IP_NONE;
			return FLOW_COUNTED;
		}
		if (!have(c, 8))
			return FLOW_TRUNCATED;
		p = c->data + c->off;
		if (next == IP_FRAGMENT && (be16(p + 2) & 0xfff9)) {
			pkt->key.proto = p[0];
			return FLOW_COUNTED;
		}
		len = 8;
		if (next == IP_AH)
			len = (p[1] + 2u) * 4;
		else if (next != IP_FRAGMENT)
			len = (p[1] + 1u) * 8;
		if (!have(c, len))
			return FLOW_TRUNCATED;
		next = p[0];
		c->off += len;
	}
	return FLOW_MALFORMED;
}

static __swaps enum flow_verdict parse_ipv6(struct cursor *c, struct flow_pkt *pkt)
{
	const __mem40 uint8_t *p = c->data + c->off;
	enum flow_verdict verdict;
	uint32_t payload;
	int ports;

	if (!have(c, 1))
		return FLOW_TRUNCATED;
	if (p[0] >> 4 != 6)
		return FLOW_MALFORMED;
	if (!have(c, IPV6_HDR))
		return FLOW_TRUNCATED;
	payload = be16(p + 4);
	if (!payload && p[6] != IP_NONE)
		payload = c->wire - c->off - IPV6_HDR;
	if (!bound(c, c->off, payload + IPV6_HDR))
		return FLOW_TRUNCATED;
	pkt->bytes = payload + IPV6_HDR;
	pkt->tos = (uint8_t)(be16(p) >> 4);
	pkt->ttl = p[7];
	pkt->key.family = 6;
	chan_mem_read(pkt->key.src, p + 8, 16);
	chan_mem_read(pkt->key.dst, p + 24, 16);
	c->off += IPV6_HDR;
	verdict = pass_extensions(c, pkt, p[6], &ports);
	if (verdict != FLOW_COUNTED || !ports)
		return verdict;
	return parse_l4(c, pkt);
}

static int is_tag(uint32_t type)
{
	return type == ETH_8021Q || type == ETH_8021AD || type == ETH_QINQ;
}

static void keep_vlan(struct flow_key *k, uint32_t id)
{
	if (k->vlan == NFP_FLOW_NO_VLAN)
		k->vlan = (uint16_t)id;
	else if (k->vlan_inner == NFP_FLOW_NO_VLAN)
		k->vlan_inner = (uint16_t)id;
}

enum flow_verdict flow_parse(const __mem40 uint8_t *data, uint32_t caplen,
			     uint32_t len, struct flow_pkt *pkt)
{
	struct cursor c;
	uint32_t type, tags;

	reg_zero(pkt, sizeof(*pkt));
	pkt->key.vlan = NFP_FLOW_NO_VLAN;
	pkt->key.vlan_inner = NFP_FLOW_NO_VLAN;
	c.data = data;
	c.off = 0;
	c.wire = len;
	c.cap = caplen < len ? caplen : len;
	c.end = c.cap;
	if (!have(&c, ETH_HDR))
		return FLOW_TRUNCATED;
	type = be16(data + 12);
	c.off = ETH_HDR;
	for (tags = 0; is_tag(type); tags++) {
		if (tags == TAGS_MAX)
			return FLOW_MALFORMED;
		if (!have(&c, TAG_LEN))
			return FLOW_TRUNCATED;
		keep_vlan(&pkt->key, be16(data + c.off) & 0xfff);
		type = be16(data + c.off + 2);
		c.off += TAG_LEN;
	}
	if (type == ETH_IPV4)
		return parse_ipv4(&c, pkt);
	if (type == ETH_IPV6)
		return parse_ipv6(&c, pkt);
	return FLOW_NOT_IP;
}
