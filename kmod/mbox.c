// SPDX-License-Identifier: GPL-2.0-only
/*
 * mbox.c - commands to the firmware. The host writes one at a time into SRAM, and the card
 * answers with one DMA and one interrupt.
 *
 * The number of a request identifies its answer. So an answer that comes too late, twice, or with
 * an unknown number changes nothing.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/pci.h>
#include "card.h"
#include "trace.h"

/*
 * The firmware answers within microseconds. If it has not answered a command, the next ones get
 * less time, because a process that dies may close many pipes, one after the other.
 */
#define MBOX_TIMEOUT		HZ
#define MBOX_TIMEOUT_MUTE	(HZ / 20)

static irqreturn_t mbox_irq(int irq, void *arg)
{
	struct nfpc_card *card = arg;

	wake_up(&card->mbox_wq);
	return IRQ_HANDLED;
}

static bool mbox_answered(struct nfpc_card *card, u32 seq)
{
	const struct nfp_chan_fw_rsp *rsp = card->rsp->buf->cpu;

	return le32_to_cpu(READ_ONCE(rsp->seq)) == seq;
}

static size_t req_size(u16 cmd)
{
	switch (cmd) {
	case NFP_CHAN_FW_CMD_LINK:
		return sizeof(struct nfp_chan_fw_link);
	case NFP_CHAN_FW_CMD_DEVICE:
		return sizeof(struct nfp_chan_fw_device);
	default:
		return sizeof(struct nfp_chan_fw_req);
	}
}

/*
 * The host writes 0 as the number, then the other words, then the number, and rings the
 * doorbell. All of these are posted writes and keep their order. So a firmware that is late
 * finds the request that the host has given up, or none, or the next one, but no mixture.
 */
static void mbox_post(struct nfpc_card *card, const union nfpc_req *req, size_t size)
{
	const __le32 *word = (const __le32 *)req;
	u32 off = card->fw.mbox_off;
	size_t i;

	BUILD_BUG_ON(offsetof(union nfpc_req, req.seq) != 0 ||
		     offsetof(union nfpc_req, link.seq) != 0 ||
		     offsetof(union nfpc_req, device.seq) != 0);
	writel(0, nfpc_sram(card, off));
	for (i = 1; i < size / sizeof(*word); i++)
		writel(le32_to_cpu(word[i]), nfpc_sram(card, off + 4 * i));
	writel(le32_to_cpu(word[0]), nfpc_sram(card, off));
	nfpc_queue_add(card, card->fw.mbox_queue, 1);
}

/* The errno of each status, and the command that has the status, if only one has it. */
static const struct {
	int err;
	u16 cmd;
} statuses[] = {
	[NFP_CHAN_FW_OK] = { 0 },
	[NFP_CHAN_FW_EINVAL] = { -EINVAL },
	[NFP_CHAN_FW_ENOENT] = { -ENOENT },
	[NFP_CHAN_FW_EBUSY] = { -EBUSY },
	[NFP_CHAN_FW_ENOSYS] = { -EOPNOTSUPP },
	[NFP_CHAN_FW_TAKEN] = { -EALREADY, NFP_CHAN_FW_CMD_CANCEL },
	[NFP_CHAN_FW_ENOSPC] = { -ENOSPC, NFP_CHAN_FW_CMD_BIND },
	[NFP_CHAN_FW_EKIND] = { -EPROTOTYPE, NFP_CHAN_FW_CMD_LINK },
	[NFP_CHAN_FW_ESIZE] = { -EMSGSIZE, NFP_CHAN_FW_CMD_LINK },
	[NFP_CHAN_FW_ENDED] = { -EPIPE, NFP_CHAN_FW_CMD_LINK },
	[NFP_CHAN_FW_EREACH] = { -EHOSTUNREACH, NFP_CHAN_FW_CMD_LINK },
	[NFP_CHAN_FW_ERING] = { -ESTALE, NFP_CHAN_FW_CMD_OPEN },
};

/* -EIO: the status is unknown, or is not one of this command. */
static int mbox_errno(u16 cmd, u32 status)
{
	if (status >= ARRAY_SIZE(statuses) || (statuses[status].cmd && statuses[status].cmd != cmd))
		return -EIO;
	return statuses[status].err;
}

/* An unknown status is logged once, as the close of an orphan is tried again every 2 s. */
static int mbox_status(struct nfpc_card *card, u16 cmd, u32 status)
{
	int err = mbox_errno(cmd, status);

	if (err == -EIO && !card->odd)
		dev_warn_ratelimited(&card->pdev->dev,
				     "command %u answered with unknown status %u\n",
				     cmd, status);
	card->odd = err == -EIO;
	return err;
}

/* True: the card has answered. The first answer that is missing, and the next one, are logged. */
static bool mbox_wait(struct nfpc_card *card, u16 cmd, u32 seq)
{
	struct device *dev = &card->pdev->dev;
	bool mute = card->mute;

	card->mute = !wait_event_timeout(card->mbox_wq, mbox_answered(card, seq),
					 mute ? MBOX_TIMEOUT_MUTE : MBOX_TIMEOUT);
	if (card->mute && !mute)
		dev_warn_ratelimited(dev, "command %u (number %u) not answered within 1 s\n",
				     cmd, seq);
	if (mute && !card->mute) {
		dev_info_ratelimited(dev, "commands are answered again\n");
		/* Orphans and lost devices need not wait for the next period. */
		if (nfpc_card_live(card))
			nfpc_health_schedule(card, 0);
	}
	return !card->mute;
}

/* A card that is attached takes all commands, and others HELLO and GOODBYE only. */
static bool card_takes(const struct nfpc_card *card, u16 cmd)
{
	switch (READ_ONCE(card->state)) {
	case NFPC_CARD_LIVE:
	case NFPC_CARD_STALE:
		return true;
	default:
		return cmd == NFP_CHAN_FW_CMD_HELLO || cmd == NFP_CHAN_FW_CMD_GOODBYE;
	}
}

/**
 * nfpc_mbox_exec() - send a command to the firmware and wait for the answer
 * @card: the card, with win_sem held for reading or writing
 * @cmd: NFP_CHAN_FW_CMD_*
 * @pipe: number of the pipe that the command is about, or 0
 * @req: the arguments; number, command and pipe of the request are filled in
 * @unsure: out, set in any case: the command has failed, but the card may have executed it, or may
 *	execute it later
 *
 * Return: 0, or
 * -ETIMEDOUT: there was no answer, and the card may execute the command later,
 * -EIO: the answer has an unknown status, and the card may have executed the command; or the
 * window or the firmware has changed, and nothing was sent,
 * -ENODEV: the card is being detached, and nothing was sent (HELLO and GOODBYE are sent),
 * or the errno of the firmware's status.
 */
int nfpc_mbox_exec(struct nfpc_card *card, u16 cmd, u16 pipe, union nfpc_req *req, bool *unsure)
{
	const struct nfp_chan_fw_rsp *rsp = card->rsp->buf->cpu;
	int err = -ETIMEDOUT;
	ktime_t start;
	u32 seq;

	lockdep_assert_held(&card->win_sem);
	guard(mutex)(&card->mbox_lock);
	*unsure = false;
	/*
	 * The detach waits for all holders of win_sem. Each command to a card that does not
	 * answer would delay the detach by a timeout.
	 */
	if (!card_takes(card, cmd))
		return -ENODEV;
	if (!nfpc_window_check(card))
		return -EIO;
	seq = ++card->mbox_seq ?: ++card->mbox_seq;	/* never 0 */
	req->req.seq = cpu_to_le32(seq);
	req->req.cmd = cpu_to_le16(cmd);
	req->req.pipe = cpu_to_le16(pipe);
	start = ktime_get();
	mbox_post(card, req, req_size(cmd));
	if (mbox_wait(card, cmd, seq)) {
		dma_rmb();	/* the number is in the word that arrives last */
		err = mbox_status(card, cmd, le32_to_cpu(READ_ONCE(rsp->status)));
	}
	*unsure = err == -EIO || err == -ETIMEDOUT;
	trace_nfp_chan_command(dev_name(&card->dev), cmd, pipe, seq, err,
			       ktime_us_delta(ktime_get(), start));
	return err;
}

/* A command whose only argument is a pipe. */
int nfpc_mbox_simple(struct nfpc_card *card, u16 cmd, u16 pipe, bool *unsure)
{
	union nfpc_req req = { };

	return nfpc_mbox_exec(card, cmd, pipe, &req, unsure);
}

/*
 * HELLO tells the card the address of answers, and closes all pipes. -EPROTO: the card has
 * answered, but its firmware was restarted after the control block was read. @unsure is set if
 * the card may execute HELLO later.
 */
static int mbox_hello(struct nfpc_card *card, bool *unsure)
{
	const struct nfp_chan_fw_rsp *rsp = card->rsp->buf->cpu;
	union nfpc_req req = {
		.req.vector = cpu_to_le16(card->mbox_vec.map.index),
		.req.ring_addr = cpu_to_le64(card->rsp->addr),
	};
	int err;

	err = nfpc_mbox_exec(card, NFP_CHAN_FW_CMD_HELLO, 0, &req, unsure);
	if (err)
		return err;
	/* Before the attach there are no other commands, whose answer this could be. */
	return le32_to_cpu(READ_ONCE(rsp->value)) == card->fw.boot_id ? 0 : -EPROTO;
}

static int rsp_map(struct nfpc_card *card)
{
	struct nfpc_buf *buf = nfpc_buf_alloc(sizeof(struct nfp_chan_fw_rsp),
					      GFP_KERNEL | card->gfp);

	if (IS_ERR(buf))
		return PTR_ERR(buf);
	card->rsp = nfpc_dma_map(card, buf);
	nfpc_buf_put(buf);
	return PTR_ERR_OR_ZERO(card->rsp);
}

int nfpc_mbox_start(struct nfpc_card *card)
{
	struct device *dev = &card->pdev->dev;
	bool unsure = false;
	int err;

	err = rsp_map(card);
	if (err) {
		dev_info_ratelimited(dev, "no memory that the card can use as it is: %pe\n",
				     ERR_PTR(err));
		return err;
	}
	err = nfpc_vector_alloc(card, &card->mbox_vec, mbox_irq, card, "mailbox");
	if (err) {
		dev_info_ratelimited(dev, "no MSI-X vector for the mailbox: %pe\n", ERR_PTR(err));
		goto err_stop;
	}
	/* Continue after the number of an earlier host, whose late answers may still come. */
	card->mbox_seq = readl(nfpc_sram(card, card->fw.mbox_off));
	err = mbox_hello(card, &unsure);
	if (!err) {
		nfpc_held_free(&card->pdev->dev, false);
		nfpc_push_free(&card->pdev->dev, false);
		return 0;
	}
	dev_info_ratelimited(dev, "the firmware does not answer properly: %pe\n", ERR_PTR(err));

err_stop:
	nfpc_mbox_stop(card, !unsure);
	return err;
}

/* @quiet: the card has confirmed that it uses no memory of the host any more. */
void nfpc_mbox_stop(struct nfpc_card *card, bool quiet)
{
	size_t bytes;

	nfpc_vector_free(card, &card->mbox_vec, card);
	nfpc_dma_end(card, card->rsp, quiet);
	card->rsp = NULL;
	bytes = nfpc_held_bytes(card);
	if (!quiet && bytes)
		dev_warn_ratelimited(&card->pdev->dev,
				     "%s: %zu bytes are kept until the card answers: it may still write there\n",
				     dev_name(&card->dev), bytes);
}
