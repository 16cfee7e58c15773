// SPDX-License-Identifier: GPL-2.0-only
/*
 * device.c - PCI devices that an ME process drives: memory that card and device share, and
 * the device's doorbell, which the card writes to (uapi/PROTOCOL.rst, Devices).
 *
 * A device belongs to the pipe whose messages are its jobs, and goes with that, with the PCI
 * device, or with the card. The memory is the user's, and stays pinned until the card has said
 * that it does not use it any more.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/dma-mapping.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/scatterlist.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include "pipe.h"

/* The caller may have a page in it twice, or give it to another device as well. */
#define MAP_ATTRS	DMA_ATTR_SKIP_CPU_SYNC

/**
 * struct nfpc_device - a PCI device for the process behind a pipe
 * @node: in card->devices
 * @pipe: the pipe
 * @pdev: the PCI device, a reference
 * @payer: who is charged for @pages, a reference; NULL: nobody
 * @pages: the memory, pinned
 * @count: pages of it
 * @sgt: the same, as it is mapped for the card
 * @mem: its address as the card sees it
 * @page: address of the doorbell's page as the card sees it
 */
struct nfpc_device {
	struct list_head node;
	struct nfpc_pipe *pipe;
	struct pci_dev *pdev;
	struct user_struct *payer;
	struct page **pages;
	unsigned int count;
	struct sg_table sgt;
	dma_addr_t mem;
	dma_addr_t page;
};

/* ---- memory, as the user has it ---- */

static int pages_pin(struct nfpc_device *d, u64 mem, u32 size)
{
	unsigned int count = DIV_ROUND_UP(size, PAGE_SIZE);
	int n, err;

	err = nfpc_charge(d->payer, (size_t)count << PAGE_SHIFT);
	if (err)
		return err;
	d->pages = kvcalloc(count, sizeof(*d->pages), GFP_KERNEL_ACCOUNT);
	n = d->pages ? pin_user_pages_fast(mem, count, FOLL_WRITE | FOLL_LONGTERM, d->pages) :
		       -ENOMEM;
	if (n == count) {
		d->count = count;
		return 0;
	}
	if (n > 0)
		unpin_user_pages(d->pages, n);
	kvfree(d->pages);
	d->pages = NULL;
	nfpc_uncharge(d->payer, (size_t)count << PAGE_SHIFT);
	return n < 0 ? n : -EFAULT;
}

static void pages_unpin(struct nfpc_device *d)
{
	if (!d->pages)
		return;
	unpin_user_pages_dirty_lock(d->pages, d->count, true);
	kvfree(d->pages);
	nfpc_uncharge(d->payer, (size_t)d->count << PAGE_SHIFT);
}

static void device_free(struct nfpc_device *d)
{
	pages_unpin(d);
	if (d->payer)
		free_uid(d->payer);
	pci_dev_put(d->pdev);
	kfree(d);
}

/* ---- both, as the card has them ---- */

/* One piece, and no copy of it that the kernel would have to bring up to date. */
static int pages_check(struct device *dev, struct nfpc_device *d)
{
	struct scatterlist *sg;
	dma_addr_t next;
	unsigned int i;

	d->mem = sg_dma_address(d->sgt.sgl);
	next = d->mem;
	for_each_sgtable_dma_sg(&d->sgt, sg, i) {
		if (sg_dma_address(sg) != next || dma_need_sync(dev, next))
			return -EINVAL;
		next += sg_dma_len(sg);
	}
	return 0;
}

static int pages_map(struct nfpc_card *card, struct nfpc_device *d)
{
	struct device *dev = &card->pdev->dev;
	int err;

	err = sg_alloc_table_from_pages_segment(&d->sgt, d->pages, d->count, 0,
						(size_t)d->count << PAGE_SHIFT,
						dma_get_max_seg_size(dev), GFP_KERNEL);
	if (err)
		return err;
	err = dma_map_sgtable(dev, &d->sgt, DMA_BIDIRECTIONAL, MAP_ATTRS);
	if (err)
		goto err_table;
	err = pages_check(dev, d);
	if (!err)
		return 0;
	dma_unmap_sgtable(dev, &d->sgt, DMA_BIDIRECTIONAL, MAP_ATTRS);
err_table:
	sg_free_table(&d->sgt);
	return err;
}

/* ENXIO: it does not answer, so nothing of it can be written to. */
static int bell_check(struct pci_dev *pdev, const struct nfp_chan_device *l)
{
	resource_size_t len;
	u16 command;

	if (l->bar >= PCI_STD_NUM_BARS || !(pci_resource_flags(pdev, l->bar) & IORESOURCE_MEM))
		return -EINVAL;
	len = pci_resource_len(pdev, l->bar);
	if (len < sizeof(u32) || l->doorbell_off > len - sizeof(u32))
		return -EINVAL;
	pci_read_config_word(pdev, PCI_COMMAND, &command);
	return command != U16_MAX && command & PCI_COMMAND_MEMORY ? 0 : -ENXIO;
}

static int device_map(struct nfpc_card *card, struct nfpc_device *d,
		      const struct nfp_chan_device *l)
{
	phys_addr_t phys;
	int err;

	if (d->pdev == card->pdev)
		return -EINVAL;
	err = bell_check(d->pdev, l);
	if (err)
		return err;
	err = pages_map(card, d);
	if (err)
		return err;
	phys = (pci_resource_start(d->pdev, l->bar) + l->doorbell_off) & PAGE_MASK;
	err = nfpc_bar_map(card, d->pdev, phys, PAGE_SIZE, &d->page);
	if (err) {
		dma_unmap_sgtable(&card->pdev->dev, &d->sgt, DMA_BIDIRECTIONAL, MAP_ATTRS);
		sg_free_table(&d->sgt);
	}
	return err;
}

/* The card does not use them any more. */
static void device_unmap(struct nfpc_card *card, struct nfpc_device *d)
{
	nfpc_bar_unmap(card, d->page, PAGE_SIZE);
	dma_unmap_sgtable(&card->pdev->dev, &d->sgt, DMA_BIDIRECTIONAL, MAP_ATTRS);
	sg_free_table(&d->sgt);
}

/* ---- the card ---- */

static int device_cmd(struct nfpc_pipe *p, union nfpc_req *req, bool *unsure)
{
	struct nfpc_answer answer;
	int err;

	req->device.cmd = cpu_to_le16(NFP_CHAN_FW_CMD_DEVICE);
	req->device.pipe = cpu_to_le16(p->nr);
	err = nfpc_mbox_exec(p->card, req, &answer);
	*unsure = answer.unsure;
	return err;
}

static int device_cmd_give(struct nfpc_pipe *p, const struct nfpc_device *d,
			   const struct nfp_chan_device *l, bool *unsure)
{
	union nfpc_req req = {
		.device.mem_addr = cpu_to_le64(d->mem),
		.device.doorbell_addr = cpu_to_le64(d->page + offset_in_page(l->doorbell_off)),
		.device.mem_size = cpu_to_le32(l->mem_size),
		.device.in_size = cpu_to_le16(l->in_size),
		.device.out_size = cpu_to_le16(l->out_size),
		.device.slots = cpu_to_le16(l->slots),
		.device.skip = cpu_to_le16(l->skip),
		.device.src_at = l->src_at,
		.device.dst_at = l->dst_at,
		.device.len_at = l->len_at,
		.device.room_at = l->room_at,
		.device.done_at = l->done_at,
		.device.done_len = l->done_len,
		.device.status_at = l->status_at,
		.device.seq_at = l->seq_at,
		.device.outlen_at = l->outlen_at,
		.device.status_ok = cpu_to_le32(l->status_ok),
		.device.dev_addr = cpu_to_le64(l->dev_addr),
	};

	memcpy(req.device.desc, l->desc, sizeof(req.device.desc));
	return device_cmd(p, &req, unsure);
}

/* 0: the card has said that it uses none; then the device is no more. */
static int device_take_back(struct nfpc_pipe *p)
{
	struct nfpc_device *d = p->device;
	union nfpc_req req = { };
	bool unsure;
	int err;

	lockdep_assert_held(&p->card->device_lock);
	err = device_cmd(p, &req, &unsure);
	/* ENOENT: to the card the pipe is not open. */
	if (err && err != -ENOENT)
		return err;
	p->device = NULL;
	list_del(&d->node);
	device_unmap(p->card, d);
	device_free(d);
	return 0;
}

/* A device that was removed is looked for in vain, before or behind the notifier. */
static bool still_there(const struct pci_dev *pdev)
{
	struct pci_dev *found = pci_get_domain_bus_and_slot(pci_domain_nr(pdev->bus),
							    pdev->bus->number, pdev->devfn);

	pci_dev_put(found);
	return found == pdev;
}

/* @d is the pipe's afterwards, or is no more. */
static int device_give(struct nfpc_pipe *p, struct nfpc_device *d,
		       const struct nfp_chan_device *l)
{
	struct nfpc_card *card = p->card;
	bool unsure = false;
	int err;

	lockdep_assert_held(&card->device_lock);
	err = p->device ? -EBUSY : device_map(card, d, l);
	if (err)
		goto err_free;
	err = device_cmd_give(p, d, l, &unsure);
	/* The channel's process drives none. */
	if (err == -ENOENT)
		err = -EOPNOTSUPP;
	if (err && !unsure)
		goto err_unmap;
	d->pipe = p;
	p->device = d;
	list_add_tail(&d->node, &card->devices);
	if (!err && !still_there(d->pdev)) {
		device_take_back(p);
		err = -ENXIO;
	}
	return err;

err_unmap:
	device_unmap(card, d);
err_free:
	device_free(d);
	return err;
}

/* ---- the ioctl ---- */

static int device_lookup(struct nfpc_device *d, const struct nfp_chan_device *l)
{
	d->pdev = pci_get_domain_bus_and_slot(l->domain, l->bus, l->devfn);
	return d->pdev ? 0 : -ENXIO;
}

static int device_new(struct nfpc_pipe *p, const struct nfp_chan_device *l)
{
	struct nfpc_card *card = p->card;
	struct nfpc_device *d;
	int err;

	if (!PAGE_ALIGNED(l->mem) || l->mem_size > NFP_CHAN_DEVICE_MEM_MAX)
		return -EINVAL;
	if (l->doorbell_off % sizeof(u32))
		return -EINVAL;
	d = kzalloc(sizeof(*d), GFP_KERNEL_ACCOUNT);
	if (!d)
		return -ENOMEM;
	d->payer = nfpc_payer_get();
	err = device_lookup(d, l);
	/* User memory is not touched with a lock of ours. */
	if (!err)
		err = pages_pin(d, l->mem, l->mem_size);
	if (err) {
		device_free(d);
		return err;
	}
	down_read(&card->win_sem);
	mutex_lock(&card->device_lock);
	if (card->live) {
		err = device_give(p, d, l);
	} else {
		device_free(d);
		err = -ENODEV;
	}
	mutex_unlock(&card->device_lock);
	up_read(&card->win_sem);
	return err;
}

static int device_end(struct nfpc_pipe *p, const struct nfp_chan_device *l)
{
	struct nfpc_card *card = p->card;
	int err;

	if (memchr_inv(&l->mem, 0, sizeof(*l) - offsetof(struct nfp_chan_device, mem)))
		return -EINVAL;
	down_read(&card->win_sem);
	mutex_lock(&card->device_lock);
	if (!card->live)
		err = -ENODEV;
	else
		err = p->device ? device_take_back(p) : -ENOENT;
	mutex_unlock(&card->device_lock);
	up_read(&card->win_sem);
	return err;
}

/* For NFP_CHAN_IOC_DEVICE. */
int nfpc_device_set(struct nfpc_pipe *p, const struct nfp_chan_device *l)
{
	/* The card is made to write to a device that is none of ours. */
	if (!capable(CAP_SYS_RAWIO))
		return -EPERM;
	if (l->flags || l->rsvd0 || l->rsvd1 || memchr_inv(l->rsvd, 0, sizeof(l->rsvd)))
		return -EINVAL;
	if (p->dir != NFP_CHAN_TO_NFP)
		return -EINVAL;
	if (p->card->fw.abi_minor < 8)
		return -EOPNOTSUPP;
	return l->mem_size ? device_new(p, l) : device_end(p, l);
}

/* ---- ends ---- */

static struct nfpc_device *device_take(struct nfpc_pipe *p)
{
	struct nfpc_device *d;

	mutex_lock(&p->card->device_lock);
	d = p->device;
	p->device = NULL;
	if (d)
		list_del(&d->node);
	mutex_unlock(&p->card->device_lock);
	return d;
}

/**
 * nfpc_device_drop() - let go of a device that a pipe has left in limbo
 * @card: the card
 * @d: the device, NULL is fine
 * @quiet: the card has confirmed that it does not use the memory. Otherwise nobody may
 *	use it again, and it stays pinned
 */
void nfpc_device_drop(struct nfpc_card *card, struct nfpc_device *d, bool quiet)
{
	lockdep_assert_held(&card->win_sem);
	if (!d)
		return;
	if (quiet) {
		device_unmap(card, d);
	} else {
		dev_warn(&card->pdev->dev,
			 "%s: %u pages of a process stay pinned until the next boot: the card may still write there\n",
			 dev_name(&card->dev), d->count);
		sg_free_table(&d->sgt);
		kvfree(d->pages);
		d->pages = NULL;
		nfpc_uncharge(d->payer, (size_t)d->count << PAGE_SHIFT);
	}
	device_free(d);
}

/* @p is closed. Return: its device, if the card has not said so (@quiet). */
struct nfpc_device *nfpc_device_cut(struct nfpc_pipe *p, bool quiet)
{
	struct nfpc_device *d = device_take(p);

	if (!quiet)
		return d;
	nfpc_device_drop(p->card, d, true);
	return NULL;
}

/* At detach. @quiet: the card has closed all. */
void nfpc_device_gone(struct nfpc_pipe *p, bool quiet)
{
	lockdep_assert_held_write(&p->card->win_sem);
	nfpc_device_drop(p->card, device_take(p), quiet);
}

/* @pdev is being removed or loses its driver: the card is to leave it alone. */
void nfpc_device_lost(struct nfpc_card *card, struct pci_dev *pdev)
{
	struct nfpc_device *d, *next;
	int err;

	down_read(&card->win_sem);
	mutex_lock(&card->device_lock);
	list_for_each_entry_safe(d, next, &card->devices, node) {
		if (d->pdev != pdev)
			continue;
		err = card->live ? device_take_back(d->pipe) : 0;
		if (err)
			dev_warn(&card->pdev->dev,
				 "%s: cannot have the card leave %s alone: %pe\n",
				 dev_name(&card->dev), pci_name(pdev), ERR_PTR(err));
	}
	mutex_unlock(&card->device_lock);
	up_read(&card->win_sem);
}
