/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pkt/pkt.h - receive packets from the wire, and send frames.
 *
 * On an NFP, the NBI writes the first part of a packet to a CTM buffer and the
 * rest to an MU buffer. The packet engine then writes 24 bytes of metadata (island,
 * packet number, length) to the context that has waited longest. The MAC puts a
 * time stamp in front of the data. There, firmware fills struct pkt_rx from the
 * metadata and the time stamp; here, the hal does. On an NFP a length has 14
 * bits; only captures have longer packets.
 *
 * To send on an NFP, firmware waits for a CTM buffer (pkt_ctm_alloc()), copies the frame there,
 * and gives the buffer to a queue of the NBI (pkt_nbi_send()). The NBI frees the buffer. Here
 * __pkt_nbi_send() does all of this, with a frame in the caller's memory.
 */
#ifndef PKT_PKT_H
#define PKT_PKT_H

#include <nfp.h>

/**
 * struct pkt_rx - a received packet
 * @data: its bytes
 * @handle: argument of pkt_free()
 * @ts_ns: time stamp of the MAC, in ns
 * @caplen: length of @data, less than @len in a truncated capture
 * @len: length on the wire
 * @port: port that received the packet
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
__swaps void hal_port_rx(unsigned int port, int on);
__swaps uint64_t hal_port_lost(unsigned int port);

#define PKT_PORTS	2
#define PKT_SEND_MAX	9238	/* bytes of a frame with an MTU of 9216 and two tags, without FCS */

/* Receive the next packet: @meta is filled, then @sigp is set. Until then the caller leaves @meta. */
#define __pkt_nbi_recv(meta, sync, sigp)	hal_pkt_recv(meta, (sigp)->num)

/* Free the buffers of the packet. */
#define pkt_free(pkt)			hal_pkt_free((pkt)->handle)

/*
 * Send the @len bytes at @data from @port, after the frames of earlier calls for that port. The
 * MAC pads the frame with zeros to 60 bytes. The caller must not change @data until @sigp is set.
 * That happens at once, or later if the other end of the wire pauses the port.
 */
#define __pkt_nbi_send(data, len, port, sync, sigp)	hal_pkt_send(data, len, port, (sigp)->num)

/* Let the MAC of @port receive (@on is not 0), or pause the wire. */
#define mac_port_rx(port, on)		hal_port_rx(port, on)

/* Number of frames that the MAC of @port lost because no buffer was free. */
#define mac_port_lost(port)		hal_port_lost(port)

#endif /* PKT_PKT_H */
