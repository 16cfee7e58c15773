/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * traffic.h - packets and text for the applications of userspace/examples/apps. Packet i is the
 * same in each run.
 */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include <stddef.h>
#include <stdint.h>
#include "packet.h"

#define TRAFFIC_VIP	htonl(0xc0000201)	/* 192.0.2.1, to which all packets go */
#define TRAFFIC_SMALL	64		/* bytes of the small packets */
#define TRAFFIC_FLOWS	1024		/* flows of the small packets */
#define TRAFFIC_KEYS	(1u << 20)	/* keys of the requests */
#define TRAFFIC_MSS	1448		/* bytes of text in a packet of TCP */
#define TRAFFIC_TCP	(54 + 12 + TRAFFIC_MSS)	/* bytes of that packet, with timestamps */
#define TRAFFIC_WORD	"ERROR"		/* word that some lines have */

/* Return the checksum of @len bytes, an even number, on top of @sum. */
uint16_t traffic_csum(const void *data, size_t len, uint32_t sum);

/* Make a UDP packet of @len bytes to TRAFFIC_VIP. The caller sets the checksum last. */
struct packet *traffic_udp(uint8_t *frame, uint32_t len, uint32_t saddr, uint16_t sport);

/* Return what the UDP checksum of a packet should be. @len: even */
uint16_t traffic_udp_csum(const struct packet *p);

/* Make packet @i of the small packets of TRAFFIC_FLOWS flows. Return its length. */
uint32_t traffic_flow(uint8_t *frame, uint64_t i);

/* Make request @i to a store: the first TRAFFIC_KEYS store all keys, then 19 of 20 get a value. */
uint32_t traffic_request(uint8_t *frame, uint64_t i);

/* The value of a key */
uint64_t traffic_value(uint64_t key);

/* Write @len bytes of the text from byte @at on. */
void traffic_text(void *to, uint64_t at, size_t len);

/* Make packet @i of a TCP connection that carries the text. */
uint32_t traffic_tcp(uint8_t *frame, uint64_t i);

#endif /* TRAFFIC_H */
