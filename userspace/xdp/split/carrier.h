/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * carrier.h - how the card tells the host with which program to go on.
 *
 * By an EtherType of a private block: frame and length stay as they are, for each
 * stage has a type for each usual EtherType. A frame of another type grows by four
 * bytes, as by a VLAN tag, behind which its own type is. Or by the ring into which
 * the card puts the frame: of that the frame itself shows nothing.
 */
#ifndef SPLIT_CARRIER_H
#define SPLIT_CARRIER_H

#include <stdbool.h>
#include <stdint.h>
#include "code.h"

/* Types of a stage: that of a frame that grew, and those of carrier_types[] */
#define CARRIER_TYPES		8
#define CARRIER_INSERTED	4	/* bytes by which a frame grows */

#define CARRIER_BASE		0xf800
#define CARRIER_COUNT		256

enum carrier_kind { CARRIER_ETHERTYPE, CARRIER_QUEUE };

/**
 * struct carrier - what carries the continuation
 * @kind: by which means
 * @base: the first EtherType of the block
 * @count: how many it has
 * @queue: the last ring; stage n has the nth before it
 * @stages: how many stages there can be
 */
struct carrier {
	enum carrier_kind kind;
	uint16_t base;
	unsigned int count;
	unsigned int queue;
	unsigned int stages;
};

/* Those that no frame grows for; the first is none. */
extern const uint16_t carrier_types[CARRIER_TYPES];

/* What the card counts, and what the dispatcher counts behind its stages */
enum carrier_count {
	COUNT_FORGED,		/* came from the wire with a type of the block */
	COUNT_LOST,		/* too short for a type, or there was no room for it */
	COUNTS,
};

/*
 * Code of the card: r1 is the context. @map is what BPF_PSEUDO_MAP_IDX has for the counters.
 * By EtherType, a frame passes the front, and a stub goes on to the tag behind its end.
 */

/* Drop what has a type of the block; go on behind the end with anything else. */
void carrier_front(const struct carrier *c, int map, struct code *code);
/*
 * The same for a frame that a program passes, r0 being its verdict: it may have taken off
 * what was around a type of the block.
 */
void carrier_leave(const struct carrier *c, int map, struct code *code);
/* To the host, for a stage. */
void carrier_stub(const struct carrier *c, unsigned int stage, struct code *code);
/* r2: the first type of the stage. r0 is the verdict at the end. */
void carrier_tag(int map, struct code *code);

/*
 * The host's program: back to the frame as it was, and on to the program in @progs,
 * an array of programs with a slot for each stage. What is not there is dropped. @counts is a
 * per-CPU array: frames of each stage, then those of none, then those dropped here.
 */
void carrier_dispatcher(const struct carrier *c, int progs, int counts, struct code *code);

#endif /* SPLIT_CARRIER_H */
