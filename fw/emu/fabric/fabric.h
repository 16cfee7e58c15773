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

/* Nodes. A port of the switch has the number of the node that it leads to. */
enum { FAB_ROOT, FAB_NIC, FAB_DECRYPT, FAB_CLASSIFY, FAB_PORTS, FAB_SWITCH = FAB_PORTS,
       FAB_NODES, FAB_NOBODY };

/* Posted requests, non-posted requests, completions. Each class has its credits and its order. */
enum fab_class { FAB_P, FAB_NP, FAB_CPL, FAB_CLASSES };

/*
 * Addresses: host memory, then a BAR for each device, then the switch's window. All of them need
 * headers of four words, as in the card's TLP counters (fw/emu/board/pci/tlp.c).
 */
#define FAB_HOST	0x100000000ull
#define FAB_BAR(node)	(0x1000000000ull * (node))
#define FAB_BAR_SIZE	0x1000000000ull
#define FAB_DOORBELL	0ull			/* in a BAR: tail of the descriptor queue */
#define FAB_INPUT	0x10000000ull		/* in a BAR: input of a stream-native device */
#define FAB_MEMORY	0x20000000ull		/* in a BAR: memory of the card */
#define FAB_WINDOW	0x10000000000ull	/* window of the switch, with the streams */
#define FAB_STREAM(s)	(FAB_WINDOW + 0x100000000ull * (s))
/* Offset of the ring of descriptors from the address of its buffer */
#define FAB_RING	0x80000000ull
/* the root complex takes the CPU's struct fab_push here */
#define FAB_PUSH_AT	0x8000000000ull

struct fabric;
struct fab_node;

/**
 * struct fab_tlp - a TLP
 * @len: bytes of data; for a read: bytes requested
 * @order: position in its queue
 * @ready: time at which the node has finished with it (struct fab_node, @latency)
 * @step: last step in its trace
 * @requester: node that sent the request
 * @refused: completion: unsupported request, no data
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
 * Take the oldest TLP for which @may is true and that PCIe's ordering rules allow. No TLP passes
 * an earlier posted request. A posted request passes all others. Reads and completions pass each
 * other. Return NULL if there is none.
 */
struct fab_tlp *fab_queue_take(struct fab_queue *q, fab_may may, void *ctx);

struct fab_credits {
	uint32_t header[FAB_CLASSES], data[FAB_CLASSES];
};

/**
 * struct fab_lane - one direction of a link
 * @left: credits that the transmitter has left
 * @limit: buffers of the receiver; header 0: no limit
 * @answers: reads whose completions wait for the link
 */
struct fab_lane {
	struct fabric *f;
	struct fab_node *from, *to;
	uint8_t from_port, to_port;
	struct fab_queue tx;
	struct fab_credits left, limit;
	bool sending;
	uint32_t tx_most[FAB_CLASSES];	/* most TLPs that waited at any time */
	struct fab_answer *answers, **answers_end;
	uint32_t nanswers;
	uint64_t tlps[FAB_CLASSES], payload, overhead;
};

/**
 * struct fab_rx - the receiving end of a link
 * @used: occupied buffers, in credits
 * @most: most buffers occupied at any time
 */
struct fab_rx {
	struct fab_queue q;
	struct fab_lane *lane;
	struct fab_credits used, most;
};

/**
 * struct fab_node - a device, the root complex or the switch
 * @may: return whether @take may be called for the TLP at the port; NULL: always true
 * @take: take a TLP, and free it later
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
	void *unit;		/* struct fab_device, or struct fab_pipe of the switch */
};

/* Counters of events that must not happen, or that the model refuses */
struct fab_counts {
	uint64_t overruns;	/* TLPs beyond the receiver's credits */
	uint64_t denied, denied_bytes;	/* no entry of the switch allows the TLP */
	uint64_t unclaimed;	/* no node has the address */
	uint64_t bad;		/* completions with an error, unexpected results */
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
/* @t has left the receiver's buffer: return its credits. */
void fab_lane_return(struct fab_lane *l, const struct fab_tlp *t);

void fab_link(struct fabric *f, uint8_t port);
void fab_node_arrive(struct fab_node *n, uint8_t port, struct fab_tlp *t);
/* Take the TLPs at @port that can be taken now. */
void fab_node_ready(struct fab_node *n, uint8_t port);
/* A resource was freed: try everything at the node that waits. */
void fab_node_look(struct fab_node *n);
const char *fab_node_name(uint8_t node);

/* answer.c: completions */
typedef void (*fab_fetch)(void *ctx, uint64_t addr, void *to, uint32_t len);

bool fab_answer_room(const struct fab_lane *l);
/*
 * Answer read @t with data from @fetch, which is called when a completion is sent. The caller
 * still owns @t.
 */
void fab_answer(struct fab_lane *l, const struct fab_tlp *t, uint32_t step, fab_fetch fetch,
		void *ctx);
void fab_answer_refuse(struct fab_lane *l, const struct fab_tlp *t, uint32_t step);
void fab_answers_run(struct fab_lane *l);
void fab_answers_free(struct fab_lane *l);

#endif /* FABRIC_H */
