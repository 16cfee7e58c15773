/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* packet.h - the fields of a packet of IPv4 with UDP or TCP, and the hash of its flow. */
#ifndef APPS_PACKET_H
#define APPS_PACKET_H

#include <arpa/inet.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PACKET_IPV4	0x0800
#define PACKET_TCP	6
#define PACKET_UDP	17

/**
 * struct packet - Ethernet, IPv4 without options, and the first fields of UDP or TCP
 * @dmac: Ethernet destination
 * @smac: Ethernet source
 * @type: PACKET_IPV4
 * @version: version and length of the IPv4 header
 * @tos: type of service
 * @total: bytes from @version on
 * @id: number of the datagram
 * @frag: fragment: flags and offset
 * @ttl: time to live
 * @proto: PACKET_TCP or PACKET_UDP
 * @check: checksum of the IPv4 header
 * @saddr: source address
 * @daddr: destination address
 * @sport: source port
 * @dport: destination port
 * @udp_len: UDP: bytes from @sport on
 * @udp_check: UDP: checksum; 0: none
 */
struct packet {
	uint8_t		dmac[6];
	uint8_t		smac[6];
	uint16_t	type;
	uint8_t		version;
	uint8_t		tos;
	uint16_t	total;
	uint16_t	id;
	uint16_t	frag;
	uint8_t		ttl;
	uint8_t		proto;
	uint16_t	check;
	uint32_t	saddr;
	uint32_t	daddr;
	uint16_t	sport;
	uint16_t	dport;
	uint16_t	udp_len;
	uint16_t	udp_check;
} __attribute__((packed));

#define PACKET_IP	offsetof(struct packet, version)
#define PACKET_L4	offsetof(struct packet, sport)

/* Return the packet, or NULL if it is not IPv4 with UDP or TCP, has options, or is a fragment. */
static inline struct packet *packet_of(uint8_t *frame, uint32_t len)
{
	struct packet *p = (struct packet *)frame;

	if (len < sizeof(*p) || p->type != htons(PACKET_IPV4) || p->version != 0x45 ||
	    (p->frag & htons(0x3fff)) || (p->proto != PACKET_UDP && p->proto != PACKET_TCP))
		return NULL;
	return p;
}

static inline uint64_t packet_mix(uint64_t h)
{
	h = (h ^ h >> 32) * 0x9e3779b97f4a7c15;
	return h ^ h >> 29;
}

/* The hash of addresses, ports and protocol */
static inline uint64_t packet_hash(const struct packet *p)
{
	uint64_t addrs;
	uint32_t ports;

	memcpy(&addrs, &p->saddr, sizeof(addrs));
	memcpy(&ports, &p->sport, sizeof(ports));
	return packet_mix(packet_mix(addrs) ^ ((uint64_t)p->proto << 32 | ports));
}

/* Make the packet one from its receiver to its sender. The IPv4 checksum stays right. */
static inline void packet_turn(struct packet *p)
{
	uint32_t addr = p->saddr;
	uint16_t port = p->sport;
	uint8_t mac[6];

	memcpy(mac, p->smac, 6);
	memcpy(p->smac, p->dmac, 6);
	memcpy(p->dmac, mac, 6);
	p->saddr = p->daddr;
	p->daddr = addr;
	p->sport = p->dport;
	p->dport = port;
}

/* Add to a checksum the difference @delta of what it covers (RFC 1624). */
static inline uint16_t packet_csum_add(uint16_t check, uint32_t delta)
{
	uint32_t sum = (uint16_t)~check + delta;

	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~(sum + (sum >> 16));
}

/* The difference for packet_csum_add(), when an address changes from @old to @new */
static inline uint32_t packet_csum_delta(uint32_t old, uint32_t new)
{
	uint32_t sum = (~old & 0xffff) + (~old >> 16) + (new & 0xffff) + (new >> 16);

	return (sum & 0xffff) + (sum >> 16);
}

#endif /* APPS_PACKET_H */
