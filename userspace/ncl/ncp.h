/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ncp.h - NCP, the net compute protocol: what carries a window in a UDP datagram.
 *
 * A datagram is a struct ncp_hdr, the program's fields of the window (NCL_WINDOW of
 * ncl.h), and the kernel's arguments in their order: a value, or the elements that the
 * window has of an array. Each is at a multiple of its size, counted from the end of the
 * header, of 8 bytes at most. All numbers are little-endian; the description that nclc
 * writes has all offsets.
 */
#ifndef NCP_H
#define NCP_H

#include <linux/types.h>

#define NCP_MAGIC	0x4c43	/* "CL" */
#define NCP_VERSION	1
#define NCP_PORT	20812	/* UDP port of hosts and devices */

/* Bytes of a window behind the header, at most: an Ethernet frame of 1500 bytes */
#define NCP_DATA_MAX	1440

/* Flags */
#define NCP_REPLY	0x01	/* a kernel has sent it back, or to all: no kernel runs again */
#define NCP_ACK		0x02	/* the receiver has it; there is no data; no kernel runs */
#define NCP_WANT_ACK	0x04	/* the receiver is to answer with NCP_ACK */
#define NCP_AGAIN	0x08	/* sent before: the answer is late, or lost */
#define NCP_LAST	0x10	/* the invocation's last window */
#define NCP_ANSWER	0x20	/* a host's program answers the window with these numbers */

/**
 * struct ncp_hdr - what is in front of a window
 * @magic: NCP_MAGIC
 * @version: NCP_VERSION; a receiver drops and counts all others
 * @flags: NCP_REPLY...
 * @program: a hash of the program's kernels and places: who has others drops it
 * @kernel: number of the outgoing kernel, from 1, in the order of the source
 * @from: node that made the window: its number is its place in the AND file, from 1
 * @to: node that it is for; 0: for the host behind the first device. A kernel that sends the
 *	window back makes it @from, so that devices on the way back pass it to the sender.
 * @len: elements that the window has of the kernel's first array (window.len)
 * @size: bytes behind the header
 * @seq: number of the window in its invocation, from 0
 * @invocation: number of the invocation; of a sender it does not come twice
 * @pad: 0
 */
struct ncp_hdr {
	__le16 magic;
	__u8   version;
	__u8   flags;
	__le16 program;
	__le16 kernel;
	__le16 from;
	__le16 to;
	__le16 len;
	__le16 size;
	__le32 seq;
	__le32 invocation;
	__le32 pad;
};

#endif /* NCP_H */
