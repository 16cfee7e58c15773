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
		eventfd_signal(ctx);
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
 * The health work looks every two seconds. A record that has stood still between two looks, and
 * differs from what the pipe was armed with, should have brought an interrupt. If none came, the
 * sleepers are woken, once for each such record.
 */
void nfpc_pipe_look(struct nfpc_pipe *p)
{
	const struct nfp_chan_note *note = p->note->cpu;
	unsigned long irqs = READ_ONCE(p->irqs);
	u32 seq = le32_to_cpu(READ_ONCE(note->seq)), arm = READ_ONCE(p->ctl->arm);
	u64 now = (u64)le32_to_cpu(READ_ONCE(note->state)) << 32 | seq;
	bool due = now >> 32 || (seq ^ arm) & NFP_CHAN_ARM_SEQ_MASK;

	if (due && arm && irqs == p->look_irqs && now == p->look_note && now != p->woken_note) {
		p->woken_note = now;
		/* Armed by a system call and not fired: so the interrupt was lost. */
		if (test_and_clear_bit(NFPC_PIPE_ARMED, &p->flags))
			dev_warn_ratelimited(&p->card->pdev->dev,
					     "%s pipe %u: an interrupt did not come\n",
					     p->name, p->nr);
		nfpc_pipe_event(p);
	}
	p->look_irqs = irqs;
	p->look_note = now;
}

/* A grace period after an eventfd was bound: what came before it. */
void nfpc_pipe_event_replay(struct nfpc_pipe *p)
{
	struct eventfd_ctx *ctx;

	rcu_read_lock();
	ctx = rcu_dereference(p->eventfd);
	if (ctx && test_and_clear_bit(NFPC_PIPE_EVENT, &p->flags))
		eventfd_signal(ctx);
	rcu_read_unlock();
}
