/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * graph.h - a policy graph: which ME process sends to which, by links of the cards, and which
 * devices such processes drive.
 *
 *	device NAME card CARD
 *	device NAME accel aes-gcm|classify [INDEX]
 *	key    DEVICE STREAM HEX
 *	node   NAME DEVICE [in CHANNEL] [out CHANNEL] [events INTERFACE MAP]
 *	node   NAME DEVICE via CARDDEVICE UNIT [stream STREAM] [skip BYTES]
 *	edge   NODE -> NODE|host [match TYPE OFFSET = VALUE [mask MASK]]
 *	       [command HEX [state u32|u64 OFFSET step STEP]]
 *	allow  DEVICE -> DEVICE|host
 *
 * A node is an ME process: it receives from the channel "in", which is to the NFP, and sends
 * to the channel "out", which is to the host. With "events" it sends what the XDP program on
 * INTERFACE emits on MAP. A node of an accelerator is a process of the card that drives it
 * ("via", UNIT 0 or 1): each message, but for its first BYTES, is a job, with the key of STREAM;
 * it sends completion and output. The keys are above the node.
 *
 * An edge with "match" takes the messages that
 * have VALUE at byte OFFSET, compared in the bits of MASK; TYPE is u8, u16, u32 or u64 in
 * little-endian order, or be16, be32 or be64. An edge without takes the others; if a node has
 * only edges with "match", the card drops the others and counts them. "command" is bytes that
 * the card puts in front of each message. The number at OFFSET of them, in little-endian order,
 * is the first message's, and grows by STEP with each.
 *
 * With a line "allow", devices reach each other only as these lines say.
 */
#ifndef CHAIN_GRAPH_H
#define CHAIN_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRAPH_NAME	32	/* bytes of a name, with the 0 at its end */
#define GRAPH_TEXT	64	/* of a card and of a channel */
#define GRAPH_DEVICES	16
#define GRAPH_NODES	64
#define GRAPH_EDGES	128
#define GRAPH_ALLOWS	64
#define GRAPH_KEYS	64
#define GRAPH_KEY	16	/* bytes of a key */
#define GRAPH_STREAMS	64	/* of an accelerator */
#define GRAPH_UNITS	2	/* processes of a card that drive accelerators */
#define GRAPH_COMMAND	64	/* bytes of a command */
#define GRAPH_HOST	UINT32_MAX	/* the host, as the end of an edge */
#define GRAPH_NOWHERE	(UINT32_MAX - 1)	/* its messages are dropped */
#define GRAPH_OFFSET	2040	/* the last byte of a message that a match reaches, less 8 */

enum graph_kind { GRAPH_CARD, GRAPH_AES_GCM, GRAPH_CLASSIFY };

/**
 * struct graph_device - a card or an accelerator
 * @name: its name in the graph
 * @kind: what it is
 * @card: of a card: its number, PCI function or node
 * @index: of an accelerator: which of those of its kind
 * @line: where the file has it
 */
struct graph_device {
	char name[GRAPH_NAME];
	enum graph_kind kind;
	char card[GRAPH_TEXT];
	unsigned int index;
	unsigned int line;
};

struct graph_key {
	unsigned int device;	/* number of an accelerator */
	unsigned int stream;
	uint8_t key[GRAPH_KEY];
	unsigned int line;
};

/**
 * struct graph_node - an ME process
 * @name: its name in the graph
 * @device: number of its device: a card, or the accelerator that the process drives
 * @card: number of the card that it runs on
 * @in: the channel that it receives from, or empty
 * @out: the channel that it sends to, or empty
 * @interface: whose XDP program's events it sends, or empty
 * @map: the perf event array of that program
 * @unit: of an accelerator: which process drives it
 * @stream: of an accelerator: whose key
 * @skip: bytes of a message that an accelerator does not get
 * @line: where the file has it
 */
struct graph_node {
	char name[GRAPH_NAME];
	unsigned int device;
	unsigned int card;
	char in[GRAPH_TEXT];
	char out[GRAPH_TEXT];
	char interface[GRAPH_TEXT];
	char map[GRAPH_TEXT];
	unsigned int unit;
	unsigned int stream;
	unsigned int skip;
	unsigned int line;
};

/**
 * struct graph_match - which messages an edge takes
 * @type: "u32" and such; NULL: all that no other edge takes
 * @offset: of the first byte that is compared
 * @width: bytes that are compared
 * @value: the number that is there, in the bits of @mask
 * @mask: bits that are compared
 */
struct graph_match {
	const char *type;
	unsigned int offset;
	unsigned int width;
	uint64_t value;
	uint64_t mask;
};

struct graph_edge {
	unsigned int from;	/* number of a node */
	unsigned int to;	/* the same, GRAPH_HOST or GRAPH_NOWHERE */
	struct graph_match match;
	uint8_t command[GRAPH_COMMAND];
	unsigned int command_len;
	unsigned int state_off;	/* in the command */
	unsigned int state_len;	/* bytes, 0: there is none */
	uint32_t state_step;
	unsigned int line;	/* of GRAPH_NOWHERE the node's */
};

struct graph_allow {
	unsigned int from;	/* number of a device */
	unsigned int to;	/* the same, or GRAPH_HOST */
};

struct graph {
	unsigned int devices, keys, nodes, edges, allows;
	struct graph_device device[GRAPH_DEVICES];
	struct graph_key key[GRAPH_KEYS];
	struct graph_node node[GRAPH_NODES];
	struct graph_edge edge[GRAPH_EDGES];	/* those to GRAPH_NOWHERE are not in the file */
	struct graph_allow allow[GRAPH_ALLOWS];
};

/**
 * graph_read() - read a file and check it
 * @err: "FILE:LINE: text" for the first thing that is wrong
 *
 * Return: 0 and *@g, which graph_free() frees; -EINVAL (wrong); -errno (not read).
 */
int graph_read(const char *path, struct graph **g, char *err, size_t errlen);
/* The same of a text in memory; @name stands for the file. */
int graph_read_text(const char *name, const char *text, struct graph **g, char *err, size_t errlen);
void graph_free(struct graph *g);

/**
 * graph_check() - what a graph as a whole has to be
 * @file: its name, for @err
 *
 * Every edge is allowed, no node sends to itself over others, no two edges of a node take the
 * same messages. Return: 0, or -EINVAL with the line in @err.
 */
int graph_check(const struct graph *g, const char *file, char *err, size_t errlen);

/* "card", "aes-gcm" or "classify" */
const char *graph_kind_name(enum graph_kind kind);
const char *graph_end_name(const struct graph *g, unsigned int end);
/* "u32 at 4 = 0x7 mask 0xff", or "" */
const char *graph_match_text(const struct graph_match *m, char *buf, size_t size);

/* The bytes that are compared, as a message has them. */
void graph_match_bytes(const struct graph_match *m, uint8_t value[8], uint8_t mask[8]);

#endif /* CHAIN_GRAPH_H */
