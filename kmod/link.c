// SPDX-License-Identifier: GPL-2.0-only
/*
 * link.c - links: the card carries the messages of a channel to the host to the ME process
 * of a channel to the NFP (uapi/PROTOCOL.rst, Links).
 *
 * A link is a file. It holds no reference to the files of its two ends, and goes down when the
 * first of the three files is closed. A pipe that is being closed keeps its number and its memory
 * until its link is down.
 */
#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
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
	mutex_lock(&p->lock);
	p->link = link;
	mutex_unlock(&p->lock);
	/* Sleepers in read() and poll() look again, and find the link. */
	nfpc_pipe_event(p);
}

static void link_release(struct kref *ref)
{
	struct nfpc_link *link = container_of(ref, struct nfpc_link, ref);

	nfpc_peer_free(link->peer);
	put_device(&link->card->dev);
	kfree(link);
}

static void link_put(struct nfpc_link *link)
{
	kref_put(&link->ref, link_release);
}

/* Take the two pipes. The caller owns the link from now on. */
static int link_begin(struct nfpc_link *link, struct nfpc_pipe *rx, struct nfpc_pipe *tx)
{
	int err = 0;

	mutex_lock(&links_lock);
	if (rx->link || (tx && tx->link)) {
		err = -EISCONN;
	} else if (link->peer && (rx->card->no_peers || tx->card->no_peers)) {
		err = -ENODEV;
	} else {
		link->state = NFPC_LINK_MAKING;
		link->rx = rx;
		link->tx = tx;
		pipe_link_set(rx, link);
		pipe_link_set(tx, link);
	}
	mutex_unlock(&links_lock);
	return err;
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

static bool link_settled(const struct nfpc_link *link)
{
	enum nfpc_link_state state = READ_ONCE(link->state);

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
		if (state == NFPC_LINK_UP || state == NFPC_LINK_DOWN)
			return state == NFPC_LINK_UP;
		/* The owner waits for no more than a command, or a mark (peer.c). */
		wait_event(links_wq, link_settled(link));
	}
}

/* The link of @p, with a reference, or NULL. @peer: a link between two cards, or within a card. */
static struct nfpc_link *link_of(struct nfpc_pipe *p, bool peer)
{
	struct nfpc_link *link;

	mutex_lock(&links_lock);
	link = p->link;
	if (link && !link->peer == peer)
		link = NULL;
	if (link)
		kref_get(&link->ref);
	mutex_unlock(&links_lock);
	return link;
}

/* ---- commands ---- */

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

/* If the card does not confirm UNLINK, it may still link the two: both are turned off then. */
static void link_cmd_end(struct nfpc_link *link)
{
	struct nfpc_answer answer;
	int err;

	err = nfpc_mbox_simple(link->card, NFP_CHAN_FW_CMD_UNLINK, link->rx->nr, &answer);
	/* -ENODEV: the detach has ended the pipes. -ENOENT: the card had not linked the two. */
	if (!err || err == -ENOENT || err == -ENODEV)
		return;
	nfpc_pipe_off(link->rx);
	if (link->tx)
		nfpc_pipe_off(link->tx);
}

/* Make a link within a card. */
static int link_make(struct nfpc_link *link, const struct nfp_chan_fw_link *template)
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
		link_cmd_end(link);
	link->via = NFP_CHAN_LINK_ONCARD;
	return err;
}

/* End a link, if it is up. Within a card the caller holds win_sem, and otherwise not. */
static void link_end(struct nfpc_link *link)
{
	if (!link_own(link))
		return;
	if (link->peer) {
		nfpc_peer_down(link);
	} else {
		link_cmd_end(link);
		link_count(link);
	}
	link_settle(link, false);
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
			link_count(link);
		else if (other)
			nfpc_pipe_off(other);
		link_settle(link, false);
	}
	link_put(link);
}

/* End the link between two cards that has @p as an end, if any. Without win_sem. */
void nfpc_peer_cut(struct nfpc_pipe *p)
{
	struct nfpc_link *link = link_of(p, true);

	if (!link)
		return;
	link_end(link);
	link_put(link);
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
	struct nfpc_pipe *p;

	mutex_lock(&links_lock);
	WRITE_ONCE(card->no_peers, true);
	mutex_unlock(&links_lock);
	do {
		link = NULL;
		mutex_lock(&card->pipes_lock);
		list_for_each_entry(p, &card->pipes, node) {
			link = link_of(p, true);
			if (link)
				break;
		}
		mutex_unlock(&card->pipes_lock);
		if (link) {
			link_end(link);
			/* The owner may have been the thread that made the link, and has failed. */
			link_put(link);
		}
	} while (link);
}

/* ---- the file ---- */

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

/* Until link_unlock() neither card detaches. */
static void link_lock(struct nfpc_link *link)
{
	if (link->peer)
		nfpc_peer_lock(link);
	else
		down_read(&link->card->win_sem);
}

static void link_unlock(struct nfpc_link *link)
{
	if (link->peer)
		nfpc_peer_unlock(link);
	else
		up_read(&link->card->win_sem);
}

/* Return: the state, NFP_CHAN_LINK_*. @stat and @via are filled in. */
static u32 link_look(struct nfpc_link *link, struct nfpc_stat *stat, u32 *via)
{
	u32 state = NFP_CHAN_LINK_DOWN;

	link_lock(link);
	mutex_lock(&links_lock);
	if (link->state == NFPC_LINK_UP) {
		if (link->peer)
			nfpc_peer_count(link);
		else
			link_count(link);
		state = pipe_ended(link->rx) || pipe_ended(link->tx) ? NFP_CHAN_LINK_ENDED :
								       NFP_CHAN_LINK_UP;
	}
	*stat = link->stat;
	*via = link->via;
	mutex_unlock(&links_lock);
	link_unlock(link);
	return state;
}

static int link_stat(struct file *file, union nfpc_arg *arg, void __user *uarg)
{
	struct nfpc_link *link = file->private_data;
	struct nfp_chan_link_stat *s = &arg->link_stat;
	struct nfpc_stat stat;

	if (s->flags)
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
	return READ_ONCE(link->state) == NFPC_LINK_DOWN ? EPOLLHUP : 0;
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

static int link_file_release(struct inode *inode, struct file *file)
{
	struct nfpc_link *link = file->private_data;

	if (link->peer) {
		link_end(link);
	} else {
		down_read(&link->card->win_sem);
		link_end(link);
		up_read(&link->card->win_sem);
	}
	link_put(link);
	return 0;
}

static const struct file_operations link_fops = {
	.owner = THIS_MODULE,
	.release = link_file_release,
	.poll = link_poll,
	.show_fdinfo = link_fdinfo,
	.unlocked_ioctl = link_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

/* ---- LINK and PEER ---- */

static struct nfpc_link *link_alloc(struct nfpc_pipe *rx, struct nfpc_pipe *tx)
{
	struct nfpc_link *link;

	link = kzalloc(sizeof(*link), GFP_KERNEL_ACCOUNT);
	if (!link)
		return ERR_PTR(-ENOMEM);
	if (tx && tx->card != rx->card) {
		link->peer = nfpc_peer_alloc(tx);
		if (IS_ERR(link->peer)) {
			struct nfpc_peer *peer = link->peer;

			kfree(link);
			return ERR_CAST(peer);
		}
	}
	kref_init(&link->ref);
	link->card = rx->card;
	get_device(&link->card->dev);
	strscpy(link->from, rx->name, sizeof(link->from));
	if (tx)
		strscpy(link->to, tx->name, sizeof(link->to));
	init_waitqueue_head(&link->wq);
	return link;
}

static int link_up(struct nfpc_link *link, struct nfpc_pipe *rx, struct nfpc_pipe *tx,
		   const struct nfp_chan_fw_link *template, bool stage)
{
	int err;

	if (!link->peer)
		down_read(&link->card->win_sem);
	err = link_begin(link, rx, tx);
	if (!err) {
		if (link->peer)
			err = nfpc_peer_make(link, template, stage);
		else
			err = link_make(link, template);
		link_settle(link, !err);
	}
	if (!link->peer)
		up_read(&link->card->win_sem);
	return err;
}

/* Make the link and its file. */
static struct file *link_file(struct nfpc_pipe *rx, struct nfpc_pipe *tx,
			      const struct nfp_chan_fw_link *template, bool stage)
{
	struct nfpc_link *link = link_alloc(rx, tx);
	struct file *file;
	int err;

	if (IS_ERR(link))
		return ERR_CAST(link);
	file = anon_inode_create_getfile("[nfp_chan_link]", &link_fops, link, O_RDONLY, NULL);
	if (IS_ERR(file)) {
		link_put(link);
		return file;
	}
	/* From here on the file has the reference. */
	err = link_up(link, rx, tx, template, stage);
	if (err) {
		fput(file);
		return ERR_PTR(err);
	}
	return file;
}

/* Copy @len bytes, at most @most, from address @from, which is 0 for none. */
static int part_copy(void *to, u64 from, size_t len, size_t most)
{
	if (len > most || !from != !len)
		return -EINVAL;
	return copy_from_user(to, u64_to_user_ptr(from), len) ? -EFAULT : 0;
}

/* Header, match and operation: the part of LINK that is about messages. The card checks it. */
static int template_get(const struct nfp_chan_link *l, struct nfp_chan_fw_link *t)
{
	struct nfp_chan_link_op op = { };
	int err;

	*t = (struct nfp_chan_fw_link){ };
	err = part_copy(t->hdr, l->hdr, l->hdr_len, sizeof(t->hdr)) ?:
	      part_copy(t->match_mask, l->mask, l->match_len, sizeof(t->match_mask)) ?:
	      part_copy(t->match_value, l->value, l->match_len, sizeof(t->match_value));
	if (err)
		return err;
	if (l->op_count > 1)
		return -EINVAL;
	err = part_copy(&op, l->ops, l->op_count * sizeof(op), sizeof(op));
	if (err)
		return err;
	if (l->op_count && (op.op != NFP_CHAN_LINK_ADD || op.rsvd || op.off > U8_MAX || !op.len ||
			    op.len > U8_MAX || !op.arg || op.arg > U32_MAX))
		return -EINVAL;
	t->hdr_len = l->hdr_len;
	t->match_len = l->match_len;
	t->match_off = cpu_to_le32(l->match_off);
	t->state_off = op.off;
	t->state_len = op.len;
	t->state_step = cpu_to_le32(op.arg);
	return 0;
}

static int link_check(const struct nfpc_pipe *rx, const struct nfpc_pipe *tx,
		      const struct nfp_chan_link *l, bool peer)
{
	if (l->flags & ~(peer ? NFP_CHAN_PEER_STAGE : 0))
		return -EINVAL;
	if (rx->dir != NFP_CHAN_TO_HOST || nfpc_pipe_is_port(rx))
		return -EOPNOTSUPP;
	/* The cards will write to each other. */
	if (peer && !capable(CAP_SYS_RAWIO))
		return -EPERM;
	if (l->to_fd == -1)
		return peer ? -EBADF : 0;
	if (!tx || tx->dir != NFP_CHAN_TO_NFP)
		return -EBADF;
	if (peer ? rx->card == tx->card : rx->card != tx->card)
		return -EXDEV;
	/* Otherwise the old ring may have a message, and the other card does not know that ring. */
	return peer && !rx->link_only ? -EBUSY : 0;
}

/* NFP_CHAN_IOC_LINK and NFP_CHAN_IOC_PEER. The fd is written to @ufd, which is user memory. */
int nfpc_link_open(struct nfpc_pipe *rx, const struct nfp_chan_link *l, bool peer,
		   __s32 __user *ufd)
{
	struct nfp_chan_fw_link template;
	struct file *to = NULL, *file;
	struct nfpc_pipe *tx = NULL;
	int err, fd;

	if (l->to_fd != -1) {
		to = fget(l->to_fd);
		if (!to)
			return -EBADF;
		tx = nfpc_pipe_of(to);
	}
	err = link_check(rx, tx, l, peer) ?: template_get(l, &template);
	if (err)
		goto out_to;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0) {
		err = fd;
		goto out_to;
	}
	file = link_file(rx, tx, &template, l->flags & NFP_CHAN_PEER_STAGE);
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

/* The number of the pipe that @p is linked with, or -1. */
int nfpc_link_other(const struct nfpc_pipe *p)
{
	const struct nfpc_pipe *other = NULL;

	lockdep_assert_held(&p->lock);
	if (p->link)
		other = p->link->rx == p ? p->link->tx : p->link->rx;
	return other ? other->nr : -1;
}
