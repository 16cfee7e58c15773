// SPDX-License-Identifier: GPL-2.0-only
/*
 * peer.c - links between two cards (uapi/PROTOCOL.rst).
 *
 * Card A has the end to the host, card B the end to the NFP. A ring is put between the two:
 * in B's memory, behind the window that nfp keeps open for B's vNICs (push), or in the
 * host's (staging). The kernel gives each card the address of the other's doorbell. From then
 * on the cards do without the host.
 *
 * When the link goes down A stops first. The last write of a card to the other is a mark in
 * the arm queue of the other's pipe. The host waits for the mark, so no write is on its way to
 * a pipe that is somebody else's by then.
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

/* One link between cards is made, looked at, or taken down at a time. */
static DEFINE_MUTEX(peer_lock);	/* peers, its links; card->no_peers, ->push_map */
static LIST_HEAD(peers);

/* Neither card detaches, and no other link takes an end, until both_unlock(). */
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

/* ---- marks ---- */

static void __iomem *arm_queue(const struct nfpc_pipe *p)
{
	return nfpc_queue(p->card, p->card->fw.queue_base + 2 * p->nr + 1);
}

static u32 arm_read(const struct nfpc_pipe *p)
{
	return readl(arm_queue(p) + NFP_CHAN_FW_QC_STS_HI) & NFP_CHAN_FW_QC_PTR_MASK;
}

/* Has the other card's @mark come to the arm queue of @p, where @before was? */
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

/* The nonce at the ring's beginning, as the firmware's probe writes it */
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

/* Have the card of @p show that its writes come to @other, the end on the other card. */
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
	if (rings)	/* the arm register is as the host has set it */
		nfpc_queue_add(other->card, other->card->fw.queue_base + 2 * other->nr + 1,
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
	/* B looks in the ring for the nonce of A. */
	err = probe(peer, rx, tx, l, nonce, &unsure);
	if (!err)
		err = probe(peer, tx, rx, l, nonce, &unsure);
	if (err)
		/* Without an answer the card may still write the nonce. */
		nfpc_peer_ring_give(peer, rx->card, !unsure);
	return err;
}

/* UNLINK, and the mark. True: the card makes no access for the link any more. */
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
 * The receiver first: a doorbell for a ring that it does not know would be a breach. @quiet: of
 * a failure, whether neither card makes an access for the link, now or later.
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

	if (!a->live || a->no_peers || !b->live || b->no_peers)
		return -ENODEV;
	if (a->fw.abi_minor < 8 || b->fw.abi_minor < 8)
		return -EOPNOTSUPP;
	return rx->link || tx->link ? -EISCONN : 0;
}

/* With the ring in B's memory if peer->push says so, else in the host's. */
static int peer_try(struct nfpc_link *link, struct nfpc_pipe *rx, struct nfpc_pipe *tx,
		    const struct nfp_chan_link *l)
{
	struct nfpc_peer *peer = link->peer;
	int err;

	mutex_lock(&peer_lock);
	both_lock(rx->card, tx->card);
	err = peer_check(rx, tx);
	if (!err)
		err = peer_make(peer, rx, tx, l);
	if (!err) {
		nfpc_link_set(link, rx, tx);
		list_add_tail(&peer->node, &peers);
	}
	both_unlock(rx->card, tx->card);
	mutex_unlock(&peer_lock);
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
		/* No such memory, none left, out of reach: staging helps in each case. */
		if (err != -EHOSTUNREACH && err != -ENXIO && err != -ENOSPC && err != -ERANGE)
			return err;
	}
	peer->push = false;
	return nfpc_peer_stage_alloc(peer) ?: peer_try(link, rx, tx, l);
}

/* ---- counters ---- */

/* Messages count when B has taken them. A counts drops and stalls. Return: messages that A sent. */
static u64 peer_count(struct nfpc_link *link)
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

/*
 * Counters are brought up to date, and the link stays as it is until nfpc_peer_unlock().
 * False: it is down.
 */
bool nfpc_peer_look(struct nfpc_link *link, u32 *via)
{
	mutex_lock(&peer_lock);
	both_lock(link->card, link->peer->to);
	if (link->rx)
		peer_count(link);
	*via = link->peer->push ? NFP_CHAN_LINK_PUSHED : NFP_CHAN_LINK_STAGED;
	return link->rx;
}

void nfpc_peer_unlock(struct nfpc_link *link)
{
	both_unlock(link->card, link->peer->to);
	mutex_unlock(&peer_lock);
}

/* ---- the end ---- */

/* Both cards are locked. B has taken each message that A sent, or it is counted as dropped. */
static void peer_down(struct nfpc_link *link)
{
	struct nfpc_peer *peer = link->peer;
	struct nfpc_pipe *rx = link->rx, *tx = link->tx;
	bool a, b;
	u64 sent;

	a = stop(rx, tx);
	b = stop(tx, rx);
	sent = peer_count(link);
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
	peer_down(link);
	both_unlock(a, b);
}

void nfpc_peer_release(struct nfpc_link *link)
{
	mutex_lock(&peer_lock);
	if (link->rx)
		peer_end(link);
	mutex_unlock(&peer_lock);
}

/* The link between two cards that @p is in, if it is in one. */
static struct nfpc_link *peer_of(struct nfpc_pipe *p)
{
	struct nfpc_link *link;

	mutex_lock(&p->card->link_lock);
	link = p->link && p->link->peer ? p->link : NULL;
	mutex_unlock(&p->card->link_lock);
	return link;
}

/**
 * nfpc_peer_cut() - an end is closed, of a link between two cards if it is in one
 * @p: the end; without win_sem. It gets into no link any more
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
 * nfpc_peer_detach() - a card goes, and its links to others go before it
 * @card: the card, still live; without win_sem
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
