/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * nfp_chan_link.h - ioctls that join a channel with another channel of the card, or with an
 * event map of XDP programs. nfp_chan.h includes this file, and has what is common to all ioctls.
 */
#ifndef NFP_CHAN_LINK_H
#define NFP_CHAN_LINK_H

#include <linux/types.h>
#include <linux/ioctl.h>
#include <nfpchan/nfp_chan_ring.h>

/* struct nfp_chan_link_op.op */
#define NFP_CHAN_LINK_ADD	1

/**
 * struct nfp_chan_link_op - what the card does with a link's header after each message
 * @op: NFP_CHAN_LINK_ADD: add @arg to the little-endian number at @off
 * @off: offset of the number in the header, a multiple of 4
 * @len: bytes of the number, 4 or 8. Its first value is in the header
 * @rsvd: 0
 * @arg: from 1 to 4294967295
 */
struct nfp_chan_link_op {
	__u32	op;
	__u32	off;
	__u32	len;
	__u32	rsvd;
	__aligned_u64	arg;
};

/**
 * struct nfp_chan_link - have the card carry the messages of one channel to another
 * @size: sizeof(struct nfp_chan_link)
 * @flags: 0
 * @to_fd: fd of a channel to the NFP of the same card. -1: the card drops and counts the messages
 * @fd: out: the link's fd, close-on-exec
 * @hdr: address of the header, which the card puts in front of each message
 * @mask: address of the mask: the bits that the card compares
 * @value: address of the value of these bits, 0 in all others
 * @ops: address of the array of struct nfp_chan_link_op
 * @hdr_len: bytes of the header, a multiple of 4; 0 of a stream
 * @match_off: offset in the message of the bytes that the card compares; 0 without any
 * @match_len: bytes of mask and value; 0 of a stream
 * @op_count: number of operations; 0 without a header
 *
 * An address is 0 if its length or count is 0. PROTOCOL.rst has the limits of the lengths.
 *
 * The ioctl's own fd is that of a channel to the host. While the link is up, each message
 * that the ME process of that channel sends goes to the ME process of @to_fd. The
 * message takes no TLP, no interrupt and no system call. The card moves a message when the
 * receiver waits for one, so the link holds none. A sender without a receiver waits, or, with
 * NFP_CHAN_F_DROP, the card drops and counts the message.
 *
 * If several pipes are open on a channel, the card gives each message to one of them. A link
 * is one of these. A link with @match_len takes the messages that match, and no other pipe
 * gets those. Of several links that match, the one with the lowest pipe number takes the
 * message.
 *
 * The two channels carry messages, or streams with elements of one size. A message that was
 * in the ring before the link is read from there when the link is down. While the link is up,
 * read() and write() of both fds answer EISCONN and poll() says EPOLLERR; a process that has
 * mapped one of them must not use it. The link goes down with the last close of one of the
 * three fds, or with the card. Messages that were sent before have then been received, and
 * are counted. The other channel goes on as before the link.
 *
 * poll() of the link's fd says EPOLLHUP when the link is down. /proc/PID/fdinfo shows what
 * NFP_CHAN_IOC_LINK_STAT tells.
 *
 *   EBADF         @to_fd is not the fd of a channel to the NFP
 *   EBUSY         a link cannot take a pipe over: it shares a ring
 *   EISCONN       one of the channels is in a link
 *   EMSGSIZE      the largest message and the header are larger than @to_fd's largest message,
 *                 or not of the one size that it has. With @match_len: the header is larger.
 *                 Streams: the elements differ
 *   EPIPE         one of the ME processes has ended
 *   EPROTOTYPE    one channel has messages, the other a stream
 *   EXDEV         @to_fd is of another card
 *   EMFILE, ENFILE, ENOMEM as of NFP_CHAN_IOC_OPEN
 *   After ETIMEDOUT and EIO both pipes may be off.
 */
struct nfp_chan_link {
	__u32	size;
	__u32	flags;
	__s32	to_fd;
	__s32	fd;
	__aligned_u64	hdr;
	__aligned_u64	mask;
	__aligned_u64	value;
	__aligned_u64	ops;
	__u32	hdr_len;
	__u32	match_off;
	__u32	match_len;
	__u32	op_count;
};

/* on a channel to the host */
#define NFP_CHAN_IOC_LINK	_IO(NFP_CHAN_IOC_TYPE, 0x0b)

/* struct nfp_chan_link_stat.via; nfp_chan_peer.h has others */
#define NFP_CHAN_LINK_ONCARD	0	/* nothing crosses PCIe */

/* struct nfp_chan_link_stat.state */
#define NFP_CHAN_LINK_DOWN	0	/* a channel was closed, or the card is gone */
#define NFP_CHAN_LINK_UP	1
#define NFP_CHAN_LINK_ENDED	2	/* up, but an ME process has ended or a pipe is off */

/**
 * struct nfp_chan_link_stat - what a link has carried
 * @size: sizeof(struct nfp_chan_link_stat)
 * @flags: 0
 * @state: out: NFP_CHAN_LINK_DOWN, _UP or _ENDED
 * @via: out: NFP_CHAN_LINK_ONCARD or another
 * @from: out: name of the channel to the host, NUL-terminated
 * @to: out: name of the channel to the NFP, NUL-terminated; empty: none
 * @msgs: out: messages or elements
 * @bytes: out: their payload bytes
 * @dropped: out: messages that @from's policy has dropped because there was no receiver; without
 *	@to all
 * @stalled: out: times that a message waited for the receiver
 *
 * Of a link that is down the counters are the last that the card has told. They are final
 * unless the card did not answer.
 */
struct nfp_chan_link_stat {
	__u32	size;
	__u32	flags;
	__u32	state;
	__u32	via;
	char	from[NFP_CHAN_NAME_LEN];
	char	to[NFP_CHAN_NAME_LEN];
	__aligned_u64	msgs;
	__aligned_u64	bytes;
	__aligned_u64	dropped;
	__aligned_u64	stalled;
};

/* on a link */
#define NFP_CHAN_IOC_LINK_STAT	_IO(NFP_CHAN_IOC_TYPE, 0x0c)

/**
 * struct nfp_chan_xdp_bind - an event map of an offloaded XDP program
 * @size: sizeof(struct nfp_chan_xdp_bind)
 * @flags: 0
 * @prog_fd: XDP_BIND: fd of a program that uses the map. XDP_UNBIND: -1
 * @map_fd: fd of the map, a BPF_MAP_TYPE_PERF_EVENT_ARRAY
 *
 * XDP_BIND: events that offloaded programs emit on that map (bpf_perf_event_output()) come as
 * messages of this channel (nfp_chan_xdp.h), and not as the map's perf events. The card drops
 * and counts events that have no room. The kernel holds the map until XDP_UNBIND, the close of
 * the channel, or the end of the card. It does not hold the program.
 *
 * XDP_UNBIND: the map's events are perf events again. When the call returns, the channel has
 * all events from before, or they are counted as dropped.
 *
 * XDP_BIND
 *   EBADF       @prog_fd is not the fd of an XDP program, or @map_fd no fd
 *   EBUSY       the map is bound to a channel
 *   ENOENT      the program uses no such map
 *   ENOMEM      no memory
 *   ENOSPC      all 16 bindings of the card are in use
 *   ENXIO       the program is not offloaded
 *   EOPNOTSUPP  the channel takes no events (NFP_CHAN_F_XDP)
 *   EXDEV       the program is offloaded to another card
 *   After ETIMEDOUT the map may be bound.
 * XDP_UNBIND
 *   EBADF       @map_fd is no fd
 *   ENOENT      the map is not bound to this channel
 */
struct nfp_chan_xdp_bind {
	__u32	size;
	__u32	flags;
	__s32	prog_fd;
	__s32	map_fd;
};

/* on a channel */
#define NFP_CHAN_IOC_XDP_BIND	_IO(NFP_CHAN_IOC_TYPE, 0x08)
#define NFP_CHAN_IOC_XDP_UNBIND	_IO(NFP_CHAN_IOC_TYPE, 0x09)

#endif /* NFP_CHAN_LINK_H */
