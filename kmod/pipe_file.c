// SPDX-License-Identifier: GPL-2.0-only
/*
 * pipe_file.c - the file of a channel fd, and its ioctls.
 */
#include <linux/anon_inodes.h>
#include <linux/eventfd.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "pipe.h"

static int pipe_release(struct inode *inode, struct file *file)
{
	nfpc_pipe_close(file->private_data);
	return 0;
}

static int pipe_layout(struct file *file, void *arg, void __user *uarg)
{
	struct nfpc_pipe *p = file->private_data;
	struct nfp_chan_layout *g = arg;

	if (g->flags)
		return -EINVAL;
	if (!nfpc_pipe_live(p))
		return -ENODEV;
	g->id = p->chan->id;
	g->dir = p->chan->dir;
	g->elem_size = p->chan->elem_size;
	g->max_size = p->chan->max_size;
	g->depth = p->chan->depth;
	g->ring_size = nfpc_pipe_ring_size(p);
	g->unit_shift = p->unit_shift;
	g->limit = p->limit;
	g->ring_off = NFPC_OFF_RING;
	g->note_off = NFPC_OFF_NOTE;
	g->ctl_off = NFPC_OFF_CTL;
	g->db_off = NFPC_OFF_DB;
	/* A pipe's data queue is at the start of its page. */
	g->db_data = NFP_CHAN_FW_QC_ADD_WPTR;
	g->db_arm = NFP_CHAN_FW_QC_STRIDE + NFP_CHAN_FW_QC_ADD_WPTR;
	g->page_size = PAGE_SIZE;
	g->kind = p->chan->kind;
	g->inline_off = NFPC_OFF_INLINE;
	g->inline_size = p->inline_page ? NFP_CHAN_INLINE_MAX : 0;
	g->signal_db = p->signal_db ? NFP_CHAN_FW_QC_ADD_WPTR : 0;
	g->signal_db_off = NFPC_OFF_SIGNAL_DB;
	g->db_map = p->db_map;
	g->rsvd = 0;
	return 0;
}

static int pipe_signal(struct file *file, void *arg, void __user *uarg)
{
	struct nfpc_pipe *p = file->private_data;
	const struct nfp_chan_signal *s = arg;

	if (s->flags || memchr_inv(s->name, 0, sizeof(s->name)))
		return -EINVAL;
	return nfpc_card_signal(p->card, p->chan, true);
}

/*
 * After synchronize_rcu() no interrupt handler uses the old eventfd any more, so it is put. An
 * interrupt that came before the new eventfd was bound is replayed.
 */
static int pipe_eventfd(struct file *file, void *arg, void __user *uarg)
{
	struct nfpc_pipe *p = file->private_data;
	struct nfp_chan_eventfd *e = arg;
	struct eventfd_ctx *ctx = NULL, *old;
	bool live;

	if (e->flags || e->rsvd)
		return -EINVAL;
	if (e->fd != -1) {
		ctx = eventfd_ctx_fdget(e->fd);
		if (IS_ERR(ctx))
			return -EBADF;
	}
	mutex_lock(&p->lock);
	live = p->live;
	old = live ? rcu_replace_pointer(p->eventfd, ctx, lockdep_is_held(&p->lock)) : ctx;
	mutex_unlock(&p->lock);
	if (live)
		synchronize_rcu();
	if (old)
		eventfd_ctx_put(old);
	guard(rcu)();
	ctx = rcu_dereference(p->eventfd);
	if (live && ctx && test_and_clear_bit(NFPC_PIPE_EVENT, &p->flags))
		eventfd_signal(ctx);
	return live ? 0 : -ENODEV;
}

static int pipe_cancel(struct file *file, void *arg, void __user *uarg)
{
	struct nfpc_pipe *p = file->private_data;
	struct nfp_chan_cancel *c = arg;
	int err;

	if (c->flags || c->rsvd)
		return -EINVAL;
	if (p->chan->dir != NFP_CHAN_TO_NFP || nfpc_pipe_is_stream(p))
		return -EOPNOTSUPP;
	err = nfpc_pipe_cancel(p, c->seq);
	return err == -EINVAL ? -ENOMSG : err;
}

static int pipe_arm(struct file *file, void *arg, void __user *uarg)
{
	struct nfpc_pipe *p = file->private_data;
	struct nfp_chan_arm *a = arg;

	if (a->flags & ~NFP_CHAN_ARM_SEQ)
		return -EINVAL;
	if (!(a->flags & NFP_CHAN_ARM_SEQ)) {
		if (a->seq)
			return -EINVAL;
		a->events = (__force u32)nfpc_pipe_look(p, ~(__poll_t)0);
		return 0;
	}
	if (!p->mapped)
		return -EINVAL;
	guard(mutex)(&p->lock);
	if (p->live)
		nfpc_pipe_arm(p, a->seq);
	a->events = p->live ? 0 : (__force u32)(EPOLLERR | EPOLLHUP);
	return 0;
}

static int pipe_kick(struct file *file, void *arg, void __user *uarg)
{
	struct nfpc_pipe *p = file->private_data;
	struct nfp_chan_kick *k = arg;

	if (k->flags || k->rsvd || !k->units ||
	    k->units > nfpc_pipe_ring_size(p) >> p->unit_shift)
		return -EINVAL;
	guard(mutex)(&p->lock);
	if (!p->live)
		return -ENODEV;
	if (!p->mapped || p->link)
		return -EBUSY;
	/* writel() orders the process's accesses to the ring before the doorbell (O5). */
	writel(k->units, p->db + NFP_CHAN_FW_QC_ADD_WPTR);
	return 0;
}

static const struct nfpc_ioctl pipe_ioctls[] = {
	NFPC_IOCTL(NFP_CHAN_IOC_SIGNAL, pipe_signal, nfp_chan_signal, name, false),
	NFPC_IOCTL(NFP_CHAN_IOC_LAYOUT, pipe_layout, nfp_chan_layout, rsvd, true),
	NFPC_IOCTL(NFP_CHAN_IOC_EVENTFD, pipe_eventfd, nfp_chan_eventfd, rsvd, false),
	NFPC_IOCTL(NFP_CHAN_IOC_ARM, pipe_arm, nfp_chan_arm, events, true),
	NFPC_IOCTL(NFP_CHAN_IOC_KICK, pipe_kick, nfp_chan_kick, rsvd, false),
	NFPC_IOCTL(NFP_CHAN_IOC_CANCEL, pipe_cancel, nfp_chan_cancel, rsvd, false),
	NFPC_IOCTL(NFP_CHAN_IOC_XDP_BIND, nfpc_xdp_bind, nfp_chan_xdp_bind, map_fd, false),
	NFPC_IOCTL(NFP_CHAN_IOC_XDP_UNBIND, nfpc_xdp_unbind, nfp_chan_xdp_bind, map_fd, false),
	/* These write to the user's struct where a fault leaves nothing behind. */
	NFPC_IOCTL(NFP_CHAN_IOC_LINK, nfpc_link_ioctl, nfp_chan_link, op_count, false),
	NFPC_IOCTL(NFP_CHAN_IOC_PEER, nfpc_peer_ioctl, nfp_chan_link, op_count, false),
	NFPC_IOCTL(NFP_CHAN_IOC_DEVICE, nfpc_device_ioctl, nfp_chan_device, status_ok, false),
};

static long pipe_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return nfpc_ioctl(pipe_ioctls, ARRAY_SIZE(pipe_ioctls), file, cmd, arg);
}

static const char *state_name(u32 state)
{
	static const char * const names[] = {
		[NFP_CHAN_STATE_OPEN] = "open",
		[NFP_CHAN_STATE_EPIPE] = "epipe",
		[NFP_CHAN_STATE_FAULT] = "fault",
		[NFP_CHAN_STATE_GONE] = "gone",
	};

	return state < ARRAY_SIZE(names) ? names[state] : "unknown";
}

static void pipe_fdinfo(struct seq_file *m, struct file *file)
{
	struct nfpc_pipe *p = file->private_data;
	struct nfpc_note n;

	seq_printf(m, "chan:\t%s\npipe:\t%u\ndir:\t%s\nring:\t%u\nlimit:\t%u\n",
		   p->chan->name, p->nr, p->chan->dir == NFP_CHAN_TO_HOST ? "to-host" : "to-nfp",
		   nfpc_pipe_ring_size(p), p->limit);
	seq_printf(m, "irq-count:\t%u\nirq-usecs:\t%u\nport:\t%d\n", p->irq_count, p->irq_usecs,
		   p->port - 1);
	guard(rwsem_read)(&p->card->win_sem);
	mutex_lock(&p->lock);
	nfpc_note_get(p, &n);
	seq_printf(m, "state:\t%s\nrecord-pos:\t%llu\nrecord-seq:\t%u\n", state_name(n.state),
		   n.pos, n.seq);
	seq_printf(m, "access:\t%s\nposition:\t%llu\n", p->mapped ? "mmap" : "file",
		   p->mapped ? READ_ONCE(p->ctl->pos) : p->pos);
	seq_printf(m, "msgs:\t%llu\narms:\t%llu\nirqs:\t%lu\nvector:\t%d\nerror:\t%d\nlink:\t%d\n",
		   p->msgs, p->arms, READ_ONCE(p->irqs), p->live ? p->vec.map.index : -1,
		   p->error, nfpc_link_other(p));
	mutex_unlock(&p->lock);
	nfpc_xdp_show(m, p);
}

static const struct file_operations pipe_fops = {
	.owner = THIS_MODULE,
	.release = pipe_release,
	.read_iter = nfpc_pipe_read,
	.write_iter = nfpc_pipe_write,
	.poll = nfpc_pipe_poll,
	.fasync = nfpc_pipe_fasync,
	.mmap = nfpc_pipe_mmap,
	.show_fdinfo = pipe_fdinfo,
	.unlocked_ioctl = pipe_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

/* The pipe of @file, or NULL if @file is not the file of a channel or a port. */
struct nfpc_pipe *nfpc_pipe_of(struct file *file)
{
	return file->f_op == &pipe_fops ? file->private_data : NULL;
}

/*
 * The file is open for reading and writing in both directions, because a process writes to the
 * control page. Each file has its own inode. The inode has a label of the LSM, and its
 * address_space has the mappings of this pipe only, so that the detach can zap them.
 */
struct file *nfpc_pipe_file(struct nfpc_pipe *p, bool nonblock)
{
	struct file *file;

	file = anon_inode_create_getfile("[nfp_chan]", &pipe_fops, p,
					 O_RDWR | (nonblock ? O_NONBLOCK : 0), NULL);
	if (IS_ERR(file))
		return file;
	p->mapping = file->f_mapping;
	/* io_uring polls and tries again, instead of blocking a worker thread. */
	file->f_mode |= FMODE_NOWAIT;
	stream_open(file_inode(file), file);
	return file;
}
