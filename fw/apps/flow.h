/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flow.h - the parts of the flow meter: flow_parse.c makes keys of packets, flow_table.c has the
 * table of flows, flowmeter.c is the process that uses both.
 */
#ifndef FLOW_H
#define FLOW_H

#include <nfp.h>

/**
 * struct flow_key - packets with the same key are one flow
 * @family: 4 or 6
 * @proto: IP protocol
 * @sport: source port or ICMP type and code, as on the wire
 * @dport: destination port, as on the wire
 * @vlan: outer VLAN id, 0 of a priority tag, or NFP_FLOW_NO_VLAN, in the ME's byte order
 * @vlan_inner: inner VLAN id, as @vlan
 * @rsvd: 0, because keys are compared and hashed by words
 * @src: source address, IPv4 in the first 4 bytes, the rest 0
 * @dst: destination address
 */
struct flow_key {
	uint8_t family;
	uint8_t proto;
	uint8_t sport[2];
	uint8_t dport[2];
	uint16_t vlan;
	uint16_t vlan_inner;
	uint16_t rsvd;
	uint8_t src[16];
	uint8_t dst[16];
};

#define FLOW_KEY_WORDS	11

/**
 * struct flow_pkt - a packet as the meter sees it
 * @key: the key of its flow
 * @bytes: bytes of the IP packet
 * @tcp_flags: TCP flags; 0 for other protocols and for fragments
 * @tos: type of service or traffic class
 * @ttl: time to live or hop limit
 */
struct flow_pkt {
	struct flow_key key;
	uint32_t bytes;
	uint8_t tcp_flags;
	uint8_t tos;
	uint8_t ttl;
};

#define FLOW_TCP_FIN	0x01
#define FLOW_TCP_RST	0x04

enum flow_verdict {
	FLOW_COUNTED,
	FLOW_NOT_IP,
	FLOW_TRUNCATED,		/* the packet ends before a header that it announces */
	FLOW_MALFORMED		/* headers contradict each other */
};

/*
 * Parse an Ethernet frame of @len bytes, of which @caplen are at @data. @pkt is filled if the
 * verdict is FLOW_COUNTED. flow_parse.c has the rules.
 */
__swaps enum flow_verdict flow_parse(const __mem40 uint8_t *data, uint32_t caplen,
				     uint32_t len, struct flow_pkt *pkt);

#define FLOW_WAYS	4
#define FLOW_BUCKETS	4096	/* a power of 2 */

/* A flow in the table; @packets is 0 in an empty place. */
struct flow {
	struct flow_key key;
	uint32_t tag;		/* hash */
	uint64_t packets;
	uint64_t bytes;
	uint64_t first_ns;
	uint64_t last_ns;
	uint8_t tcp_flags;
	uint8_t port;
	uint8_t tos;
	uint8_t ttl;
};

/* The table calls this for a flow that leaves it (flowmeter.c). @reason: NFP_FLOW_END_* */
__swaps void flow_report(const __emem struct flow *f, unsigned int reason);

void flow_table_init(uint32_t key0, uint32_t key1);
/* Set the time-outs: struct nfp_flow_times says what 0 and NFP_FLOW_NEVER are. */
void flow_table_times(uint32_t idle_ms, uint32_t active_ms);
/* Count a packet. The packet may end its flow, or take the place of a flow, which is reported. */
__swaps void flow_table_add(const struct flow_pkt *pkt, uint64_t ts_ns, unsigned int port);
/* Report the flows of the next @buckets buckets whose time is out at @now_ns of their port. */
__swaps void flow_table_sweep(const __lmem uint64_t *now_ns, unsigned int buckets);
__swaps void flow_table_flush(void);
uint32_t flow_table_active(void);

#endif /* FLOW_H */
