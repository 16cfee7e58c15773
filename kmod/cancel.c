// SPDX-License-Identifier: GPL-2.0-only
/*
 * cancel.c - messages that are taken back, and those of which the card has not said
 * whether they are.
 */
#include <linux/workqueue.h>
#include "pipe.h"

/* As often as what is in limbo is asked for. */
#define SETTLE_PERIOD	(2 * HZ)

/*
 * The card has answered, or not. Before it did so the record has moved behind what
 * it took back: nobody may judge by that until the messages are marked.
 */
static void pipe_cancel_end(struct nfpc_pipe *p, const struct nfpc_cmd *cmd, int err)
{
	struct nfpc_sent *sent;
	bool again;

	mutex_lock(&p->lock);
	p->cancelling = false;
	if (cmd->unsure && !p->cancel_lost)
		p->cancel_seq = cmd->msg_seq;
	/* With the answer to one, those before it are over as well. */
	if (cmd->unsure)
		p->cancel_lost = true;
	else if (cmd->sent)
		p->cancel_lost = false;
	again = p->live && p->cancel_lost && !p->ctl_mapped;
	list_for_each_entry(sent, &p->sent, node) {
		if ((s32)(sent->seq - cmd->msg_seq) < 0)
			continue;
		sent->cancelled |= !err;
		sent->unsure |= cmd->unsure;
	}
	mutex_unlock(&p->lock);
	if (again)
		queue_delayed_work(system_freezable_wq, &p->settle, SETTLE_PERIOD);
	nfpc_pipe_event(p);
}

/* May @cmd be sent? One @again, for that of which the end is not known, only if so. */
static bool pipe_cancel_begin(struct nfpc_pipe *p, struct nfpc_cmd *cmd, bool again)
{
	bool send;

	mutex_lock(&p->lock);
	/* What a user has sent in the mapped ring since would be taken back with it. */
	send = !again || (p->cancel_lost && !p->ctl_mapped);
	p->cancelling = send;
	if (again)
		cmd->msg_seq = p->cancel_seq;
	mutex_unlock(&p->lock);
	return send;
}

/*
 * EALREADY: the ME process has it. Sleeps for the answer: of a mute card in vain, and
 * many may be here with one pipe. So they hold up neither a detach nor their end.
 */
static int pipe_cancel(struct nfpc_pipe *p, u32 seq, bool again)
{
	struct nfpc_card *card = p->card;
	struct nfpc_cmd cmd = {
		.cmd = NFP_CHAN_FW_CMD_CANCEL,
		.pipe = p->nr,
		.msg_seq = seq,
	};
	int err = -ENODEV;

	down_read(&card->win_sem);
	if (mutex_lock_killable(&p->cancel_lock)) {
		up_read(&card->win_sem);
		return -EINTR;
	}
	if (card->live && !pipe_cancel_begin(p, &cmd, again)) {
		err = 0;
	} else if (card->live) {
		err = nfpc_mbox_exec(card, &cmd);
		if (err == -ENOENT || err == -EOPNOTSUPP)
			err = -EIO;
		pipe_cancel_end(p, &cmd, err);
	}
	mutex_unlock(&p->cancel_lock);
	up_read(&card->win_sem);
	return err;
}

/* For NFP_CHAN_IOC_CANCEL, and a rendezvous that is given up */
int nfpc_pipe_cancel(struct nfpc_pipe *p, u32 seq)
{
	return pipe_cancel(p, seq, false);
}

/* Ask once more, so that the end of a cancel is known: 0, it is. */
int nfpc_pipe_settle(struct nfpc_pipe *p)
{
	int err = pipe_cancel(p, 0, true);

	switch (err) {
	case -EALREADY:
	case -EBUSY:
	case -EINVAL:
		return 0;
	case -EIO:
		return -ETIMEDOUT;	/* as long as the card does not say */
	}
	return err;
}

/* For who waits in poll() and never in write(): that tells once it is over. */
static void settle(struct work_struct *work)
{
	nfpc_pipe_settle(container_of(to_delayed_work(work), struct nfpc_pipe, settle));
}

void nfpc_cancel_init(struct nfpc_pipe *p)
{
	INIT_DELAYED_WORK(&p->settle, settle);
}

/* At the close, without win_sem, which the work takes: nobody else queues it now. */
void nfpc_cancel_exit(struct nfpc_pipe *p)
{
	cancel_delayed_work_sync(&p->settle);
}
