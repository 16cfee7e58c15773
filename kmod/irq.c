// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq.c - MSI-X vectors beside those of nfp.ko, and what a pipe's vector does.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/eventfd.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/pci.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "compat.h"
#include "pipe.h"
#include "trace.h"

/*
 * Any entry: which ones are free depends on how many nfp took, and that on the
 * number of CPUs. ENOSPC: the table, or the host's vectors, are used up.
 */
int nfpc_vector_alloc(struct nfpc_card *card, struct nfpc_vector *vec,
		      irq_handler_t handler, void *arg, const char *what)
{
	int err;

	vec->name = kasprintf(GFP_KERNEL_ACCOUNT, "%s-%s", dev_name(&card->dev),
			      what);
	if (!vec->name)
		return -ENOMEM;
	vec->map = pci_msix_alloc_irq_at(card->pdev, MSI_ANY_INDEX, NULL);
	if (vec->map.index < 0) {
		err = vec->map.index == -EBUSY ? -ENOSPC : vec->map.index;
		vec->map.virq = 0;
		goto err_name;
	}
	err = request_irq(vec->map.virq, handler, 0, vec->name, arg);
	if (err)
		goto err_map;
	return 0;

err_map:
	pci_msix_free_irq(card->pdev, vec->map);
	vec->map.virq = 0;
err_name:
	kfree(vec->name);
	vec->name = NULL;
	return err;
}

/* The card raises it no more, or it would hit the entry's next owner. */
void nfpc_vector_free(struct nfpc_card *card, struct nfpc_vector *vec, void *arg)
{
	if (!vec->map.virq)
		return;
	free_irq(vec->map.virq, arg);
	pci_msix_free_irq(card->pdev, vec->map);
	vec->map.virq = 0;
	kfree(vec->name);
	vec->name = NULL;
}

void nfpc_pipe_sigio(struct nfpc_pipe *p)
{
	kill_fasync(&p->fasync, SIGIO,
		    p->dir == NFP_CHAN_TO_HOST ? POLL_IN : POLL_OUT);
}

/*
 * Wake whoever sleeps on the pipe, signal whoever asked for it. From the
 * interrupt handler, hence no lock: the eventfd is put a grace period after it
 * was unbound, or after free_irq().
 */
void nfpc_pipe_event(struct nfpc_pipe *p)
{
	struct eventfd_ctx *ctx;

	rcu_read_lock();
	ctx = rcu_dereference(p->eventfd);
	if (ctx)
		nfpc_eventfd_signal(ctx);
	else
		set_bit(NFPC_PIPE_EVENT, &p->flags);
	rcu_read_unlock();
	/*
	 * With no key, as io_uring takes that for what is there, and all: also of those
	 * with EPOLLEXCLUSIVE each is to know of the end.
	 */
	wake_up_interruptible_all(&p->wq);
	nfpc_pipe_sigio(p);
}

/*
 * Has the card a reason for an interrupt since two looks, and has none come between
 * them? That is more time than it may hold one back. One that came before may have
 * been for what the pipe was armed with earlier: who sleeps is woken in any case, once
 * for each time that it was armed. @lost: it is sure that none came.
 */
static bool irq_overdue(struct nfpc_pipe *p, bool *lost)
{
	const struct nfp_chan_note *note = p->note.cpu;
	/* Before what it is armed with now: one that comes in between is of the next look. */
	unsigned long irqs = smp_load_acquire(&p->irqs);
	u32 arm = READ_ONCE(p->ctl->arm);
	bool due, overdue;

	/* Before the first time it is 0, but it may be armed with that, too. */
	p->watch_armed |= arm || p->arms;
	if (!p->watch_armed)
		return false;
	due = (le32_to_cpu(READ_ONCE(note->seq)) ^ arm) & NFP_CHAN_ARM_SEQ_MASK ||
	      READ_ONCE(note->state) != cpu_to_le32(NFP_CHAN_STATE_OPEN);
	if (arm != p->watch_arm) {
		p->watch_arm = arm;
		p->watch_irqs = p->watch_last;
		p->watch_due = false;
		p->watch_told = false;
	}
	/* One that came is another time, though of the same value. */
	if (irqs != p->watch_last)
		p->watch_told = false;
	overdue = due && p->watch_due && irqs == p->watch_last && !p->watch_told;
	/* The flag is of who arms by system call, and any interrupt clears it. */
	*lost = overdue && (irqs == p->watch_irqs ||
			    (!p->ctl_mapped && test_bit(NFPC_PIPE_ARMED, &p->flags)));
	p->watch_due = due;
	p->watch_last = irqs;
	p->watch_told |= overdue;
	return overdue;
}

/*
 * The arm register is set by adding, so a doorbell that was lost leaves it wrong for all
 * that come: the card compares with a count that is not ours, and raises the vector at
 * once, each time that the pipe is armed. What is missing is added. Of a user who has
 * the control page mapped it may be on its way: not if two looks find all the same, nor
 * if the same is missing at four, though the pipe was armed between them.
 */
static bool arm_mend(struct nfpc_pipe *p)
{
	void __iomem *queue = p->db + NFP_CHAN_FW_QC_STRIDE;
	u32 arm = READ_ONCE(p->ctl->arm);
	u32 reg = readl(queue + NFP_CHAN_FW_QC_STS_HI);
	u32 off = (arm - reg) & NFP_CHAN_FW_QC_PTR_MASK;

	/* All ones: no card, which the next look finds. */
	if (reg == ~0U)
		return false;
	p->watch_offs = off == p->watch_off ? p->watch_offs + 1 : 1;
	p->watch_off = off;
	if (!off || (p->ctl_mapped && p->watch_offs < (arm == p->watch_arm ? 2 : 4)))
		return false;
	writel(off, queue + NFP_CHAN_FW_QC_ADD_WPTR);
	if (!p->arms_lost++)
		dev_warn_ratelimited(&p->card->pdev->dev,
				     "%s pipe %u: an arm doorbell was lost\n",
				     p->name, p->nr);
	return true;
}

static void pipe_watch(struct nfpc_pipe *p)
{
	bool overdue, lost = false;

	/* A user may be in a page fault that lasts: the next look is soon enough. */
	if (!mutex_trylock(&p->lock))
		return;
	/* Armed anew, it has until the next look for its interrupt. */
	overdue = p->live && !(p->watch_armed && arm_mend(p)) && irq_overdue(p, &lost);
	if (lost && !p->irqs_lost++)
		dev_warn_ratelimited(&p->card->pdev->dev,
				     "%s pipe %u: an interrupt did not come\n",
				     p->name, p->nr);
	if (overdue)
		clear_bit(NFPC_PIPE_ARMED, &p->flags);
	mutex_unlock(&p->lock);
	if (overdue)
		nfpc_pipe_event(p);
}

/* Who sleeps on a pipe whose interrupt was lost is woken all the same. */
void nfpc_irqs_watch(struct nfpc_card *card)
{
	struct nfpc_pipe *p;

	lockdep_assert_held(&card->win_sem);
	mutex_lock(&card->pipes_lock);
	list_for_each_entry(p, &card->pipes, node)
		pipe_watch(p);
	mutex_unlock(&card->pipes_lock);
}

/* A grace period after an eventfd was bound: what came before it. */
void nfpc_pipe_event_replay(struct nfpc_pipe *p)
{
	struct eventfd_ctx *ctx;

	rcu_read_lock();
	ctx = rcu_dereference(p->eventfd);
	if (ctx && test_and_clear_bit(NFPC_PIPE_EVENT, &p->flags))
		nfpc_eventfd_signal(ctx);
	rcu_read_unlock();
}
