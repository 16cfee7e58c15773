/* SPDX-License-Identifier: BSD-2-Clause */
/* tso.h - segmentation of large TCP and UDP packets, and checksums, for vnic_tx.c. */
#ifndef TSO_H
#define TSO_H

#include <stdbool.h>
#include <stdint.h>

#define TSO_HDR_MAX	256u	/* lso_hdrlen has 8 bits; a VLAN tag must fit, too */

/**
 * bd_tso() - cut a large packet into segments, each with its own headers
 * @frame: the packet. It is overwritten: a segment's headers are written directly before its
 *	payload, over payload that has been sent already
 * @hdrlen: bytes of headers, up to the end of the TCP or UDP header
 * @mss: bytes of payload in each segment except the last
 * @emit: send a segment. Its IPv4, TCP and UDP checksums are complete
 *
 * Return: true, or false if @frame, @hdrlen and @mss do not describe a packet that can be cut.
 * Then nothing was emitted.
 */
bool bd_tso(uint8_t *frame, uint32_t len, uint32_t hdrlen, uint32_t mss,
	    void (*emit)(void *ctx, const uint8_t *frame, uint32_t len), void *ctx);

/* Write the IPv4 header checksum, and that of TCP or UDP, if the frame has these headers. */
void bd_tx_checksum(uint8_t *frame, uint32_t len);

#endif /* TSO_H */
