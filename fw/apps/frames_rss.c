// SPDX-License-Identifier: BSD-2-Clause
/*
 * frames_rss.c - which stream of a capture a frame goes to: receive side scaling.
 *
 * A NIC hashes addresses and ports as they lie in the frame, so the two directions of a connection
 * differ. Who captures wants them together. So the hash is of the XOR of both ends, as with "ethtool -X
 * eth0 xfrm symmetric-xor". It is not the Toeplitz hash, which takes a step for each bit.
 */
#include "flow.h"
#include "frames.h"

#define IP_TCP	6
#define IP_UDP	17
#define IP_SCTP	132

/* The product carries each bit to higher ones, and the shift brings them back to lower ones. */
static uint32_t mix(uint32_t h)
{
	h *= 0x9e3779b1;
	return h ^ h >> 15;
}

static int has_ports(uint32_t proto)
{
	return proto == IP_TCP || proto == IP_UDP || proto == IP_SCTP;
}

unsigned int frames_stream_of(const struct pkt_rx *rx, unsigned int n)
{
	struct flow_pkt pkt;
	uint32_t h, i;

	/* The packet may be longer than the frame, which a sender has cut, and has its flow's headers. */
	if (n == 1 || flow_parse(rx->data, rx->caplen, ~0u, &pkt) != FLOW_COUNTED)
		return 0;
	h = pkt.key.proto;
	if (has_ports(h))
		for (i = 0; i < sizeof(pkt.key.sport); i++)
			h = h << 8 | (pkt.key.sport[i] ^ pkt.key.dport[i]);
	for (i = 0; i < sizeof(pkt.key.src); i++) {
		if (!(i % 4))
			h = mix(h);
		h ^= (uint32_t)(pkt.key.src[i] ^ pkt.key.dst[i]) << i % 4 * 8;
	}
	return (mix(mix(h)) >> 16) * n >> 16;
}
