/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tso.h - segmentation of large TCP and UDP packets, checksums: for vnic_tx.c.
 */
#ifndef TSO_H
#define TSO_H

#include <stdbool.h>
#include <stdint.h>

#define TSO_HDR_MAX	256u	/* lso_hdrlen has 8 bits, and a VLAN tag comes */

/**
 * bd_tso() - cut the payload of a frame into segments with headers of their own
 * @frame: is overwritten: a segment's header takes the place of the payload
 *	before it, which has been sent then
 * @hdrlen: bytes of headers, to the end of TCP's or UDP's
 * @mss: payload of each segment but the last
 * @emit: takes a segment, with IPv4 header sum and TCP or UDP checksum
 *
 * Return: false, with nothing emitted, when @frame, @hdrlen and @mss are not
 * of a packet that can be cut.
 */
bool bd_tso(uint8_t *frame, uint32_t len, uint32_t hdrlen, uint32_t mss,
	    void (*emit)(void *ctx, const uint8_t *frame, uint32_t len), void *ctx);

/* IPv4 header's, and TCP's or UDP's, of what has such. */
void bd_tx_checksum(uint8_t *frame, uint32_t len);

#endif /* TSO_H */
