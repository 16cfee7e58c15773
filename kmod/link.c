// SPDX-License-Identifier: GPL-2.0-only
/*
 * link.c - links: the card carries the messages of a channel to the host to the ME process
 * of a channel to the NFP (uapi/PROTOCOL.rst, Links).
 *
 * A link holds no reference to the files of its two ends, and goes down when one of these or its
 * own file is closed. A pipe that is being closed keeps its number and its memory until its link
 * is down.
 */
#include <linux/slab.h>
#include "link.h"

/*
 * Protects the state of all links, pipe->link and card->no_peers. It is held for moments: nothing
 * that waits for a card is done under it.
 */
static DEFINE_MUTEX(links_lock);
static DECLARE_WAIT_QUEUE_HEAD(links_wq);	/* a link has settled */

/* ---- states ---- */

static void pipe_link_set(struct nfpc_pipe *p, struct nfpc_link *link)
{
	if (!p)
		return;
	scoped_guard(mutex, &p->lock)
		p->link = link;
	/* Sleepers in read() and poll() look again, and find the link. */
	nfpc_pipe_event(p);
}

/* A link that is down. @tx: NULL, or of the same card or another one. */
struct nfpc_link *nfpc_link_alloc(struct nfpc_pipe *rx, struct nfpc_pipe *tx)
{
	struct nfpc_link *link;

	link = kzalloc(sizeof(*link), GFP_KERNEL_ACCOUNT);
	if (!link)
		return ERR_PTR(-ENOMEM);
	if (tx && tx->card != rx->card) {
		link->peer.to = tx->card;
		get_device(&tx->card->dev);
	}
	kref_init(&link->ref);
	link->card = rx->card;
	get_device(&link->card->dev);
	strscpy(link->from, rx->chan->name, sizeof(link->from));
	if (tx)
		strscpy(link->to, tx->chan->name, sizeof(link->to));
	init_waitqueue_head(&link->wq);
	return link;
}

static void link_release(struct kref *ref)
{
	struct nfpc_link *link = container_of(ref, struct nfpc_link, ref);

	nfpc_buf_put(link->peer.stage);
	if (link->peer.to)
		put_device(&link->peer.to->dev);
	put_device(&link->card->dev);
	kfree(link);
}

void nfpc_link_put(struct nfpc_link *link)
{
	kref_put(&link->ref, link_release);
}

/* Take the two pipes. The caller owns the link from now on. */
static int link_begin(struct nfpc_link *link, struct nfpc_pipe *rx, struct nfpc_pipe *tx)
{
	guard(mutex)(&links_lock);
	if (rx->link || (tx && tx->link))
		return -EISCONN;
	if (link->peer.to && (rx->card->no_peers || tx->card->no_peers))
		return -ENODEV;
	link->state = NFPC_LINK_MAKING;
	link->rx = rx;
	link->tx = tx;
	pipe_link_set(rx, link);
	pipe_link_set(tx, link);
	return 0;
}

/* The owner has made the link (@up), or has ended it. */
static void link_settle(struct nfpc_link *link, bool up)
{
	mutex_lock(&links_lock);
	if (up) {
		WRITE_ONCE(link->state, NFPC_LINK_UP);
	} else {
		pipe_link_set(link->rx, NULL);
		pipe_link_set(link->tx, NULL);
		link->rx = NULL;
		link->tx = NULL;
		WRITE_ONCE(link->state, NFPC_LINK_DOWN);
	}
	mutex_unlock(&links_lock);
	wake_up_all(&links_wq);
	wake_up_interruptible_all(&link->wq);
}

/* No thread owns a link in this state. */
static bool settled(enum nfpc_link_state state)
{
	return state == NFPC_LINK_UP || state == NFPC_LINK_DOWN;
}

/* True: the link was up, and the caller owns it. False: it is down. */
static bool link_own(struct nfpc_link *link)
{
	enum nfpc_link_state state;

	for (;;) {
		mutex_lock(&links_lock);
		state = link->state;
		if (state == NFPC_LINK_UP)
			WRITE_ONCE(link->state, NFPC_LINK_ENDING);
		mutex_unlock(&links_lock);
		if (settled(state))
			return state == NFPC_LINK_UP;
		/* The owner waits for no more than a command, or a mark (peer.c). */
		wait_event(links_wq, settled(READ_ONCE(link->state)));
	}
}

/* The link of @p, with a reference, or NULL. @peer: a link between two cards, or within a card. */
static struct nfpc_link *link_of(struct nfpc_pipe *p, bool peer)
{
	guard(mutex)(&links_lock);
	if (!p->link || !p->link->peer.to == peer)
		return NULL;
	kref_get(&p->link->ref);
	return p->link;
}

/* ---- within a card ---- */

/* Set @stat to the counters of the link of @p, or of its last link. False: no answer, not set. */
bool nfpc_link_counters(struct nfpc_pipe *p, struct nfpc_stat *stat)
{
	u32 off = p->card->fw.link_off + p->nr * sizeof(struct nfp_chan_fw_stat);

	return !nfpc_fw_stat(p->card, off, stat);
}

/*
 * Send @req as the LINK of @p. @unsure is set if the card may execute the request although
 * this function fails.
 */
int nfpc_link_exec(struct nfpc_pipe *p, union nfpc_req *req, bool *unsure)
{
	int err = nfpc_mbox_exec(p->card, NFP_CHAN_FW_CMD_LINK, p->nr, req, unsure);

	return err == -ENOENT ? -EIO : err;	/* the card has turned a pipe off */
}

/* If the card does not confirm UNLINK, it may still link the two: both are turned off then. */
static void oncard_unlink(struct nfpc_link *link)
{
	bool unsure;
	int err;

	err = nfpc_mbox_simple(link->card, NFP_CHAN_FW_CMD_UNLINK, link->rx->nr, &unsure);
	/* -ENODEV: the detach has ended the pipes. -ENOENT: the card had not linked the two. */
	if (!err || err == -ENOENT || err == -ENODEV)
		return;
	nfpc_pipe_off(link->rx);
	if (link->tx)
		nfpc_pipe_off(link->tx);
}

static int oncard_make(struct nfpc_link *link, const struct nfp_chan_fw_link *template)
{
	union nfpc_req req = { .link = *template };
	bool unsure;
	int err;

	lockdep_assert_held(&link->card->win_sem);
	if (!nfpc_card_live(link->card))
		return -ENODEV;
	req.link.to = cpu_to_le16(link->tx ? link->tx->nr : NFP_CHAN_FW_LINK_DROP);
	err = nfpc_link_exec(link->rx, &req, &unsure);
	if (unsure)
		oncard_unlink(link);
	link->via = NFP_CHAN_LINK_ONCARD;
	return err;
}

static void oncard_down(struct nfpc_link *link)
{
	oncard_unlink(link);
	nfpc_link_counters(link->rx, &link->stat);
}

/* ---- beginning and end ---- */

/* Until nfpc_link_unlock() no card of the link detaches. */
void nfpc_link_lock(struct nfpc_link *link)
{
	down_read(&link->card->win_sem);
	/* One card detaches at a time, so the two readers cannot wait for two writers. */
	if (link->peer.to)
		down_read_nested(&link->peer.to->win_sem, SINGLE_DEPTH_NESTING);
}

void nfpc_link_unlock(struct nfpc_link *link)
{
	if (link->peer.to)
		up_read(&link->peer.to->win_sem);
	up_read(&link->card->win_sem);
}

/* A link within a card is made and ended with win_sem held, and owned for no longer. */
static void link_enter(struct nfpc_link *link)
{
	if (!link->peer.to)
		down_read(&link->card->win_sem);
}

static void link_leave(struct nfpc_link *link)
{
	if (!link->peer.to)
		up_read(&link->card->win_sem);
}

/* Bring the link up, or return an error: it is down then. */
int nfpc_link_up(struct nfpc_link *link, struct nfpc_pipe *rx, struct nfpc_pipe *tx,
		 const struct nfp_chan_fw_link *template, bool stage)
{
	int err;

	link_enter(link);
	err = link_begin(link, rx, tx);
	if (!err) {
		err = link->peer.to ? nfpc_peer_make(link, template, stage) :
				      oncard_make(link, template);
		link_settle(link, !err);
	}
	link_leave(link);
	return err;
}

/* End a link, if it is up. */
void nfpc_link_end(struct nfpc_link *link)
{
	link_enter(link);
	if (link_own(link)) {
		if (link->peer.to)
			nfpc_peer_down(link);
		else
			oncard_down(link);
		link_settle(link, false);
	}
	link_leave(link);
}

/**
 * nfpc_link_cut() - end the link within the card that has a pipe as an end, if any
 * @p: the pipe, whose CLOSE the caller has sent; with win_sem held
 * @quiet: the card has confirmed that, and so has ended the link. Otherwise it may still carry
 *	messages of the other end, which is turned off
 *
 * UNLINK before the close would bring messages into the ring, and the close would drop them. The
 * number of @p is not free yet: another pipe would have the link's counters.
 */
void nfpc_link_cut(struct nfpc_pipe *p, bool quiet)
{
	struct nfpc_link *link = link_of(p, false);
	struct nfpc_pipe *other;

	lockdep_assert_held(&p->card->win_sem);
	if (!link)
		return;
	if (link_own(link)) {
		other = link->rx == p ? link->tx : link->rx;
		if (quiet)
			nfpc_link_counters(link->rx, &link->stat);
		else if (other)
			nfpc_pipe_off(other);
		link_settle(link, false);
	}
	nfpc_link_put(link);
}

/* End the link between two cards that has @p as an end, if any. Without win_sem. */
void nfpc_peer_cut(struct nfpc_pipe *p)
{
	struct nfpc_link *link = link_of(p, true);

	if (!link)
		return;
	nfpc_link_end(link);
	nfpc_link_put(link);
}

/* A link of @card to another card, with a reference, or NULL. */
static struct nfpc_link *peer_link(struct nfpc_card *card)
{
	struct nfpc_link *link = NULL;
	struct nfpc_pipe *p;

	guard(mutex)(&card->pipes_lock);
	list_for_each_entry(p, &card->pipes, node) {
		link = link_of(p, true);
		if (link)
			break;
	}
	return link;
}

/**
 * nfpc_peers_end() - end all links of a card to other cards, and allow no more
 * @card: the card, still live
 *
 * A thread that makes such a link gives up. So the call takes as long as a command at most.
 *
 * Context: before the detach of @card, without win_sem.
 */
void nfpc_peers_end(struct nfpc_card *card)
{
	struct nfpc_link *link;

	scoped_guard(mutex, &links_lock)
		WRITE_ONCE(card->no_peers, true);
	while ((link = peer_link(card))) {
		nfpc_link_end(link);
		/* The owner may have been the thread that made the link, and has failed. */
		nfpc_link_put(link);
	}
}

/* ---- a look at a link ---- */

static bool pipe_ended(struct nfpc_pipe *p)
{
	struct nfpc_note n;

	if (!p)
		return false;
	scoped_guard(mutex, &p->lock)
		nfpc_note_get(p, &n);
	return n.state != NFP_CHAN_STATE_OPEN;
}

/* Return: the state, NFP_CHAN_LINK_*. @stat and @via are filled in. */
u32 nfpc_link_look(struct nfpc_link *link, struct nfpc_stat *stat, u32 *via)
{
	u32 state = NFP_CHAN_LINK_DOWN;

	nfpc_link_lock(link);
	mutex_lock(&links_lock);
	if (link->state == NFPC_LINK_UP) {
		if (link->peer.to)
			nfpc_peer_count(link);
		else
			nfpc_link_counters(link->rx, &link->stat);
		state = pipe_ended(link->rx) || pipe_ended(link->tx) ? NFP_CHAN_LINK_ENDED :
								       NFP_CHAN_LINK_UP;
	}
	*stat = link->stat;
	*via = link->via;
	mutex_unlock(&links_lock);
	nfpc_link_unlock(link);
	return state;
}

/* The number of the pipe that @p is linked with, or -1. */
int nfpc_link_other(const struct nfpc_pipe *p)
{
	const struct nfpc_pipe *other = NULL;

	lockdep_assert_held(&p->lock);
	if (p->link)
		other = p->link->rx == p ? p->link->tx : p->link->rx;
	return other ? other->nr : -1;
}
