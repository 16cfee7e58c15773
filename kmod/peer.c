// SPDX-License-Identifier: GPL-2.0-only
/*
 * peer.c - links between two cards (uapi/PROTOCOL.rst, Links between two cards).
 *
 * Card A has the pipe to the host, card B the pipe to the NFP. The two share a ring. It is in
 * B's memory, in the window that nfp keeps open for B's vNICs (push), or in host memory
 * (staging). The kernel gives each card the address of the other's doorbell. From then on the
 * cards do not need the host.
 *
 * When the link goes down A stops first. The last write of each card is a mark in the arm queue of
 * the other's pipe. The kernel waits for the mark of a card that has answered, for 1 s at the most,
 * so that no late doorbell reaches a later pipe of the same number.
 *
 * The thread that owns the link (link.h) calls these functions. It holds win_sem for a command or
 * for mappings, and no lock while it waits for a mark.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/pci.h>
#include <linux/random.h>
#include <linux/sched/signal.h>
#include "link.h"

/* A write of one card to the other takes microseconds. */
#define ARRIVE_US	1000000
#define LOOK_US		20

/* ---- marks ---- */

/* The value of the arm queue of @p; all ones: the card does not answer. */
static u32 arm_read(const struct nfpc_pipe *p)
{
	u32 v = readl(nfpc_queue(p->card, nfpc_pipe_queue(p) + 1) + NFP_CHAN_FW_QC_STS_HI);

	return v == ~0U ? v : v & NFP_CHAN_FW_QC_PTR_MASK;
}

/* The first word of the ring, to which A's probe writes the nonce. */
static u32 ring_read(const struct nfpc_link *link)
{
	const struct nfpc_peer *peer = &link->peer;

	return peer->push ? readl(peer->base) : READ_ONCE(*(u32 *)peer->stage->cpu);
}

static bool one_detaches(const struct nfpc_link *link)
{
	return READ_ONCE(link->card->no_peers) || READ_ONCE(link->peer.to->no_peers);
}

/* Is the wait of the thread that makes or ends the link of no use any more? */
static int wait_over(const struct nfpc_link *link, ktime_t start)
{
	if (link->state == NFPC_LINK_MAKING) {
		if (one_detaches(link))
			return -ENODEV;
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return ktime_us_delta(ktime_get(), start) > ARRIVE_US ? -EHOSTUNREACH : 0;
}

/*
 * Wait until the other card has added @mark to the arm queue of @p, which was @before, or, without
 * @p, until the ring begins with @mark.
 */
static int mark_wait(const struct nfpc_link *link, const struct nfpc_pipe *p, u32 before, u32 mark)
{
	u32 want = p ? (before + mark) & NFP_CHAN_FW_QC_PTR_MASK : mark;
	ktime_t start = ktime_get();
	int err;
	u32 v;

	for (;;) {
		/* The look comes last, as the wait may have been longer than intended. */
		err = wait_over(link, start);
		v = p ? arm_read(p) : ring_read(link);
		if (v == want)
			return 0;
		if (v == ~0U)
			return -EHOSTUNREACH;
		if (err)
			return err;
		usleep_range(LOOK_US, 2 * LOOK_US);
	}
}

static u32 mark_make(void)
{
	return get_random_u32_inclusive(1, NFP_CHAN_FW_QC_PTR_MASK);
}

/* ---- commands ---- */

static int peer_exec(struct nfpc_pipe *p, union nfpc_req *req, bool *unsure)
{
	guard(rwsem_read)(&p->card->win_sem);
	return nfpc_link_exec(p, req, unsure);
}

/* LINK for @p: with a nonce a probe. Only A's has the template. */
static int peer_cmd(struct nfpc_link *link, struct nfpc_pipe *p, u32 nonce,
		    const struct nfp_chan_fw_link *template, bool *unsure)
{
	const struct nfpc_peer *peer = &link->peer;
	bool from = p == link->rx;
	const struct nfpc_dma *bell = from ? peer->bell_b : peer->bell_a;
	union nfpc_req req = { };

	if (from)
		req.link = *template;
	req.link.to = cpu_to_le16(NFP_CHAN_FW_LINK_PEER);
	req.link.ring_addr = cpu_to_le64(from ? peer->ring_a->addr : peer->ring_b);
	req.link.doorbell_addr = cpu_to_le64(bell->addr + NFP_CHAN_FW_QC_ADD_WPTR);
	req.link.limit = cpu_to_le32(peer->limit);
	req.link.peer_arg = cpu_to_le32(nonce ?: peer->most);
	req.link.ring_shift = peer->ring_shift;
	req.link.peer_flags = (nonce ? NFP_CHAN_FW_PEER_PROBE : 0) |
			      (peer->push ? NFP_CHAN_FW_PEER_PUSH : 0) |
			      (peer->exact ? NFP_CHAN_FW_PEER_EXACT : 0);
	return peer_exec(p, &req, unsure);
}

/*
 * Let the card of @p show that its writes reach the doorbell of the other card, and A's the ring. B
 * looks for A's nonce in the ring.
 */
static int peer_probe(struct nfpc_link *link, struct nfpc_pipe *p, u32 nonce,
		      const struct nfp_chan_fw_link *template, bool *unsure)
{
	bool from = p == link->rx;
	struct nfpc_pipe *other = from ? link->tx : link->rx;
	u64 addr = (from ? link->peer.bell_b : link->peer.bell_a)->addr;
	u32 before = arm_read(other);
	const char *what;
	int err;

	err = peer_cmd(link, p, nonce, template, unsure);
	if (err == -EHOSTUNREACH) {
		what = "does not see what the other card has written to host memory";
		addr = link->peer.ring_b;
		goto out;
	}
	if (err)
		return err;
	what = "cannot ring the doorbell";
	err = mark_wait(link, other, before, nonce);
	if (!err) {
		/* Give the arm register back the value that the host had set. */
		nfpc_queue_add(other->card, nfpc_pipe_queue(other) + 1,
			       -nonce & NFP_CHAN_FW_QC_PTR_MASK);
		what = link->peer.push ? "cannot write to its memory" :
					  "cannot write to host memory";
		addr = link->peer.ring_a->addr;
		err = from ? mark_wait(link, NULL, 0, nonce) : 0;
	}
out:
	if (err == -EHOSTUNREACH)
		dev_info_ratelimited(&p->card->pdev->dev, "no link with %s: the card %s (%#llx)\n",
				     pci_name(other->card->pdev), what, addr);
	return err;
}

/* UNLINK @p and wait for the mark. True: the card of @p makes no more access for the link. */
static bool peer_stop(struct nfpc_link *link, struct nfpc_pipe *p)
{
	struct nfpc_pipe *other = p == link->rx ? link->tx : link->rx;
	u32 mark = mark_make(), before = arm_read(other);
	union nfpc_req req = { .req.msg_seq = cpu_to_le32(mark) };
	int err = -ETIMEDOUT;
	bool unsure;

	down_read(&p->card->win_sem);
	/* A detach waits for one command that is not answered, not for one of each link. */
	if (!one_detaches(link) || !data_race(p->card->mute))
		err = nfpc_mbox_exec(p->card, NFP_CHAN_FW_CMD_UNLINK, p->nr, &req, &unsure);
	up_read(&p->card->win_sem);
	nfpc_pipe_off(p);
	if (err == -ENOENT)
		return true;
	if (err)
		return false;
	if (mark_wait(link, other, before, mark))
		dev_warn_ratelimited(&p->card->pdev->dev, "its last doorbell has not come to %s\n",
				     pci_name(other->card->pdev));
	return true;
}

/* ---- the beginning ---- */

/*
 * B gets its LINK first, because a doorbell of A before it would be a breach of B's pipe. After
 * a failure @a and @b say whether the cards are known to make no access for the link any more.
 * Both pipes are off once B may have its link. -EIO: LINK of A has failed although its probe has
 * not.
 */
static int cards_link(struct nfpc_link *link, const struct nfp_chan_fw_link *template,
		      bool *a, bool *b)
{
	bool unsure;
	int err;

	*a = true;
	*b = true;
	err = peer_cmd(link, link->tx, 0, template, &unsure);
	if (err && !unsure)
		return err;
	if (!err) {
		err = peer_cmd(link, link->rx, 0, template, &unsure);
		if (!err)
			return 0;
		if (unsure)
			*a = peer_stop(link, link->rx);
	}
	nfpc_pipe_off(link->rx);
	*b = peer_stop(link, link->tx);
	return err == -ENODEV || err == -ETIMEDOUT ? err : -EIO;
}

/* Make the link with the ring in B's memory, or, with peer->stage, in host memory. */
static int peer_try(struct nfpc_link *link, const struct nfp_chan_fw_link *template)
{
	bool a = true, b = true, unsure = false;
	u32 nonce = mark_make();
	int err;

	nfpc_link_lock(link);
	err = nfpc_peer_take(link);
	nfpc_link_unlock(link);
	if (err)
		return err;
	/* A card that has not answered may still write the nonce. */
	err = peer_probe(link, link->rx, nonce, template, &unsure);
	a = !unsure;
	if (!err) {
		err = peer_probe(link, link->tx, nonce, template, &unsure);
		b = !unsure;
	}
	if (!err)
		err = cards_link(link, template, &a, &b);
	if (!err)
		return 0;
	nfpc_link_lock(link);
	nfpc_peer_give(link, a, b);
	nfpc_link_unlock(link);
	return err;
}

/**
 * nfpc_peer_make() - let the cards carry messages, and set link->via
 * @link: the link, which the caller owns
 * @template: the part of LINK that is about messages
 * @stage: through host memory
 */
int nfpc_peer_make(struct nfpc_link *link, const struct nfp_chan_fw_link *template, bool stage)
{
	int err;

	err = nfpc_peer_geometry(link, template);
	if (err)
		return err;
	if (!stage) {
		link->via = NFP_CHAN_LINK_PUSHED;
		err = peer_try(link, template);
		/* B has no such memory, none left, or A cannot reach it: use host memory. */
		if (err != -EHOSTUNREACH && err != -ENXIO && err != -ENOSPC && err != -ERANGE)
			return err;
	}
	link->via = NFP_CHAN_LINK_STAGED;
	return nfpc_peer_stage_alloc(&link->peer) ?: peer_try(link, template);
}

/* ---- counters ---- */

/*
 * Update link->stat: B counts the messages that its process has taken, A counts drops and stalls.
 * The cards carry messages, and do not detach. Return: the number of messages that A has sent.
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

/* Undo nfpc_peer_make(). Messages that A has sent and B has not taken count as dropped. */
void nfpc_peer_down(struct nfpc_link *link)
{
	bool a, b;
	u64 sent;

	a = peer_stop(link, link->rx);
	b = peer_stop(link, link->tx);
	nfpc_link_lock(link);
	sent = nfpc_peer_count(link);
	if (sent > link->stat.msgs)
		link->stat.dropped += sent - link->stat.msgs;
	nfpc_peer_give(link, a, b);
	nfpc_link_unlock(link);
}
