/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * nfp_chan_peer.h - ioctls by which a card drives another PCI function: another card, or a device.
 *
 * These two are NOT STABLE: structs, numbers and errnos may change with any version. They name
 * functions and addresses that other drivers own, and may come to take a dma-buf of the other
 * driver instead. nfp_chan.h does not include this file.
 */
#ifndef NFP_CHAN_PEER_H
#define NFP_CHAN_PEER_H

#include <nfpchan/nfp_chan.h>

/* struct nfp_chan_info.features */
#define NFP_CHAN_FEATURE_PEER	0x100000000ULL	/* NFP_CHAN_IOC_PEER */
#define NFP_CHAN_FEATURE_DEVICE	0x200000000ULL	/* NFP_CHAN_IOC_DEVICE */

/* struct nfp_chan_link.flags of PEER: the ring is in host memory */
#define NFP_CHAN_PEER_STAGE	0x1

/* struct nfp_chan_link_stat.via */
#define NFP_CHAN_LINK_PUSHED	1	/* the ring is in the receiving card's memory */
#define NFP_CHAN_LINK_STAGED	2	/* the ring is in host memory */

/**
 * NFP_CHAN_IOC_PEER - have a card carry the messages of a channel to another card
 *
 * The argument is struct nfp_chan_link. Its to_fd is a channel of another card.
 *
 * The channel to the host was opened with NFP_CHAN_OPEN_LINK, and the channel to the NFP has
 * carried nothing. The sending card writes to a ring in the receiving card's memory, or, if that
 * cannot be done or with NFP_CHAN_PEER_STAGE, in host memory (struct nfp_chan_link_stat.via). The
 * ring has the size with which the channel to the host was opened. Before that the kernel has each
 * card write a number to the other card, and looks for it there for up to 1 s; if one does not
 * arrive the log says which. A fatal signal ends the wait.
 *
 * The link differs from one within a card in what is left at its end: both pipes are off (EIO), and
 * can only be closed. Messages that were sent have been received or are counted as dropped.
 *
 *   EBADF         @to_fd is not the fd of a channel to the NFP
 *   EBUSY         the channel to the host was opened without NFP_CHAN_OPEN_LINK, or the channel to
 *                 the NFP has carried something or shares a ring
 *   EHOSTUNREACH  a write of one card does not reach the other, or the kernel does not allow it
 *   EINTR         a fatal signal
 *   EMSGSIZE      as of LINK; or elements are not a whole number of the ring's units
 *   EPERM         no CAP_SYS_RAWIO: each card will write to the other
 *   ERANGE        an address of one card is beyond what the other can reach
 *   EXDEV         @to_fd is of the same card
 *   EISCONN, EPIPE, EPROTOTYPE, EMFILE, ENFILE, ENOMEM as of LINK
 *   After ETIMEDOUT and EIO both pipes may be off.
 */

/* on a channel to the host */
#define NFP_CHAN_IOC_PEER	_IO(NFP_CHAN_IOC_TYPE, 0x80)

/* struct nfp_chan_device.flags: only fill in @bell_addr; all other fields are 0 */
#define NFP_CHAN_DEVICE_BELL	0x1

/**
 * struct nfp_chan_device - have the ME process of a channel drive a PCI device
 * @size: sizeof(struct nfp_chan_device)
 * @flags: NFP_CHAN_DEVICE_BELL or 0
 * @mem: address of the memory that card and device share, page aligned
 * @dev_addr: address of this memory as the device has it
 * @doorbell_off: offset of the device's doorbell in the BAR, a multiple of 4
 * @bell_addr: out, with NFP_CHAN_DEVICE_BELL: address on the bus of the channel's signal doorbell,
 *	for a device without an IOMMU in front of it. Such an address outlives the channel: a device
 *	that goes on writing there signals the process of a later channel
 * @desc: address of a descriptor. The card fills in the fields @src_at, @dst_at, @len_at and
 *	@room_at for each job
 * @mem_size: bytes of the memory. 0: the device is taken back, and all other fields are 0
 * @desc_len: bytes of the descriptor
 * @domain: PCI domain of the device
 * @bus: PCI bus of the device
 * @devfn: device and function number, (device << 3) | function
 * @bar: the BAR with the doorbell
 * @rsvd0: 0
 * @in_size: bytes of a slot's input, a multiple of 8, in which each message of the channel
 *	fits without its first @skip bytes
 * @out_size: bytes of a slot's output, a multiple of 8. Together with @done_len they fit in a
 *	message of the channel to the host
 * @slots: slots of the device's ring: a power of 2
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
 * @rsvd1: 0
 * @rsvd2: 0
 * @status_ok: the status of a job that has output
 *
 * PROTOCOL.rst has the limits of the sizes. @mem holds a ring of descriptors, then the inputs,
 * then the outputs, @slots of each. For each message of this channel the card writes an input
 * and a descriptor, and 1 to the doorbell. The caller has set the device up: its ring is @mem,
 * empty, with completions of 0, and the device writes 1 to the channel's signal doorbell when a
 * job is done. The card then sends the completion and the output to the process' channel to the
 * host; of a job that failed, the completion and the message. Channel dev0-in has dev0-out,
 * dev1-in has dev1-out.
 *
 * Messages wait until there is a device. The device goes with this ioctl, with the close of the
 * channel, with the removal of the PCI device or the end of its driver, and with the card. Jobs
 * that are under way are then counted as dropped, and the card writes no more to @mem and to
 * the device. @mem is pinned and charged like a pipe's memory until then. If the card does not
 * confirm, @mem stays pinned, and the log says so. Of a PCI device that is removed or loses its
 * driver, an IOMMU then keeps the card's writes from the doorbell, the channel is off (EIO), and
 * the kernel asks the card again every two seconds. Without an IOMMU the card may go on writing
 * to that address until it answers.
 *
 *   EADDRNOTAVAIL  @mem is not one piece in the card's addresses (without an IOMMU: use a
 *                  huge page)
 *   EBUSY          the channel has a device
 *   ENOENT         @mem_size is 0, but the channel has no device
 *   ENOMEM         no memory, or @mem is beyond RLIMIT_MEMLOCK
 *   ENXIO          there is no such doorbell: no such PCI device, or it is the card, or it does
 *                  not decode memory; no such BAR of memory, or it has no address, or shares a
 *                  page with another BAR; or @doorbell_off is beyond it
 *   EOPNOTSUPP     the ME process drives no devices; or it has no signal doorbell that is mapped
 *   EPERM          no CAP_SYS_RAWIO, or the kernel is locked down: the card will write to a device
 *                  of another driver
 *   EHOSTUNREACH   the kernel does not allow writes from one of the two to the other
 *   ERANGE         the doorbell is beyond what the card can address
 *   After ETIMEDOUT and EIO the channel may have the device or not; the close takes it back.
 */
struct nfp_chan_device {
	__u32	size;
	__u32	flags;
	__aligned_u64	mem;
	__aligned_u64	dev_addr;
	__aligned_u64	doorbell_off;
	__aligned_u64	bell_addr;
	__aligned_u64	desc;
	__u32	mem_size;
	__u32	desc_len;
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
	__u8	rsvd1;
	__u16	rsvd2;
	__u32	status_ok;
};

/* on a channel to the NFP */
#define NFP_CHAN_IOC_DEVICE	_IO(NFP_CHAN_IOC_TYPE, 0x81)

#endif /* NFP_CHAN_PEER_H */
