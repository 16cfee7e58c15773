// SPDX-License-Identifier: GPL-2.0-only
/*
 * dma.c - memory and registers that the card reads or writes by DMA.
 *
 * A buffer consists of pages. A mapping lets one card use a buffer, to which it holds a reference,
 * or a part of another device's BAR. A card that has not confirmed the end of a mapping may still
 * use it. Such a mapping is "held": it is in a list until the firmware answers HELLO, and so has
 * forgotten all addresses. Nothing else shows that. A function level reset does not stop the
 * microengines: they may write again once bus mastering is on.
 *
 * Without an IOMMU the address is that of the pages, so it is enough that nobody else gets these.
 * With an IOMMU the DMA API would give the address to the next caller, nfp for example. So a held
 * mapping stays mapped, also while no driver is bound, and if the module is unloaded.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dma-mapping.h>
#include <linux/iommu.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/sched/mm.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include "card.h"

/*
 * No CPU syncs are needed: mapping_check() refuses memory with a bounce buffer, and a BAR is in no
 * cache, so several links may map the same doorbells.
 */
#define MAP_ATTRS	DMA_ATTR_SKIP_CPU_SYNC

static DEFINE_MUTEX(held_lock);		/* protects held */
static LIST_HEAD(held);			/* struct nfpc_dma that a card may still use */

/* Does an IOMMU translate the accesses of @dev? Constant while nfp is bound. */
bool nfpc_translated(struct device *dev)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(dev);

	return domain && iommu_is_dma_domain(domain);
}

/* ---- buffers ---- */

/* Free @buf, but not the memory that it describes. */
static void buf_free(struct nfpc_buf *buf)
{
	nfpc_uncharge(buf->payer, nfpc_buf_size(buf));
	free_uid(buf->payer);
	if (buf->mm) {
		atomic64_sub(buf->count, &buf->mm->pinned_vm);
		mmdrop(buf->mm);
	}
	kvfree(buf->pages);
	kfree(buf);
}

static void buf_release(struct kref *ref)
{
	struct nfpc_buf *buf = container_of(ref, struct nfpc_buf, ref);

	if (buf->pages && !buf->lost)
		unpin_user_pages_dirty_lock(buf->pages, buf->count, true);
	else if (!buf->lost)
		free_pages_exact(buf->cpu, nfpc_buf_size(buf));
	buf_free(buf);
}

void nfpc_buf_put(struct nfpc_buf *buf)
{
	if (!IS_ERR_OR_NULL(buf))
		kref_put(&buf->ref, buf_release);
}

/* Memory for a process (__GFP_ACCOUNT) is charged to its user. */
static struct nfpc_buf *buf_new(size_t size, gfp_t gfp)
{
	struct nfpc_buf *buf;
	int err;

	buf = kzalloc(sizeof(*buf), gfp);
	if (!buf)
		return ERR_PTR(-ENOMEM);
	buf->payer = gfp & __GFP_ACCOUNT ? nfpc_payer_get() : NULL;
	err = nfpc_charge(buf->payer, size);
	if (err) {
		buf_free(buf);
		return ERR_PTR(err);
	}
	kref_init(&buf->ref);
	buf->count = DIV_ROUND_UP(size, PAGE_SIZE);
	return buf;
}

/**
 * nfpc_buf_alloc() - allocate contiguous, zeroed memory
 * @size: bytes
 * @gfp: GFP_KERNEL_ACCOUNT for the calling process, whose user is charged, otherwise GFP_KERNEL;
 *	with GFP_DMA32 for memory below 4 GiB
 *
 * Context: with GFP_KERNEL_ACCOUNT no lock is held, because the allocation may sleep for long.
 * Return: a buffer with one reference, or -ENOMEM.
 */
struct nfpc_buf *nfpc_buf_alloc(size_t size, gfp_t gfp)
{
	struct nfpc_buf *buf = buf_new(size, gfp & ~GFP_DMA32);

	if (IS_ERR(buf))
		return buf;
	buf->cpu = alloc_pages_exact(nfpc_buf_size(buf), gfp | __GFP_ZERO | __GFP_NOWARN);
	if (!buf->cpu) {
		buf_free(buf);
		return ERR_PTR(-ENOMEM);
	}
	return buf;
}

/**
 * nfpc_buf_pin() - pin memory of the calling process, whose user is charged
 * @addr: address of the memory, page aligned
 * @size: bytes
 *
 * Context: no lock is held, because user space can delay page faults without bound.
 * Return: a buffer with one reference, -ENOMEM, or an error of pin_user_pages_fast().
 */
struct nfpc_buf *nfpc_buf_pin(u64 addr, size_t size)
{
	struct nfpc_buf *buf = buf_new(size, GFP_KERNEL_ACCOUNT);
	int n = -ENOMEM;

	if (IS_ERR(buf))
		return buf;
	buf->pages = kvcalloc(buf->count, sizeof(*buf->pages), GFP_KERNEL_ACCOUNT);
	if (buf->pages)
		n = pin_user_pages_fast(addr, buf->count, FOLL_WRITE | FOLL_LONGTERM,
					buf->pages);
	if (n == buf->count) {
		buf->mm = current->mm;
		mmgrab(buf->mm);
		atomic64_add(buf->count, &buf->mm->pinned_vm);
		return buf;
	}
	if (n > 0)
		unpin_user_pages(buf->pages, n);
	buf_free(buf);
	return ERR_PTR(n < 0 ? n : -EFAULT);
}

/* ---- mappings ---- */

/*
 * The card gets one address, so the mapping has to be one range. Without an IOMMU the DMA API
 * may use a bounce buffer, for memory beyond the card's address bits or encrypted memory. The
 * module never syncs, so such a mapping is refused.
 */
static int mapping_check(struct device *dev, struct nfpc_dma *dma)
{
	dma_addr_t next = sg_dma_address(dma->sgt.sgl);
	struct scatterlist *sg;
	unsigned int i;

	dma->addr = next;
	for_each_sgtable_dma_sg(&dma->sgt, sg, i) {
		if (sg_dma_address(sg) != next ||
		    (!nfpc_translated(dev) && dma_need_sync(dev, next)))
			return -EOPNOTSUPP;
		next += sg_dma_len(sg);
	}
	return 0;
}

static int buf_table(const struct nfpc_buf *buf, struct device *dev, struct sg_table *sgt)
{
	size_t size = nfpc_buf_size(buf), most = dma_get_max_seg_size(dev);
	struct scatterlist *sg;
	unsigned int i;
	int err;

	if (buf->pages)
		return sg_alloc_table_from_pages_segment(sgt, buf->pages, buf->count, 0, size,
							 most, GFP_KERNEL);
	err = sg_alloc_table(sgt, DIV_ROUND_UP(size, most), GFP_KERNEL);
	if (err)
		return err;
	for_each_sgtable_sg(sgt, sg, i)
		sg_set_buf(sg, buf->cpu + i * most, min(size - i * most, most));
	return 0;
}

/* Not accounted: a cgroup above memory.high would sleep here, and the detach would wait. */
static struct nfpc_dma *dma_new(size_t size)
{
	struct nfpc_dma *dma = kzalloc(sizeof(*dma), GFP_KERNEL);

	if (dma)
		dma->size = size;
	return dma;
}

static void dma_unmap(struct device *dev, struct nfpc_dma *dma)
{
	if (dma->mapped && dma->bar)
		dma_unmap_resource(dev, dma->addr, dma->size, DMA_BIDIRECTIONAL, MAP_ATTRS);
	else if (dma->mapped)
		dma_unmap_sgtable(dev, &dma->sgt, DMA_BIDIRECTIONAL, MAP_ATTRS);
	dma->mapped = false;
}

static void dma_free(struct nfpc_dma *dma)
{
	sg_free_table(&dma->sgt);
	nfpc_buf_put(dma->buf);
	kfree(dma);
}

/**
 * nfpc_dma_map() - let a card use a buffer
 * @card: the card, live and with win_sem held
 * @buf: the buffer; the mapping takes a reference
 *
 * Return: the mapping, -EOPNOTSUPP (mapping_check()), or -ENOMEM.
 */
struct nfpc_dma *nfpc_dma_map(struct nfpc_card *card, struct nfpc_buf *buf)
{
	struct device *dev = &card->pdev->dev;
	struct nfpc_dma *dma;
	int err;

	lockdep_assert_held(&card->win_sem);
	dma = dma_new(nfpc_buf_size(buf));
	if (!dma)
		return ERR_PTR(-ENOMEM);
	kref_get(&buf->ref);
	dma->buf = buf;
	err = buf_table(buf, dev, &dma->sgt);
	if (!err)
		err = dma_map_sgtable(dev, &dma->sgt, DMA_BIDIRECTIONAL, MAP_ATTRS);
	dma->mapped = !err;
	if (!err)
		err = mapping_check(dev, dma);
	if (err) {
		dma_unmap(dev, dma);
		dma_free(dma);
		return ERR_PTR(err);
	}
	atomic_long_add(dma->size, &card->dma_bytes);
	return dma;
}

/**
 * nfpc_bar_map() - make a part of another PCI device's BAR reachable for the card's DMA
 * @card: the card, live and with win_sem held
 * @pdev: the other device
 * @phys: physical address of the part, page aligned
 * @len: bytes of the part, whole pages
 *
 * Success does not show that a root complex forwards the card's writes.
 *
 * Return: the mapping, or
 * -EHOSTUNREACH: the kernel's policy does not allow such writes,
 * -ERANGE: the address has more bits than the card's DMA,
 * -EIO: the IOMMU's driver has refused the mapping,
 * -ENOMEM.
 */
struct nfpc_dma *nfpc_bar_map(struct nfpc_card *card, struct pci_dev *pdev, phys_addr_t phys,
			      size_t len)
{
	struct device *dev = &card->pdev->dev;
	struct nfpc_dma *dma;
	int err = 0;

	lockdep_assert_held(&card->win_sem);
	dma = dma_new(len);
	if (!dma)
		return ERR_PTR(-ENOMEM);
	dma->bar = true;
	switch (nfpc_route(card->pdev, pdev)) {
	case NFPC_ROUTE_NONE:
		err = -EHOSTUNREACH;
		break;
	case NFPC_ROUTE_BUS:
		dma->addr = nfpc_bus_addr(pdev, phys, len);
		if (dma->addr > dma_get_mask(dev) || len - 1 > dma_get_mask(dev) - dma->addr)
			err = -ERANGE;
		break;
	case NFPC_ROUTE_IOMMU:
		dma->addr = dma_map_resource(dev, phys, len, DMA_BIDIRECTIONAL, MAP_ATTRS);
		dma->mapped = !dma_mapping_error(dev, dma->addr);
		err = dma->mapped ? 0 : -EIO;
		break;
	}
	if (!err)
		return dma;
	kfree(dma);
	return ERR_PTR(err);
}

/**
 * nfpc_bar_block() - keep the card's writes from another device's BAR
 * @card: the card, with win_sem held
 * @dma: a mapping of nfpc_bar_map(), or NULL
 *
 * The address stays taken, and leads to a page that nobody uses. Without an IOMMU nothing can be
 * done: the card may write to the BAR until it confirms the end.
 */
void nfpc_bar_block(struct nfpc_card *card, struct nfpc_dma *dma)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(&card->pdev->dev);
	struct nfpc_buf *buf;
	size_t off;

	lockdep_assert_held(&card->win_sem);
	if (!dma || !dma->mapped || dma->buf)
		return;
	iommu_unmap(domain, dma->addr, dma->size);
	buf = nfpc_buf_alloc(PAGE_SIZE, GFP_KERNEL);
	for (off = 0; !IS_ERR(buf) && off < dma->size; off += PAGE_SIZE)
		if (iommu_map(domain, dma->addr + off, virt_to_phys(buf->cpu), PAGE_SIZE,
			      IOMMU_READ | IOMMU_WRITE, GFP_KERNEL))
			break;
	if (!IS_ERR(buf) && off == dma->size) {
		dma->buf = buf;
		return;
	}
	/* No memory: the address leads nowhere, and the DMA API never gets it back. */
	if (!IS_ERR(buf))
		iommu_unmap(domain, dma->addr, off);
	nfpc_buf_put(buf);
	dma->mapped = false;
}

/**
 * nfpc_dma_end() - end a mapping
 * @card: the card, with win_sem held and nfp bound
 * @dma: the mapping; NULL or an error: there is none
 * @quiet: the card has confirmed that it does not use the mapping any more. Otherwise the
 *	mapping is held
 */
void nfpc_dma_end(struct nfpc_card *card, struct nfpc_dma *dma, bool quiet)
{
	struct device *dev = &card->pdev->dev;

	lockdep_assert_held(&card->win_sem);
	if (IS_ERR_OR_NULL(dma))
		return;
	if (!dma->bar)
		atomic_long_sub(dma->size, &card->dma_bytes);
	else if (!quiet)
		nfpc_bar_block(card, dma);
	if (quiet || !nfpc_translated(dev))
		dma_unmap(dev, dma);
	if (quiet || !dma->buf) {
		dma_free(dma);
		return;
	}
	dma->pf = dev;
	guard(mutex)(&held_lock);
	list_add_tail(&dma->node, &held);
}

/* Bytes that are held because of this PF. */
size_t nfpc_held_bytes(struct nfpc_card *card)
{
	struct nfpc_dma *dma;
	size_t bytes = 0;

	guard(mutex)(&held_lock);
	list_for_each_entry(dma, &held, node)
		if (dma->pf == &card->pdev->dev)
			bytes += nfpc_buf_size(dma->buf);
	return bytes;
}

/**
 * nfpc_held_free() - free what is held because of a PF
 * @dev: the PF of a card that has just answered HELLO, so the firmware has forgotten all addresses
 * @removed: the PF is removed, or with NULL the module, so the card has not answered
 *
 * A card that was removed may come back while the same firmware runs, and write to the pages. So
 * the pages are not freed until the next boot, and a mapping of an IOMMU is never ended. The
 * kernel frees the mappings of a removed PF.
 */
void nfpc_held_free(struct device *dev, bool removed)
{
	struct nfpc_dma *dma, *next;
	size_t lost = 0;

	guard(mutex)(&held_lock);
	list_for_each_entry_safe(dma, next, &held, node) {
		if (dev && dma->pf != dev)
			continue;
		list_del(&dma->node);
		if (removed) {
			lost += nfpc_buf_size(dma->buf);
			dma->buf->lost = true;
		} else {
			dma_unmap(dev, dma);
		}
		dma_free(dma);
	}
	if (lost)
		pr_warn_ratelimited("%s: %zu bytes are lost until the next boot: the card may still write there\n",
				    dev ? dev_name(dev) : "unloaded", lost);
}
