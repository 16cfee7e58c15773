// SPDX-License-Identifier: BSD-2-Clause
/*
 * tx_csum.c - checksums of a frame the host asked them for: IPv4 header, TCP
 * and UDP. The headers are parsed here: the descriptor has offsets only for
 * segmentation.
 */
#include "board_int.h"

#define ETH_HLEN	14u
#define ETH_P_IP	0x0800
#define ETH_P_IPV6	0x86dd
#define ETH_P_VLAN	0x8100
#define ETH_P_QINQ	0x88a8
#define PROTO_TCP	6
#define PROTO_UDP	17

static uint16_t be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

static void put_be16(uint8_t *p, uint16_t v)
{
	p[0] = v >> 8;
	p[1] = v & 0xff;
}

static uint32_t sum(const uint8_t *p, size_t len, uint32_t s)
{
	for (; len >= 2; len -= 2, p += 2)
		s += be16(p);
	if (len)
		s += p[0] << 8;
	return s;
}

static uint16_t fold(uint32_t s)
{
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return ~s & 0xffff;
}

/* @pseudo: sum of the addresses */
static void l4_checksum(uint8_t *l4, size_t len, uint8_t proto, uint32_t pseudo)
{
	size_t field = proto == PROTO_TCP ? 16 : 6;
	uint16_t c;

	if ((proto != PROTO_TCP && proto != PROTO_UDP) || len < field + 2)
		return;
	/* The host left the pseudo-header's sum there; ours starts from 0. */
	put_be16(l4 + field, 0);
	c = fold(sum(l4, len, pseudo + proto + (uint32_t)len));
	if (!c && proto == PROTO_UDP)
		c = 0xffff;
	put_be16(l4 + field, c);
}

static void ipv4(uint8_t *ip, size_t len)
{
	size_t hlen = (ip[0] & 15) * 4u, total;

	if (len < 20 || ip[0] >> 4 != 4 || hlen < 20 || hlen > len)
		return;
	total = be16(ip + 2);
	if (total < hlen || total > len)
		return;
	put_be16(ip + 10, 0);
	put_be16(ip + 10, fold(sum(ip, hlen, 0)));
	if (be16(ip + 6) & 0x3fff)
		return;		/* a fragment */
	l4_checksum(ip + hlen, total - hlen, ip[9], sum(ip + 12, 8, 0));
}

static bool is_extension(uint8_t next)
{
	return next == 0 || next == 43 || next == 60;	/* options, routing */
}

static void ipv6(uint8_t *ip, size_t len)
{
	size_t at = 40, end;
	uint8_t next;

	if (len < 40 || ip[0] >> 4 != 6)
		return;
	end = 40 + be16(ip + 4);
	if (end > len)
		return;
	for (next = ip[6]; is_extension(next) && at + 8 <= end; ) {
		next = ip[at];
		at += 8 * (ip[at + 1] + 1u);
	}
	if (at < end)
		l4_checksum(ip + at, end - at, next, sum(ip + 8, 32, 0));
}

void bd_tx_checksum(uint8_t *frame, size_t len)
{
	size_t at = ETH_HLEN;
	uint16_t type;

	if (len < at)
		return;
	type = be16(frame + 12);
	while ((type == ETH_P_VLAN || type == ETH_P_QINQ) && at + 4 <= len) {
		type = be16(frame + at + 2);
		at += 4;
	}
	if (at >= len)
		return;
	if (type == ETH_P_IP)
		ipv4(frame + at, len - at);
	else if (type == ETH_P_IPV6)
		ipv6(frame + at, len - at);
}
