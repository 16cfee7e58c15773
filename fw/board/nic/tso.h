/* SPDX-License-Identifier: BSD-2-Clause */
/* tso.h - segmentation of large TCP and UDP packets, and checksums, for vnic_tx.c. */
#ifndef TSO_H
#define TSO_H

#include <stdbool.h>
#include <stdint.h>

#define TSO_HDR_MAX	256u	/* lso_hdrlen has 8 bits, and a VLAN tag may be added */

/**
 * bd_tso() - split the payload of a frame into segments with headers
 * @frame: overwritten. A segment's headers are written over payload that was already
 * 	emitted
 * @hdrlen: bytes of all headers, including TCP's or UDP's
 * @mss: payload of each segment except the last
 * @emit: takes a segment. Its IPv4 header checksum and TCP or UDP checksum are correct
 *
 * Return: false, with nothing emitted, if @frame, @hdrlen and @mss do not describe a packet
 * 	that can be split.
 */
bool bd_tso(uint8_t *frame, uint32_t len, uint32_t hdrlen, uint32_t mss,
	    void (*emit)(void *ctx, const uint8_t *frame, uint32_t len), void *ctx);

/* Set the checksums of the IPv4 header and of TCP or UDP, if the frame has such headers. */
void bd_tx_checksum(uint8_t *frame, uint32_t len);

#endif /* TSO_H */
