// SPDX-License-Identifier: GPL-2.0-only
/*
 * dma.c - memory that the card reads or writes by DMA, and what becomes of it
 * when the card may still do so.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dma-mapping.h>
#include <linux/pci.h>
#include <linux/scatterlist.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include "card.h"

/**
 * struct nfpc_kept - memory that the card may still write, of which nobody knows here
 * @node: in the list of it
 * @dev: the PF
 * @cpu: kernel address
 * @addr: DMA address
 * @size: bytes
 * @payer: who is charged for it, a reference; NULL: nobody
 *
 * Each nfpc_dma has one in store, so that to keep it does not fail.
 */
struct nfpc_kept {
	struct list_head node;
	struct device *dev;
	void *cpu;
	dma_addr_t addr;
	size_t size;
	struct user_struct *payer;
};

static DEFINE_MUTEX(kept_lock);		/* kept */
static LIST_HEAD(kept);

/*
 * The pages behind a coherent allocation: with an IOMMU they need not be
 * contiguous, so the DMA API is asked. Only their frame numbers are used, for
 * mappings without struct page.
 */
static int dma_pfns(struct nfpc_card *card, struct nfpc_dma *mem)
{
	struct device *dev = &card->pdev->dev;
	struct sg_page_iter it;
	struct sg_table sgt;
	size_t n = 0;
	int err;

	mem->pfn = kvcalloc(mem->size >> PAGE_SHIFT, sizeof(*mem->pfn),
			    GFP_KERNEL_ACCOUNT);
	if (!mem->pfn)
		return -ENOMEM;
	err = dma_get_sgtable(dev, &sgt, mem->cpu, mem->addr, mem->size);
	if (err)
		return err;
	for_each_sgtable_page(&sgt, &it, 0) {
		if (n == mem->size >> PAGE_SHIFT)
			break;
		mem->pfn[n++] = page_to_pfn(sg_page_iter_page(&it));
	}
	sg_free_table(&sgt);
	return n == mem->size >> PAGE_SHIFT ? 0 : -EIO;
}

/* @mem is nobody's any more, by whatever way it went. */
static void dma_forget(struct nfpc_dma *mem)
{
	mem->payer = NULL;
	mem->cpu = NULL;
	mem->kept = NULL;
	kvfree(mem->pfn);
	mem->pfn = NULL;
}

static void dma_unpay(struct user_struct *payer, size_t size)
{
	nfpc_uncharge(payer, size);
	free_uid(payer);
}

/* For debugfs alone: what is taken, @count 1, or given back, -1. */
static void dma_count(struct nfpc_card *card, const struct nfpc_dma *mem, int count)
{
	atomic_long_add(count * (long)mem->size, &card->dma_bytes);
	atomic_add(count, &card->dma_count);
}

/*
 * Charged to @payer, and to the caller's memory cgroup as far as the DMA API
 * passes the flag on: to the page allocator it does, with and without IOMMU;
 * memory from CMA or from a bounce buffer pool is not charged.
 *
 * Zeroed by the API. Below the mask that nfp has set, 40 bits.
 */
int nfpc_dma_alloc(struct nfpc_card *card, struct nfpc_dma *mem, size_t size,
		   struct user_struct *payer)
{
	int err;

	mem->size = PAGE_ALIGN(size);
	err = nfpc_charge(payer, mem->size);
	if (err)
		return err;
	mem->payer = nfpc_payer_hold(payer);
	mem->kept = kzalloc(sizeof(*mem->kept), GFP_KERNEL_ACCOUNT);
	if (mem->kept)
		mem->cpu = dma_alloc_coherent(&card->pdev->dev, mem->size, &mem->addr,
					      GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!mem->cpu) {
		kfree(mem->kept);
		dma_unpay(mem->payer, mem->size);
		dma_forget(mem);
		return -ENOMEM;
	}
	dma_count(card, mem, 1);
	err = dma_pfns(card, mem);
	if (err)
		nfpc_dma_free(card, mem);
	return err;
}

void nfpc_dma_free(struct nfpc_card *card, struct nfpc_dma *mem)
{
	if (!mem->cpu)
		return;
	dma_count(card, mem, -1);
	dma_free_coherent(&card->pdev->dev, mem->size, mem->cpu, mem->addr);
	kfree(mem->kept);
	dma_unpay(mem->payer, mem->size);
	dma_forget(mem);
}

/*
 * Nobody may use this memory again while the card may write it. That nfp is unbound
 * does not change it: bus mastering is back as soon as it is bound again, and the
 * firmware, which knows nothing of either, goes on. So until it answers.
 */
void nfpc_dma_abandon(struct nfpc_card *card, struct nfpc_dma *mem)
{
	struct nfpc_kept *k = mem->kept;

	if (!mem->cpu)
		return;
	dma_count(card, mem, -1);
	card->kept += mem->size;
	card->kept_count++;
	k->dev = &card->pdev->dev;
	k->cpu = mem->cpu;
	k->addr = mem->addr;
	k->size = mem->size;
	k->payer = mem->payer;
	mutex_lock(&kept_lock);
	list_add_tail(&k->node, &kept);
	mutex_unlock(&kept_lock);
	dma_forget(mem);
}

/**
 * nfpc_kept_free() - free what former attachments to this PF could not
 * @card: the card, which has just answered HELLO: it has let go of all memory
 */
void nfpc_kept_free(struct nfpc_card *card)
{
	struct device *dev = &card->pdev->dev;
	struct nfpc_kept *k, *next;

	mutex_lock(&kept_lock);
	list_for_each_entry_safe(k, next, &kept, node) {
		if (k->dev != dev)
			continue;
		list_del(&k->node);
		dma_free_coherent(dev, k->size, k->cpu, k->addr);
		dma_unpay(k->payer, k->size);
		kfree(k);
	}
	mutex_unlock(&kept_lock);
}

/* What former attachments to this PF could not free, bytes. */
size_t nfpc_kept_bytes(struct nfpc_card *card)
{
	struct nfpc_kept *k;
	size_t bytes = 0;

	mutex_lock(&kept_lock);
	list_for_each_entry(k, &kept, node)
		if (k->dev == &card->pdev->dev)
			bytes += k->size;
	mutex_unlock(&kept_lock);
	return bytes;
}

/**
 * nfpc_kept_lose() - nobody will know any more when kept memory could be freed
 * @dev: the PF, which is being removed; NULL: any, as this module is
 *
 * So it never is. A card that was removed may be back in the next moment, with the
 * same firmware still running.
 */
void nfpc_kept_lose(struct device *dev)
{
	struct nfpc_kept *k, *next;
	size_t lost = 0;

	mutex_lock(&kept_lock);
	list_for_each_entry_safe(k, next, &kept, node) {
		if (dev && k->dev != dev)
			continue;
		list_del(&k->node);
		lost += k->size;
		dma_unpay(k->payer, k->size);
		kfree(k);
	}
	mutex_unlock(&kept_lock);
	if (lost)
		pr_warn("%s: %zu bytes are lost until the next boot: the card may still write there\n",
			dev ? dev_name(dev) : "unloaded", lost);
}
