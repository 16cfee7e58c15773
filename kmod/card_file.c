// SPDX-License-Identifier: GPL-2.0-only
/*
 * card_file.c - the ioctls of /dev/nfp_chanN: queries, signals, opening channels.
 */
#include <linux/file.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/pci.h>
#include "card.h"
#include "pipe.h"
#include "trace.h"

static bool name_ok(const char *name)
{
	return strnlen(name, NFP_CHAN_NAME_LEN) < NFP_CHAN_NAME_LEN;
}

static struct nfpc_chan *chan_find(struct nfpc_card *card, const char *name)
{
	u32 i;

	for (i = 0; i < card->fw.chan_count; i++)
		if (!strcmp(card->fw.chans[i].name, name))
			return &card->fw.chans[i];
	return NULL;
}

static int card_open(struct inode *inode, struct file *file)
{
	struct nfpc_card *card = container_of(inode->i_cdev, struct nfpc_card, cdev);

	/* The cdev holds the device, and so the card, while the file is open. */
	guard(rwsem_read)(&card->win_sem);
	if (!nfpc_card_live(card))
		return -ENODEV;
	file->private_data = card;
	return nonseekable_open(inode, file);
}

static int card_info(struct file *file, void *arg, void __user *uarg)
{
	struct nfpc_card *card = file->private_data;
	struct nfpc_fw *fw = &card->fw;
	struct nfp_chan_info *info = arg;

	if (info->flags)
		return -EINVAL;
	guard(rwsem_read)(&card->win_sem);
	if (!nfpc_card_live(card))
		return -ENODEV;
	info->abi_major = fw->abi_major;
	info->abi_minor = fw->abi_minor;
	info->chan_count = fw->chan_count;
	info->pipe_count = fw->pipe_count;
	scoped_guard(mutex, &card->pipes_lock)
		info->pipe_used = bitmap_weight(card->pipe_map, fw->pipe_count);
	info->me_mhz = fw->me_mhz;
	info->boot_id = fw->boot_id;
	info->features = NFP_CHAN_FEATURE_RING | NFP_CHAN_FEATURE_PORT | NFP_CHAN_FEATURE_KICK |
			 NFP_CHAN_FEATURE_LINK | NFP_CHAN_FEATURE_XDP | NFP_CHAN_FEATURE_PEER |
			 NFP_CHAN_FEATURE_DEVICE;
	info->dma_bytes = atomic_long_read(&card->dma_bytes);
	info->held_bytes = nfpc_held_bytes(card);
	strscpy_pad(info->pci, pci_name(card->pdev), sizeof(info->pci));
	strscpy_pad(info->fw_name, fw->name, sizeof(info->fw_name));
	strscpy_pad(info->fw_version, fw->version, sizeof(info->fw_version));
	return 0;
}

static int query_fill(struct nfpc_card *card, struct nfpc_chan *c,
		      struct nfp_chan_query *q)
{
	struct nfpc_pipe *p;
	struct nfpc_stat s;
	int err;

	strscpy_pad(q->name, q->flags & NFP_CHAN_QUERY_PROCESS ? c->process : c->name,
		    sizeof(q->name));
	q->id = c->id;
	q->dir = c->dir;
	q->chan_flags = c->flags;
	q->kind = c->kind;
	q->elem_size = c->elem_size;
	q->max_size = c->max_size;
	q->depth = c->depth;
	q->island = c->island;
	q->me = c->me;
	q->ctx = c->ctx;
	mutex_lock(&card->pipes_lock);
	q->pipes = c->pipes;
	q->irq_count = 0;
	q->irq_usecs = 0;
	list_for_each_entry(p, &card->pipes, node) {
		if (p->chan != c)
			continue;
		q->irq_count = max_t(u32, q->irq_count, p->irq_count);
		q->irq_usecs = max(q->irq_usecs, p->irq_usecs);
	}
	mutex_unlock(&card->pipes_lock);
	q->irqs = atomic64_read(&c->irqs);
	q->signals = atomic64_read(&c->signals);
	err = nfpc_fw_stat(card, card->fw.stat_off + c->id * sizeof(struct nfp_chan_fw_stat), &s);
	if (err)
		return err;
	q->msgs = s.msgs;
	q->bytes = s.bytes;
	q->dropped = s.dropped;
	q->stalled = s.stalled;
	return 0;
}

static int card_query(struct file *file, void *arg, void __user *uarg)
{
	struct nfpc_card *card = file->private_data;
	struct nfpc_chan *chan = NULL;
	struct nfp_chan_query *q = arg;

	if (q->flags & ~(NFP_CHAN_QUERY_BY_ID | NFP_CHAN_QUERY_PROCESS))
		return -EINVAL;
	if (!(q->flags & NFP_CHAN_QUERY_BY_ID) && !name_ok(q->name))
		return -EINVAL;
	guard(rwsem_read)(&card->win_sem);
	if (!nfpc_card_live(card))
		return -ENODEV;
	if (!(q->flags & NFP_CHAN_QUERY_BY_ID))
		chan = chan_find(card, q->name);
	else if (q->id < card->fw.chan_count)
		chan = &card->fw.chans[array_index_nospec(q->id, card->fw.chan_count)];
	return chan ? query_fill(card, chan, q) : -ENOENT;
}

static int moderation_check(const struct nfp_chan_open *req)
{
	if (req->irq_count > NFP_CHAN_IRQ_COUNT_MAX ||
	    req->irq_usecs > NFP_CHAN_IRQ_USECS_MAX ||
	    (req->irq_count > 1 && !req->irq_usecs))
		return -EINVAL;
	return 0;
}

/* Open a pipe, and write its fd to @ufd, which is user memory. */
static int pipe_install(struct nfpc_card *card, struct nfpc_chan *chan,
			const struct nfp_chan_open *req, struct file *port, struct file *ring,
			__s32 __user *ufd)
{
	int fd = get_unused_fd_flags(O_CLOEXEC);

	if (fd < 0)
		return fd;
	return nfpc_fd_install(fd, nfpc_pipe_open(card, chan, req, port, ring), ufd);
}

/* May another pipe share the ring of @rx? The card says whether the ring is free for it. */
static bool may_share(const struct nfpc_pipe *rx)
{
	return rx->mapped && rx->chan->dir == NFP_CHAN_TO_HOST && nfpc_pipe_is_stream(rx) &&
	       !nfpc_pipe_is_port(rx);
}

/*
 * A reference to the file of @fd, if it is a pipe of @card and @fits accepts the pipe. NULL: @fd is
 * -1.
 */
static struct file *pipe_get(struct nfpc_card *card, int fd,
			     bool (*fits)(const struct nfpc_pipe *p))
{
	struct nfpc_pipe *p;
	struct file *file;
	int err = -EBADF;

	if (fd == -1)
		return NULL;
	file = fget(fd);
	if (!file)
		return ERR_PTR(err);
	p = nfpc_pipe_of(file);
	if (p && fits(p)) {
		if (p->card == card)
			return file;
		err = -EXDEV;
	}
	fput(file);
	return ERR_PTR(err);
}

static int chan_check(const struct nfpc_chan *chan, u32 flags, fmode_t mode)
{
	if (flags & NFP_CHAN_OPEN_LINK && chan->dir != NFP_CHAN_TO_HOST)
		return -EPROTOTYPE;
	return mode & (chan->dir == NFP_CHAN_TO_HOST ? FMODE_READ : FMODE_WRITE) ? 0 : -EACCES;
}

static bool ring_size_ok(u32 size)
{
	return !size || (size >= 1U << NFPC_RING_SHIFT_MIN &&
			 size <= 1U << NFPC_RING_SHIFT_MAX && is_power_of_2(size));
}

static int open_check(const struct nfp_chan_open *req)
{
	const u32 known = NFP_CHAN_OPEN_NONBLOCK | NFP_CHAN_OPEN_INLINE |
			  NFP_CHAN_OPEN_MAPPED | NFP_CHAN_OPEN_LINK;
	bool mapped = req->flags & NFP_CHAN_OPEN_MAPPED;

	if (req->flags & ~known || !ring_size_ok(req->ring_size) || !name_ok(req->name))
		return -EINVAL;
	if (req->flags & NFP_CHAN_OPEN_INLINE && !mapped)
		return -EINVAL;
	if (req->ring_fd != -1 && (!mapped || req->ring_size))
		return -EINVAL;
	return req->port_fd == -1 && req->cookie ? -EINVAL : 0;
}

/*
 * The references to the files of port and ring are kept until the pipe is open. Otherwise the port
 * could be closed, and a new pipe get its number.
 */
static int card_open_chan(struct file *file, void *arg, void __user *uarg)
{
	struct nfpc_card *card = file->private_data;
	struct nfp_chan_open __user *ureq = uarg;
	const struct nfp_chan_open *req = arg;
	struct file *port, *ring;
	struct nfpc_chan *chan;
	int err;

	err = open_check(req) ?: moderation_check(req);
	if (err)
		return err;
	/* The file holds the card, and the card holds the table. */
	chan = chan_find(card, req->name);
	if (!chan)
		return nfpc_card_live(card) ? -ENOENT : -ENODEV;
	err = chan_check(chan, req->flags, file->f_mode);
	if (err)
		return err;
	port = pipe_get(card, req->port_fd, nfpc_pipe_is_port);
	if (IS_ERR(port))
		return PTR_ERR(port);
	ring = pipe_get(card, req->ring_fd, may_share);
	err = PTR_ERR_OR_ZERO(ring);
	if (!err)
		err = pipe_install(card, chan, req, port, ring, &ureq->fd);
	if (!IS_ERR_OR_NULL(ring))
		fput(ring);
	if (port)
		fput(port);
	return err;
}

static int card_open_port(struct file *file, void *arg, void __user *uarg)
{
	struct nfpc_card *card = file->private_data;
	struct nfp_chan_port __user *uport = uarg;
	const struct nfp_chan_port *port = arg;
	struct nfp_chan_open req = {
		.flags = port->flags,
		.irq_count = port->irq_count,
		.irq_usecs = port->irq_usecs,
	};
	int err;

	if (req.flags & ~(NFP_CHAN_OPEN_NONBLOCK | NFP_CHAN_OPEN_MAPPED) || port->rsvd)
		return -EINVAL;
	err = moderation_check(&req);
	if (err)
		return err;
	if (!(file->f_mode & FMODE_READ))
		return -EACCES;
	return pipe_install(card, &card->port, &req, NULL, NULL, &uport->fd);
}

/* An exclusive channel that is open belongs to the process that has opened it. */
static bool chan_taken(struct nfpc_card *card, struct nfpc_chan *chan)
{
	guard(mutex)(&card->pipes_lock);
	return chan->flags & NFP_CHAN_F_EXCLUSIVE && chan->pipes;
}

/*
 * The signal word is written before the doorbell. Both are posted writes through one window, and
 * keep their order. @owner: the caller has the channel open. Other callers may signal a channel
 * that they could open.
 */
int nfpc_card_signal(struct nfpc_card *card, struct nfpc_chan *chan, bool owner)
{
	guard(rwsem_read)(&card->win_sem);
	if (!nfpc_card_live(card))
		return -ENODEV;
	if (!(chan->flags & NFP_CHAN_F_SIGNAL))
		return -EOPNOTSUPP;
	if (!owner && chan_taken(card, chan))
		return -EBUSY;
	spin_lock(&card->sig_lock);
	writel(++chan->sig_count, nfpc_sram(card, card->fw.sig_off + 4 * chan->id));
	nfpc_queue_add(card, card->fw.sig_queue, 1);
	spin_unlock(&card->sig_lock);
	atomic64_inc(&chan->signals);
	trace_nfp_chan_signal(dev_name(&card->dev), chan->name);
	return 0;
}

static int card_signal(struct file *file, void *arg, void __user *uarg)
{
	struct nfpc_card *card = file->private_data;
	const struct nfp_chan_signal *req = arg;
	struct nfpc_chan *chan;

	if (req->flags || !name_ok(req->name))
		return -EINVAL;
	if (!(file->f_mode & FMODE_WRITE))
		return -EACCES;
	chan = chan_find(card, req->name);
	if (!chan)
		return nfpc_card_live(card) ? -ENOENT : -ENODEV;
	return nfpc_card_signal(card, chan, false);
}

static const struct nfpc_ioctl card_ioctls[] = {
	NFPC_IOCTL(NFP_CHAN_IOC_INFO, card_info, nfp_chan_info, fw_version, true),
	NFPC_IOCTL(NFP_CHAN_IOC_QUERY, card_query, nfp_chan_query, irq_usecs, true),
	/* nfpc_fd_install() writes the fd to the user's struct. */
	NFPC_IOCTL(NFP_CHAN_IOC_OPEN, card_open_chan, nfp_chan_open, cookie, false),
	NFPC_IOCTL(NFP_CHAN_IOC_PORT, card_open_port, nfp_chan_port, rsvd, false),
	NFPC_IOCTL(NFP_CHAN_IOC_SIGNAL, card_signal, nfp_chan_signal, name, false),
};

static long card_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return nfpc_ioctl(card_ioctls, ARRAY_SIZE(card_ioctls), file, cmd, arg);
}

const struct file_operations nfpc_card_fops = {
	.owner = THIS_MODULE,
	.open = card_open,
	.unlocked_ioctl = card_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};
