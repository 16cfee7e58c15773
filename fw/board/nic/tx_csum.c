// SPDX-License-Identifier: BSD-2-Clause
/*
 * tx_csum.c - checksums of a frame the host asked them for: IPv4 header, TCP
 * and UDP. The headers are parsed here: the descriptor has offsets only for
 * segmentation.
 */
#include "board_int.h"
#include "pkt_hdr.h"

static void l4_checksum(uint8_t *frame, const struct bd_hdrs *h)
{
	uint8_t *field = frame + h->l4 + (h->proto == PROTO_TCP ? 16 : 6);
	uint16_t c;

	/* The host left the pseudo-header's sum there; ours starts from 0. */
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
