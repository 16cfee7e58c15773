// SPDX-License-Identifier: GPL-2.0-only
/*
 * link_card.c - a link within a card: the commands, of which peer.c uses some as well.
 */
#include "link.h"

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

/* If the card does not answer, the counters keep their values. */
static void oncard_count(struct nfpc_link *link)
{
	nfpc_link_counters(link->rx, &link->stat);
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

static int oncard_make(struct nfpc_link *link, const struct nfp_chan_fw_link *template, bool stage)
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
	oncard_count(link);
}

const struct nfpc_link_ops nfpc_oncard_ops = {
	.make = oncard_make,
	.count = oncard_count,
	.down = oncard_down,
};
