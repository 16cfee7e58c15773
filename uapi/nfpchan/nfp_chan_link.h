/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * nfp_chan_link.h - ioctls that join a channel with something else: with another channel,
 * with a PCI device, with an event map of XDP programs. nfp_chan.h includes this file, and
 * has what is common to all ioctls.
 */
#ifndef NFP_CHAN_LINK_H
#define NFP_CHAN_LINK_H

#include <linux/types.h>
#include <linux/ioctl.h>
#include <nfpchan/nfp_chan_ring.h>

/* struct nfp_chan_link.flags: between two cards, the ring is in host memory */
#define NFP_CHAN_LINK_STAGE	0x1

/**
 * struct nfp_chan_link - have the card carry the messages of one channel to another
 * @size: sizeof(struct nfp_chan_link)
 * @flags: NFP_CHAN_LINK_STAGE or 0; 0 within a card
 * @to_fd: fd of a channel to the NFP. -1: the card drops and counts the messages
 * @fd: out: the link's fd, close-on-exec
 * @hdr_len: bytes of @hdr that the card puts in front of each message, a multiple of 4; 0 of
 *	a stream
 * @match_len: bytes of a message that the card compares; 0 of a stream
 * @rsvd0: 0
 * @match_off: offset of these bytes in the message; 0 without any
 * @match_mask: the bits that the card compares, 0 after @match_len
 * @match_value: the value of these bits, 0 in all others
 * @state_off: offset of the link's state in @hdr, a multiple of 4
 * @state_len: bytes of the state, 4 or 8, little endian; 0: there is none
 * @rsvd1: 0
 * @state_step: what the card adds to the state after each message, not 0; 0 without state
 * @rsvd: 0
 * @hdr: the header, 0 after @hdr_len. The bytes of the state are its first value
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
 * are counted.
 *
 * Two cards. The pipes may be of two cards. The channel to the host was then opened with
 * NFP_CHAN_OPEN_LINK, and the channel to the NFP has carried nothing. The sending card writes
 * to a ring in the receiving card's memory, or, if that cannot be done, in host memory
 * (struct nfp_chan_link_stat.via). The ring has the size with which the channel to the host
 * was opened. Before that the kernel has each card write a number to the other card, and
 * looks for it there; if one does not arrive the log says which. When the link goes down both
 * pipes are off (EIO); messages that were sent have been received or are counted as dropped.
 *
 * poll() of the link's fd says EPOLLHUP when the link is down. /proc/PID/fdinfo shows what
 * NFP_CHAN_IOC_LINK_STAT tells.
 *
 *   EBADF         @to_fd is not the fd of a channel to the NFP
 *   EBUSY         a link cannot take a pipe over: it shares a ring; or, of two cards, the
 *                 channel to the host was opened without NFP_CHAN_OPEN_LINK, or the channel
 *                 to the NFP has carried something
 *   EHOSTUNREACH  a write of one card does not reach the other, or would not pass the IOMMU
 *   EISCONN       one of the channels is in a link
 *   EMSGSIZE      the largest message and @hdr are larger than @to_fd's largest message, or
 *                 not of the one size that it has. With @match_len: @hdr is larger. Streams:
 *                 the elements differ, or are not a whole number of the ring's units
 *   EPIPE         one of the ME processes has ended
 *   EPROTOTYPE    one channel has messages, the other a stream
 *   ERANGE        an address of one card is beyond what the other can reach
 *   EMFILE, ENFILE, ENOMEM as of NFP_CHAN_IOC_OPEN
 *   After ETIMEDOUT and EIO both pipes may be off.
 */
struct nfp_chan_link {
	__u32	size;
	__u32	flags;
	__s32	to_fd;
	__s32	fd;
	__u8	hdr_len;
	__u8	match_len;
	__u16	rsvd0;
	__u32	match_off;
	__u8	match_mask[NFP_CHAN_LINK_MATCH_MAX];
	__u8	match_value[NFP_CHAN_LINK_MATCH_MAX];
	__u8	state_off;
	__u8	state_len;
	__u16	rsvd1;
	__u32	state_step;
	__u32	rsvd[2];
	__u8	hdr[NFP_CHAN_LINK_HDR_MAX];
};

/* on a channel to the host */
#define NFP_CHAN_IOC_LINK	_IO(NFP_CHAN_IOC_TYPE, 0x0b)

/* struct nfp_chan_link_stat.via */
#define NFP_CHAN_LINK_ONCARD	0	/* nothing crosses PCIe */
#define NFP_CHAN_LINK_PUSHED	1	/* the ring is in the receiving card's memory */
#define NFP_CHAN_LINK_STAGED	2	/* the ring is in host memory */

/* struct nfp_chan_link_stat.state */
#define NFP_CHAN_LINK_DOWN	0	/* a channel was closed, or the card is gone */
#define NFP_CHAN_LINK_UP	1
#define NFP_CHAN_LINK_ENDED	2	/* up, but an ME process has ended or a pipe is off */

/**
 * struct nfp_chan_link_stat - what a link has carried
 * @size: sizeof(struct nfp_chan_link_stat)
 * @flags: 0
 * @state: out: NFP_CHAN_LINK_DOWN, _UP or _ENDED
 * @via: in: 0. out: NFP_CHAN_LINK_ONCARD, _PUSHED or _STAGED
 * @from: name of the channel to the host, NUL-terminated
 * @to: name of the channel to the NFP, NUL-terminated; empty: none
 * @msgs: messages or elements
 * @bytes: their payload bytes
 * @dropped: messages that @from's policy has dropped because there was no receiver; without @to all
 * @stalled: times that a message waited for the receiver
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

#define NFP_CHAN_DEVICE_MEM_MAX	(16u << 20)

/**
 * struct nfp_chan_device - have the ME process of a channel drive a PCI device
 * @size: sizeof(struct nfp_chan_device)
 * @flags: 0
 * @mem: address of the memory that card and device share, page aligned
 * @dev_addr: address of this memory as the device has it
 * @doorbell_off: offset of the device's doorbell in the BAR, a multiple of 4
 * @mem_size: bytes of the memory, up to NFP_CHAN_DEVICE_MEM_MAX. 0: the device is taken back,
 *	and all other fields are 0
 * @domain: PCI domain of the device
 * @bus: PCI bus of the device
 * @devfn: device and function number, (device << 3) | function
 * @bar: the BAR with the doorbell
 * @rsvd0: 0
 * @in_size: bytes of a slot's input, a multiple of 8, in which each message of the channel
 *	fits without its first @skip bytes
 * @out_size: bytes of a slot's output, a multiple of 8. Together with @done_len they fit in a
 *	message of the channel to the host
 * @slots: slots of the device's ring: a power of 2, up to NFP_CHAN_DEVICE_SLOTS_MAX
 * @skip: first bytes of a message that the device does not get
 * @src_at: offset in a descriptor of the 64-bit address of the input
 * @dst_at: offset in a descriptor of the 64-bit address of the output
 * @len_at: offset in a descriptor of the 32-bit length of the input
 * @room_at: offset in a descriptor of the 32-bit room for the output, @out_size
 * @done_at: offset in a descriptor of the completion that the device writes
 * @done_len: bytes of the completion
 * @status_at: offset in the completion of the 32-bit status
 * @seq_at: offset in the completion of the 32-bit number of the job, from 1 on
 * @outlen_at: offset in the completion of the 32-bit length of the output
 * @rsvd: 0
 * @status_ok: the status of a job that has output
 * @rsvd1: 0
 * @desc: a descriptor. The card fills in the fields above for each job
 *
 * @mem holds a ring of descriptors of 64 bytes, then the inputs, then the outputs, @slots of
 * each. For each message of this channel the card writes an input and a descriptor, and 1 to
 * the doorbell. The caller has set the device up: its ring is @mem, empty, with completions of
 * 0, and the device writes 1 to the channel's signal doorbell when a job is done. The card then
 * sends the completion and the output to the process' channel to the host; of a job that
 * failed, the completion and the message. Channel dev0-in has dev0-out, dev1-in has dev1-out.
 *
 * Messages wait until there is a device. The device goes with this ioctl, with the close of the
 * channel, with the removal of the PCI device or the end of its driver, and with the card. Jobs
 * that are under way are then counted as dropped, and the card writes no more to @mem and to
 * the device. @mem is pinned and charged like a pipe's memory until then. If the card does not
 * confirm, @mem stays pinned, and the log says so.
 *
 *   EADDRNOTAVAIL  @mem is not one piece in the card's addresses (without an IOMMU: use a
 *                  huge page)
 *   EBUSY          the channel has a device
 *   ENOENT         @mem_size is 0, but the channel has no device
 *   ENOMEM         no memory, or @mem is beyond RLIMIT_MEMLOCK
 *   ENXIO          there is no such doorbell: no such PCI device, or it is the card, or it does
 *                  not decode memory; no such BAR of memory, or @doorbell_off is beyond it
 *   EOPNOTSUPP     the ME process drives no devices
 *   EPERM          no CAP_SYS_RAWIO: the card will write to a device of another driver
 *   EHOSTUNREACH   the card's writes would not pass the IOMMU
 *   ERANGE         the doorbell is beyond what the card can address
 *   After ETIMEDOUT and EIO the channel may have the device or not; the close takes it back.
 */
struct nfp_chan_device {
	__u32	size;
	__u32	flags;
	__aligned_u64	mem;
	__aligned_u64	dev_addr;
	__aligned_u64	doorbell_off;
	__u32	mem_size;
	__u32	domain;
	__u8	bus;
	__u8	devfn;
	__u8	bar;
	__u8	rsvd0;
	__u16	in_size;
	__u16	out_size;
	__u16	slots;
	__u16	skip;
	__u8	src_at;
	__u8	dst_at;
	__u8	len_at;
	__u8	room_at;
	__u8	done_at;
	__u8	done_len;
	__u8	status_at;
	__u8	seq_at;
	__u8	outlen_at;
	__u8	rsvd[3];
	__u32	status_ok;
	__u32	rsvd1;
	__u8	desc[NFP_CHAN_DEVICE_DESC];
};

/* on a channel to the NFP */
#define NFP_CHAN_IOC_DEVICE	_IO(NFP_CHAN_IOC_TYPE, 0x0d)

/**
 * struct nfp_chan_xdp_bind - an event map of an offloaded XDP program
 * @size: sizeof(struct nfp_chan_xdp_bind)
 * @flags: 0
 * @prog_fd: XDP_BIND: a program that uses the map. XDP_UNBIND: -1
 * @map_id: the kernel's id of the map, a BPF_MAP_TYPE_PERF_EVENT_ARRAY, not 0
 *
 * XDP_BIND: events that offloaded programs emit on that map (bpf_perf_event_output()) come as
 * messages of this channel (nfp_chan_xdp.h), and not as the map's perf events. The card drops
 * and counts events that have no room. The kernel holds the program until XDP_UNBIND, the
 * close of the channel, or the end of the card.
 *
 * XDP_UNBIND: the map's events are perf events again. When the call returns, the channel has
 * all events from before, or they are counted as dropped.
 *
 * XDP_BIND
 *   EBADF       @prog_fd is not the fd of an XDP program
 *   EBUSY       the map is bound to a channel
 *   ENOENT      the program uses no such map
 *   ENOMEM      no memory
 *   ENOSPC      all 16 bindings of the card are in use
 *   ENXIO       the program is not offloaded
 *   EOPNOTSUPP  the channel takes no events (NFP_CHAN_F_XDP)
 *   EXDEV       the program is offloaded to another card
 *   After ETIMEDOUT the map may be bound.
 * XDP_UNBIND
 *   ENOENT      the map is not bound to this channel
 */
struct nfp_chan_xdp_bind {
	__u32	size;
	__u32	flags;
	__s32	prog_fd;
	__u32	map_id;
};

/* on a channel */
#define NFP_CHAN_IOC_XDP_BIND	_IO(NFP_CHAN_IOC_TYPE, 0x08)
#define NFP_CHAN_IOC_XDP_UNBIND	_IO(NFP_CHAN_IOC_TYPE, 0x09)

#endif /* NFP_CHAN_LINK_H */
