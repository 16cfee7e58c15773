/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * graph.h - a policy graph: which ME process sends to which other one, over links of the cards,
 * and which devices the ME processes drive.
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
 * A node is an ME process. It receives from the channel "in", which leads to the NFP, and sends
 * to the channel "out", which leads to the host. With "events" it sends the events that the XDP
 * program on INTERFACE emits on MAP. A node of an accelerator is the ME process of the card
 * CARDDEVICE that drives the accelerator (UNIT 0 or 1). Each message to the node is a job with
 * the key of STREAM; the accelerator does not get the first BYTES of the message. The node sends
 * the completion and the output. A key must be given before the node that uses it.
 *
 * An edge with "match" takes the messages that have VALUE at byte OFFSET, compared in the bits
 * of MASK. TYPE is u8, u16, u32 or u64 in little-endian order, or be16, be32 or be64. An edge
 * without "match" takes the other messages. If all edges of a node have "match", the card drops
 * and counts the other messages. The card puts the bytes of "command" in front of each message.
 * With "state", the card keeps a little-endian number at OFFSET of the command: the first
 * message has the number in the command, and each message adds STEP.
 *
 * If there is a line "allow", devices may send only to the devices that such lines allow.
 */
#ifndef POLICY_GRAPH_H
#define POLICY_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRAPH_NAME	32	/* bytes of a name, with its NUL */
#define GRAPH_TEXT	64	/* bytes of a card, channel, interface or map, with its NUL */
#define GRAPH_DEVICES	16
#define GRAPH_NODES	64
#define GRAPH_EDGES	128
#define GRAPH_ALLOWS	64
#define GRAPH_KEYS	64
#define GRAPH_KEY	16	/* bytes of a key */
#define GRAPH_STREAMS	64	/* streams of an accelerator */
#define GRAPH_UNITS	2	/* ME processes of a card that drive accelerators */
#define GRAPH_COMMAND	64	/* bytes of a command */
#define GRAPH_HOST	UINT32_MAX	/* end of an edge: the host */
#define GRAPH_NOWHERE	(UINT32_MAX - 1)	/* end of an edge: the messages are dropped */
#define GRAPH_OFFSET	2040	/* largest offset of a match in a message */

enum graph_kind { GRAPH_CARD, GRAPH_AES_GCM, GRAPH_CLASSIFY };

/**
 * struct graph_device - a card or an accelerator
 * @name: its name in the graph
 * @kind: a card, or which kind of accelerator
 * @card: of a card: number, PCI function or device node
 * @index: of an accelerator: its number among those of this kind
 * @line: its line in the file
 */
struct graph_device {
	char name[GRAPH_NAME];
	enum graph_kind kind;
	char card[GRAPH_TEXT];
	unsigned int index;
	unsigned int line;
};

struct graph_key {
	unsigned int device;	/* index of an accelerator */
	unsigned int stream;
	uint8_t key[GRAPH_KEY];
	unsigned int line;
};

/**
 * struct graph_node - an ME process
 * @name: its name in the graph
 * @device: index of its device: a card, or the accelerator that it drives
 * @card: index of the card that it runs on
 * @in: the channel that it receives from, or empty
 * @out: the channel that it sends to, or empty
 * @interface: interface of the XDP program whose events it sends, or empty
 * @map: perf event array of that program
 * @unit: of an accelerator: which of the card's ME processes drives it
 * @stream: of an accelerator: stream whose key the jobs use
 * @skip: of an accelerator: first bytes of a message that are not part of the job
 * @line: its line in the file
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
 * @type: "u32" and the like; NULL: the messages that no other edge takes
 * @offset: offset of the first byte that is compared
 * @width: bytes that are compared
 * @value: the number at that place, in the bits of @mask
 * @mask: the bits that are compared
 */
struct graph_match {
	const char *type;
	unsigned int offset;
	unsigned int width;
	uint64_t value;
	uint64_t mask;
};

struct graph_edge {
	unsigned int from;	/* index of a node */
	unsigned int to;	/* index of a node, GRAPH_HOST or GRAPH_NOWHERE */
	struct graph_match match;
	uint8_t command[GRAPH_COMMAND];
	unsigned int command_len;
	unsigned int state_off;	/* offset of the state in the command */
	unsigned int state_len;	/* bytes of the state; 0: there is none */
	uint32_t state_step;
	unsigned int line;	/* line in the file; to GRAPH_NOWHERE: the node's line */
};

struct graph_allow {
	unsigned int from;	/* index of a device */
	unsigned int to;	/* index of a device, or GRAPH_HOST */
};

struct graph {
	unsigned int devices, keys, nodes, edges, allows;
	struct graph_device device[GRAPH_DEVICES];
	struct graph_key key[GRAPH_KEYS];
	struct graph_node node[GRAPH_NODES];
	struct graph_edge edge[GRAPH_EDGES];	/* edges to GRAPH_NOWHERE are not in the file */
	struct graph_allow allow[GRAPH_ALLOWS];
};

/**
 * graph_read() - read a graph from a file and check it
 * @g: out: the graph, for graph_free(); NULL after a failure
 * @err: out: "FILE:LINE: text" of the first error
 *
 * Return: 0, -EINVAL (the graph is wrong), or the -errno of reading the file.
 */
int graph_read(const char *path, struct graph **g, char *err, size_t errlen);
/* Read a graph from a text in memory. Errors have @name in place of a file's. */
int graph_read_text(const char *name, const char *text, struct graph **g, char *err, size_t errlen);
void graph_free(struct graph *g);

/**
 * graph_check() - check a graph as a whole
 * @file: name of the file, for @err
 *
 * Each edge has to be allowed. No messages may come back to the node that sent them. No two edges
 * of a node may take the same messages. Return: 0, or -EINVAL with the text in @err.
 */
int graph_check(const struct graph *g, const char *file, char *err, size_t errlen);

/* Returns "card", "aes-gcm" or "classify". */
const char *graph_kind_name(enum graph_kind kind);
const char *graph_end_name(const struct graph *g, unsigned int end);
/* Returns a text such as "u32 at 4 = 0x7 mask 0xff", or "". */
const char *graph_match_text(const struct graph_match *m, char *buf, size_t size);

/* The bytes that are compared, in the order in which a message has them */
void graph_match_bytes(const struct graph_match *m, uint8_t value[8], uint8_t mask[8]);

#endif /* POLICY_GRAPH_H */
