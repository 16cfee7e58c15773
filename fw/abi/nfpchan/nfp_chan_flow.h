/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp_chan_flow.h - messages of the flow meter (fw/apps/flowmeter): records on the channel
 * "flows", requests on the channel "flow-ctl".
 *
 * All fields are little-endian, except addresses and ports: these are in network byte order.
 * Times are nanoseconds of the card's packet clock.
 */
#ifndef NFP_CHAN_FLOW_H
#define NFP_CHAN_FLOW_H

#include <linux/types.h>

#define NFP_CHAN_FLOWS		"flows"
#define NFP_CHAN_FLOW_CTL	"flow-ctl"

/* First byte of a message on "flows" */
#define NFP_FLOW_RECORD		1	/* struct nfp_flow_record */
#define NFP_FLOW_TOTALS		2	/* struct nfp_flow_totals */

/* struct nfp_flow_record.reason: why the flow ended */
#define NFP_FLOW_END_FIN	1	/* a packet with FIN */
#define NFP_FLOW_END_RST	2	/* RST */
#define NFP_FLOW_END_IDLE	3	/* no packet for the idle time-out */
#define NFP_FLOW_END_EVICT	4	/* another flow needed its place in the table */
#define NFP_FLOW_END_FLUSH	5	/* requested over flow-ctl */
#define NFP_FLOW_END_ACTIVE	6	/* it has lasted for the active time-out, and goes on */

#define NFP_FLOW_NO_VLAN	0xffff

/**
 * struct nfp_flow_record - one unidirectional flow
 * @type: NFP_FLOW_RECORD
 * @reason: NFP_FLOW_END_*
 * @family: 4 or 6
 * @proto: IP protocol; for IPv6 the one after hop-by-hop, routing, fragment,
 *	destination options and authentication headers. A mobility header is one: 135
 * @sport: source port (TCP, UDP, SCTP), ICMP type << 8 | code, or 0
 * @dport: destination port, or 0. Both are 0 for fragments
 * @vlan: id of the outermost VLAN tag, 0 of a priority tag; NFP_FLOW_NO_VLAN: no tag
 * @vlan_inner: the same of the next tag
 * @src: source address; IPv4 in the first 4 bytes, the rest 0
 * @dst: destination address
 * @packets: packets of the flow
 * @bytes: sum of their IP total lengths (IPv6: payload length + 40). A length of 0, as
 *	senders with segmentation offload and IPv6 jumbograms have: that of the frame
 *	behind the Ethernet header and tags
 * @first_ns: time of the first packet
 * @last_ns: time of the last packet
 * @tcp_flags: all TCP flags seen, or-ed
 * @port: wire port of the first packet
 * @tos: type of service or traffic class of the first packet
 * @ttl: smallest time to live or hop limit
 */
struct nfp_flow_record {
	__u8	type;
	__u8	reason;
	__u8	family;
	__u8	proto;
	__be16	sport;
	__be16	dport;
	__le16	vlan;
	__le16	vlan_inner;
	__u8	tcp_flags;
	__u8	port;
	__u8	tos;
	__u8	ttl;
	__u8	src[16];
	__u8	dst[16];
	__le64	packets;
	__le64	bytes;
	__le64	first_ns;
	__le64	last_ns;
};

/**
 * struct nfp_flow_totals - the answer to a request, sent after the request's records
 * @type: NFP_FLOW_TOTALS
 * @rsvd: 0
 * @token: token of the request
 * @packets: packets counted in flows since the firmware started
 * @bytes: sum of their IP total lengths
 * @records: flow records sent to the channel
 * @not_ip: packets that are not IP
 * @truncated: packets that end before the headers that they announce
 * @malformed: packets with contradictory headers
 * @dropped: packets of records that were dropped, packets for which the card had no buffer, and
 *	packets that came during a capture of frames while the meter waited for its reader
 * @seen: packets that arrived at the wire ports
 * @active: flows in the table now
 *
 * @seen = packets in records delivered + packets in flows of the table + @not_ip + @truncated +
 * @malformed + @dropped, and @packets is the sum of the first two.
 */
struct nfp_flow_totals {
	__u8	type;
	__u8	rsvd[3];
	__le32	token;
	__le64	packets;
	__le64	bytes;
	__le64	records;
	__le64	not_ip;
	__le64	truncated;
	__le64	malformed;
	__le64	dropped;
	__le64	seen;
	__le64	active;
};

/* struct nfp_flow_req.op */
#define NFP_FLOW_OP_FLUSH	1	/* report every flow, then the totals */
#define NFP_FLOW_OP_TOTALS	2	/* the totals only */
#define NFP_FLOW_OP_TIMES	3	/* struct nfp_flow_times: set time-outs, then the totals */

/**
 * struct nfp_flow_req - a request on "flow-ctl"
 * @op: NFP_FLOW_OP_*
 * @quiet_us: wait first until no packet has come for this many microseconds; 0: do not wait
 * @token: returned in the totals
 * @rsvd: 0
 */
struct nfp_flow_req {
	__le32	op;
	__le32	quiet_us;
	__le32	token;
	__le32	rsvd;
};

/* Time-outs of the meter when its firmware starts */
#define NFP_FLOW_IDLE_MS	30000
#define NFP_FLOW_ACTIVE_MS	NFP_FLOW_NEVER

#define NFP_FLOW_NEVER		0xffffffff

/**
 * struct nfp_flow_times - a request on "flow-ctl" that sets time-outs
 * @op: NFP_FLOW_OP_TIMES
 * @idle_ms: a flow without a packet for longer ends; 0: as it is
 * @token: returned in the totals
 * @active_ms: a flow that has lasted longer is reported, and begins anew with its next packet;
 *	NFP_FLOW_NEVER: not; 0: as it is
 *
 * They are in effect until another request sets them or the firmware starts again.
 */
struct nfp_flow_times {
	__le32	op;
	__le32	idle_ms;
	__le32	token;
	__le32	active_ms;
};

#endif /* NFP_CHAN_FLOW_H */
