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
#define NCP_CTRL_PORT	20813	/* UDP port of `ncl serve` on the machine of a device */

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
#define NCP_CTRL	0x40	/* no window, but a struct ncp_ctrl */

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

#define NCP_CTRL_DATA	(NCP_DATA_MAX - sizeof(struct ncp_ctrl))	/* most bytes of values */
#define NCP_CTRL_TEXT	256	/* most bytes of the text of an error */

/* ncp_ctrl.what */
enum ncp_ctrl_what { NCP_CTRL_READ, NCP_CTRL_WRITE, NCP_CTRL_GET, NCP_CTRL_PUT, NCP_CTRL_DELETE };

/**
 * struct ncp_ctrl - a host reads or writes a variable of a device; follows the header
 * @session: number of the host's session; a later session has a larger number
 * @index: number of the first element, row by row
 * @count: number of elements; 0 for a map
 * @error: only in an answer: 0, or an errno
 * @size: bytes of an element, or of a value of a map
 * @key_size: bytes of a key; 0 for an array
 * @what: enum ncp_ctrl_what
 * @pad: 0
 * @variable: name of the variable, ended and filled by zeros
 *
 * After it come the values to write (WRITE), the key (GET, DELETE), or the key and the value (PUT);
 * in the answer, the values (READ, GET), or the text of the error, without a final 0.
 *
 * In the header, @flags is NCP_CTRL, with NCP_AGAIN or NCP_ANSWER; @seq is the number of the request
 * in its session, from 1; @kernel, @len, @invocation, @origin and @pad are 0. An answer has the fields
 * of its request, except @from, @to, @flags, @size, and @error; if @error is ESTALE, @index is the
 * number of the latest session.
 */
struct ncp_ctrl {
	__le64 session;
	__le64 index;
	__le32 count;
	__le32 error;
	__le16 size;
	__le16 key_size;
	__u8   what;
	__u8   pad[3];
	char   variable[64];
};

#endif /* NCP_H */
