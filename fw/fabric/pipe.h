/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pipe.h - the programmable part of a switch: a table that matches port, kind and address,
 * a short program for what matches, and a table of streams that programs work on.
 *
 * Everything that a program does happens once a TLP in the time of the pipeline; it has no
 * loops. The CPU fills the tables, once for a stream.
 */
#ifndef FAB_PIPE_H
#define FAB_PIPE_H

#include "desc.h"
#include "fabric.h"

#define FAB_PROGRAM	8	/* primitives at most */
#define FAB_ENTRIES	32
#define FAB_STREAMS	8

enum fab_prim {
	FAB_ROUTE,	/* send the TLP on, to where its address is */
	FAB_MOVE,	/* give it the same place in the target of stream arg */
	FAB_STORE,	/* put its data into the buffer of stream arg */
	FAB_COMPLETE,	/* it is a completion: stream arg has a message, of its length */
	FAB_COUNT,	/* it is data: go on if stream arg has all of a message now */
	FAB_NOTIFY,	/* store the new tail to the doorbell behind stream arg */
	FAB_DESC,	/* answer the read by descriptors of stream arg */
	FAB_DATA,	/* answer it from the buffer of stream arg */
	FAB_FREE,	/* it is a completion: stream arg can do without that message */
	FAB_PUSH,	/* it is a push: send host memory to the target of stream arg */
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
 * struct fab_stream - what the switch keeps for a stream
 * @target: where FAB_MOVE and FAB_PUSH lead
 * @base: address of the buffer in the switch's window
 * @buffer: slots of @slot_size bytes, a message in each
 * @full: by slot: the message is whole
 * @len: by slot
 * @seq: by slot
 * @message: bytes of each, where no completion says so; @count: those that are there
 * @tail: messages so far, the value for the doorbell
 * @doorbell: address; 0: none
 * @next: the stream whose buffer takes what the device makes of a message
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
 * struct fab_pipe
 * @plain: a TLP that no entry matches goes where its address is; else it is denied
 * @push: does FAB_PUSH; of the root complex
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
 * Add an entry for TLPs of kind @cls that come in at @port and lie from @lo to below @hi.
 * -E2BIG: a program of more than FAB_PROGRAM primitives; -ENOSPC: the table is full;
 * -EEXIST: an entry matches some of it; -EINVAL: no such port, primitive or stream, or
 * @hi <= @lo.
 */
int fab_pipe_add(struct fab_pipe *p, uint8_t port, enum fab_class cls, uint64_t lo,
		 uint64_t hi, const struct fab_stage *prog, unsigned int stages);
struct fab_entry *fab_pipe_match(struct fab_pipe *p, uint8_t port, const struct fab_tlp *t);
/* May the program run now: is there room for what it sends and stores? */
bool fab_pipe_may(const struct fab_pipe *p, const struct fab_entry *e,
		  const struct fab_tlp *t);
/* Run it. The TLP stays the caller's, but !0: it was sent on. */
bool fab_pipe_run(struct fab_pipe *p, struct fab_entry *e, struct fab_tlp *t);
/* Give stream @s a buffer. */
void fab_stream_buffer(struct fab_pipe *p, uint8_t s, uint32_t slots, uint32_t slot_size);
void fab_pipe_free(struct fab_pipe *p);

/* switch.c */
void fab_switch_init(struct fab_node *n, struct fab_pipe *p);
/* The port behind which an address is: a device's, or else the root complex'. */
uint8_t fab_port_of(uint64_t addr);

#endif /* FAB_PIPE_H */
