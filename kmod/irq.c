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
	wake_up_interruptible_poll(&p->wq, EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP);
	nfpc_pipe_sigio(p);
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
