/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * carrier.h - how the card tells the host at which program a frame continues.
 *
 * The host's XDP program is a dispatcher. It has a prog array (BPF_MAP_TYPE_PROG_ARRAY), and each
 * program at which a frame from the card can continue is in a slot of that array. The card marks the
 * frame with the number of the slot, and the dispatcher makes a tail call to the program in it.
 *
 * With EtherTypes, the mark is the EtherType, which the card replaces by one of a private block. Each
 * slot has one type of the block for each usual EtherType, so such a frame keeps its length. A frame
 * with any other EtherType grows by four bytes, like a frame that gets a VLAN tag, and its own type
 * follows the type of the block. With queues, the mark is the number of the RX ring, and the frame
 * does not change.
 */
#ifndef SPLIT_CARRIER_H
#define SPLIT_CARRIER_H

#include <stdbool.h>
#include <stdint.h>
#include "code.h"

/* Types of the block for each slot: one for frames that grow, then one for each usual type */
#define CARRIER_TYPES		8
#define CARRIER_INSERTED	4	/* bytes by which a frame grows */

#define CARRIER_BASE		0xf800
#define CARRIER_COUNT		256

enum carrier_kind { CARRIER_ETHERTYPE, CARRIER_QUEUE };

/**
 * struct carrier - how the number of the slot gets from the card to the host
 * @kind: by EtherType or by RX ring
 * @base: first EtherType of the block
 * @count: number of types in the block
 * @queue: the last RX ring; slot n has ring @queue - n
 * @slots: slots of the dispatcher, all of which the carrier can name
 */
struct carrier {
	enum carrier_kind kind;
	uint16_t base;
	unsigned int count;
	unsigned int queue;
	unsigned int slots;
};

/* The usual EtherTypes, in host byte order; entry 0 is not used. */
extern const uint16_t carrier_types[CARRIER_TYPES];

/* Counters of the card. The dispatcher has such counters after those of its slots. */
enum carrier_count {
	COUNT_FORGED,		/* a frame came from the wire with a type of the block */
	COUNT_LOST,		/* the frame was too short for a tag, or could not grow */
	COUNTS,
};

/*
 * Code of the card. r1 is the context. @map is the number of the counters' map in instructions
 * with BPF_PSEUDO_MAP_IDX. With EtherTypes, a frame first runs through the front, and a stub
 * continues at the tag.
 */

/* Drop frames that have a type of the block. Other frames continue after this code. */
void carrier_front(const struct carrier *c, int map, struct code *code);
/*
 * Drop frames that a program passes (r0 is its verdict) and that have a type of the block now:
 * the program may have removed an outer header.
 */
void carrier_leave(const struct carrier *c, int map, struct code *code);
/* Pass the frame to the host, marked with the number of a slot. */
void carrier_stub(const struct carrier *c, unsigned int slot, struct code *code);
/* Tag the frame. r2 is the slot's first type of the block. The code ends with an exit. */
void carrier_tag(int map, struct code *code);

/*
 * The dispatcher. It restores the frame and makes a tail call to the program in the frame's slot of
 * @progs, the prog array. If the slot is empty, it drops the frame. @counts is a per-CPU array:
 * frames of each slot, then frames without a tag, then dropped frames.
 */
void carrier_dispatcher(const struct carrier *c, int progs, int counts, struct code *code);

#endif /* SPLIT_CARRIER_H */
