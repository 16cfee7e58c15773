// SPDX-License-Identifier: GPL-2.0-only
/*
 * peer.c - links between two cards (uapi/PROTOCOL.rst, Links between two cards).
 *
 * Card A has the pipe to the host, card B the pipe to the NFP. The two share a ring. It is in
 * B's memory, in the window that nfp keeps open for B's vNICs (push), or in host memory
 * (staging). The kernel gives each card the address of the other's doorbell. From then on the
 * cards do not need the host.
 *
 * When the link goes down A stops first. The last write of each card is a mark in the arm
 * queue of the other's pipe. The kernel waits for the marks before it frees the two pipes, so
 * no late doorbell reaches a later pipe of the same number.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/iopoll.h>
#include <linux/pci.h>
#include <linux/random.h>
#include <linux/slab.h>
#include "peer.h"

/* A write of one card to the other takes microseconds. */
#define ARRIVE_US	1000000
#define LOOK_US		20

/*
 * Serializes everything that is done with links between cards. Protects peers and the links
 * on it, card->no_peers and card->push_map.
 */
static DEFINE_MUTEX(peer_lock);
static LIST_HEAD(peers);

/* Until both_unlock() neither card detaches, and no pipe of the two gets or loses a link. */
static void both_lock(struct nfpc_card *a, struct nfpc_card *b)
{
	lockdep_assert_held(&peer_lock);
	down_read(&a->win_sem);
	/* One card detaches at a time, so the two readers cannot wait for two writers. */
	down_read_nested(&b->win_sem, SINGLE_DEPTH_NESTING);
	mutex_lock(&a->link_lock);
	mutex_lock_nested(&b->link_lock, SINGLE_DEPTH_NESTING);
}

static void both_unlock(struct nfpc_card *a, struct nfpc_card *b)
{
	mutex_unlock(&b->link_lock);
	mutex_unlock(&a->link_lock);
	up_read(&b->win_sem);
	up_read(&a->win_sem);
}

/* Until nfpc_peer_unlock() the link stays as it is. */
void nfpc_peer_lock(struct nfpc_link *link)
{
	mutex_lock(&peer_lock);
	both_lock(link->card, link->peer->to);
}

void nfpc_peer_unlock(struct nfpc_link *link)
{
	both_unlock(link->card, link->peer->to);
	mutex_unlock(&peer_lock);
}

/* ---- marks ---- */

static void __iomem *arm_queue(const struct nfpc_pipe *p)
{
	return nfpc_queue(p->card, nfpc_pipe_queue(p) + 1);
}

static u32 arm_read(const struct nfpc_pipe *p)
{
	return readl(arm_queue(p) + NFP_CHAN_FW_QC_STS_HI) & NFP_CHAN_FW_QC_PTR_MASK;
}

/* Wait until the other card has added @mark to the arm queue of @p, which was @before. */
static bool mark_arrives(const struct nfpc_pipe *p, u32 before, u32 mark)
{
	u32 v;

	return !read_poll_timeout(arm_read, v, v == ((before + mark) & NFP_CHAN_FW_QC_PTR_MASK),
				  LOOK_US, ARRIVE_US, false, p);
}

static u32 mark_make(void)
{
	return get_random_u32_inclusive(1, NFP_CHAN_FW_QC_PTR_MASK);
}

/* ---- LINK ---- */

static void request(const struct nfpc_peer *peer, bool from, u32 nonce,
		    struct nfp_chan_fw_link *req)
{
	dma_addr_t bell = from ? peer->bell_b : peer->bell_a;

	req->to = cpu_to_le16(NFP_CHAN_FW_LINK_PEER);
	req->ring_addr = cpu_to_le64(from ? peer->ring_a : peer->ring_b);
	req->doorbell_addr = cpu_to_le64(bell + NFP_CHAN_FW_QC_ADD_WPTR);
	req->limit = cpu_to_le32(peer->limit);
	req->peer_arg = cpu_to_le32(nonce ?: peer->most);
	req->ring_shift = peer->ring_shift;
	req->peer_flags = (nonce ? NFP_CHAN_FW_PEER_PROBE : 0) |
			  (peer->push ? NFP_CHAN_FW_PEER_PUSH : 0) |
			  (peer->exact ? NFP_CHAN_FW_PEER_EXACT : 0);
}

/* Has A's probe written @nonce to the ring's beginning? */
static bool nonce_in_ring(const struct nfpc_peer *peer, u32 nonce)
{
	void __iomem *push;
	bool found;
	u32 v;

	if (!peer->push)
		return READ_ONCE(*(u32 *)peer->stage->cpu) == nonce;
	push = ioremap(peer->phys, PAGE_SIZE);
	if (!push)
		return false;
	found = !read_poll_timeout(readl, v, v == nonce, LOOK_US, ARRIVE_US, false, push);
	iounmap(push);
	return found;
}

/* Let the card of @p show that its writes reach the ring and the doorbell of @other. */
static int probe(struct nfpc_peer *peer, struct nfpc_pipe *p, struct nfpc_pipe *other,
		 const struct nfp_chan_link *l, u32 nonce, bool *unsure)
{
	bool from = p->dir == NFP_CHAN_TO_HOST;
	u32 before = arm_read(other);
	union nfpc_req req = {};
	bool rings, writes;
	int err;

	if (from)
		nfpc_link_request(&req.link, l);
	request(peer, from, nonce, &req.link);
	err = nfpc_link_exec(p, &req, unsure);
	if (err && err != -EHOSTUNREACH)
		return err;
	rings = !err && mark_arrives(other, before, nonce);
	writes = !from || (!err && nonce_in_ring(peer, nonce));
	if (rings)	/* give the arm register back the value that the host had set */
		nfpc_queue_add(other->card, nfpc_pipe_queue(other) + 1,
			       -nonce & NFP_CHAN_FW_QC_PTR_MASK);
	if (rings && writes)
		return 0;
	dev_info(&p->card->pdev->dev, "%s: a %s to %s at %pad does not arrive\n",
		 err ? "its ring in host memory" : peer->push ? "push" : "staging",
		 rings ? "write" : "doorbell", pci_name(other->card->pdev),
		 rings ? &peer->ring_a : from ? &peer->bell_b : &peer->bell_a);
	return -EHOSTUNREACH;
}

static int ring_try(struct nfpc_peer *peer, struct nfpc_pipe *rx, struct nfpc_pipe *tx,
		    const struct nfp_chan_link *l)
{
	u32 nonce = mark_make();
	bool unsure;
	int err;

	err = nfpc_peer_ring_take(peer, rx->card);
	if (err)
		return err;
	/* A writes the nonce to the ring. B looks for it there, so A goes first. */
	err = probe(peer, rx, tx, l, nonce, &unsure);
	if (!err)
		err = probe(peer, tx, rx, l, nonce, &unsure);
	if (err)
		/* A card that has not answered may still write the nonce. */
		nfpc_peer_ring_give(peer, rx->card, !unsure);
	return err;
}

/* UNLINK @p and wait for the mark. True: the card of @p makes no more access for the link. */
static bool stop(struct nfpc_pipe *p, struct nfpc_pipe *other)
{
	u32 mark = mark_make(), before = arm_read(other);
	union nfpc_req req = {
		.req.cmd = cpu_to_le16(NFP_CHAN_FW_CMD_UNLINK),
		.req.pipe = cpu_to_le16(p->nr),
		.req.msg_seq = cpu_to_le32(mark),
	};
	struct nfpc_answer answer;
	int err;

	err = nfpc_mbox_exec(p->card, &req, &answer);
	nfpc_link_break(p);
	if (err == -ENOENT)
		return true;
	if (err)
		return false;
	if (!mark_arrives(other, before, mark))
		dev_warn(&p->card->pdev->dev, "its last doorbell has not come to %s\n",
			 pci_name(other->card->pdev));
	return true;
}

/*
 * B gets its LINK first, because a doorbell of A before it would be a breach of B's pipe. After
 * a failure @quiet says whether both cards are known to make no access for the link any more.
 */
static int cards_link(struct nfpc_peer *peer, struct nfpc_pipe *rx, struct nfpc_pipe *tx,
		      const struct nfp_chan_link *l, bool *quiet)
{
	union nfpc_req to = {}, from = {};
	bool unsure;
	int err;

	*quiet = true;
	request(peer, false, 0, &to.link);
	err = nfpc_link_exec(tx, &to, &unsure);
	if (err && !unsure)
		return err;
	if (!err) {
		nfpc_link_request(&from.link, l);
		request(peer, true, 0, &from.link);
		err = nfpc_link_exec(rx, &from, &unsure);
	}
	if (!err)
		return 0;
	if (unsure)
		*quiet = stop(rx, tx);
	if (!stop(tx, rx))
		*quiet = false;
	return err;
}

static int peer_make(struct nfpc_peer *peer, struct nfpc_pipe *rx, struct nfpc_pipe *tx,
		     const struct nfp_chan_link *l)
{
	bool quiet;
	int err;

	err = nfpc_peer_bells_map(peer, rx, tx);
	if (err)
		return err;
	err = ring_try(peer, rx, tx, l);
	if (err)
		goto err_bells;
	err = cards_link(peer, rx, tx, l, &quiet);
	if (!err)
		return 0;
	nfpc_peer_ring_give(peer, rx->card, quiet);
err_bells:
	nfpc_peer_bells_unmap(peer, rx->card);
	return err;
}

static int peer_check(const struct nfpc_pipe *rx, const struct nfpc_pipe *tx)
{
	const struct nfpc_card *a = rx->card, *b = tx->card;

	if (!nfpc_card_live(a) || a->no_peers || !nfpc_card_live(b) || b->no_peers)
		return -ENODEV;
	return rx->link || tx->link ? -EISCONN : 0;
}

/* Make the link with the ring in B's memory if peer->push, otherwise in host memory. */
static int peer_try(struct nfpc_link *link, struct nfpc_pipe *rx, struct nfpc_pipe *tx,
		    const struct nfp_chan_link *l)
{
	struct nfpc_peer *peer = link->peer;
	int err;

	nfpc_peer_lock(link);
	err = peer_check(rx, tx);
	if (!err)
		err = peer_make(peer, rx, tx, l);
	if (!err) {
		link->via = peer->push ? NFP_CHAN_LINK_PUSHED : NFP_CHAN_LINK_STAGED;
		nfpc_link_set(link, rx, tx);
		list_add_tail(&peer->node, &peers);
	}
	nfpc_peer_unlock(link);
	return err;
}

int nfpc_peer_up(struct nfpc_link *link, struct nfpc_pipe *rx, struct nfpc_pipe *tx,
		 const struct nfp_chan_link *l)
{
	struct nfpc_peer *peer = link->peer;
	int err;

	err = nfpc_peer_geometry(peer, rx, tx, l);
	if (err)
		return err;
	peer->push = !(l->flags & NFP_CHAN_LINK_STAGE);
	if (peer->push) {
		err = peer_try(link, rx, tx, l);
		/* B has no such memory, none left, or A cannot reach it: use host memory. */
		if (err != -EHOSTUNREACH && err != -ENXIO && err != -ENOSPC && err != -ERANGE)
			return err;
	}
	peer->push = false;
	return nfpc_peer_stage_alloc(peer) ?: peer_try(link, rx, tx, l);
}

/* ---- counters ---- */

/*
 * B counts the messages that its process has taken, A counts drops and stalls. Return: the
 * number of messages that A has sent.
 */
u64 nfpc_peer_count(struct nfpc_link *link)
{
	struct nfpc_stat taken, sent;

	if (nfpc_link_counters(link->tx, &taken)) {
		link->stat.msgs = taken.msgs;
		link->stat.bytes = taken.bytes;
	}
	if (!nfpc_link_counters(link->rx, &sent))
		return link->stat.msgs;
	link->stat.dropped = sent.dropped;
	link->stat.stalled = sent.stalled;
	return sent.msgs;
}

/* ---- the end ---- */

/* Under both_lock(). Messages that A has sent and B has not taken count as dropped. */
void nfpc_peer_down(struct nfpc_link *link)
{
	struct nfpc_peer *peer = link->peer;
	struct nfpc_pipe *rx = link->rx, *tx = link->tx;
	bool a, b;
	u64 sent;

	a = stop(rx, tx);
	b = stop(tx, rx);
	sent = nfpc_peer_count(link);
	if (sent > link->stat.msgs)
		link->stat.dropped += sent - link->stat.msgs;
	nfpc_peer_ring_give(peer, rx->card, a && b);
	nfpc_peer_bells_unmap(peer, rx->card);
	list_del_init(&peer->node);
	nfpc_link_forget(link);
}

static void peer_end(struct nfpc_link *link)
{
	struct nfpc_card *a = link->card, *b = link->peer->to;

	both_lock(a, b);
	nfpc_peer_down(link);
	both_unlock(a, b);
}

/* The link between two cards that has @p as an end, or NULL. */
static struct nfpc_link *peer_of(struct nfpc_pipe *p)
{
	struct nfpc_link *link;

	mutex_lock(&p->card->link_lock);
	link = p->link && p->link->peer ? p->link : NULL;
	mutex_unlock(&p->card->link_lock);
	return link;
}

/**
 * nfpc_peer_cut() - take down the link between two cards that has a pipe as an end, if any
 * @p: the pipe, which is being closed, so that it gets no other link
 *
 * Context: without win_sem.
 */
void nfpc_peer_cut(struct nfpc_pipe *p)
{
	struct nfpc_link *link;

	if (!peer_of(p))
		return;
	mutex_lock(&peer_lock);
	link = peer_of(p);
	if (link)
		peer_end(link);
	mutex_unlock(&peer_lock);
}

/**
 * nfpc_peer_detach() - take down all links of a card to other cards, and allow no more
 * @card: the card, still live
 *
 * Context: before the detach of @card, without win_sem.
 */
void nfpc_peer_detach(struct nfpc_card *card)
{
	struct nfpc_peer *peer, *next;

	mutex_lock(&peer_lock);
	card->no_peers = true;
	list_for_each_entry_safe(peer, next, &peers, node)
		if (peer->link->card == card || peer->to == card)
			peer_end(peer->link);
	mutex_unlock(&peer_lock);
}

int nfpc_peer_alloc(struct nfpc_link *link, struct nfpc_pipe *tx)
{
	struct nfpc_peer *peer;

	peer = kzalloc(sizeof(*peer), GFP_KERNEL_ACCOUNT);
	if (!peer)
		return -ENOMEM;
	get_device(&tx->card->dev);
	peer->to = tx->card;
	peer->link = link;
	INIT_LIST_HEAD(&peer->node);
	link->peer = peer;
	return 0;
}

void nfpc_peer_free(struct nfpc_link *link)
{
	if (!link->peer)
		return;
	put_device(&link->peer->to->dev);
	nfpc_buf_put(link->peer->stage);
	kfree(link->peer);
}
