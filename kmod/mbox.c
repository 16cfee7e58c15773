// SPDX-License-Identifier: GPL-2.0-only
/*
 * mbox.c - commands to the firmware. The host writes one at a time into SRAM, and the card
 * answers with one DMA and one interrupt.
 *
 * The number of a request identifies its answer. So an answer that comes too late, twice, or with
 * an unknown number changes nothing.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/interrupt.h>
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

/* -EIO: the status is unknown, or is not one of this command. */
static int mbox_errno(u16 cmd, u32 status)
{
	switch (status) {
	case NFP_CHAN_FW_OK:
		return 0;
	case NFP_CHAN_FW_EINVAL:
		return -EINVAL;
	case NFP_CHAN_FW_ENOENT:
		return -ENOENT;
	case NFP_CHAN_FW_EBUSY:
		return -EBUSY;
	case NFP_CHAN_FW_ENOSYS:
		return -EOPNOTSUPP;
	case NFP_CHAN_FW_TAKEN:
		return cmd == NFP_CHAN_FW_CMD_CANCEL ? -EALREADY : -EIO;
	case NFP_CHAN_FW_ENOSPC:
		return cmd == NFP_CHAN_FW_CMD_BIND ? -ENOSPC : -EIO;
	case NFP_CHAN_FW_EKIND:
		return cmd == NFP_CHAN_FW_CMD_LINK ? -EPROTOTYPE : -EIO;
	case NFP_CHAN_FW_ESIZE:
		return cmd == NFP_CHAN_FW_CMD_LINK ? -EMSGSIZE : -EIO;
	case NFP_CHAN_FW_ENDED:
		return cmd == NFP_CHAN_FW_CMD_LINK ? -EPIPE : -EIO;
	case NFP_CHAN_FW_ERING:
		return cmd == NFP_CHAN_FW_CMD_OPEN ? -ESTALE : -EIO;
	case NFP_CHAN_FW_EREACH:
		return cmd == NFP_CHAN_FW_CMD_LINK ? -EHOSTUNREACH : -EIO;
	default:
		return -EIO;
	}
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
		nfpc_health_answered(card);
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
 * @req: the request; its number is filled in
 * @answer: out: set in any case
 *
 * Return: 0, or
 * -ETIMEDOUT: there was no answer, and the card may execute the command later,
 * -EIO: the answer has an unknown status, and the card may have executed the command; or the
 * window or the firmware has changed, and nothing was sent,
 * -ENODEV: the card is being detached, and nothing was sent (HELLO and GOODBYE are sent),
 * or the errno of the firmware's status.
 */
int nfpc_mbox_exec(struct nfpc_card *card, union nfpc_req *req, struct nfpc_answer *answer)
{
	const struct nfp_chan_fw_rsp *rsp = card->rsp->buf->cpu;
	u16 cmd = le16_to_cpu(req->req.cmd);
	ktime_t start;
	u32 seq;
	int err;

	lockdep_assert_held(&card->win_sem);
	mutex_lock(&card->mbox_lock);
	*answer = (struct nfpc_answer){ };
	/*
	 * The detach waits for all holders of win_sem. Each command to a card that does not
	 * answer would delay the detach by a timeout.
	 */
	if (!card_takes(card, cmd)) {
		err = -ENODEV;
		goto out;
	}
	if (!nfpc_window_check(card)) {
		err = -EIO;
		goto out;
	}
	seq = ++card->mbox_seq ?: ++card->mbox_seq;	/* never 0 */
	req->req.seq = cpu_to_le32(seq);
	start = ktime_get();
	mbox_post(card, req, req_size(cmd));
	if (mbox_wait(card, cmd, seq)) {
		dma_rmb();	/* the number is in the word that arrives last */
		err = mbox_status(card, cmd, le32_to_cpu(READ_ONCE(rsp->status)));
		answer->value = le32_to_cpu(READ_ONCE(rsp->value));
		answer->unsure = err == -EIO;
	} else {
		err = -ETIMEDOUT;
		answer->unsure = true;
	}
	trace_nfp_chan_command(dev_name(&card->dev), cmd, le16_to_cpu(req->req.pipe), seq, err,
			       ktime_us_delta(ktime_get(), start));
out:
	mutex_unlock(&card->mbox_lock);
	return err;
}

/* A command whose only argument is a pipe. */
int nfpc_mbox_simple(struct nfpc_card *card, u16 cmd, u16 pipe, struct nfpc_answer *answer)
{
	union nfpc_req req = {
		.req.cmd = cpu_to_le16(cmd),
		.req.pipe = cpu_to_le16(pipe),
	};

	return nfpc_mbox_exec(card, &req, answer);
}

/*
 * HELLO tells the card the address of answers, and closes all pipes. -EPROTO: the card has
 * answered, but its firmware was restarted after the control block was read. @unsure is set if
 * the card may execute HELLO later.
 */
static int mbox_hello(struct nfpc_card *card, bool *unsure)
{
	union nfpc_req req = {
		.req.cmd = cpu_to_le16(NFP_CHAN_FW_CMD_HELLO),
		.req.vector = cpu_to_le16(card->mbox_vec.map.index),
		.req.ring_addr = cpu_to_le64(card->rsp->addr),
	};
	struct nfpc_answer answer;
	int err;

	err = nfpc_mbox_exec(card, &req, &answer);
	*unsure = answer.unsure;
	if (err)
		return err;
	return answer.value == card->fw.boot_id ? 0 : -EPROTO;
}

/*
 * GOODBYE closes all pipes, and makes the card forget the address of answers. @unsure is set if
 * the card may execute the command later.
 */
int nfpc_mbox_goodbye(struct nfpc_card *card, bool *unsure)
{
	struct nfpc_answer answer;
	int err;

	err = nfpc_mbox_simple(card, NFP_CHAN_FW_CMD_GOODBYE, 0, &answer);
	*unsure = answer.unsure;
	return err;
}

static int rsp_map(struct nfpc_card *card)
{
	struct nfpc_buf *buf = nfpc_buf_alloc(sizeof(struct nfp_chan_fw_rsp), NULL,
					      GFP_KERNEL | card->gfp);
	struct nfpc_dma *dma;

	if (IS_ERR(buf))
		return PTR_ERR(buf);
	dma = nfpc_dma_map(card, buf);
	nfpc_buf_put(buf);
	if (IS_ERR(dma))
		return PTR_ERR(dma);
	card->rsp = dma;
	return 0;
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
		nfpc_held_free(card);
		nfpc_push_confirmed(card);
		return 0;
	}
	dev_info_ratelimited(dev, "the firmware does not answer properly: %pe\n", ERR_PTR(err));

err_stop:
	nfpc_mbox_stop(card, !unsure);
	return err;
}

static void tell_held(struct nfpc_card *card)
{
	size_t bytes = nfpc_held_bytes(card);

	if (bytes)
		dev_warn_ratelimited(&card->pdev->dev,
				     "%s: %zu bytes are kept until the card answers: it may still write there\n",
				     dev_name(&card->dev), bytes);
}

/* @quiet: the card has confirmed that it uses no memory of the host any more. */
void nfpc_mbox_stop(struct nfpc_card *card, bool quiet)
{
	nfpc_vector_free(card, &card->mbox_vec, card);
	nfpc_dma_end(card, card->rsp, quiet);
	card->rsp = NULL;
	if (!quiet)
		tell_held(card);
}
