// SPDX-License-Identifier: GPL-2.0-only
/*
 * link_file.c - the file of a link, and the two ioctls of a channel that make one: LINK within a
 * card, PEER between two.
 */
#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include "link.h"

/* ---- the file ---- */

static int link_stat(struct file *file, void *arg, void __user *uarg)
{
	struct nfpc_link *link = file->private_data;
	struct nfp_chan_link_stat *s = arg;
	struct nfpc_stat stat;

	if (s->flags)
		return -EINVAL;
	s->state = nfpc_link_look(link, &stat, &s->via);
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
	u32 via, state = nfpc_link_look(link, &s, &via);

	seq_printf(m, "from:\t%s\nto:\t%s\nstate:\t%s\nvia:\t%s\n", link->from, link->to,
		   names[state], vias[via]);
	seq_printf(m, "msgs:\t%llu\nbytes:\t%llu\ndropped:\t%llu\nstalled:\t%llu\n",
		   s.msgs, s.bytes, s.dropped, s.stalled);
}

static int link_file_release(struct inode *inode, struct file *file)
{
	struct nfpc_link *link = file->private_data;

	nfpc_link_end(link);
	nfpc_link_put(link);
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

/* Make the link and its file. */
static struct file *link_file(struct nfpc_pipe *rx, struct nfpc_pipe *tx,
			      const struct nfp_chan_fw_link *template, bool stage)
{
	struct nfpc_link *link = nfpc_link_alloc(rx, tx);
	struct file *file;
	int err;

	if (IS_ERR(link))
		return ERR_CAST(link);
	file = anon_inode_create_getfile("[nfp_chan_link]", &link_fops, link, O_RDONLY, NULL);
	if (IS_ERR(file)) {
		nfpc_link_put(link);
		return file;
	}
	/* From here on the file has the reference. */
	err = nfpc_link_up(link, rx, tx, template, stage);
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
	if (rx->chan->dir != NFP_CHAN_TO_HOST || nfpc_pipe_is_port(rx))
		return -EOPNOTSUPP;
	/* The cards will write to each other. */
	if (peer && !capable(CAP_SYS_RAWIO))
		return -EPERM;
	if (l->to_fd == -1)
		return peer ? -EBADF : 0;
	if (!tx || tx->chan->dir != NFP_CHAN_TO_NFP)
		return -EBADF;
	if (peer ? rx->card == tx->card : rx->card != tx->card)
		return -EXDEV;
	/* Otherwise the old ring may have a message, and the other card does not know that ring. */
	return peer && !rx->link_only ? -EBUSY : 0;
}

/* Link @rx to the channel of @to, or to none. */
static int link_open(struct nfpc_pipe *rx, struct file *to, const struct nfp_chan_link *l,
		     bool peer, __s32 __user *ufd)
{
	struct nfpc_pipe *tx = to ? nfpc_pipe_of(to) : NULL;
	struct nfp_chan_fw_link template;
	int err, fd;

	err = link_check(rx, tx, l, peer) ?: template_get(l, &template);
	if (err)
		return err;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	return nfpc_fd_install(fd, link_file(rx, tx, &template, l->flags & NFP_CHAN_PEER_STAGE),
			       ufd);
}

static int link_ioctl_any(struct file *file, const struct nfp_chan_link *l, bool peer,
			  struct nfp_chan_link __user *ul)
{
	struct file *to = NULL;
	int err;

	if (l->to_fd != -1) {
		to = fget(l->to_fd);
		if (!to)
			return -EBADF;
	}
	err = link_open(file->private_data, to, l, peer, &ul->fd);
	if (to)
		fput(to);
	return err;
}

/* NFP_CHAN_IOC_LINK */
int nfpc_link_ioctl(struct file *file, void *arg, void __user *uarg)
{
	return link_ioctl_any(file, arg, false, uarg);
}

/* NFP_CHAN_IOC_PEER */
int nfpc_peer_ioctl(struct file *file, void *arg, void __user *uarg)
{
	return link_ioctl_any(file, arg, true, uarg);
}
