// SPDX-License-Identifier: GPL-2.0-only
/*
 * dma.c - memory that the card reads or writes by DMA, and what becomes of it
 * when the card may still do so.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dma-mapping.h>
#include <linux/pci.h>
#include <linux/scatterlist.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include "card.h"

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
	nfpc_uncharge(mem->payer, mem->size);
	free_uid(mem->payer);
	mem->payer = NULL;
	mem->cpu = NULL;
	kvfree(mem->pfn);
	mem->pfn = NULL;
}

/*
 * Charged to @payer, and to the caller's memory cgroup as far as the DMA API
 * passes the flag on: to the page allocator it does, with and without IOMMU;
 * memory from CMA or from a bounce buffer pool is not charged.
 *
 * Zeroed by the API. Below the mask that nfp has set, 40 bits. Managed, for
 * nfpc_dma_abandon().
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
	mem->cpu = dmam_alloc_coherent(&card->pdev->dev, mem->size, &mem->addr,
				       GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!mem->cpu) {
		dma_forget(mem);
		return -ENOMEM;
	}
	err = dma_pfns(card, mem);
	if (err)
		nfpc_dma_free(card, mem);
	return err;
}

void nfpc_dma_free(struct nfpc_card *card, struct nfpc_dma *mem)
{
	if (!mem->cpu)
		return;
	dmam_free_coherent(&card->pdev->dev, mem->size, mem->cpu, mem->addr);
	dma_forget(mem);
}

/*
 * Nobody may use this memory again while the card may write it: until nfp lets
 * go of the function, which takes bus mastering away. The driver core frees it
 * then, behind nfp's remove, whether this module is still there or not.
 */
void nfpc_dma_abandon(struct nfpc_card *card, struct nfpc_dma *mem)
{
	if (!mem->cpu)
		return;
	card->kept += mem->size;
	card->kept_count++;
	dma_forget(mem);
}
