/* SPDX-License-Identifier: GPL-2.0-only */
/* peer.h - links between two cards, for peer.c and peer_ring.c. */
#ifndef NFPC_PEER_H
#define NFPC_PEER_H

#include "link.h"

/**
 * struct nfpc_peer - what a link between two cards uses; peer_lock (peer.c)
 * @node: in peers, while the link is up
 * @link: the link
 * @to: card B, a reference
 * @push: the ring is in card B's memory
 * @ring_shift: log2 of the ring's bytes
 * @limit: bytes that may be outstanding
 * @most: bytes of the largest message that B's process takes
 * @exact: it takes no smaller one
 * @bell_b: B's doorbell page, as A sees it; 0: not mapped
 * @bell_a: A's doorbell page, as B sees it
 * @ring_a: the ring, as A sees it; 0: there is none
 * @ring_b: the ring, as B sees it
 * @block: push: the ring's first piece of B's memory
 * @phys: push: the ring, as the CPU sees it
 * @stage: staging: the ring
 * @stage_a: the ring, as A has it
 * @stage_b: the ring, as B has it
 */
struct nfpc_peer {
	struct list_head node;
	struct nfpc_link *link;
	struct nfpc_card *to;
	bool push;
	u32 ring_shift;
	u32 limit;
	u32 most;
	bool exact;
	dma_addr_t bell_b;
	dma_addr_t bell_a;
	dma_addr_t ring_a;
	dma_addr_t ring_b;
	unsigned int block;
	phys_addr_t phys;
	struct nfpc_buf *stage;
	struct nfpc_dma *stage_a;
	struct nfpc_dma *stage_b;
};

/* peer_ring.c */
int nfpc_peer_geometry(struct nfpc_peer *peer, const struct nfpc_pipe *rx,
		       const struct nfpc_pipe *tx, const struct nfp_chan_link *l);
int nfpc_peer_stage_alloc(struct nfpc_peer *peer);
int nfpc_peer_bells_map(struct nfpc_peer *peer, struct nfpc_pipe *rx, struct nfpc_pipe *tx);
void nfpc_peer_bells_unmap(struct nfpc_peer *peer, struct nfpc_card *a);
int nfpc_peer_ring_take(struct nfpc_peer *peer, struct nfpc_card *a);
void nfpc_peer_ring_give(struct nfpc_peer *peer, struct nfpc_card *a, bool quiet);

#endif /* NFPC_PEER_H */
