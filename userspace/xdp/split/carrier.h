/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * carrier.h - how the card tells the host at which program a frame continues.
 *
 * With EtherTypes, the card replaces the EtherType by one of a private block. Each stage
 * has one type of the block for each usual EtherType, so such a frame keeps its length. A
 * frame of another type grows by four bytes, like a frame that gets a VLAN tag, and its own
 * type follows the type of the block. With queues, the RX ring tells the stage, and the
 * frame does not change.
 */
#ifndef SPLIT_CARRIER_H
#define SPLIT_CARRIER_H

#include <stdbool.h>
#include <stdint.h>
#include "code.h"

/* Types of the block for each stage: one for frames that grow, then one for each usual type */
#define CARRIER_TYPES		8
#define CARRIER_INSERTED	4	/* bytes by which a frame grows */

#define CARRIER_BASE		0xf800
#define CARRIER_COUNT		256

enum carrier_kind { CARRIER_ETHERTYPE, CARRIER_QUEUE };

/**
 * struct carrier - how the stage is carried from the card to the host
 * @kind: by EtherType or by RX ring
 * @base: first EtherType of the block
 * @count: number of types in the block
 * @queue: the last RX ring; stage n has ring @queue - n
 * @stages: most stages
 */
struct carrier {
	enum carrier_kind kind;
	uint16_t base;
	unsigned int count;
	unsigned int queue;
	unsigned int stages;
};

/* The usual EtherTypes, in host byte order; entry 0 is not used. */
extern const uint16_t carrier_types[CARRIER_TYPES];

/* Counters of the card. The dispatcher has such counters after those of its stages. */
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
/* Pass the frame to a stage of the host. */
void carrier_stub(const struct carrier *c, unsigned int stage, struct code *code);
/* Tag the frame. r2 is the stage's first type of the block. The code ends with an exit. */
void carrier_tag(int map, struct code *code);

/*
 * The dispatcher, which is the host's program. It restores the frame and makes a tail call
 * to the stage's program in @progs, a prog array with a slot for each stage. If the slot is
 * empty, it drops the frame. @counts is a per-CPU array: frames of each stage, then frames
 * without a tag, then dropped frames.
 */
void carrier_dispatcher(const struct carrier *c, int progs, int counts, struct code *code);

#endif /* SPLIT_CARRIER_H */
