/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pipe.h - the programmable part of a switch: a table that matches port, class and address, a
 * short program for each entry, and a table of streams that the programs use.
 *
 * A program runs once for a TLP, in the time of the pipeline. It has no loops. The CPU fills the
 * tables when a stream is created.
 */
#ifndef FAB_PIPE_H
#define FAB_PIPE_H

#include "desc.h"
#include "fabric.h"

#define FAB_PROGRAM	8	/* most primitives of a program */
#define FAB_ENTRIES	32
#define FAB_STREAMS	8

enum fab_prim {
	FAB_ROUTE,	/* forward the TLP to its address */
	FAB_MOVE,	/* forward it to the same offset in the target of stream arg */
	FAB_STORE,	/* copy its data to the buffer of stream arg */
	FAB_COMPLETE,	/* it is a completion: stream arg has a message of the length in it */
	FAB_COUNT,	/* it is data: continue if stream arg has a complete message now */
	FAB_NOTIFY,	/* store the new tail to the doorbell of stream arg */
	FAB_DESC,	/* answer the read with descriptors of stream arg */
	FAB_DATA,	/* answer the read from the buffer of stream arg */
	FAB_FREE,	/* it is a completion: free the slot of that message in stream arg */
	/* it is a struct fab_push: send host memory to the target of stream arg */
	FAB_PUSH,
	FAB_PRIMS
};

struct fab_stage {
	uint8_t prim, arg;
};

struct fab_entry {
	uint8_t port, cls;
	uint64_t lo, hi;
	struct fab_stage prog[FAB_PROGRAM];
	unsigned int stages;
	uint64_t tlps, bytes;
};

/**
 * struct fab_stream - the switch's state of a stream
 * @target: destination of FAB_MOVE and FAB_PUSH
 * @base: address of the buffer in the switch's window
 * @buffer: slots of @slot_size bytes, with one message each
 * @full: for each slot: the message is complete
 * @len: for each slot: length of the message
 * @seq: for each slot: number of the message
 * @message: bytes of a message, for a stream without completions
 * @count: received bytes of the current message, for such a stream
 * @tail: messages so far, which is the value for the doorbell
 * @doorbell: address of the reader's doorbell; 0: none
 * @next: stream whose buffer takes the reader's output
 */
struct fab_stream {
	uint64_t target, base;
	uint8_t *buffer;
	bool *full;
	uint32_t *len;
	uint64_t *seq;
	uint32_t slots, slot_size, message, count, tail;
	uint64_t doorbell;
	uint8_t next;
	uint16_t cmd;
	const char *notice;	/* name of a doorbell in the trace */
};

/**
 * struct fab_pipe - tables and programs of a switch or root complex
 * @plain: forward a TLP that no entry matches; otherwise such a TLP is denied
 * @push: implements FAB_PUSH, in a root complex only
 */
struct fab_pipe {
	struct fab_node *n;
	bool plain;
	struct fab_entry entry[FAB_ENTRIES];
	unsigned int entries;
	struct fab_stream stream[FAB_STREAMS];
	void (*push)(struct fab_node *n, uint64_t target, const struct fab_tlp *t);
};

/*
 * Add an entry for TLPs of class @cls that arrive at @port with addresses from @lo up to, but not
 * including, @hi. Return 0, -E2BIG (more than FAB_PROGRAM primitives), -ENOSPC (the table is
 * full), -EEXIST (overlaps another entry) or -EINVAL (no such port, primitive or stream, or @hi
 * <= @lo).
 */
int fab_pipe_add(struct fab_pipe *p, uint8_t port, enum fab_class cls, uint64_t lo,
		 uint64_t hi, const struct fab_stage *prog, unsigned int stages);
struct fab_entry *fab_pipe_match(struct fab_pipe *p, uint8_t port, const struct fab_tlp *t);
/* Return whether there is room for everything that the program sends and stores. */
bool fab_pipe_may(const struct fab_pipe *p, const struct fab_entry *e,
		  const struct fab_tlp *t);
/*
 * Run the program. Return true if it has forwarded the TLP; otherwise the caller frees the TLP.
 */
bool fab_pipe_run(struct fab_pipe *p, struct fab_entry *e, struct fab_tlp *t);
/* Allocate the buffer of stream @s. */
void fab_stream_buffer(struct fab_pipe *p, uint8_t s, uint32_t slots, uint32_t slot_size);
void fab_pipe_free(struct fab_pipe *p);

/* switch.c */
void fab_switch_init(struct fab_node *n, struct fab_pipe *p);
/* The port that leads to @addr: a device's, otherwise the root complex's. */
uint8_t fab_port_of(uint64_t addr);

#endif /* FAB_PIPE_H */
