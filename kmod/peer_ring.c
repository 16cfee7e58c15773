// SPDX-License-Identifier: GPL-2.0-only
/*
 * peer_ring.c - ring and doorbells of a link between two cards: a ring in card B's memory
 * (push) or in host memory (staging), and the doorbells of the two pipes, each mapped for the
 * other card's DMA.
 *
 * The thread that owns the link (link.h) calls these functions, most of them under
 * nfpc_link_lock().
 */
#include <linux/pci.h>
#include <linux/slab.h>
#include "link.h"

/**
 * struct nfpc_push - blocks of a card's memory that have a ring
 * @node: in pushes
 * @to: the PF of the card, B
 * @from: of a link that is down, if the PF of A may still write to the blocks: this PF
 * @block: the first block
 * @count: the number of blocks
 */
struct nfpc_push {
	struct list_head node;
	struct device *to;
	struct device *from;
	unsigned int block;
	unsigned int count;
};

/* The list outlives the cards: a card that is attached again still has the blocks of before. */
static DEFINE_MUTEX(push_lock);
static LIST_HEAD(pushes);

static size_t ring_size(const struct nfpc_peer *peer)
{
	return 1UL << peer->ring_shift;
}

/*
 * Choose the ring's size and the number of bytes that may be outstanding. The ring has the size of
 * that of @rx, or more if the largest message needs more.
 */
int nfpc_peer_geometry(struct nfpc_link *link, const struct nfp_chan_fw_link *template)
{
	const struct nfpc_pipe *rx = link->rx, *tx = link->tx;
	u32 most = rx->chan->max_size + template->hdr_len, unit, one;
	struct nfpc_peer *peer = &link->peer;
	bool stream = nfpc_pipe_is_stream(rx);
	u64 room;

	if (rx->chan->kind != tx->chan->kind)
		return -EPROTOTYPE;
	/* A link with a match leaves messages alone that do not fit, so any sizes will do. */
	if (template->match_len ? template->hdr_len > tx->chan->max_size :
	    most > tx->chan->max_size ||
	    (tx->chan->elem_size && rx->chan->elem_size + template->hdr_len != tx->chan->elem_size))
		return -EMSGSIZE;
	peer->most = tx->chan->max_size;
	peer->exact = tx->chan->elem_size;
	most = min(most, tx->chan->max_size);
	for (peer->ring_shift = rx->ring_shift;; peer->ring_shift++) {
		unit = 1U << nfpc_unit_shift(rx, peer->ring_shift);
		one = ALIGN(most + nfpc_pipe_hdr(rx), unit);
		if (one <= ring_size(peer) || peer->ring_shift == NFPC_RING_SHIFT_MAX)
			break;
	}
	if (one > ring_size(peer) || (stream && rx->chan->elem_size % unit))
		return -EMSGSIZE;
	room = min_t(u64, ring_size(peer), (u64)NFPC_SEQ_SPAN * (stream ? one : unit));
	if (stream)
		room -= room % one;
	peer->limit = stream ? room : min_t(u64, room, (u64)one * max(rx->chan->depth, 1U));
	return peer->limit < one ? -EMSGSIZE : 0;
}

/* ---- doorbells ---- */

/* The doorbell page of @to, for the DMA of @card. */
static struct nfpc_dma *bell_map(struct nfpc_card *card, const struct nfpc_pipe *to)
{
	return nfpc_bar_map(card, to->card->pdev, nfpc_queue_phys(to->card, nfpc_pipe_queue(to)),
			    PAGE_SIZE);
}

/* ---- the ring in B's memory ---- */

/* Take blocks of B's memory for the ring. */
static int push_take(struct nfpc_peer *peer)
{
	unsigned int total = peer->to->fw.push_size / NFPC_PUSH_BLOCK;
	DECLARE_BITMAP(map, NFPC_PUSH_BLOCKS) = { };
	struct nfpc_push *push, *other;

	push = kzalloc(sizeof(*push), GFP_KERNEL);
	if (!push)
		return -ENOMEM;
	push->to = &peer->to->pdev->dev;
	push->count = DIV_ROUND_UP(ring_size(peer), NFPC_PUSH_BLOCK);
	guard(mutex)(&push_lock);
	list_for_each_entry(other, &pushes, node)
		if (other->to == push->to)
			bitmap_set(map, other->block, other->count);
	push->block = bitmap_find_next_zero_area(map, total, 0, push->count, push->count - 1);
	if (push->block >= total) {
		kfree(push);
		return -ENOSPC;
	}
	list_add_tail(&push->node, &pushes);
	peer->push = push;
	return 0;
}

/* If A may still write to the blocks (@from), no other link may get them. */
static void push_give(struct nfpc_push *push, struct device *from)
{
	guard(mutex)(&push_lock);
	push->from = from;
	if (from)
		return;
	list_del(&push->node);
	kfree(push);
}

/**
 * nfpc_push_free() - free blocks that no card writes to any more
 * @dev: the PF of a card that has answered HELLO, and so writes to no ring of a link that is down
 * @removed: the PF is removed, or with NULL the module
 */
void nfpc_push_free(struct device *dev, bool removed)
{
	struct nfpc_push *push, *next;

	guard(mutex)(&push_lock);
	list_for_each_entry_safe(push, next, &pushes, node) {
		if (push->from != dev && !(removed && (!dev || push->to == dev)))
			continue;
		list_del(&push->node);
		kfree(push);
	}
}

static int ring_push(struct nfpc_link *link)
{
	struct nfpc_peer *peer = &link->peer;
	struct nfpc_card *b = peer->to;
	phys_addr_t phys;
	size_t off;
	int err;

	if (!b->fw.push_size || ring_size(peer) > b->fw.push_size)
		return -ENOSPC;
	phys = nfpc_window_mu(b, b->fw.push_addr, b->fw.push_size);
	if (!phys)
		return -ENXIO;
	err = push_take(peer);
	if (err)
		return err;
	off = peer->push->block * NFPC_PUSH_BLOCK;
	peer->base = ioremap(phys + off, PAGE_SIZE);
	if (!peer->base)
		return -ENOMEM;
	peer->ring_a = nfpc_bar_map(link->card, b->pdev, phys + off, ring_size(peer));
	peer->ring_b = b->fw.push_addr + off;
	return PTR_ERR_OR_ZERO(peer->ring_a);
}

/* ---- the ring in host memory ---- */

/* Below 4 GiB, so that each card can address the ring. This may sleep long: no lock is held. */
int nfpc_peer_stage_alloc(struct nfpc_peer *peer)
{
	peer->stage = nfpc_buf_alloc(ring_size(peer), GFP_KERNEL_ACCOUNT | GFP_DMA32);
	return PTR_ERR_OR_ZERO(peer->stage);
}

static int ring_stage(struct nfpc_link *link)
{
	struct nfpc_peer *peer = &link->peer;

	peer->ring_a = nfpc_dma_map(link->card, peer->stage);
	if (IS_ERR(peer->ring_a))
		return PTR_ERR(peer->ring_a);
	peer->stage_b = nfpc_dma_map(peer->to, peer->stage);
	if (IS_ERR(peer->stage_b))
		return PTR_ERR(peer->stage_b);
	peer->ring_b = peer->stage_b->addr;
	return 0;
}

/* ---- both ---- */

static int bells_map(struct nfpc_link *link)
{
	struct nfpc_peer *peer = &link->peer;

	peer->bell_b = bell_map(link->card, link->tx);
	if (IS_ERR(peer->bell_b))
		return PTR_ERR(peer->bell_b);
	peer->bell_a = bell_map(peer->to, link->rx);
	return PTR_ERR_OR_ZERO(peer->bell_a);
}

/* Map ring and doorbells. */
int nfpc_peer_take(struct nfpc_link *link)
{
	int err = bells_map(link);

	if (!err)
		err = link->peer.stage ? ring_stage(link) : ring_push(link);
	if (err)
		nfpc_peer_give(link, true, true);
	return err;
}

/* Undo nfpc_peer_take(). @quiet_a and @quiet_b: the card makes no access for the link any more. */
void nfpc_peer_give(struct nfpc_link *link, bool quiet_a, bool quiet_b)
{
	struct nfpc_peer *peer = &link->peer;

	nfpc_dma_end(link->card, peer->ring_a, quiet_a);
	nfpc_dma_end(link->card, peer->bell_b, quiet_a);
	nfpc_dma_end(peer->to, peer->stage_b, quiet_b);
	nfpc_dma_end(peer->to, peer->bell_a, quiet_b);
	peer->ring_a = NULL;
	peer->bell_b = NULL;
	peer->stage_b = NULL;
	peer->bell_a = NULL;
	if (peer->base)
		iounmap(peer->base);
	peer->base = NULL;
	if (peer->push)
		push_give(peer->push, quiet_a ? NULL : &link->card->pdev->dev);
	peer->push = NULL;
}
