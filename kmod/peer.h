/* SPDX-License-Identifier: GPL-2.0-only */
/* peer.h - ring and doorbells of a link between two cards: for peer.c and peer_ring.c. */
#ifndef NFPC_PEER_H
#define NFPC_PEER_H

#include "link.h"

struct nfpc_push;

/**
 * struct nfpc_peer - ring and doorbells of a link between two cards
 *
 * Card A sends, card B receives. The thread that owns the link (link.h) has all fields.
 *
 * @to: card B; a reference of its dev
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

/* peer_ring.c */
int nfpc_peer_geometry(struct nfpc_link *link, const struct nfp_chan_fw_link *template);
int nfpc_peer_stage_alloc(struct nfpc_peer *peer);
int nfpc_peer_bells_map(struct nfpc_link *link);
void nfpc_peer_bells_end(struct nfpc_link *link, bool quiet_a, bool quiet_b);
int nfpc_peer_ring_take(struct nfpc_link *link);
void nfpc_peer_ring_give(struct nfpc_link *link, bool quiet_a, bool quiet_b);

#endif /* NFPC_PEER_H */
