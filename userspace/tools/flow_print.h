/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* flow_print.h - records and totals of the flow meter, for nfpchan flows. */
#ifndef NFPCHAN_FLOW_PRINT_H
#define NFPCHAN_FLOW_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <nfpchan/nfp_chan_flow.h>
#include "json.h"

/**
 * struct flow - a struct nfp_flow_record in the host's byte order
 */
struct flow {
	uint8_t reason;
	uint8_t family;
	uint8_t proto;
	uint8_t tcp_flags;
	uint8_t port;
	uint8_t tos;
	uint8_t ttl;
	uint16_t sport;
	uint16_t dport;
	uint16_t vlan;
	uint16_t vlan_inner;
	uint8_t src[16];
	uint8_t dst[16];
	uint64_t packets;
	uint64_t bytes;
	uint64_t first_ns;
	uint64_t last_ns;
};

/**
 * struct totals - a struct nfp_flow_totals in the host's byte order
 */
struct totals {
	uint32_t token;
	uint64_t packets;
	uint64_t bytes;
	uint64_t records;
	uint64_t not_ip;
	uint64_t truncated;
	uint64_t malformed;
	uint64_t dropped;
	uint64_t seen;
	uint64_t active;
};

/* Decode a message. false: its length or one of its fields is not possible. */
bool flow_decode(struct flow *f, const void *msg, size_t len);
bool totals_decode(struct totals *t, const void *msg, size_t len);

/* Protocol, source and destination as text */
#define FLOW_TEXT	64	/* an address of IPv6 in brackets, with a port, has fewer characters */
const char *flow_proto(const struct flow *f, char text[FLOW_TEXT]);
const char *flow_src(const struct flow *f, char text[FLOW_TEXT]);
const char *flow_dst(const struct flow *f, char text[FLOW_TEXT]);

/* Print as text, or as JSON: a record as an element of an array, totals as members. */
void flow_plain_head(FILE *out);
void flow_plain(FILE *out, const struct flow *f);
void flow_json(struct json *j, const struct flow *f);
void totals_plain(FILE *out, const struct totals *t);
void totals_json(struct json *j, const struct totals *t);

/**
 * struct flow_sum - sums of the records received, to check the meter's totals
 * @records: number of records
 * @packets: packets in the records
 * @bytes: bytes in the records
 * @base: totals at the start, which include records that were received before them
 * @base_records: @records when @base came
 * @base_packets: @packets when @base came
 * @base_bytes: @bytes when @base came
 */
struct flow_sum {
	uint64_t records;
	uint64_t packets;
	uint64_t bytes;
	struct totals base;
	uint64_t base_records;
	uint64_t base_packets;
	uint64_t base_bytes;
};

void flow_sum_add(struct flow_sum *s, const struct flow *f);
void flow_sum_base(struct flow_sum *s, const struct totals *base);

/**
 * flow_sum_check() - do the records add up to the totals?
 * @end: totals that came after the last record
 * @why: out: text of the first total that does not fit the records
 *
 * The totals at the start include the records that an earlier reader has received. So the check
 * works on a card that has been running for long.
 */
bool flow_sum_check(const struct flow_sum *s, const struct totals *end,
		    char *why, size_t len);

#endif /* NFPCHAN_FLOW_PRINT_H */
