/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * nfp_chan_ring.h - what a process finds in the mappings of a channel fd: headers of
 * messages, the notification record, the values of the arm doorbell.
 *
 * The kernel module, the firmware and user space share these formats. All fields are
 * little endian. uapi/PROTOCOL.rst describes who writes what, and in which order.
 */
#ifndef NFP_CHAN_RING_H
#define NFP_CHAN_RING_H

#include <linux/types.h>

#define NFP_CHAN_NAME_LEN	32	/* with its NUL */

/* Limits */
#define NFP_CHAN_PIPE_MAX	32	/* channel fds of a card that may be open at a time */
#define NFP_CHAN_IRQ_COUNT_MAX	65535	/* messages an interrupt may stand for */
#define NFP_CHAN_IRQ_USECS_MAX	1000000	/* microseconds it may be put off */
#define NFP_CHAN_LINK_HDR_MAX	64	/* bytes in front of a message */
#define NFP_CHAN_LINK_MATCH_MAX	8	/* bytes of a message that are compared */
#define NFP_CHAN_DEVICE_DESC		64	/* bytes of a descriptor */
#define NFP_CHAN_DEVICE_SLOTS_MAX	64

/* Instead of the id of a channel: a port */
#define NFP_CHAN_ID_PORT	0xffff

/* Direction of a channel */
#define NFP_CHAN_TO_HOST	1
#define NFP_CHAN_TO_NFP	2

/* Kind of a channel */
#define NFP_CHAN_MESSAGE	1
#define NFP_CHAN_STREAM	2

/* Properties of a channel */
#define NFP_CHAN_F_EXCLUSIVE	0x1	/* one pipe at a time */
#define NFP_CHAN_F_SIGNAL	0x2	/* the ME process takes signals */
#define NFP_CHAN_F_DROP	0x4	/* to host: full or no receiver drops */
#define NFP_CHAN_F_XDP	0x8	/* takes events of XDP programs, drops */

/* Bytes that are used of an inline page: header and payload */
#define NFP_CHAN_INLINE_MAX	256

/* Value of the arm doorbell: the low bits of a count, and a bit that changes each time */
#define NFP_CHAN_ARM_SEQ_MASK	0xffff
#define NFP_CHAN_ARM_TOGGLE		0x20000
#define NFP_CHAN_ARM_MASK	0x3ffff	/* bits of the register that the doorbell adds to */

/**
 * struct nfp_chan_hdr - header of a message in a ring
 * @len: payload bytes, at most the channel's max_size
 * @seq: low 16 bits of the message's number, counted from 1 at OPEN
 * @rsvd: 0, but where the inline page has no message
 */
struct nfp_chan_hdr {
	__le32	len;
	__le16	seq;
	__le16	rsvd;
};

#define NFP_CHAN_MSG_ALIGN	8

/* struct nfp_chan_note.state */
#define NFP_CHAN_STATE_OPEN	0
#define NFP_CHAN_STATE_EPIPE	1	/* the ME process has ended */
#define NFP_CHAN_STATE_FAULT	2	/* host broke the protocol: pipe is off */
#define NFP_CHAN_STATE_GONE	3	/* set by the kernel: card detached */

/**
 * struct nfp_chan_note - notification record of a pipe, in host memory
 * @pos: to host: bytes produced. To NFP: bytes consumed
 * @seq: the same in messages or elements, modulo 2^32. Stream of bytes to host:
 *	number of the record
 * @state: NFP_CHAN_STATE_*
 *
 * Written by the card as two aligned 64-bit words, lowest first (O2, O4 of
 * PROTOCOL.rst).
 */
struct nfp_chan_note {
	__le64	pos;
	__le32	seq;
	__le32	state;
};

/**
 * struct nfp_chan_port_event - an element of a port: a pipe has news
 * @cookie: of the pipe, as its OPEN said
 *
 * A port is a pipe to the host that no channel is behind: a stream of these, one
 * for each pipe that reports to it and whose record has moved, see PROTOCOL.rst,
 * Ports. Its unit is 8 bytes, its ring any from 4 KiB to 512 KiB.
 */
struct nfp_chan_port_event {
	__le64	cookie;
};

#endif /* NFP_CHAN_RING_H */
