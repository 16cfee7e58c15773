// SPDX-License-Identifier: GPL-2.0-only
/*
 * cancel.c - CANCEL: the card takes messages back that no ME process has received.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/pci.h>
#include "pipe.h"

/*
 * CANCEL has been answered, or has timed out (@unsure). The record's position moves past
 * messages that are taken back before the answer comes. So while p->cancelling is set, the
 * senders do not take that position for success.
 *
 * Without an answer the card may still take back messages, even those that would be sent from now
 * on. So the pipe is turned off.
 */
static void pipe_cancel_end(struct nfpc_pipe *p, u32 seq, bool unsure, int err)
{
	struct nfpc_sent *sent;

	mutex_lock(&p->lock);
	p->cancelling = false;
	if (unsure)
		p->error = -EIO;
	list_for_each_entry(sent, &p->sent, node)
		sent->cancelled |= !err && (s32)(sent->seq - seq) >= 0;
	mutex_unlock(&p->lock);
	if (unsure)
		dev_warn_ratelimited(&p->card->pdev->dev,
				     "%s pipe %u: the card does not say whether message %u is taken back: disabled\n",
				     p->chan->name, p->nr, seq);
	nfpc_pipe_event(p);
}

/*
 * NFP_CHAN_IOC_CANCEL, and the end of a rendezvous that is given up. -EALREADY: the ME process has
 * the message. Many threads may wait here for a card that does not answer, and hold win_sem, so
 * a fatal signal ends the wait for the lock.
 */
int nfpc_pipe_cancel(struct nfpc_pipe *p, u32 seq)
{
	union nfpc_req req = { .req.msg_seq = cpu_to_le32(seq) };
	struct nfpc_card *card = p->card;
	int err = -ENODEV;
	bool unsure;

	guard(rwsem_read)(&card->win_sem);
	if (mutex_lock_killable(&p->cancel_lock))
		return -EINTR;
	if (nfpc_card_live(card)) {
		scoped_guard(mutex, &p->lock)
			p->cancelling = true;
		err = nfpc_mbox_exec(card, NFP_CHAN_FW_CMD_CANCEL, p->nr, &req, &unsure);
		if (err == -ENOENT || err == -EOPNOTSUPP)
			err = -EIO;
		pipe_cancel_end(p, seq, unsure, err);
	}
	mutex_unlock(&p->cancel_lock);
	return err;
}
