/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric.h - TLPs, links with credits, and nodes with finite buffers.
 *
 * A root complex, a switch and three devices:
 *
 *	CPU -- root complex -- switch -- NIC
 *	                          |----- accelerator that decrypts ("QAT")
 *	                          '----- accelerator that classifies
 */
#ifndef FABRIC_H
#define FABRIC_H

#include <stdbool.h>

#include "opt.h"
#include "sim.h"

/* Nodes; a switch's port has the number of the node behind it. */
enum { FAB_ROOT, FAB_NIC, FAB_DECRYPT, FAB_CLASSIFY, FAB_PORTS, FAB_SWITCH = FAB_PORTS,
       FAB_NODES, FAB_NOBODY };

/* Posted requests, non-posted ones, completions: with credits and an order for each */
enum fab_class { FAB_P, FAB_NP, FAB_CPL, FAB_CLASSES };

/*
 * Addresses: host memory, then a BAR for each device, then the switch's window. All need
 * headers of four words, as in the card's accounts (fw/board/pci/tlp.c).
 */
#define FAB_HOST	0x100000000ull
#define FAB_BAR(node)	(0x1000000000ull * (node))
#define FAB_BAR_SIZE	0x1000000000ull
#define FAB_DOORBELL	0ull			/* in a BAR: tail of the descriptor queue */
#define FAB_INPUT	0x10000000ull		/* ... input of a stream-native device */
#define FAB_MEMORY	0x20000000ull		/* ... memory of the card */
#define FAB_WINDOW	0x10000000000ull	/* the switch's, with streams in it */
#define FAB_STREAM(s)	(FAB_WINDOW + 0x100000000ull * (s))
/* From a buffer's address to that of its ring of descriptors */
#define FAB_RING	0x80000000ull
#define FAB_PUSH_AT	0x8000000000ull		/* the root complex': the CPU stores a push */

struct fabric;
struct fab_node;

/**
 * struct fab_tlp
 * @len: bytes of data; of a read: bytes asked for
 * @order: in its queue
 * @ready: when a node has looked at it
 * @step: the last step of its trace
 * @requester: node
 * @refused: of a completion: unsupported request, no data
 */
struct fab_tlp {
	struct fab_tlp *next;
	uint64_t addr, order;
	fab_time ready;
	uint32_t len, step, op;
	uint16_t tag;
	uint8_t cls, requester;
	bool refused;
	uint8_t data[];
};

struct fab_queue {
	struct fab_tlp *head[FAB_CLASSES], **tail[FAB_CLASSES];
	uint32_t n[FAB_CLASSES];
	uint64_t order;
};

typedef bool (*fab_may)(void *ctx, const struct fab_tlp *t);

void fab_queue_init(struct fab_queue *q);
void fab_queue_put(struct fab_queue *q, struct fab_tlp *t);
/*
 * Take the oldest for which @may is true, in PCIe's order: nothing passes a posted request
 * that came before it, but a posted request passes all; reads and completions pass each
 * other. NULL: there is none.
 */
struct fab_tlp *fab_queue_take(struct fab_queue *q, fab_may may, void *ctx);

struct fab_credits {
	uint32_t header[FAB_CLASSES], data[FAB_CLASSES];
};

/**
 * struct fab_lane - one direction of a link
 * @left: credits that the transmitter has
 * @limit: room of the receiver; header 0: no limit
 * @answers: reads that wait for the link to be answered
 */
struct fab_lane {
	struct fabric *f;
	struct fab_node *from, *to;
	uint8_t from_port, to_port;
	struct fab_queue tx;
	struct fab_credits left, limit;
	bool sending;
	uint32_t tx_most[FAB_CLASSES];	/* that waited at a time */
	struct fab_answer *answers, **answers_end;
	uint32_t nanswers;
	uint64_t tlps[FAB_CLASSES], payload, overhead;
};

/**
 * struct fab_rx - the receiver's end of a link
 * @used: credits' worth of buffers that are full
 * @most: the same, at most so far
 */
struct fab_rx {
	struct fab_queue q;
	struct fab_lane *lane;
	struct fab_credits used, most;
};

/**
 * struct fab_node
 * @may: may @take be called for that TLP of that port? NULL: always
 * @take: a TLP is there, and is the callee's
 * @room: a link of the node has room; called after the node's DMA had it
 */
struct fab_node {
	struct fabric *f;
	uint8_t id;
	fab_time latency;
	struct fab_lane *tx[FAB_PORTS];
	struct fab_rx rx[FAB_PORTS];
	bool (*may)(struct fab_node *n, uint8_t port, const struct fab_tlp *t);
	void (*take)(struct fab_node *n, uint8_t port, struct fab_tlp *t);
	bool look_pending;
	uint64_t looks;
	struct fab_dma *dma;
	void *unit;		/* struct fab_device, or of the switch struct fab_pipe */
};

/* Events that must not happen, and those that the model refuses */
struct fab_counts {
	uint64_t overruns;	/* more TLPs than credits */
	uint64_t denied, denied_bytes;	/* no entry of the switch allows them */
	uint64_t unclaimed;	/* nobody has that address */
	uint64_t bad;		/* completions with an error, results that nobody asked for */
	uint64_t dropped;	/* messages for which the NIC had no room */
};

struct fabric {
	struct fab_opt opt;
	struct fab_sim sim;
	struct fab_node node[FAB_NODES];
	struct fab_lane lane[2 * FAB_PORTS];
	struct fab_counts n;
	struct fab_chain *chain;
};

/* lane.c, node.c */
struct fab_tlp *fab_tlp_new(enum fab_class cls, uint64_t addr, uint32_t len, uint32_t step,
			    uint32_t op);
uint32_t fab_tlp_overhead(const struct fab_tlp *t);
bool fab_lane_room(const struct fab_lane *l, enum fab_class cls);
void fab_lane_put(struct fab_lane *l, struct fab_tlp *t);
/* The receiver's buffer of @t is free again. */
void fab_lane_return(struct fab_lane *l, const struct fab_tlp *t);

void fab_link(struct fabric *f, uint8_t port);
void fab_node_arrive(struct fab_node *n, uint8_t port, struct fab_tlp *t);
/* Take what may be taken at @port. */
void fab_node_ready(struct fab_node *n, uint8_t port);
/* Something may be possible now that was not: look at all that waits. */
void fab_node_look(struct fab_node *n);
const char *fab_node_name(uint8_t node);

/* answer.c: completions */
typedef void (*fab_fetch)(void *ctx, uint64_t addr, void *to, uint32_t len);

bool fab_answer_room(const struct fab_lane *l);
/* Answer read @t, which stays the caller's, by what @fetch says when a completion leaves. */
void fab_answer(struct fab_lane *l, const struct fab_tlp *t, uint32_t step, fab_fetch fetch,
		void *ctx);
void fab_answer_refuse(struct fab_lane *l, const struct fab_tlp *t, uint32_t step);
void fab_answers_run(struct fab_lane *l);
void fab_answers_free(struct fab_lane *l);

#endif /* FABRIC_H */
