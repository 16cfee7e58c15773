// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmap.c - mappings of a pipe in user space: ring (twice in a row), notification record, control
 * page, doorbells, inline page, signal doorbell.
 *
 * Only page faults insert pages, and they do so under pipe->lock. The detach clears @live under
 * that lock, and then zaps the mappings. So no page of the card is mapped again after that. The
 * mappings are of page frames (VM_PFNMAP), so user space cannot pin their pages.
 */
#include <linux/mm.h>
#include "pipe.h"

/* A fault maps up to this number of pages, because a process uses a ring from end to end. */
#define FAULT_AROUND	64UL

/* In the order of their offsets. AREA_DB and all after it are pages of the card. */
enum area { AREA_RING, AREA_NOTE, AREA_CTL, AREA_DB, AREA_INLINE, AREA_SIGNAL_DB };

static enum area area_of(pgoff_t pgoff)
{
	return pgoff / (NFPC_OFF_NOTE >> PAGE_SHIFT);
}

static pgoff_t area_page(pgoff_t pgoff)
{
	return pgoff % (NFPC_OFF_NOTE >> PAGE_SHIFT);
}

static unsigned long page_pfn(void *page)
{
	return page_to_pfn(virt_to_page(page));
}

/* The page at @pgoff, which is in a mapping that nfpc_pipe_mmap() has allowed. */
static unsigned long pipe_pfn(struct nfpc_pipe *p, pgoff_t pgoff)
{
	struct nfpc_card *card = p->card;

	lockdep_assert_held(&p->lock);
	if (area_of(pgoff) >= AREA_DB && !p->live)
		return page_pfn(p->sink);
	switch (area_of(pgoff)) {
	case AREA_RING:
		return page_pfn(nfpc_ring_of(p)->ring->cpu) +
		       area_page(pgoff) % (nfpc_pipe_ring_size(p) >> PAGE_SHIFT);
	case AREA_NOTE:
		return page_pfn(p->live ? p->note->cpu : p->gone);
	case AREA_CTL:
		return page_pfn(p->ctl);
	case AREA_DB:
		return nfpc_queue_phys(card, nfpc_pipe_queue(p)) >> PAGE_SHIFT;
	case AREA_INLINE:
		return nfpc_inline_phys(card, p->inline_page - 1) >> PAGE_SHIFT;
	case AREA_SIGNAL_DB:
		return nfpc_queue_phys(card, nfpc_signal_queue(p)) >> PAGE_SHIFT;
	}
	return 0;	/* not reached */
}

static vm_fault_t pipe_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	struct nfpc_pipe *p = vma->vm_file->private_data;
	unsigned long left = (vma->vm_end - vmf->address) >> PAGE_SHIFT;
	unsigned long i = 0, pfn;
	vm_fault_t ret;

	/* The lock is held for one page at a time: read() and write() wait for it. */
	do {
		mutex_lock(&p->lock);
		pfn = pipe_pfn(p, vmf->pgoff + i);
		ret = vmf_insert_pfn(vma, (vmf->address & PAGE_MASK) +
				     (i << PAGE_SHIFT), pfn);
		mutex_unlock(&p->lock);
	} while (ret == VM_FAULT_NOPAGE && ++i < min(left, FAULT_AROUND));
	/* Success if the page of the fault was mapped. Pages after that one are optional. */
	return i ? VM_FAULT_NOPAGE : ret;
}

static const struct vm_operations_struct pipe_vm_ops = {
	.fault = pipe_fault,
};

/* Bytes at the start of an area that may be mapped. */
static unsigned long area_size(struct nfpc_pipe *p, enum area area)
{
	return area == AREA_RING ? 2UL * nfpc_pipe_ring_size(p) : PAGE_SIZE;
}

static bool area_writable(struct nfpc_pipe *p, enum area area)
{
	return area == AREA_RING ? p->chan->dir == NFP_CHAN_TO_NFP : area != AREA_NOTE;
}

/*
 * A child inherits the mappings. Positions are in shared memory, so a process that forks to become
 * a daemon goes on where it was. A private mapping would be a copy, so it is refused.
 */
int nfpc_pipe_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct nfpc_pipe *p = file->private_data;
	unsigned long len = vma->vm_end - vma->vm_start;
	vm_flags_t set = VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP;
	enum area area;

	if (!p->mapped)
		return -EACCES;
	if (vma->vm_pgoff >= (NFPC_OFF_SIGNAL_DB + NFPC_OFF_NOTE) >> PAGE_SHIFT)
		return -EINVAL;
	area = area_of(vma->vm_pgoff);
	if (area >= AREA_DB && !p->db_map)
		return -EPERM;
	if ((area == AREA_INLINE && !p->inline_page) || (area == AREA_SIGNAL_DB && !p->signal_db))
		return -EINVAL;
	if (area_page(vma->vm_pgoff) || len > area_size(p, area))
		return -EINVAL;
	if (!(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	if (vma->vm_flags & VM_WRITE && !area_writable(p, area))
		return -EACCES;
	/* Kernels since 6.16 refuse PROT_EXEC for all anonymous inodes. */
	if (vma->vm_flags & VM_EXEC)
		return -EPERM;

	if (!nfpc_pipe_live(p))
		return -ENODEV;

	if (area >= AREA_DB) {
		set |= VM_IO;
		/* Set for the vma, because mprotect() applies the vma's protection to its pages. */
		vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	}
	vm_flags_mod(vma, set, VM_MAYEXEC |
		     (area_writable(p, area) ? 0 : VM_MAYWRITE));
	vma->vm_ops = &pipe_vm_ops;
	return 0;
}
