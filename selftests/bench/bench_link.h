/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * bench_link.h - what messages cost on the PCIe link, by the board's counters.
 *
 * Metadata is every byte on the link, in either direction, except the payload of messages and the
 * framing of the TLPs that carry payload. So metadata has headers of messages, records,
 * descriptors, doorbells and interrupts, each with the framing of its TLP, and read requests.
 * Reads and writes by the CPU count as well.
 */
#ifndef BENCH_LINK_H
#define BENCH_LINK_H

#include <stdio.h>
#include "board.h"

#define LINK_4DW	24	/* bytes of framing: see struct board_tlp_count */
#define LINK_3DW	20

/**
 * struct link_use - messages that a benchmark has carried
 * @name: part of the keys: pcie_NAME_...
 * @msgs: number of messages
 * @bytes: bytes of their payload
 * @framing: bytes of framing of the TLPs with that payload
 */
struct link_use {
	const char *name;
	uint64_t msgs;
	uint64_t bytes;
	uint64_t framing;
};

void link_sum(const struct board *b, struct board_tlp_count *sum);

/* Print TLPs and bytes of a message: of @sum, which @msgs messages have caused. */
void link_print_sum(const char *name, const struct board_tlp_count *sum, unsigned int msgs);
/* The same of one message to the card and back, and its round trips. */
void link_print_trip(const char *name, const struct board_tlp_count *sum);

/* Print the figures of @u, which caused all traffic since board_tlp_clear(). */
void link_print(const struct board *b, const struct link_use *u);

#endif /* BENCH_LINK_H */
