/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
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
#define NFP_CHAN_IRQ_COUNT_MAX	65535	/* messages that one interrupt stands for */
#define NFP_CHAN_IRQ_USECS_MAX	1000000	/* microseconds that an interrupt is delayed */

/* A port has this instead of the id of a channel. */
#define NFP_CHAN_ID_PORT	0xffff

/* Direction of a channel */
#define NFP_CHAN_TO_HOST	1
#define NFP_CHAN_TO_NFP	2

/* Kind of a channel */
#define NFP_CHAN_MESSAGE	1
#define NFP_CHAN_STREAM	2

/* Properties of a channel */
#define NFP_CHAN_F_EXCLUSIVE	0x1	/* one pipe at a time is open */
#define NFP_CHAN_F_SIGNAL	0x2	/* the ME process takes signals */
#define NFP_CHAN_F_DROP	0x4	/* to host: a message without room or receiver is dropped */
#define NFP_CHAN_F_XDP	0x8	/* carries events of XDP programs, and drops like F_DROP */

/* Bytes of an inline page that hold a message: header and payload */
#define NFP_CHAN_INLINE_MAX	256

/* Value of the arm register: the low bits of a count, and a bit that changes each time */
#define NFP_CHAN_ARM_SEQ_MASK	0xffff
#define NFP_CHAN_ARM_TOGGLE		0x20000
#define NFP_CHAN_ARM_MASK	0x3ffff	/* bits of the register that the doorbell adds to */

/**
 * struct nfp_chan_hdr - header of a message in a ring
 * @len: payload bytes, at most the channel's max_size
 * @seq: low 16 bits of the message's number, counted from 1 at OPEN
 * @rsvd: 0. Another value in an inline page says that the page has no message
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
#define NFP_CHAN_STATE_FAULT	2	/* the host broke the protocol: the pipe is off */
#define NFP_CHAN_STATE_GONE	3	/* the card is detached; the kernel writes this state */

/**
 * struct nfp_chan_note - notification record of a pipe, in host memory
 * @pos: to host: bytes produced. To NFP: bytes consumed
 * @seq: messages or elements produced or consumed, modulo 2^32. Of a stream of bytes to the
 *	host: the number of the record
 * @state: NFP_CHAN_STATE_*
 *
 * The card writes the record as two aligned 64-bit words, the lowest first (PROTOCOL.rst, O2
 * and O4).
 */
struct nfp_chan_note {
	__le64	pos;
	__le32	seq;
	__le32	state;
};

/**
 * struct nfp_chan_port_event - an element of a port: a pipe has news
 * @cookie: the cookie that was given when the pipe was opened
 *
 * A port is a pipe to the host without a channel. It is a stream of these elements, one for
 * each pipe that reports to the port and whose record has changed (PROTOCOL.rst, Ports). The
 * unit has 8 bytes, and the ring from 4 KiB to 512 KiB.
 */
struct nfp_chan_port_event {
	__le64	cookie;
};

#endif /* NFP_CHAN_RING_H */
