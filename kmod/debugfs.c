// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs.c - /sys/kernel/debug/nfp_chan/nfp_chanN: "pipes", a line for each open
 * pipe, "xdp", one for each event map that is bound to a pipe, and "dma", the memory
 * that the card may use. Statistics of channels are in NFP_CHAN_IOC_QUERY.
 */
#include <linux/cred.h>
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include "pipe.h"

static struct dentry *debugfs_root;

static void pipe_line(struct seq_file *m, struct nfpc_pipe *p)
{
	const struct nfp_chan_note *note;

	mutex_lock(&p->lock);
	note = p->note->cpu;
	if (p->live)
		seq_printf(m, "%u %s %s ring=%u limit=%u vector=%d irqs=%lu arms=%llu msgs=%llu note.pos=%llu note.seq=%u note.state=%u owner=%s pos=%llu error=%d irq=%u/%uus uid=%u port=%d link=%d\n",
			   p->nr, p->name,
			   p->dir == NFP_CHAN_TO_HOST ? "to-host" : "to-nfp",
			   nfpc_pipe_ring_size(p), p->limit, p->vec.map.index,
			   READ_ONCE(p->irqs), p->arms, p->msgs,
			   le64_to_cpu(READ_ONCE(note->pos)),
			   le32_to_cpu(READ_ONCE(note->seq)),
			   le32_to_cpu(READ_ONCE(note->state)),
			   p->ctl_mapped ? "mmap" : "file",
			   p->ctl_mapped ? READ_ONCE(p->ctl->pos) : p->pos,
			   p->error, p->irq_count, p->irq_usecs,
			   from_kuid_munged(&init_user_ns, p->card->pipe_owner[p->nr]),
			   p->port - 1,
			   nfpc_link_other(p));
	mutex_unlock(&p->lock);
}

static int pipes_show(struct seq_file *m, void *unused)
{
	struct nfpc_card *card = m->private;
	struct nfpc_pipe *p;

	/* Before pipe->lock in pipes_lock there is no other order. */
	down_read(&card->win_sem);
	mutex_lock(&card->pipes_lock);
	list_for_each_entry(p, &card->pipes, node)
		pipe_line(m, p);
	mutex_unlock(&card->pipes_lock);
	up_read(&card->win_sem);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(pipes);

static int xdp_show(struct seq_file *m, void *unused)
{
	struct nfpc_card *card = m->private;
	struct nfpc_pipe *p;

	down_read(&card->win_sem);
	mutex_lock(&card->bind_lock);
	mutex_lock(&card->pipes_lock);
	list_for_each_entry(p, &card->pipes, node)
		nfpc_xdp_show(m, p);
	mutex_unlock(&card->pipes_lock);
	mutex_unlock(&card->bind_lock);
	up_read(&card->win_sem);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(xdp);

/* Of pipes, those in limbo too, and the mailbox; of former attachments. */
static int dma_show(struct seq_file *m, void *unused)
{
	struct nfpc_card *card = m->private;

	seq_printf(m, "bytes=%ld kept=%zu\n",
		   atomic_long_read(&card->dma_bytes), nfpc_held_bytes(card));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(dma);

/* Errors are not looked at: that is how debugfs wants it. */
void nfpc_debugfs_init(void)
{
	debugfs_root = debugfs_create_dir("nfp_chan", NULL);
}

void nfpc_debugfs_exit(void)
{
	debugfs_remove(debugfs_root);
}

void nfpc_debugfs_add(struct nfpc_card *card)
{
	card->dbg = debugfs_create_dir(dev_name(&card->dev), debugfs_root);
	debugfs_create_file("pipes", 0400, card->dbg, card, &pipes_fops);
	debugfs_create_file("dma", 0400, card->dbg, card, &dma_fops);
	debugfs_create_file("xdp", 0400, card->dbg, card, &xdp_fops);
}

void nfpc_debugfs_del(struct nfpc_card *card)
{
	debugfs_remove(card->dbg);
}
