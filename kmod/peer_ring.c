// SPDX-License-Identifier: GPL-2.0-only
/*
 * peer_ring.c - ring and doorbells of a link between two cards: a ring in card B's memory
 * (push) or in host memory (staging), and the doorbells of the two pipes, each mapped for the
 * other card's DMA.
 *
 * All functions are called under peer_lock, with both cards live (peer.c).
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/pci.h>
#include <linux/sched/user.h>
#include "peer.h"

static size_t ring_size(const struct nfpc_peer *peer)
{
	return 1UL << peer->ring_shift;
}

/*
 * Choose the ring's size and the number of bytes that may be outstanding. The ring has the size of
 * that of @rx, or more if the largest message needs more.
 */
int nfpc_peer_geometry(struct nfpc_peer *peer, const struct nfpc_pipe *rx,
		       const struct nfpc_pipe *tx, const struct nfp_chan_link *l)
{
	u32 most = rx->max_size + l->hdr_len, unit, one;
	bool stream = nfpc_pipe_is_stream(rx);
	u64 room;

	if (rx->kind != tx->kind)
		return -EPROTOTYPE;
	/* A link with a match leaves messages alone that do not fit, so any sizes will do. */
	if (l->match_len ? l->hdr_len > tx->max_size :
	    most > tx->max_size || (tx->elem_size && rx->elem_size + l->hdr_len != tx->elem_size))
		return -EMSGSIZE;
	peer->most = tx->max_size;
	peer->exact = tx->elem_size;
	most = min(most, tx->max_size);
	for (peer->ring_shift = rx->ring_shift;; peer->ring_shift++) {
		unit = 1U << nfpc_unit_shift(rx, peer->ring_shift);
		one = ALIGN(most + nfpc_pipe_hdr(rx), unit);
		if (one <= ring_size(peer) || peer->ring_shift == NFPC_RING_SHIFT_MAX)
			break;
	}
	if (one > ring_size(peer) || (stream && rx->elem_size % unit))
		return -EMSGSIZE;
	room = min_t(u64, ring_size(peer), (u64)NFPC_SEQ_SPAN * (stream ? one : unit));
	if (stream)
		room -= room % one;
	peer->limit = stream ? room : min_t(u64, room, (u64)one * max(rx->depth, 1U));
	return peer->limit < one ? -EMSGSIZE : 0;
}

/* ---- doorbells ---- */

static phys_addr_t bell_phys(const struct nfpc_pipe *p)
{
	return nfpc_queue_phys(p->card, nfpc_pipe_queue(p));
}

int nfpc_peer_bells_map(struct nfpc_peer *peer, struct nfpc_pipe *rx, struct nfpc_pipe *tx)
{
	int err;

	err = nfpc_bar_map(rx->card, tx->card->pdev, bell_phys(tx), PAGE_SIZE, &peer->bell_b);
	if (err)
		return err;
	err = nfpc_bar_map(tx->card, rx->card->pdev, bell_phys(rx), PAGE_SIZE, &peer->bell_a);
	if (err)
		nfpc_bar_unmap(rx->card, peer->bell_b, PAGE_SIZE);
	return err;
}

void nfpc_peer_bells_unmap(struct nfpc_peer *peer, struct nfpc_card *a)
{
	nfpc_bar_unmap(a, peer->bell_b, PAGE_SIZE);
	nfpc_bar_unmap(peer->to, peer->bell_a, PAGE_SIZE);
}

/* ---- the ring ---- */

static int push_take(struct nfpc_peer *peer, struct nfpc_card *a)
{
	struct nfpc_card *b = peer->to;
	unsigned int n = DIV_ROUND_UP(ring_size(peer), NFPC_PUSH_BLOCK);
	phys_addr_t base;
	int err;

	if (!b->fw.push_size || ring_size(peer) > b->fw.push_size)
		return -ENOSPC;
	base = nfpc_window_mu(b, b->fw.push_addr, b->fw.push_size);
	if (!base)
		return -ENXIO;
	peer->block = bitmap_find_next_zero_area(b->push_map, b->fw.push_size / NFPC_PUSH_BLOCK,
						 0, n, n - 1);
	if (peer->block >= b->fw.push_size / NFPC_PUSH_BLOCK)
		return -ENOSPC;
	peer->phys = base + peer->block * NFPC_PUSH_BLOCK;
	err = nfpc_bar_map(a, b->pdev, peer->phys, ring_size(peer), &peer->ring_a);
	if (err)
		return err;
	peer->ring_b = b->fw.push_addr + peer->block * NFPC_PUSH_BLOCK;
	bitmap_set(b->push_map, peer->block, n);
	return 0;
}

static void push_give(struct nfpc_peer *peer, struct nfpc_card *a, bool quiet)
{
	unsigned int n = DIV_ROUND_UP(ring_size(peer), NFPC_PUSH_BLOCK);

	nfpc_bar_unmap(a, peer->ring_a, ring_size(peer));
	/* If A may still write to the blocks, no other link may get them. */
	if (quiet)
		bitmap_clear(peer->to->push_map, peer->block, n);
}

/* Below 4 GiB, so that each card can address the ring. This may sleep long: no lock is held. */
int nfpc_peer_stage_alloc(struct nfpc_peer *peer)
{
	struct user_struct *payer = nfpc_payer_get();

	peer->stage = nfpc_buf_alloc(ring_size(peer), payer, GFP_DMA32);
	free_uid(payer);
	return PTR_ERR_OR_ZERO(peer->stage);
}

static int staging_take(struct nfpc_peer *peer, struct nfpc_card *a)
{
	struct nfpc_dma *dma_a, *dma_b;

	dma_a = nfpc_dma_map(a, peer->stage);
	if (IS_ERR(dma_a))
		return PTR_ERR(dma_a);
	dma_b = nfpc_dma_map(peer->to, peer->stage);
	if (IS_ERR(dma_b)) {
		nfpc_dma_end(a, dma_a, true);
		return PTR_ERR(dma_b);
	}
	peer->stage_a = dma_a;
	peer->stage_b = dma_b;
	peer->ring_a = dma_a->addr;
	peer->ring_b = dma_b->addr;
	return 0;
}

int nfpc_peer_ring_take(struct nfpc_peer *peer, struct nfpc_card *a)
{
	return peer->push ? push_take(peer, a) : staging_take(peer, a);
}

/* @quiet: neither card accesses the ring any more. */
void nfpc_peer_ring_give(struct nfpc_peer *peer, struct nfpc_card *a, bool quiet)
{
	if (peer->push) {
		push_give(peer, a, quiet);
		return;
	}
	nfpc_dma_end(a, peer->stage_a, quiet);
	nfpc_dma_end(peer->to, peer->stage_b, quiet);
}
