/* SPDX-License-Identifier: GPL-2.0-only */
/* peer.h - ring and doorbells of a link between two cards: for peer.c and peer_ring.c. */
#ifndef NFPC_PEER_H
#define NFPC_PEER_H

#include "link.h"

/**
 * struct nfpc_peer - ring and doorbells of a link between two cards
 *
 * Card A sends, card B receives. peer_lock (peer.c) protects all fields.
 *
 * @node: in peers, while the link is up
 * @link: the link
 * @to: card B; a reference of its dev
 * @push: the ring is in card B's memory
 * @ring_shift: log2 of the ring's bytes
 * @limit: bytes that may be outstanding
 * @most: bytes of the largest message that B's process takes
 * @exact: B's process takes messages of @most bytes only
 * @bell_b: DMA address, for A, of the doorbell page of B's pipe
 * @bell_a: DMA address, for B, of the doorbell page of A's pipe
 * @ring_a: DMA address of the ring, for A
 * @ring_b: address of the ring for B: a DMA address, or with push one of B's own memory
 * @block: push: the ring's first block in card->push_map of B
 * @phys: push: the physical address of the ring
 * @stage: staging: the ring
 * @stage_a: staging: the mapping of @stage for A
 * @stage_b: staging: the mapping of @stage for B
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
