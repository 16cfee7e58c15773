/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pkt/pkt.h - packets from the wire, and to it.
 *
 * On an NFP the NBI puts a packet in a CTM buffer (its front) and an MU buffer
 * (the rest), and the packet engine hands it to the oldest context that waits:
 * the 24 bytes of metadata with island, packet number and length, the MAC's
 * time stamp prepended to the data. struct pkt_rx is what firmware makes of
 * these. Lengths there are 14 bits; larger ones come from captures only.
 *
 * To send, firmware on an NFP takes a CTM buffer (pkt_ctm_alloc()), waiting for one, copies
 * the frame there, and gives the buffer to a queue of the NBI (pkt_nbi_send()), which frees
 * it. Here the frame is in the caller's memory, and one call does all of it.
 */
#ifndef PKT_PKT_H
#define PKT_PKT_H

#include <nfp.h>

/**
 * struct pkt_rx - a received packet
 * @data: its bytes
 * @handle: for pkt_free()
 * @ts_ns: MAC time stamp, ns
 * @caplen: bytes at @data
 * @len: bytes on the wire
 * @port: wire port
 */
struct pkt_rx {
	const __mem40 uint8_t *data;
	void *handle;
	uint64_t ts_ns;
	uint32_t caplen;
	uint32_t len;
	uint32_t port;
};

void hal_pkt_recv(__xread struct pkt_rx *meta, unsigned int sig);
void hal_pkt_free(void *handle);
void hal_pkt_send(const __mem40 void *data, uint32_t len, unsigned int port, unsigned int sig);
void hal_port_rx(unsigned int port, int on);
uint64_t hal_port_lost(unsigned int port);

#define PKT_PORTS	2
#define PKT_SEND_MAX	9238	/* bytes: an MTU of 9216 and two tags, without FCS */

/* Have the next packet described in @meta, which must stay till @sigp comes. */
#define __pkt_nbi_recv(meta, sync, sigp)	hal_pkt_recv(meta, (sigp)->num)

/* Give the packet's buffers back. */
#define pkt_free(pkt)			hal_pkt_free((pkt)->handle)

/*
 * Have @len bytes at @data leave at the wire of @port, behind what the port was given before. The
 * MAC pads with zeros to 60 bytes. The memory is the caller's again when @sigp comes: at
 * once, or when the wire's other end pauses it no more.
 */
#define __pkt_nbi_send(data, len, port, sync, sigp)	hal_pkt_send(data, len, port, (sigp)->num)

/* Let the MAC of @port receive, or hold the wire in pause. */
#define mac_port_rx(port, on)		hal_port_rx(port, on)

/* Frames that the MAC of @port lost for want of a buffer. */
#define mac_port_lost(port)		hal_port_lost(port)

#endif /* PKT_PKT_H */
