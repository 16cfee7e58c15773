/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp_chan_fw.h - the ABI between the card's channel firmware and nfp_chan.ko.
 *
 * User space does not need this file: what a process finds in its mappings is in
 * nfpchan/nfp_chan_ring.h. All fields are little endian. No struct holds a pointer,
 * a long, an enum or a bit field. The module and the firmware each check the offsets
 * when they are compiled.
 *
 * A channel has a name and lives in the firmware's table. A pipe is one open
 * end of a channel on the host: a data ring and a notification record in host
 * memory, a pair of queue controllers, an MSI-X vector.
 */
#ifndef NFP_CHAN_FW_H
#define NFP_CHAN_FW_H

#include <nfpchan/nfp_chan_ring.h>

/*
 * Place of the control block: PCIe SRAM as the host sees it through the
 * PCIe-internal window. The MSI-X table is at 0 there and nfp's explicit data
 * at 0x1000, so the firmware has what is above.
 */
#define NFP_CHAN_FW_SRAM_BASE	0x8000
#define NFP_CHAN_FW_SRAM_SIZE	0x8000

#define NFP_CHAN_FW_MAGIC	0x4e414843	/* "CHAN" in memory order */
#define NFP_CHAN_FW_ABI_MAJOR	1	/* differs: refuse the card */
#define NFP_CHAN_FW_ABI_MINOR	9	/* larger: more fields at the ends */

/* Queue controllers (one page holds two). Source: nfp_net_ctrl / nfp_qc.h. */
#define NFP_CHAN_FW_QC_BASE	0x80000
#define NFP_CHAN_FW_QC_STRIDE	0x800
#define NFP_CHAN_FW_QC_ADD_WPTR	0x4
#define NFP_CHAN_FW_QC_STS_HI	0xc	/* bits 17:0: the write pointer */
#define NFP_CHAN_FW_QC_PTR_BITS	18
#define NFP_CHAN_FW_QC_PTR_MASK	0x3ffff

#define NFP_CHAN_FW_CHAN_MAX	64	/* channels in a table */
#define NFP_CHAN_FW_NO_VECTOR	0xffff
#define NFP_CHAN_FW_INLINE_PAGE	4096	/* bytes of an inline page */

/**
 * struct nfp_chan_fw_cb - control block, at NFP_CHAN_FW_SRAM_BASE
 * @magic: NFP_CHAN_FW_MAGIC, written last by the firmware
 * @abi_major: NFP_CHAN_FW_ABI_MAJOR
 * @abi_minor: NFP_CHAN_FW_ABI_MINOR or larger
 * @size: bytes of this struct as the firmware knows it, 128 or more
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
 * @pipe_count: pipes the firmware offers, 1 to NFP_CHAN_PIPE_MAX
 * @queue_base: first queue controller of pipe 0, even. Pipe p has the data
 *	queue @queue_base + 2p and the arm queue @queue_base + 2p + 1, in one
 *	page of their own
 * @mbox_queue: queue controller whose ADD_WPTR of 1 announces a request
 * @sig_queue: queue controller whose ADD_WPTR of 1 announces signals
 * @me_mhz: microengine clock, MHz (information)
 * @inline_off: offset of the inline pages, a multiple of NFP_CHAN_FW_INLINE_PAGE
 * @inline_count: how many there are, 0 for none. From minor 2 on
 * @signal_db_base: first queue controller of the signal doorbells, even. Doorbell b
 *	has @signal_db_base + 2b and the queue behind it, in one page of their own
 * @signal_db_count: how many there are, 0 for none. From minor 3 on
 * @link_off: offset of the links' counters, struct nfp_chan_fw_stat each, one for
 *	each pipe, of which those of pipes to the host are used; a multiple of 8, 0
 *	for none. From minor 7 on
 * @fw_name: name of the firmware, NUL-terminated printable ASCII
 * @fw_version: its version, NUL-terminated printable ASCII
 * @push_addr: address in the memory unit, as a BAR window has it, of memory for rings
 *	that another card writes into; a multiple of @push_size. From minor 8 on, if
 *	@size is 144 or more
 * @push_size: its bytes, a power of 2 from 64 KiB on; 0: there is none
 * @rsvd: 0
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
	__le16	queue_base;
	__le16	mbox_queue;
	__le16	sig_queue;
	__le32	me_mhz;
	__le32	inline_off;
	__le16	inline_count;
	__le16	signal_db_base;
	__le16	signal_db_count;
	__le16	link_off;
	char	fw_name[32];
	char	fw_version[32];
	__le64	push_addr;
	__le32	push_size;
	__le32	rsvd;
};

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
 * @rsvd: 0
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
	__u8	rsvd[9];
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

/* Commands of the mailbox; one is outstanding at a time. */
#define NFP_CHAN_FW_CMD_HELLO	1
#define NFP_CHAN_FW_CMD_OPEN	2
#define NFP_CHAN_FW_CMD_CLOSE	3
#define NFP_CHAN_FW_CMD_CANCEL	4
#define NFP_CHAN_FW_CMD_BIND	5
#define NFP_CHAN_FW_CMD_UNBIND	6
#define NFP_CHAN_FW_CMD_LINK	7	/* struct nfp_chan_fw_link. From minor 7 on */
#define NFP_CHAN_FW_CMD_UNLINK	8	/* @pipe: the link's pipe to the host */
#define NFP_CHAN_FW_CMD_DEVICE	9	/* struct nfp_chan_fw_device. From minor 8 on */
#define NFP_CHAN_FW_CMD_GOODBYE	10	/* the host leaves. From minor 9 on */

/* struct nfp_chan_fw_req.flags: a pipe to the host takes messages for a link alone */
#define NFP_CHAN_FW_OPEN_LINK	0x1

/**
 * struct nfp_chan_fw_req - a request, written by the host into the mailbox
 * @seq: number of the request, never 0 and never that of the one before, echoed in
 *	the response
 * @cmd: NFP_CHAN_FW_CMD_*
 * @pipe: pipe concerned (all but HELLO and GOODBYE)
 * @chan: channel id, or NFP_CHAN_ID_PORT from minor 5 on (OPEN)
 * @vector: MSI-X entry that announces data or room (OPEN) or a response
 *	(HELLO), NFP_CHAN_FW_NO_VECTOR for none
 * @ring_shift: log2 of the bytes of the data ring, 12 to 22 (OPEN)
 * @unit_shift: log2 of the bytes that one count of the data queue stands for,
 *	3 or more for messages, @ring_shift - @unit_shift at most 16. Of a stream
 *	to the NFP the element is a multiple of it (OPEN)
 * @inline_page: inline page of a pipe to the NFP, counted from 1; 0 for none (OPEN).
 *	Nothing that an earlier pipe has left in it is there when OPEN is answered
 * @signal_db: signal doorbell of a pipe whose channel has NFP_CHAN_F_SIGNAL,
 *	counted from 1; 0 for none (OPEN)
 * @msg_seq: CANCEL: number of the message, counted from 1 at OPEN
 * @map_id: BIND, UNBIND: the kernel's id of the event map, not 0. Else 0
 * @ring_addr: DMA address of the data ring, 4 KiB aligned (OPEN); of the
 *	response, struct nfp_chan_fw_rsp, 64-byte aligned (HELLO)
 * @note_addr: DMA address of the notification record, 64-byte aligned (OPEN)
 * @irq_count: messages for which an armed vector waits, see below; 0: for
 *	@irq_usecs alone (OPEN). From minor 4 on, as what follows
 * @port: port that the pipe reports to, its pipe number + 1; 0 for none, as of
 *	a port itself (OPEN). From minor 5 on
 * @irq_usecs: microseconds for which it waits at most, 0 to
 *	NFP_CHAN_IRQ_USECS_MAX; 0: not at all, and @irq_count is 0 or 1 (OPEN)
 * @cookie: what the port's elements say of the pipe (OPEN). From minor 5 on
 * @ring_of: of a stream to the NFP: the stream to the host whose ring it shares,
 *	its pipe number + 1; 0 for none (OPEN). From minor 6 on
 * @flags: NFP_CHAN_FW_OPEN_* (OPEN). From minor 7 on
 * @rsvd: 0
 *
 * The host writes all but @seq, then @seq, then adds 1 to @mbox_queue. All
 * are posted writes through one window, which keep their order. HELLO closes
 * whatever pipes an earlier host left, before it answers; until the first one a
 * run of the firmware does nothing else. GOODBYE closes all pipes, too. When the card has
 * written the answer to GOODBYE and has raised the vector, the card has no address of the
 * host any more, and does nothing until the next HELLO. A request is done once, though the
 * queue may be found written to twice: a host that gave one up writes the next,
 * and the firmware may come to both their bells then.
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

#define NFP_CHAN_FW_LINK_DROP	0xffff	/* instead of a pipe: messages are dropped */
#define NFP_CHAN_FW_LINK_PEER	0xfffe	/* instead of a pipe: the other end is on another card */

/* struct nfp_chan_fw_link.peer_flags */
#define NFP_CHAN_FW_PEER_PROBE	0x1	/* write the nonce, link nothing */
#define NFP_CHAN_FW_PEER_PUSH	0x2	/* the ring is in the memory at push_addr: of the
					 * receiving card, which has the pipe to the NFP
					 */
#define NFP_CHAN_FW_PEER_EXACT	0x4	/* peer_arg is the one size of messages */

/**
 * struct nfp_chan_fw_link - LINK: the request in the mailbox, instead of the one above
 * @seq: as there
 * @cmd: NFP_CHAN_FW_CMD_LINK
 * @pipe: a pipe to the host, not a port: the messages of its channel are taken from
 *	there
 * @to: a pipe to the NFP: they go to the ME process that receives from its channel; or
 *	NFP_CHAN_FW_LINK_DROP: they are dropped, and counted
 * @hdr_len: bytes of @hdr in front of each message, a multiple of 4; 0
 * @match_len: bytes that are compared, up to NFP_CHAN_LINK_MATCH_MAX. 0: the link takes
 *	messages as any end of the channel does
 * @match_off: where in the message they begin
 * @match_mask: the bits of them that count
 * @match_value: what these are, 0 in all others
 * @ring_addr: PEER: the ring that the two cards share, 4 KiB aligned: a DMA address, or, of a
 *	pipe to the NFP with NFP_CHAN_FW_PEER_PUSH, the address at which this card has it.
 *	From minor 8 on, as what follows
 * @doorbell_addr: PEER: DMA address of the data queue's ADD_WPTR of the pipe at the other end
 * @limit: PEER: bytes of the ring that may be outstanding
 * @peer_arg: PEER_PROBE: the nonce, an 18-bit number, not 0. Else, of the pipe to the host: bytes
 *	of the largest message that the other end takes, of its only size with PEER_EXACT.
 *	A link with @match takes messages that fit
 * @ring_shift: PEER: log2 of the ring's bytes; both ends have the unit that their OPEN
 *	would have for such a ring
 * @peer_flags: NFP_CHAN_FW_PEER_*
 * @state_off: where in @hdr the stream's state is, a multiple of 4
 * @state_len: its bytes, 4 or 8; 0: there is none. The bytes in @hdr are its first value,
 *	little endian
 * @state_step: what is added to it for each message, not 0; 0 without state
 * @hdr: the bytes, 0 behind @hdr_len
 *
 * PEER: @pipe is either end of a link between two cards, see PROTOCOL.rst; @hdr, @match and
 * @state are those of the pipe to the host. EBUSY also: it has carried something.
 *
 * Both are channels of messages, or both streams with elements of one size (EKIND), which
 * have no @hdr and no @match. A message of @pipe, with @hdr_len, has to be one of @to
 * (ESIZE): no larger than the largest there, and of the one size if there is one; with
 * @match_len a message that is not is one that the link does not take. Either
 * pipe is in one link at most, and in no ring of both directions (EBUSY). ENDED: one of the
 * processes has. PROTOCOL.rst, Links.
 */
struct nfp_chan_fw_link {
	__le32	seq;
	__le16	cmd;
	__le16	pipe;
	__le16	to;
	__u8	hdr_len;
	__u8	match_len;
	__le32	match_off;
	__u8	match_mask[NFP_CHAN_LINK_MATCH_MAX];
	__u8	match_value[NFP_CHAN_LINK_MATCH_MAX];
	__le64	ring_addr;
	__le64	doorbell_addr;
	__le32	limit;
	__le32	peer_arg;
	__u8	ring_shift;
	__u8	peer_flags;
	__u8	state_off;
	__u8	state_len;
	__le32	state_step;
	__u8	hdr[NFP_CHAN_LINK_HDR_MAX];
};


/**
 * struct nfp_chan_fw_device - DEVICE: the request in the mailbox, instead of the one above
 * @seq: as there
 * @cmd: NFP_CHAN_FW_CMD_DEVICE
 * @pipe: a pipe to the NFP of a channel whose ME process drives a device (ENOENT)
 * @mem_addr: DMA address of the memory that card and device share, a multiple of 64
 * @doorbell_addr: DMA address of the device's doorbell, a multiple of 4: a 4-byte write of 1 there
 *	asks for a job more. 0: the pipe's device is detached, and all else is 0
 * @mem_size: bytes of the memory: @slots descriptors, as many inputs, as many outputs
 * @in_size: bytes of a slot's input, a multiple of 8: a message of the channel fits,
 *	but for @skip
 * @out_size: bytes of a slot's output, a multiple of 8. With @done_len, a message to the host
 * @slots: places of the device's ring: a power of 2, up to NFP_CHAN_DEVICE_SLOTS_MAX
 * @skip: bytes of a message in front that the device does not get
 * @src_at: where in a descriptor the 64-bit address of the input is
 * @dst_at: and that of the output
 * @len_at: and the 32 bits that tell the bytes of the input
 * @room_at: and those of the output, which is @out_size
 * @done_at: where the device writes its completion, which the card leaves alone
 * @done_len: bytes of that, which begin each message from the device
 * @status_at: where in the completion the 32 bits of the status are
 * @seq_at: and those of the job's number, counted from 1 since the device was attached
 * @outlen_at: and those that tell the bytes of the output
 * @rsvd: 0
 * @status_ok: the status of a job that has output
 * @rsvd1: 0
 * @dev_addr: the memory's address as the device has it
 * @desc: a descriptor; the four fields above are filled in, all else is of each job's
 *
 * All places in a descriptor and a completion are multiples of 4, and no two fields of the
 * descriptor overlap. EBUSY: the pipe has a device. PROTOCOL.rst, Devices.
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
	__u8	desc[NFP_CHAN_DEVICE_DESC];
};

/* struct nfp_chan_fw_rsp.status */
#define NFP_CHAN_FW_OK		0
#define NFP_CHAN_FW_EINVAL	1	/* a field is out of range */
#define NFP_CHAN_FW_ENOENT	2	/* no such channel, binding or link, pipe not open */
#define NFP_CHAN_FW_EBUSY	3	/* OPEN: pipe in use, channel exclusive and open; map bound */
#define NFP_CHAN_FW_ENOSYS	4	/* no such command */
#define NFP_CHAN_FW_TAKEN	5	/* CANCEL: no longer in the pipe */
#define NFP_CHAN_FW_ENOSPC	6	/* BIND: no binding is free */
#define NFP_CHAN_FW_EKIND	7	/* LINK: messages and a stream */
#define NFP_CHAN_FW_ESIZE	8	/* LINK: sizes of messages or elements do not fit */
#define NFP_CHAN_FW_ENDED	9	/* LINK: an ME process has ended its channel */
#define NFP_CHAN_FW_EREACH	10	/* LINK: the ring does not hold the other card's nonce */
#define NFP_CHAN_FW_ERING	11	/* OPEN: the ring of @ring_of cannot be shared. From minor 9 on */

/**
 * struct nfp_chan_fw_rsp - a response, written by the card with one DMA
 * @status: NFP_CHAN_FW_OK or another code above
 * @value: CLOSE: messages lost with the pipe. HELLO: boot_id. Else 0
 * @rsvd: 0
 * @seq: of the request. It is in the second of two 64-bit words, which arrive in
 *	ascending order: a host that sees the number sees all of the response
 *
 * CANCEL takes back message @msg_seq of a pipe to the NFP if the ME process has
 * not taken it, and all that follow it (PROTOCOL.rst). NFP_CHAN_FW_TAKEN: it
 * was received, or cancelled before; nothing was taken back. EINVAL: no such
 * message was sent. EBUSY: messages of an earlier CANCEL lie between.
 *
 * BIND has events that offloaded XDP programs emit on map @map_id sent to the
 * channel of @pipe, which has NFP_CHAN_F_XDP, instead of to the control
 * vNIC; a map is bound to one pipe. UNBIND, and CLOSE of the pipe, undo it:
 * once they are answered all events emitted before are in the pipe, or counted
 * as dropped, and none follows.
 *
 * A stream to the NFP that shares the ring of one to the host has the same
 * @ring_addr, @ring_shift and @unit_shift, and elements of the same size (EINVAL). ERING:
 * the stream to the host is not open, or is turned off; another channel shares its ring; it
 * is in a link; or room in the ring was given back. A firmware of a minor below 9 answers
 * EBUSY instead. PROTOCOL.rst, One ring for both directions.
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
 * The data path of a pipe is described in uapi/PROTOCOL.rst: positions and
 * wrap, who owns which bytes of the ring, the order of memory accesses, when
 * the card writes a record, arming, the inline page, rendezvous and cancel.
 *
 * The arm queue's write pointer works as an 18-bit register that the host sets
 * by adding a difference: bits 15:0 a message count, bit 17 a bit that changes
 * each time. "Raise my vector once @seq differs from that count, or @state is
 * not OPEN": at once when it is so already.
 *
 * A pipe may have a signal doorbell: adding any number but 0 to the write pointer
 * of its first queue sets the signal of the channel's ME process. Signals that
 * come before the process looks are one.
 *
 * Of a pipe with moderation an armed vector that has a reason to fire is held
 * back until @seq is @irq_count further than the count it was armed with, or
 * for @irq_usecs, whichever is first. It is not when @state is not OPEN, nor
 * when nothing more can come before the host acts: to host, a message of
 * @max_size has no room; to NFP, all messages were taken.
 */
#endif /* NFP_CHAN_FW_H */
