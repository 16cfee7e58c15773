/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp_chan_fw.h - the ABI between the card's channel firmware and nfp_chan.ko.
 *
 * User space does not need this file: nfpchan/nfp_chan_ring.h has the formats of memory
 * that a process maps. All fields are little endian. No struct has a pointer, a long, an
 * enum or a bit field. The module and the firmware each check the offsets when they are
 * compiled. uapi/PROTOCOL.rst describes the data path, and explains the terms.
 */
#ifndef NFP_CHAN_FW_H
#define NFP_CHAN_FW_H

#include <nfpchan/nfp_chan_ring.h>

/*
 * Offset of the control block in PCIe SRAM, which the host accesses through the PCIe-internal
 * window. The MSI-X table is at 0 of the SRAM, and nfp's explicit data at 0x1000.
 */
#define NFP_CHAN_FW_SRAM_BASE	0x8000
#define NFP_CHAN_FW_SRAM_SIZE	0x8000

#define NFP_CHAN_FW_MAGIC	0x4e414843	/* "CHAN" in memory order */
#define NFP_CHAN_FW_ABI_MAJOR	3	/* the host refuses a card with another major number */
#define NFP_CHAN_FW_ABI_MINOR	1	/* a larger minor number means more fields at the ends */

/* Queue controllers (one page holds two). Source: nfp_net_ctrl / nfp_qc.h. */
#define NFP_CHAN_FW_QC_BASE	0x80000
#define NFP_CHAN_FW_QC_STRIDE	0x800
#define NFP_CHAN_FW_QC_ADD_WPTR	0x4
#define NFP_CHAN_FW_QC_STS_HI	0xc	/* bits 17:0: the write pointer */
#define NFP_CHAN_FW_QC_PTR_BITS	18
#define NFP_CHAN_FW_QC_PTR_MASK	0x3ffff

#define NFP_CHAN_FW_CHAN_MAX	64	/* channels in a table */
#define NFP_CHAN_FW_PIPE_MAX	32	/* pipes that are open at a time */
#define NFP_CHAN_FW_LINK_HDR_MAX	64	/* bytes of a link's header */
#define NFP_CHAN_FW_LINK_MATCH_MAX	8	/* bytes of a message that a link compares */
#define NFP_CHAN_FW_DEVICE_DESC	64	/* bytes of a device's descriptor */
#define NFP_CHAN_FW_DEVICE_SLOTS_MAX	64	/* jobs that a device has at a time */
#define NFP_CHAN_FW_NO_VECTOR	0xffff
#define NFP_CHAN_FW_INLINE_PAGE	4096	/* bytes of an inline page */

/**
 * struct nfp_chan_fw_cb - control block, at NFP_CHAN_FW_SRAM_BASE
 * @magic: NFP_CHAN_FW_MAGIC, written last by the firmware
 * @abi_major: NFP_CHAN_FW_ABI_MAJOR
 * @abi_minor: NFP_CHAN_FW_ABI_MINOR or larger
 * @size: bytes of this struct as the firmware knows it, 144 or more
 * @crc: CRC-32 (IEEE, reflected, as zlib's) of this struct over @size bytes
 *	with @crc and @magic taken as 0, then of the channel table
 *	(@chan_count * @chan_stride bytes at @chan_off)
 * @boot_id: a number other than 0 that differs after every firmware start
 * @chan_off: offset of the channel table from the control block, multiple of 8
 * @chan_count: entries in it, 1 to NFP_CHAN_FW_CHAN_MAX
 * @chan_stride: bytes of an entry, sizeof(struct nfp_chan_fw_chan) or more
 * @stat_off: offset of the counters, an array of struct nfp_chan_fw_stat with
 *	@chan_count entries, written by the firmware while it runs
 * @mbox_off: offset of the mailbox, struct nfp_chan_fw_req, multiple of 8
 * @sig_off: offset of the signal words: one __le32 a channel, a count of the
 *	signals the host sent, written by the host only
 * @pipe_count: pipes the firmware offers, 1 to NFP_CHAN_FW_PIPE_MAX
 * @signal_db_count: signal doorbells the firmware offers, 0 for none
 * @mbox_queue: queue controller whose ADD_WPTR of 1 announces a request
 * @sig_queue: queue controller whose ADD_WPTR of 1 announces signals
 * @me_mhz: microengine clock, MHz (information)
 * @inline_off: offset of the inline pages, a multiple of NFP_CHAN_FW_INLINE_PAGE
 * @inline_count: how many there are, 0 for none
 * @link_off: offset of the links' counters, struct nfp_chan_fw_stat each, one for
 *	each pipe, of which those of pipes to the host are used; a multiple of 8
 * @push_size: bytes at @push_addr, a power of 2 from 64 KiB on; 0: there are none
 * @fw_name: name of the firmware, NUL-terminated printable ASCII
 * @fw_version: its version, NUL-terminated printable ASCII
 * @push_addr: address in the memory unit, as a BAR window has it, of memory for rings
 *	that another card writes into; a multiple of @push_size
 * @queue_pages: the pages of queue controllers of the pipes and of the signal doorbells. Bit n is
 *	the page of the queues 4n + 2 and 4n + 3. The pages in ascending order are those of pipe
 *	0, 1 and so on, and then those of signal doorbell 0, 1 and so on. The first queue of a
 *	pipe is its data queue, the second its arm queue. Not bit 0: nfp uses queue 2. NFD has
 *	the queues 4n and 4n + 1 for its rings
 */
struct nfp_chan_fw_cb {
	__le32	magic;
	__le16	abi_major;
	__le16	abi_minor;
	__le32	size;
	__le32	crc;
	__le32	boot_id;
	__le32	chan_off;
	__le16	chan_count;
	__le16	chan_stride;
	__le32	stat_off;
	__le32	mbox_off;
	__le32	sig_off;
	__le16	pipe_count;
	__le16	signal_db_count;
	__le16	mbox_queue;
	__le16	sig_queue;
	__le32	me_mhz;
	__le32	inline_off;
	__le16	inline_count;
	__le16	link_off;
	__le32	push_size;
	char	fw_name[32];
	char	fw_version[32];
	__le64	push_addr;
	__le64	queue_pages;
};

/* Return: the first queue of page @i of @pages (queue_pages, host order), counted from 0. */
static __inline__ unsigned int nfp_chan_fw_queue(__u64 pages, unsigned int i)
{
	unsigned int queue = 2;

	for (; pages; pages >>= 1, queue += 4)
		if (pages & 1 && !i--)
			break;
	return queue;
}

/**
 * struct nfp_chan_fw_chan - an entry of the channel table, never changes
 * @name: unique, NUL-terminated, [A-Za-z0-9._-], 1 to 31 characters
 * @id: its index in the table
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @kind: NFP_CHAN_MESSAGE or NFP_CHAN_STREAM. A stream is always
 *	exclusive
 * @flags: NFP_CHAN_FW_F_*
 * @elem_size: bytes of every message, or 0 when they vary. Stream: bytes of
 *	each of its elements, 1 for plain bytes
 * @max_size: bytes of the largest message, @elem_size when that is not 0
 * @depth: 0: rendezvous. n: the pipe holds n messages of @max_size
 *	(more when they are smaller and @elem_size is 0). Stream: not 0, elements
 *	that a ring should hold at least
 * @island: CPP island of the ME process at the other end
 * @me: its microengine within the island
 * @ctx: its context, 0 to 7
 * @rsvd0: 0
 * @process: offset from the control block of its name, a multiple of 4, or 0: there is none, as
 *	in a firmware of a minor number below 1. The name has the characters of @name, and is not
 *	in the control block's @crc
 * @rsvd1: 0
 */
struct nfp_chan_fw_chan {
	char	name[NFP_CHAN_NAME_LEN];
	__le16	id;
	__u8	dir;
	__u8	kind;
	__le32	flags;
	__le32	elem_size;
	__le32	max_size;
	__le32	depth;
	__u8	island;
	__u8	me;
	__u8	ctx;
	__u8	rsvd0;
	__le16	process;
	__u8	rsvd1[6];
};

/**
 * struct nfp_chan_fw_stat - counters of a channel, kept by the firmware
 * @msgs: messages carried (delivered into a pipe, or taken by the ME process)
 * @bytes: payload bytes of those
 * @dropped: messages dropped by policy, or lost with a pipe that was closed
 *	before the receiver gave their room back
 * @stalled: times a sender on the card had to wait for room or a receiver
 */
struct nfp_chan_fw_stat {
	__le64	msgs;
	__le64	bytes;
	__le64	dropped;
	__le64	stalled;
};

/* Commands of the mailbox. One is outstanding at a time. */
#define NFP_CHAN_FW_CMD_HELLO	1
#define NFP_CHAN_FW_CMD_OPEN	2
#define NFP_CHAN_FW_CMD_CLOSE	3
#define NFP_CHAN_FW_CMD_CANCEL	4
#define NFP_CHAN_FW_CMD_BIND	5
#define NFP_CHAN_FW_CMD_UNBIND	6
#define NFP_CHAN_FW_CMD_LINK	7	/* struct nfp_chan_fw_link */
#define NFP_CHAN_FW_CMD_UNLINK	8	/* @pipe: the pipe to the host of the link */
#define NFP_CHAN_FW_CMD_DEVICE	9	/* struct nfp_chan_fw_device */
#define NFP_CHAN_FW_CMD_GOODBYE	10	/* the host leaves */

/* struct nfp_chan_fw_req.flags: the pipe to the host takes messages through a link only */
#define NFP_CHAN_FW_OPEN_LINK	0x1

/**
 * struct nfp_chan_fw_req - a request, which the host writes into the mailbox
 * @seq: number of the request, not 0 and not the number of the request before. The response
 *	has it as well
 * @cmd: NFP_CHAN_FW_CMD_*
 * @pipe: pipe concerned (all but HELLO and GOODBYE)
 * @chan: channel id, or NFP_CHAN_ID_PORT (OPEN)
 * @vector: MSI-X entry that the card raises for data or room (OPEN) or for a response
 *	(HELLO), or NFP_CHAN_FW_NO_VECTOR
 * @ring_shift: log2 of the bytes of the data ring, 12 to 22 (OPEN)
 * @unit_shift: log2 of the bytes that one count of the data queue stands for,
 *	3 or more for messages, @ring_shift - @unit_shift at most 16. The element of a
 *	stream to the NFP is a multiple of these bytes (OPEN)
 * @inline_page: inline page of a pipe to the NFP, counted from 1; 0 for none (OPEN).
 *	The card has cleared the page when it answers OPEN
 * @signal_db: signal doorbell of a pipe whose channel has NFP_CHAN_F_SIGNAL,
 *	counted from 1; 0 for none (OPEN)
 * @msg_seq: CANCEL: number of the message, counted from 1 at OPEN
 * @map_id: BIND, UNBIND: the kernel's id of the event map, not 0. Else 0
 * @ring_addr: DMA address of the data ring, 4 KiB aligned (OPEN); of the
 *	response, struct nfp_chan_fw_rsp, 64-byte aligned (HELLO)
 * @note_addr: DMA address of the notification record, 64-byte aligned (OPEN)
 * @irq_count: moderation: messages for which an armed vector waits; 0: it waits for
 *	@irq_usecs (OPEN).
 * @port: number of the port that the pipe reports to + 1; 0 for none, and for a port
 *	(OPEN).
 * @irq_usecs: moderation: microseconds for which an armed vector waits at most, 0 to
 *	NFP_CHAN_IRQ_USECS_MAX; 0: it does not wait, and @irq_count is 0 or 1 (OPEN)
 * @cookie: value of the pipe's elements in the port's ring (OPEN).
 * @ring_of: of a stream to the NFP that shares the ring of a stream to the host: the number of
 *	that pipe + 1; 0 for none (OPEN).
 * @flags: NFP_CHAN_FW_OPEN_* (OPEN).
 * @rsvd: 0
 *
 * The host writes all fields but @seq, then @seq, and then adds 1 to @mbox_queue. All of these
 * are posted writes through one window, and keep their order. HELLO closes all pipes that an
 * earlier host has left open, before it is answered. A run of the firmware ignores other
 * requests until the first HELLO. GOODBYE closes all pipes, too. When the card has written the
 * answer to GOODBYE and has raised the vector, the card has no address of the host any more,
 * and does nothing until the next HELLO. The card executes a request once. It may find two
 * doorbells for one request: if the host has given up a request, and written the next, both
 * doorbells may come before the card looks.
 */
struct nfp_chan_fw_req {
	__le32	seq;
	__le16	cmd;
	__le16	pipe;
	__le16	chan;
	__le16	vector;
	__u8	ring_shift;
	__u8	unit_shift;
	__u8	inline_page;
	__u8	signal_db;
	__le32	msg_seq;
	__le32	map_id;
	__le64	ring_addr;
	__le64	note_addr;
	__le16	irq_count;
	__le16	port;
	__le32	irq_usecs;
	__le64	cookie;
	__le16	ring_of;
	__le16	flags;
	__le16	rsvd[2];
};

/* struct nfp_chan_fw_link.to, instead of a pipe */
#define NFP_CHAN_FW_LINK_DROP	0xffff	/* the card drops the messages */
#define NFP_CHAN_FW_LINK_PEER	0xfffe	/* the other end is on another card */

/* struct nfp_chan_fw_link.peer_flags */
#define NFP_CHAN_FW_PEER_PROBE	0x1	/* write the nonce, link nothing */
#define NFP_CHAN_FW_PEER_PUSH	0x2	/* the ring is in memory at push_addr of the receiving
					 * card, which has the pipe to the NFP
					 */
#define NFP_CHAN_FW_PEER_EXACT	0x4	/* all messages have the size peer_arg */

/**
 * struct nfp_chan_fw_link - the request LINK in the mailbox
 * @seq: as in struct nfp_chan_fw_req
 * @cmd: NFP_CHAN_FW_CMD_LINK
 * @pipe: a pipe to the host, not a port. The link takes messages of its channel
 * @to: a pipe to the NFP. The ME process that receives from its channel gets the messages. Or
 *	NFP_CHAN_FW_LINK_DROP, or NFP_CHAN_FW_LINK_PEER
 * @hdr_len: bytes of @hdr that are put in front of each message, a multiple of 4, or 0
 * @match_len: bytes of a message that are compared, up to NFP_CHAN_FW_LINK_MATCH_MAX. 0: the link
 *	takes any messages, as a pipe does
 * @match_off: offset of these bytes in the message
 * @match_mask: the bits of these bytes that are compared
 * @match_value: the value of the bits in @match_mask; 0 in the other bits
 * @ring_addr: PEER: address of the ring that the two cards share, 4 KiB aligned: a DMA address,
 *	or, for a pipe to the NFP with NFP_CHAN_FW_PEER_PUSH, an address of the card's memory.
 * @doorbell_addr: PEER: DMA address of ADD_WPTR of the data queue of the pipe at the other end
 * @limit: PEER: bytes of the ring that may be outstanding
 * @peer_arg: with PEER_PROBE: the nonce, a number of 18 bits, not 0. Otherwise, for the pipe to the
 *	host: bytes of the largest message that the other end takes, and with PEER_EXACT of each
 *	message. A link with a match takes the messages that fit
 * @ring_shift: PEER: log2 of the ring's bytes. Both pipes have the unit that OPEN would have
 *	for such a ring
 * @peer_flags: NFP_CHAN_FW_PEER_*
 * @state_off: offset of the state in @hdr, a multiple of 4
 * @state_len: bytes of the state, 4 or 8; 0: there is no state. The bytes in @hdr are its first
 *	value, little endian
 * @state_step: number that each message adds to the state, not 0; 0 without a state
 * @hdr: the template; 0 after @hdr_len
 *
 * PEER: @pipe is one end of a link between two cards (PROTOCOL.rst, Links between two cards).
 * Only the pipe to the host has @hdr, @match and @state. EBUSY also: the pipe has carried
 * messages.
 *
 * Both channels are of messages, or both are streams with elements of one size (EKIND). Streams
 * have no @hdr and no @match. A message of @pipe, with @hdr_len bytes in front, must fit @to
 * (ESIZE): not larger than the largest message of @to, and of the same size if @to has one size.
 * With @match_len the link leaves other messages alone. A pipe is in one link at most, and
 * in no ring for both directions (EBUSY). ENDED: one of the ME processes has ended
 * (PROTOCOL.rst, Links).
 */
struct nfp_chan_fw_link {
	__le32	seq;
	__le16	cmd;
	__le16	pipe;
	__le16	to;
	__u8	hdr_len;
	__u8	match_len;
	__le32	match_off;
	__u8	match_mask[NFP_CHAN_FW_LINK_MATCH_MAX];
	__u8	match_value[NFP_CHAN_FW_LINK_MATCH_MAX];
	__le64	ring_addr;
	__le64	doorbell_addr;
	__le32	limit;
	__le32	peer_arg;
	__u8	ring_shift;
	__u8	peer_flags;
	__u8	state_off;
	__u8	state_len;
	__le32	state_step;
	__u8	hdr[NFP_CHAN_FW_LINK_HDR_MAX];
};


/**
 * struct nfp_chan_fw_device - the request DEVICE in the mailbox
 * @seq: as in struct nfp_chan_fw_req
 * @cmd: NFP_CHAN_FW_CMD_DEVICE
 * @pipe: a pipe to the NFP of a channel whose ME process drives a device (ENOENT)
 * @mem_addr: DMA address of the memory that card and device share, a multiple of 64
 * @doorbell_addr: DMA address of the device's doorbell, a multiple of 4. The card writes 1 there,
 *	4 bytes, for each job. 0: detach the pipe's device; all following fields are 0
 * @mem_size: bytes of the memory: @slots descriptors, as many inputs, as many outputs
 * @in_size: bytes of a slot's input, a multiple of 8. A message of the channel without
 *	@skip bytes fits
 * @out_size: bytes of a slot's output, a multiple of 8. Output and @done_len bytes fit a message
 *	to the host
 * @slots: slots of the device's ring: a power of 2, up to NFP_CHAN_FW_DEVICE_SLOTS_MAX
 * @skip: bytes at the beginning of a message that the device does not get
 * @src_at: offset in a descriptor of the input's address, 64 bits
 * @dst_at: offset in a descriptor of the output's address, 64 bits
 * @len_at: offset in a descriptor of the input's size, 32 bits
 * @room_at: offset in a descriptor of the output's largest size (@out_size), 32 bits
 * @done_at: offset in a descriptor of the completion, which the device writes and the card
 *	does not
 * @done_len: bytes of the completion. Each message from the device begins with them
 * @status_at: offset in the completion of the status, 32 bits
 * @seq_at: offset in the completion of the job's number, 32 bits, counted from 1 since the
 *	device was attached
 * @outlen_at: offset in the completion of the output's size, 32 bits
 * @rsvd: 0
 * @status_ok: the status of a job that has output
 * @rsvd1: 0
 * @dev_addr: address of the memory for the device
 * @desc: the descriptor of each job, except for the fields at @src_at, @dst_at, @len_at and
 *	@room_at, which the card fills in
 *
 * All offsets in a descriptor and a completion are multiples of 4, and no two fields of the
 * descriptor overlap. EBUSY: the pipe has a device (PROTOCOL.rst, Devices).
 */
struct nfp_chan_fw_device {
	__le32	seq;
	__le16	cmd;
	__le16	pipe;
	__le64	mem_addr;
	__le64	doorbell_addr;
	__le32	mem_size;
	__le16	in_size;
	__le16	out_size;
	__le16	slots;
	__le16	skip;
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
	__le32	status_ok;
	__le32	rsvd1;
	__le64	dev_addr;
	__u8	desc[NFP_CHAN_FW_DEVICE_DESC];
};

/* struct nfp_chan_fw_rsp.status */
#define NFP_CHAN_FW_OK		0
#define NFP_CHAN_FW_EINVAL	1	/* a field is out of range */
#define NFP_CHAN_FW_ENOENT	2	/* no such channel, binding or link, pipe not open */
/* OPEN: pipe in use, or exclusive channel open; BIND: map bound */
#define NFP_CHAN_FW_EBUSY	3
#define NFP_CHAN_FW_ENOSYS	4	/* no such command */
#define NFP_CHAN_FW_TAKEN	5	/* CANCEL: the message is not in the pipe any more */
#define NFP_CHAN_FW_ENOSPC	6	/* BIND: no binding is free */
/* LINK: one channel has messages, the other is a stream */
#define NFP_CHAN_FW_EKIND	7
#define NFP_CHAN_FW_ESIZE	8	/* LINK: sizes of messages or elements do not fit */
#define NFP_CHAN_FW_ENDED	9	/* LINK: an ME process has ended its channel */
#define NFP_CHAN_FW_EREACH	10	/* LINK: the ring does not hold the other card's nonce */
#define NFP_CHAN_FW_ERING	11	/* OPEN: the ring of @ring_of cannot be shared */

/**
 * struct nfp_chan_fw_rsp - a response, which the card writes with one DMA
 * @status: NFP_CHAN_FW_OK or another code above
 * @value: CLOSE: messages that are lost with the pipe. HELLO: boot_id. Otherwise 0
 * @rsvd: 0
 * @seq: number of the request. It is in the second of two 64-bit words, which arrive in
 *	ascending order, so a host that sees the number sees all of the response
 *
 * CANCEL takes back message @msg_seq of a pipe to the NFP, and all messages after it, if the ME
 * process has not taken the message (PROTOCOL.rst, Rendezvous and cancel). NFP_CHAN_FW_TAKEN:
 * the message was received, or cancelled before; nothing was taken back. EINVAL: no such message
 * was sent. EBUSY: messages of an earlier CANCEL are in between.
 *
 * BIND: events that offloaded XDP programs emit on map @map_id go to the channel of @pipe, which
 * has NFP_CHAN_F_XDP, instead of to the control vNIC. A map is bound to one pipe. UNBIND and
 * CLOSE of the pipe end the binding. When they are answered, all events emitted before are in
 * the pipe, or counted as dropped, and no event follows.
 *
 * A stream to the NFP that shares the ring of one to the host has the same
 * @ring_addr, @ring_shift and @unit_shift, and elements of the same size (EINVAL). ERING:
 * the stream to the host is not open, or is turned off; another channel shares its ring; it
 * is in a link; or room in the ring was given back. PROTOCOL.rst, One ring for both directions.
 *
 * After CLOSE, HELLO and GOODBYE are answered, no DMA to the rings of the pipes closed
 * is outstanding or will come, and their vectors are not raised again.
 */
struct nfp_chan_fw_rsp {
	__le32	status;
	__le32	value;
	__le32	rsvd;
	__le32	seq;
};

/*
 * Doorbells, in addition to those of the data path in uapi/PROTOCOL.rst:
 *
 * Signal doorbell. Adding a number other than 0 to the write pointer of its first queue sets the
 * signal of the channel's ME process. Signals that come before the process looks count as one.
 *
 * Moderation. An armed vector that has a reason to fire waits until @seq is @irq_count beyond the
 * count that it was armed with, or for @irq_usecs, whichever comes first. It does not wait if
 * @state is not OPEN, or if no more messages can come before the host acts: to the host, a
 * message of @max_size has no room; to the NFP, all messages were taken.
 */
#endif /* NFP_CHAN_FW_H */
