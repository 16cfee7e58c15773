// SPDX-License-Identifier: BSD-2-Clause
/*
 * tso.c - segmentation of large TCP and UDP packets (TSO, USO), and the checksums that the
 * host has asked for: IPv4 header, TCP and UDP. The code parses the headers, because the
 * descriptor has header offsets only if it asks for segmentation.
 *
 * Each segment's headers have the values that Linux gives them when it segments in software:
 * net/ipv4/tcp_offload.c, udp_offload.c.
 */
#include "bytes.h"
#include "pkt_hdr.h"
#include "tso.h"

#define TCP_FIN		0x01
#define TCP_PSH		0x08
#define TCP_CWR		0x80

static void l4_checksum(uint8_t *frame, const struct bd_hdrs *h)
{
	uint8_t *field = frame + h->l4 + (h->proto == PROTO_TCP ? 16 : 6);
	uint16_t c;

	/*
	 * The host has left the pseudo-header's sum in the field. This code computes the whole
	 * sum.
	 */
	bd_put_be16(field, 0);
	c = ~bd_sum16(frame + h->l4, h->end - h->l4, bd_pseudo(frame, h));
	if (!c && h->proto == PROTO_UDP)
		c = 0xffff;
	bd_put_be16(field, c);
}

void bd_tx_checksum(uint8_t *frame, uint32_t len)
{
	struct bd_hdrs h;
	uint8_t *ip;

	bd_hdrs_parse(frame, len, &h);
	if (!h.version || !h.end)
		return;
	ip = frame + h.l3;
	if (h.version == 4) {
		bd_put_be16(ip + 10, 0);
		bd_put_be16(ip + 10, ~bd_sum16(ip, (ip[0] & 15) * 4u, 0));
	}
	if (bd_hdrs_l4_whole(&h))
		l4_checksum(frame, &h);
}

struct cut {
	struct bd_hdrs h;
	uint8_t hdr[TSO_HDR_MAX];
	uint32_t hdrlen;
};

static bool can_cut(const uint8_t *frame, uint32_t len, const struct cut *c, uint32_t mss)
{
	uint32_t l4len = 8;

	if (!mss || c->hdrlen > TSO_HDR_MAX || c->hdrlen >= len ||
	    !c->h.version || !c->h.l4)
		return false;
	if (c->h.proto == PROTO_TCP) {
		if (c->hdrlen < c->h.l4 + 20)
			return false;
		l4len = (frame[c->h.l4 + 12] >> 4) * 4u;
	} else if (c->h.proto != PROTO_UDP) {
		return false;
	}
	return l4len >= 8 && c->hdrlen == c->h.l4 + l4len;
}

/* Write the headers of the segment that has @n bytes of the payload, from offset @off. */
static void segment_hdr(uint8_t *seg, const struct cut *c, uint32_t off, uint32_t n,
			uint32_t number, bool last)
{
	uint8_t *ip = seg + c->h.l3, *l4 = seg + c->h.l4;
	uint32_t size = c->hdrlen + n - c->h.l3;

	memcpy(seg, c->hdr, c->hdrlen);
	if (c->h.version == 4) {
		bd_put_be16(ip + 2, size);
		bd_put_be16(ip + 4, bd_be16(ip + 4) + number);
	} else {
		bd_put_be16(ip + 4, size - 40);
	}
	if (c->h.proto == PROTO_UDP) {
		bd_put_be16(l4 + 4, 8 + n);
		return;
	}
	bd_put_be32(l4 + 4, bd_be32(l4 + 4) + off);
	if (!last)
		l4[13] &= ~(TCP_FIN | TCP_PSH);
	if (number)
		l4[13] &= ~TCP_CWR;
}

bool bd_tso(uint8_t *frame, uint32_t len, uint32_t hdrlen, uint32_t mss,
	    void (*emit)(void *ctx, const uint8_t *frame, uint32_t len), void *ctx)
{
	struct cut c = { .hdrlen = hdrlen };
	uint32_t off, number = 0;

	/* Parse and save the headers first: the segments' headers are written over the frame. */
	bd_hdrs_parse(frame, len, &c.h);
	if (!can_cut(frame, len, &c, mss))
		return false;
	memcpy(c.hdr, frame, hdrlen);
	for (off = 0; off < len - hdrlen; off += mss) {
		uint32_t left = len - hdrlen - off, n = left < mss ? left : mss;
		uint8_t *seg = frame + off;

		segment_hdr(seg, &c, off, n, number++, n == left);
		bd_tx_checksum(seg, hdrlen + n);
		emit(ctx, seg, hdrlen + n);
	}
	return true;
}
