// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq.c - MSI-X vectors beside those of nfp.ko, and wake-ups of the users of a pipe.
 */
#include <linux/eventfd.h>
#include <linux/pci.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "pipe.h"

/*
 * Allocate any free entry of the MSI-X table. nfp takes a number of entries that depends on the
 * number of CPUs. -ENOSPC: the table, or the vectors of the host, are used up.
 */
int nfpc_vector_alloc(struct nfpc_card *card, struct nfpc_vector *vec,
		      irq_handler_t handler, void *arg, const char *what)
{
	int err;

	/* Not accounted, as in nfpc_dma_map(). */
	vec->name = kasprintf(GFP_KERNEL, "%s-%s", dev_name(&card->dev), what);
	if (!vec->name)
		return -ENOMEM;
	vec->map = pci_msix_alloc_irq_at(card->pdev, MSI_ANY_INDEX, NULL);
	if (vec->map.index < 0) {
		err = vec->map.index == -EBUSY ? -ENOSPC : vec->map.index;
		goto err_name;
	}
	err = request_irq(vec->map.virq, handler, 0, vec->name, arg);
	if (!err)
		return 0;
	pci_msix_free_irq(card->pdev, vec->map);
err_name:
	vec->map.virq = 0;
	kfree(vec->name);
	return err;
}

/* The card must not raise the vector any more: the entry may get another owner. */
void nfpc_vector_free(struct nfpc_card *card, struct nfpc_vector *vec, void *arg)
{
	if (!vec->map.virq)
		return;
	free_irq(vec->map.virq, arg);
	pci_msix_free_irq(card->pdev, vec->map);
	vec->map.virq = 0;
	kfree(vec->name);
}

void nfpc_pipe_sigio(struct nfpc_pipe *p)
{
	kill_fasync(&p->fasync, SIGIO,
		    p->chan->dir == NFP_CHAN_TO_HOST ? POLL_IN : POLL_OUT);
}

/*
 * Wake the sleepers of the pipe, signal its eventfd and send SIGIO. The interrupt handler calls
 * this, so no lock is taken. RCU protects the eventfd: it is put a grace period after it was
 * unbound, or after free_irq().
 */
void nfpc_pipe_event(struct nfpc_pipe *p)
{
	struct eventfd_ctx *ctx;

	scoped_guard(rcu) {
		ctx = rcu_dereference(p->eventfd);
		if (ctx)
			eventfd_signal(ctx);
		else
			set_bit(NFPC_PIPE_EVENT, &p->flags);
	}
	/*
	 * There is no poll key, because io_uring would take the key for the pending events. All
	 * sleepers are woken, so that those with EPOLLEXCLUSIVE all learn of the pipe's end.
	 */
	wake_up_interruptible_all(&p->wq);
	nfpc_pipe_sigio(p);
}
