// SPDX-License-Identifier: GPL-2.0-only
/*
 * link.c - links: the card carries the messages of a channel to the host to the ME process
 * of a channel to the NFP (uapi/PROTOCOL.rst, Links).
 *
 * A link is a file. It holds no reference to the files of its two ends, and goes down when
 * the first of the three files is closed. card->link_lock protects pipe->link, and is held
 * over LINK and UNLINK. A pipe that is being closed keeps its number and its memory until
 * its link is cut.
 */
#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include "link.h"

/* Counters of the link of @p, or of its last link. False: the card does not answer. */
bool nfpc_link_counters(struct nfpc_pipe *p, struct nfpc_stat *stat)
{
	u32 off = p->card->fw.link_off + p->nr * sizeof(struct nfp_chan_fw_stat);

	return !nfpc_fw_stat(p->card, off, stat);
}

/* The link is up. If the card does not answer, the counters keep their values. */
static void link_count(struct nfpc_link *link)
{
	struct nfpc_stat stat;

	if (nfpc_link_counters(link->rx, &stat))
		link->stat = stat;
}

static void pipe_link_set(struct nfpc_pipe *p, struct nfpc_link *link)
{
	mutex_lock(&p->lock);
	p->link = link;
	mutex_unlock(&p->lock);
	/* Sleepers in read() and poll() look again, and find the link. */
	nfpc_pipe_event(p);
}

/* The caller holds the link_lock of both pipes' cards. */
void nfpc_link_set(struct nfpc_link *link, struct nfpc_pipe *rx, struct nfpc_pipe *tx)
{
	link->tx = tx;
	link->rx = rx;
	pipe_link_set(rx, link);
	if (tx)
		pipe_link_set(tx, link);
}

/* The pipes exist: a close frees a pipe only after its link has been forgotten. */
void nfpc_link_forget(struct nfpc_link *link)
{
	pipe_link_set(link->rx, NULL);
	if (link->tx)
		pipe_link_set(link->tx, NULL);
	WRITE_ONCE(link->rx, NULL);
	link->tx = NULL;
	wake_up_interruptible_all(&link->wq);
}

/* Nothing but close() works on the pipe any more. */
void nfpc_link_break(struct nfpc_pipe *p)
{
	mutex_lock(&p->lock);
	p->error = -EIO;
	mutex_unlock(&p->lock);
	nfpc_pipe_event(p);
}

/* If the card does not confirm UNLINK, it may still link the two: both are broken then. */
static void unlink_cmd(struct nfpc_pipe *rx, struct nfpc_pipe *tx)
{
	struct nfpc_answer answer;
	int err;

	err = nfpc_mbox_simple(rx->card, NFP_CHAN_FW_CMD_UNLINK, rx->nr, &answer);
	/* -ENODEV: the detach follows. -ENOENT: the card had not linked the two. */
	if (!err || err == -ENOENT || err == -ENODEV)
		return;
	nfpc_link_break(rx);
	if (tx)
		nfpc_link_break(tx);
}

static void link_down(struct nfpc_link *link)
{
	unlink_cmd(link->rx, link->tx);
	link_count(link);
	nfpc_link_forget(link);
}

/* Match, template and state: the part of LINK that is about messages. */
void nfpc_link_request(struct nfp_chan_fw_link *req, const struct nfp_chan_link *l)
{
	req->hdr_len = l->hdr_len;
	req->match_len = l->match_len;
	req->match_off = cpu_to_le32(l->match_off);
	req->state_off = l->state_off;
	req->state_len = l->state_len;
	req->state_step = cpu_to_le32(l->state_step);
	memcpy(req->match_mask, l->match_mask, sizeof(req->match_mask));
	memcpy(req->match_value, l->match_value, sizeof(req->match_value));
	memcpy(req->hdr, l->hdr, sizeof(req->hdr));
}

/*
 * Send @req as the LINK of @p. @unsure is set if the card may execute the request although
 * this function fails.
 */
int nfpc_link_exec(struct nfpc_pipe *p, union nfpc_req *req, bool *unsure)
{
	struct nfpc_answer answer;
	int err;

	req->link.cmd = cpu_to_le16(NFP_CHAN_FW_CMD_LINK);
	req->link.pipe = cpu_to_le16(p->nr);
	err = nfpc_mbox_exec(p->card, req, &answer);
	*unsure = answer.unsure;
	return err == -ENOENT ? -EIO : err;	/* the card has turned a pipe off */
}

static int link_cmd(struct nfpc_pipe *rx, struct nfpc_pipe *tx, const struct nfp_chan_link *l)
{
	union nfpc_req req = {
		.link.to = cpu_to_le16(tx ? tx->nr : NFP_CHAN_FW_LINK_DROP),
	};
	bool unsure;
	int err;

	nfpc_link_request(&req.link, l);
	err = nfpc_link_exec(rx, &req, &unsure);
	if (unsure)
		unlink_cmd(rx, tx);
	return err;
}

static void link_lock(struct nfpc_link *link)
{
	if (link->peer) {
		nfpc_peer_lock(link);
		return;
	}
	down_read(&link->card->win_sem);
	mutex_lock(&link->card->link_lock);
}

static void link_unlock(struct nfpc_link *link)
{
	if (link->peer) {
		nfpc_peer_unlock(link);
		return;
	}
	mutex_unlock(&link->card->link_lock);
	up_read(&link->card->win_sem);
}

static int link_up(struct nfpc_link *link, struct nfpc_pipe *rx, struct nfpc_pipe *tx,
		   const struct nfp_chan_link *l)
{
	struct nfpc_card *card = link->card;
	int err;

	link_lock(link);
	if (!nfpc_card_live(card))
		err = -ENODEV;
	else if (rx->link || (tx && tx->link))
		err = -EISCONN;
	else
		err = link_cmd(rx, tx, l);
	if (!err) {
		link->via = NFP_CHAN_LINK_ONCARD;
		nfpc_link_set(link, rx, tx);
	}
	link_unlock(link);
	return err;
}

static bool pipe_ended(struct nfpc_pipe *p)
{
	struct nfpc_note n;

	if (!p)
		return false;
	mutex_lock(&p->lock);
	nfpc_note_get(p, &n);
	mutex_unlock(&p->lock);
	return n.state != NFP_CHAN_STATE_OPEN;
}

/* Return: the state, NFP_CHAN_LINK_*. @stat and @via are filled in. */
static u32 link_look(struct nfpc_link *link, struct nfpc_stat *stat, u32 *via)
{
	u32 state = NFP_CHAN_LINK_DOWN;

	link_lock(link);
	if (link->rx) {
		if (link->peer)
			nfpc_peer_count(link);
		else
			link_count(link);
		state = pipe_ended(link->rx) || pipe_ended(link->tx) ? NFP_CHAN_LINK_ENDED :
								       NFP_CHAN_LINK_UP;
	}
	*stat = link->stat;
	*via = link->via;
	link_unlock(link);
	return state;
}

static int link_stat(struct file *file, union nfpc_arg *arg, void __user *uarg)
{
	struct nfpc_link *link = file->private_data;
	struct nfp_chan_link_stat *s = &arg->link_stat;
	struct nfpc_stat stat;

	if (s->flags || s->via)
		return -EINVAL;
	s->state = link_look(link, &stat, &s->via);
	strscpy_pad(s->from, link->from, sizeof(s->from));
	strscpy_pad(s->to, link->to, sizeof(s->to));
	s->msgs = stat.msgs;
	s->bytes = stat.bytes;
	s->dropped = stat.dropped;
	s->stalled = stat.stalled;
	return 0;
}

static const struct nfpc_ioctl link_ioctls[] = {
	NFPC_IOCTL(NFP_CHAN_IOC_LINK_STAT, link_stat, nfp_chan_link_stat, stalled, true),
};

static long link_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return nfpc_ioctl(link_ioctls, ARRAY_SIZE(link_ioctls), file, cmd, arg);
}

static __poll_t link_poll(struct file *file, struct poll_table_struct *pt)
{
	struct nfpc_link *link = file->private_data;

	poll_wait(file, &link->wq, pt);
	return READ_ONCE(link->rx) ? 0 : EPOLLHUP;
}

static void link_fdinfo(struct seq_file *m, struct file *file)
{
	static const char * const names[] = {
		[NFP_CHAN_LINK_DOWN] = "down",
		[NFP_CHAN_LINK_UP] = "up",
		[NFP_CHAN_LINK_ENDED] = "ended",
	};
	static const char * const vias[] = {
		[NFP_CHAN_LINK_ONCARD] = "card",
		[NFP_CHAN_LINK_PUSHED] = "push",
		[NFP_CHAN_LINK_STAGED] = "staging",
	};
	struct nfpc_link *link = file->private_data;
	struct nfpc_stat s;
	u32 via, state = link_look(link, &s, &via);

	seq_printf(m, "from:\t%s\nto:\t%s\nstate:\t%s\nvia:\t%s\n", link->from, link->to,
		   names[state], vias[via]);
	seq_printf(m, "msgs:\t%llu\nbytes:\t%llu\ndropped:\t%llu\nstalled:\t%llu\n",
		   s.msgs, s.bytes, s.dropped, s.stalled);
}

static int link_release(struct inode *inode, struct file *file)
{
	struct nfpc_link *link = file->private_data;
	struct nfpc_card *card = link->card;

	link_lock(link);
	if (link->rx && link->peer)
		nfpc_peer_down(link);
	else if (link->rx)
		link_down(link);
	link_unlock(link);
	nfpc_peer_free(link);
	put_device(&card->dev);
	kfree(link);
	return 0;
}

static const struct file_operations link_fops = {
	.owner = THIS_MODULE,
	.release = link_release,
	.poll = link_poll,
	.show_fdinfo = link_fdinfo,
	.unlocked_ioctl = link_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

/* Make the link and its file. */
static struct file *link_file(struct nfpc_pipe *rx, struct nfpc_pipe *tx,
			      const struct nfp_chan_link *l)
{
	struct nfpc_link *link;
	struct file *file;
	int err;

	link = kzalloc(sizeof(*link), GFP_KERNEL_ACCOUNT);
	if (!link)
		return ERR_PTR(-ENOMEM);
	link->card = rx->card;
	strscpy(link->from, rx->name, sizeof(link->from));
	if (tx)
		strscpy(link->to, tx->name, sizeof(link->to));
	init_waitqueue_head(&link->wq);
	if (tx && tx->card != rx->card) {
		err = nfpc_peer_alloc(link, tx);
		if (err) {
			kfree(link);
			return ERR_PTR(err);
		}
	}
	file = anon_inode_getfile("[nfp_chan_link]", &link_fops, link, O_RDONLY);
	if (IS_ERR(file)) {
		nfpc_peer_free(link);
		kfree(link);
		return file;
	}
	/* From here on the release of the file frees the link. */
	get_device(&link->card->dev);
	err = link->peer ? nfpc_peer_up(link, rx, tx, l) : link_up(link, rx, tx, l);
	if (err) {
		fput(file);
		return ERR_PTR(err);
	}
	return file;
}

static int link_check(const struct nfpc_pipe *rx, const struct nfpc_pipe *tx,
		      const struct nfp_chan_link *l)
{
	if (l->flags & ~NFP_CHAN_LINK_STAGE || l->rsvd0 || l->rsvd1 ||
	    memchr_inv(l->rsvd, 0, sizeof(l->rsvd)))
		return -EINVAL;
	if (l->to_fd == -1)
		return l->flags ? -EINVAL : 0;
	if (!tx || tx->dir != NFP_CHAN_TO_NFP)
		return -EBADF;
	if (rx->card == tx->card)
		return l->flags ? -EINVAL : 0;
	/* Otherwise the old ring may have a message, and the other card does not know that ring. */
	return rx->link_only ? 0 : -EBUSY;
}

/* NFP_CHAN_IOC_LINK. The fd is written to @ufd, which is user memory. */
int nfpc_link_open(struct nfpc_pipe *rx, const struct nfp_chan_link *l, __s32 __user *ufd)
{
	struct file *to = NULL, *file;
	struct nfpc_pipe *tx = NULL;
	int err, fd;

	if (rx->dir != NFP_CHAN_TO_HOST || nfpc_pipe_is_port(rx))
		return -ENOTTY;
	if (l->to_fd != -1) {
		to = fget(l->to_fd);
		if (!to)
			return -EBADF;
		tx = nfpc_pipe_of(to);
	}
	err = link_check(rx, tx, l);
	if (err)
		goto out_to;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0) {
		err = fd;
		goto out_to;
	}
	file = link_file(rx, tx, l);
	if (IS_ERR(file)) {
		err = PTR_ERR(file);
		goto out_fd;
	}
	/* Once installed the fd belongs to the process, so nothing may fail. */
	if (put_user(fd, ufd)) {
		fput(file);
		err = -EFAULT;
		goto out_fd;
	}
	fd_install(fd, file);
	goto out_to;

out_fd:
	put_unused_fd(fd);
out_to:
	if (to)
		fput(to);
	return err;
}

/*
 * The card was asked to close @p. If it has confirmed that (@quiet), the link has ended too,
 * and its counters are final. Otherwise the card may still carry messages of the other end,
 * so that end is broken. The number of @p is not free yet: another pipe would have its
 * counters.
 */
void nfpc_link_cut(struct nfpc_pipe *p, bool quiet)
{
	struct nfpc_card *card = p->card;
	struct nfpc_pipe *other;

	lockdep_assert_held(&card->win_sem);
	mutex_lock(&card->link_lock);
	if (p->link) {
		other = p->link->rx == p ? p->link->tx : p->link->rx;
		if (quiet)
			link_count(p->link);
		else if (other)
			nfpc_link_break(other);
		nfpc_link_forget(p->link);
	}
	mutex_unlock(&card->link_lock);
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
