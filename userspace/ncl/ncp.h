/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ncp.h - NCP, the net compute protocol, which carries a window in a UDP datagram.
 *
 * A datagram has a struct ncp_hdr, then the program's fields of the window (NCL_WINDOW of ncl.h),
 * then the kernel's arguments in their order. An argument is a value, or the elements of an array
 * that the window carries. The offset of each argument from the end of the header is a multiple of
 * its size, or of 8 if its size is larger. All numbers are little-endian. The description that nclc
 * writes has all offsets.
 */
#ifndef NCP_H
#define NCP_H

#include <linux/types.h>

#define NCP_MAGIC	0x4c43	/* "CL" */
#define NCP_VERSION	1
#define NCP_PORT	20812	/* UDP port of hosts and devices */

/* Most bytes of a window after the header, so that the packet fits an MTU of 1500 bytes */
#define NCP_DATA_MAX	1440

/* Flags */
/*
 * Reflected or broadcast by a kernel: no kernel runs again, except at the neighbours of a device that
 * broadcasts the window.
 */
#define NCP_REPLY	0x01
#define NCP_ACK		0x02	/* acknowledgement: no data, and no kernel runs */
#define NCP_WANT_ACK	0x04	/* the receiver must answer with NCP_ACK */
#define NCP_AGAIN	0x08	/* the window was sent before, and the sender has no answer yet */
#define NCP_LAST	0x10	/* last window of the invocation */
#define NCP_ANSWER	0x20	/* the program of a host answers the window with these values */

/**
 * struct ncp_hdr - header of a window
 * @magic: NCP_MAGIC
 * @version: NCP_VERSION; a receiver drops and counts every other version
 * @flags: NCP_REPLY...
 * @program: hash of the program's kernels and places; a receiver drops and counts every other
 *	program
 * @kernel: number of the outgoing kernel, from 1, in the order of the source
 * @from: node that sent the window first: its number is its place in the AND file, from 1
 * @to: node that the window is for; 0: the host at the first device. When a kernel sends the window
 *	back, @to becomes @from, so that devices on the way pass the window to the sender.
 * @len: elements of the kernel's first array that the window carries (window.len)
 * @size: bytes after the header
 * @seq: number of the window in its invocation, from 0
 * @invocation: number of the invocation; a sender never uses a number twice
 * @origin: device whose kernel broadcast the window; 0: the window was not broadcast. If kernels of
 *	its neighbours broadcast the window again, @origin stays.
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
	__le16 origin;
	__le16 pad;
};

#endif /* NCP_H */
