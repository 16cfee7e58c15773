/* SPDX-License-Identifier: GPL-2.0-only */
/* link.h - a link, for the files that make it: link_*.c and peer*.c. */
#ifndef NFPC_LINK_H
#define NFPC_LINK_H

#include "pipe.h"

struct nfpc_push;

/**
 * enum nfpc_link_state - states of a link
 * @NFPC_LINK_DOWN: no pipe has the link
 * @NFPC_LINK_MAKING: a thread makes the link
 * @NFPC_LINK_UP: the cards carry messages
 * @NFPC_LINK_ENDING: a thread ends the link
 *
 *             link_begin()          link_settle()
 *     DOWN ----------------> MAKING --------------> UP
 *      ^                        |                    |
 *      |      link_settle()     |                    | nfpc_link_end()
 *      +------------------------+                    |
 *      +-------------- ENDING <----------------------+
 *        link_settle()
 *
 * The thread that has brought the link to MAKING or ENDING owns it: it alone sends commands about
 * the link. All others wait until it has settled. In all states but DOWN the link's pipes exist,
 * and the cards of a link between two cards stay attached, as a detach ends such links first.
 */
enum nfpc_link_state {
	NFPC_LINK_DOWN,
	NFPC_LINK_MAKING,
	NFPC_LINK_UP,
	NFPC_LINK_ENDING,
};

/**
 * struct nfpc_peer - ring and doorbells of a link between two cards
 *
 * Card A sends, card B receives. The thread that owns the link (link.h) has all fields.
 *
 * @to: card B, a reference of its dev; NULL: the link is within a card. Constant
 * @ring_shift: log2 of the ring's bytes
 * @limit: bytes that may be outstanding
 * @most: bytes of the largest message that B's process takes
 * @exact: B's process takes messages of @most bytes only
 * @bell_b: mapping, for A, of the doorbell page of B's pipe
 * @bell_a: mapping, for B, of the doorbell page of A's pipe
 * @ring_a: mapping of the ring for A
 * @ring_b: address of the ring for B: a DMA address, or with push one of B's own memory
 * @push: push: the ring's blocks in B's memory, else NULL
 * @base: push: mapping of the ring's first page for the kernel
 * @stage: staging: the ring, else NULL
 * @stage_b: staging: the mapping of @stage for B
 */
struct nfpc_peer {
	struct nfpc_card *to;
	u32 ring_shift;
	u32 limit;
	u32 most;
	bool exact;
	struct nfpc_dma *bell_b;
	struct nfpc_dma *bell_a;
	struct nfpc_dma *ring_a;
	u64 ring_b;
	struct nfpc_push *push;
	void __iomem *base;
	struct nfpc_buf *stage;
	struct nfpc_dma *stage_b;
};

/**
 * struct nfpc_link - two ends that are linked
 * @ref: references of the link's file, and of threads that end the link
 * @state: the state; links_lock (link.c)
 * @card: the card of @rx; a reference of card->dev
 * @peer: ring and doorbells of a link between two cards
 * @rx: the pipe to the host; NULL if the state is DOWN. Changed under links_lock
 * @tx: the pipe to the NFP, NULL if the messages are dropped or the state is DOWN. As @rx
 * @via: NFP_CHAN_LINK_ONCARD and others, constant once the link is up
 * @stat: the counters, as last read from the card; links_lock
 * @from: name of the channel of @rx, constant
 * @to: name of the channel of @tx, constant
 * @wq: poll() of the link's file waits here
 */
struct nfpc_link {
	struct kref ref;
	enum nfpc_link_state state;
	struct nfpc_card *card;
	struct nfpc_peer peer;
	struct nfpc_pipe *rx;
	struct nfpc_pipe *tx;
	u32 via;
	struct nfpc_stat stat;
	char from[NFP_CHAN_NAME_LEN];
	char to[NFP_CHAN_NAME_LEN];
	wait_queue_head_t wq;
};

/* link.c */
struct nfpc_link *nfpc_link_alloc(struct nfpc_pipe *rx, struct nfpc_pipe *tx);
void nfpc_link_put(struct nfpc_link *link);
void nfpc_link_lock(struct nfpc_link *link);
void nfpc_link_unlock(struct nfpc_link *link);
int nfpc_link_up(struct nfpc_link *link, struct nfpc_pipe *rx, struct nfpc_pipe *tx,
		 const struct nfp_chan_fw_link *template, bool stage);
void nfpc_link_end(struct nfpc_link *link);
u32 nfpc_link_look(struct nfpc_link *link, struct nfpc_stat *stat, u32 *via);
int nfpc_link_exec(struct nfpc_pipe *p, union nfpc_req *req, bool *unsure);
bool nfpc_link_counters(struct nfpc_pipe *p, struct nfpc_stat *stat);

/* peer.c */
int nfpc_peer_make(struct nfpc_link *link, const struct nfp_chan_fw_link *template, bool stage);
u64 nfpc_peer_count(struct nfpc_link *link);
void nfpc_peer_down(struct nfpc_link *link);

/* peer_ring.c */
int nfpc_peer_geometry(struct nfpc_link *link, const struct nfp_chan_fw_link *template);
int nfpc_peer_stage_alloc(struct nfpc_peer *peer);
int nfpc_peer_take(struct nfpc_link *link);
void nfpc_peer_give(struct nfpc_link *link, bool quiet_a, bool quiet_b);

#endif /* NFPC_LINK_H */
