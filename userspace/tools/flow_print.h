/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* flow_print.h - the flow meter's records and totals, as nfpchan flows has them. */
#ifndef NFPCHAN_FLOW_PRINT_H
#define NFPCHAN_FLOW_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <nfpchan/nfp_chan_flow.h>
#include "json.h"

/**
 * struct flow - struct nfp_flow_record in the host's byte order
 */
struct flow {
	uint8_t reason;
	uint8_t family;
	uint8_t proto;
	uint8_t tcp_flags;
	uint8_t port;
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
 * struct totals - struct nfp_flow_totals in the host's byte order
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

/* Decode a message; false when its length or a field cannot be right. */
bool flow_decode(struct flow *f, const void *msg, size_t len);
bool totals_decode(struct totals *t, const void *msg, size_t len);

/* Printers, in pairs. The JSON ones write members or an array's element. */
void flow_plain(FILE *out, const struct flow *f);
void flow_json(struct json *j, const struct flow *f);
void totals_plain(FILE *out, const struct totals *t);
void totals_json(struct json *j, const struct totals *t);

/**
 * struct flow_sum - what came from the card, to check its totals against
 * @records: flow records received
 * @packets: packets in them
 * @bytes: bytes in them
 * @base: totals at the beginning; a record received before them is in them
 * @base_records: @records when they came
 * @base_packets: @packets then
 * @base_bytes: @bytes then
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
 * @why: where it says what does not
 *
 * Records that an earlier reader has taken are known by the totals at the
 * beginning, so this holds on a card that has been running for long.
 */
bool flow_sum_check(const struct flow_sum *s, const struct totals *end,
		    char *why, size_t len);

#endif /* NFPCHAN_FLOW_PRINT_H */
