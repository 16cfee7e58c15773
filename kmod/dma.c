// SPDX-License-Identifier: GPL-2.0-only
/*
 * dma.c - memory that the card reads or writes by DMA.
 *
 * A buffer consists of pages. A mapping lets one card use a buffer, and holds a reference to it.
 * All mappings of a card end before nfp is unbound, as the DMA API demands. A card that has not
 * confirmed the end may still write to the pages. An IOMMU stops such writes once the mapping is
 * gone. Without an IOMMU the pages are "held": they are in a list, and nobody else gets them,
 * until the firmware answers again.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dma-mapping.h>
#include <linux/iommu.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include "card.h"

/* No CPU syncs are needed, as mapping_check() refuses memory with a bounce buffer. */
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

static struct nfpc_buf *buf_new(size_t size, struct user_struct *payer)
{
	struct nfpc_buf *buf;
	int err;

	buf = kzalloc(sizeof(*buf), GFP_KERNEL_ACCOUNT);
	if (!buf)
		return ERR_PTR(-ENOMEM);
	err = nfpc_charge(payer, size);
	if (err) {
		kfree(buf);
		return ERR_PTR(err);
	}
	kref_init(&buf->ref);
	buf->count = DIV_ROUND_UP(size, PAGE_SIZE);
	buf->payer = nfpc_payer_hold(payer);
	return buf;
}

/**
 * nfpc_buf_alloc() - allocate contiguous, zeroed memory
 * @size: bytes
 * @payer: the user that is charged, or NULL
 * @gfp: GFP_DMA32 for memory below 4 GiB, or 0
 *
 * Context: no lock is held, because the allocation may sleep for long.
 * Return: a buffer with one reference, or -ENOMEM.
 */
struct nfpc_buf *nfpc_buf_alloc(size_t size, struct user_struct *payer, gfp_t gfp)
{
	struct nfpc_buf *buf = buf_new(size, payer);

	if (IS_ERR(buf))
		return buf;
	buf->cpu = alloc_pages_exact(nfpc_buf_size(buf),
				     GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN | gfp);
	if (!buf->cpu) {
		buf_free(buf);
		return ERR_PTR(-ENOMEM);
	}
	return buf;
}

/**
 * nfpc_buf_pin() - pin memory of the calling process
 * @addr: address of the memory, page aligned
 * @size: bytes
 * @payer: the user that is charged, or NULL
 *
 * Context: no lock is held, because user space can delay page faults without bound.
 * Return: a buffer with one reference, -ENOMEM, or an error of pin_user_pages_fast().
 */
struct nfpc_buf *nfpc_buf_pin(u64 addr, size_t size, struct user_struct *payer)
{
	struct nfpc_buf *buf = buf_new(size, payer);
	int n = -ENOMEM;

	if (IS_ERR(buf))
		return buf;
	buf->pages = kvcalloc(buf->count, sizeof(*buf->pages), GFP_KERNEL_ACCOUNT);
	if (buf->pages)
		n = pin_user_pages_fast(addr, buf->count, FOLL_WRITE | FOLL_LONGTERM,
					buf->pages);
	if (n == buf->count)
		return buf;
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
	/* Not accounted: a cgroup above memory.high would sleep here, and the detach would wait. */
	dma = kzalloc(sizeof(*dma), GFP_KERNEL);
	if (!dma)
		return ERR_PTR(-ENOMEM);
	err = buf_table(buf, dev, &dma->sgt);
	if (err)
		goto err_dma;
	err = dma_map_sgtable(dev, &dma->sgt, DMA_BIDIRECTIONAL, MAP_ATTRS);
	if (err)
		goto err_table;
	err = mapping_check(dev, dma);
	if (err)
		goto err_map;
	kref_get(&buf->ref);
	dma->buf = buf;
	atomic_long_add(nfpc_buf_size(buf), &card->dma_bytes);
	return dma;

err_map:
	dma_unmap_sgtable(dev, &dma->sgt, DMA_BIDIRECTIONAL, MAP_ATTRS);
err_table:
	sg_free_table(&dma->sgt);
err_dma:
	kfree(dma);
	return ERR_PTR(err);
}

static void dma_free(struct nfpc_dma *dma)
{
	nfpc_buf_put(dma->buf);
	kfree(dma);
}

/* True: an IOMMU keeps the card from memory that has been unmapped. */
static bool out_of_reach(struct device *dev)
{
	if (!nfpc_translated(dev))
		return false;
	/* The unmap may have deferred the flush of the IOTLB. */
	iommu_flush_iotlb_all(iommu_get_domain_for_dev(dev));
	return true;
}

/**
 * nfpc_dma_end() - end a mapping
 * @card: the card, with win_sem held and nfp bound
 * @dma: the mapping, or NULL
 * @quiet: the card has confirmed that it does not use the memory any more. Otherwise the
 *	buffer is held, unless an IOMMU protects it
 */
void nfpc_dma_end(struct nfpc_card *card, struct nfpc_dma *dma, bool quiet)
{
	struct device *dev = &card->pdev->dev;

	lockdep_assert_held(&card->win_sem);
	if (!dma)
		return;
	atomic_long_sub(nfpc_buf_size(dma->buf), &card->dma_bytes);
	dma_unmap_sgtable(dev, &dma->sgt, DMA_BIDIRECTIONAL, MAP_ATTRS);
	sg_free_table(&dma->sgt);
	if (quiet || out_of_reach(dev)) {
		dma_free(dma);
		return;
	}
	dma->pf = dev;
	mutex_lock(&held_lock);
	list_add_tail(&dma->node, &held);
	mutex_unlock(&held_lock);
}

/**
 * nfpc_held_free() - free the buffers that are held because of this PF
 * @card: the card, which has just answered HELLO, so the firmware has forgotten all addresses
 */
void nfpc_held_free(struct nfpc_card *card)
{
	struct nfpc_dma *dma, *next;

	mutex_lock(&held_lock);
	list_for_each_entry_safe(dma, next, &held, node) {
		if (dma->pf != &card->pdev->dev)
			continue;
		list_del(&dma->node);
		dma_free(dma);
	}
	mutex_unlock(&held_lock);
}

/* Bytes that are held because of this PF. */
size_t nfpc_held_bytes(struct nfpc_card *card)
{
	struct nfpc_dma *dma;
	size_t bytes = 0;

	mutex_lock(&held_lock);
	list_for_each_entry(dma, &held, node)
		if (dma->pf == &card->pdev->dev)
			bytes += nfpc_buf_size(dma->buf);
	mutex_unlock(&held_lock);
	return bytes;
}

/**
 * nfpc_held_leak() - give up the buffers that are held because of a PF
 * @dev: the PF, which is being removed; NULL: all PFs, because the module is being removed
 *
 * A card that was removed may come back while the same firmware runs, and write to the pages. No
 * IOMMU stops it. So the pages are not freed until the next boot.
 */
void nfpc_held_leak(struct device *dev)
{
	struct nfpc_dma *dma, *next;
	size_t lost = 0;

	mutex_lock(&held_lock);
	list_for_each_entry_safe(dma, next, &held, node) {
		if (dev && dma->pf != dev)
			continue;
		list_del(&dma->node);
		lost += nfpc_buf_size(dma->buf);
		dma->buf->lost = true;
		dma_free(dma);
	}
	mutex_unlock(&held_lock);
	if (lost)
		pr_warn("%s: %zu bytes are lost until the next boot: the card may still write there\n",
			dev ? dev_name(dev) : "unloaded", lost);
}
