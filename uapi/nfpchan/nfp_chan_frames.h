/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * nfp_chan_frames.h - frames of the wire ports: copies to the host on the
 * stream "frames", which requests on "frames-ctl" control, and frames to be
 * sent on the stream "frames-out".
 *
 * These streams have records, back to back: struct nfp_frames_hdr, then as many
 * bytes as @caplen says, then zeros up to a multiple of NFP_FRAMES_ELEM.
 *
 * The card copies no frame before a host asks for it. The host opens "frames", sends
 * NFP_FRAMES_OP_START, and skips elements until one is the answer, which has
 * the token of its request: before it there may be records, or the rest of
 * one, that the card made for an earlier host. The capture ends when the host
 * closes "frames", or sends NFP_FRAMES_OP_STOP.
 *
 * A capture may have several streams: "frames" is stream 0, and "frames-1" to
 * "frames-3" are streams 1 to 3. The host opens those that it asks for before it
 * sends START. The card sends a frame to one of them, by a hash of IP addresses,
 * protocol and ports that is the same for both directions of a connection: XOR of
 * the addresses, and XOR of the ports of TCP, UDP and SCTP, are hashed without a
 * key. So a stream has all frames of a connection, in order, and has those of the
 * same connections in each capture with as many streams. All fragments are hashed
 * without ports. Stream 0 has the frames whose headers give no addresses: those
 * that are not IP, that are cut within their headers, or that are malformed.
 *
 * What each stream of a capture has:
 * - START, if the request was accepted. A reader skips the elements before it. A
 *   request that was refused is answered on "frames" alone.
 * - DROPS: frames of this stream that are missing in this place.
 * - TOTALS: of all streams. After NFP_FRAMES_OP_STOP no frame follows them.
 * The capture ends when the host closes any of its streams.
 *
 * On "frames-out" the first record of a host is NFP_FRAMES_START, with
 * NFP_FRAMES_SYNC as its time. It ends what an earlier host has left undone.
 *
 * All fields are little-endian.
 */
#ifndef NFP_CHAN_FRAMES_H
#define NFP_CHAN_FRAMES_H

#include <linux/types.h>

#define NFP_CHAN_FRAMES		"frames"
#define NFP_CHAN_FRAMES_1	"frames-1"
#define NFP_CHAN_FRAMES_2	"frames-2"
#define NFP_CHAN_FRAMES_3	"frames-3"
#define NFP_CHAN_FRAMES_CTL	"frames-ctl"
#define NFP_CHAN_FRAMES_OUT	"frames-out"

#define NFP_FRAMES_ELEM		16
#define NFP_FRAMES_PORTS	2
#define NFP_FRAMES_STREAMS	4
#define NFP_FRAMES_SNAP_MAX	65535
#define NFP_FRAMES_SEND_MAX	9238	/* bytes of a frame on "frames-out" */
#define NFP_FRAMES_INSNS	256	/* instructions of a filter */
#define NFP_FRAMES_WAIT_NS	1000000000	/* a frame on "frames-out" waits so long */

/* struct nfp_frames_hdr.kind */
#define NFP_FRAMES_FRAME	1
#define NFP_FRAMES_DROPS	2	/* frames are missing here */
#define NFP_FRAMES_START	3
#define NFP_FRAMES_TOTALS	4	/* struct nfp_frames_totals follows */
#define NFP_FRAMES_END		5	/* "frames-out": taken when all before has left */

/* struct nfp_frames_hdr.ns of NFP_FRAMES_START on "frames-out" */
#define NFP_FRAMES_SYNC		0x9d2c5f81b4e673a0ull

/**
 * struct nfp_frames_hdr - head of a record
 * @kind: NFP_FRAMES_*
 * @port: FRAME, DROPS: wire port. START on "frames": NFP_FRAMES_OK, or why the
 *	request was refused
 * @caplen: bytes that follow
 * @len: FRAME: bytes of the frame on the wire. DROPS: frames that were
 *	dropped since the last such record of the port in this stream. START on
 *	"frames": the instruction, or the stream, that is refused
 * @ns: FRAME on "frames": time of reception in ns, by the MAC. FRAME on
 *	"frames-out": when to send it, in ns after START; 0: at once. The card
 *	waits for NFP_FRAMES_WAIT_NS at most, so the host sends a record no
 *	earlier before its time. DROPS: time of the last of them. START on
 *	"frames", TOTALS: token of the request
 */
struct nfp_frames_hdr {
	__u8	kind;
	__u8	port;
	__le16	caplen;
	__le32	len;
	__le64	ns;
};

/* Bytes that a record with @caplen bytes takes in a stream */
#define NFP_FRAMES_ROOM(caplen) \
	((sizeof(struct nfp_frames_hdr) + (caplen) + NFP_FRAMES_ELEM - 1) / NFP_FRAMES_ELEM * \
	 NFP_FRAMES_ELEM)

/* struct nfp_frames_req.op */
#define NFP_FRAMES_OP_START	1	/* begin anew with these settings */
#define NFP_FRAMES_OP_TOTALS	2	/* send the totals */
#define NFP_FRAMES_OP_STOP	3	/* copy no more frames, and send the totals */

/* struct nfp_frames_hdr.port of the answer to NFP_FRAMES_OP_START */
#define NFP_FRAMES_OK		0
#define NFP_FRAMES_BAD_REQUEST	1	/* a size, or a field that is out of range */
#define NFP_FRAMES_BAD_CODE	2	/* no instruction of classic BPF */
#define NFP_FRAMES_BAD_JUMP	3	/* a jump behind the end */
#define NFP_FRAMES_BAD_MEM	4	/* no such cell of the scratch memory */
#define NFP_FRAMES_BAD_CONST	5	/* division by 0, or a shift by more than 31 */
#define NFP_FRAMES_BAD_OFFSET	6	/* offset of Linux alone (SKF_AD_OFF) */
#define NFP_FRAMES_BAD_END	7	/* the last instruction is no return */
#define NFP_FRAMES_BAD_STREAM	8	/* the host has not opened the stream */

/**
 * struct nfp_frames_insn - an instruction of a filter, as struct bpf_insn
 * @code: opcode
 * @jt: jump if true
 * @jf: jump if false
 * @k: operand
 */
struct nfp_frames_insn {
	__le16	code;
	__u8	jt;
	__u8	jf;
	__le32	k;
};

/**
 * struct nfp_frames_req - a request on "frames-ctl"
 * @op: NFP_FRAMES_OP_*
 * @snap: START: bytes of each frame to copy at most, 1 to NFP_FRAMES_SNAP_MAX
 * @sample: START: copy one in so many frames that the filter accepts; 1: all
 * @ports: START: bit mask of wire ports
 * @streams: START: streams of the capture, at most NFP_FRAMES_STREAMS; 0: 1
 * @insns: START: instructions of the filter, at most NFP_FRAMES_INSNS; 0:
 *	accept every frame
 * @token: returned in the answer
 *
 * Behind it are @insns times struct nfp_frames_insn. The filter returns how
 * many bytes of the frame to copy; 0: none of it. A frame that is too short
 * for what the filter reads is not accepted.
 */
struct nfp_frames_req {
	__le32	op;
	__le32	snap;
	__le32	sample;
	__u8	ports;
	__u8	streams;
	__le16	insns;
	__le64	token;
};

/**
 * struct nfp_frames_totals - what became of the frames of a port since START
 * @seen: frames that the port received
 * @accepted: those that filter, ports and sampling let pass
 * @copied: those in the streams
 * @dropped: those for which their stream had no room
 * @lost: frames that the port lost, for lack of packet buffers, since START
 *
 * @accepted = @copied + @dropped.
 */
struct nfp_frames_totals {
	struct {
		__le64	seen;
		__le64	accepted;
		__le64	copied;
		__le64	dropped;
		__le64	lost;
	} port[NFP_FRAMES_PORTS];
};

#endif /* NFP_CHAN_FRAMES_H */
