// SPDX-License-Identifier: GPL-2.0-only
/*
 * device.c - PCI devices that an ME process drives: the memory that card and device share, and
 * the device's doorbell, to which the card writes (uapi/PROTOCOL.rst, Devices).
 *
 * A device is attached to the pipe whose messages are the device's jobs. It is detached with
 * the close of the pipe, the removal of the PCI device, or the detach of the card. The memory
 * is a process's, and stays pinned until the card has confirmed that it does not use the
 * memory any more.
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

/*
 * The memory may have a page twice, or be given to a second device as well. The DMA API
 * allows several mappings of a page only without CPU syncs.
 */
#define MAP_ATTRS	DMA_ATTR_SKIP_CPU_SYNC

/**
 * struct nfpc_device - a PCI device that is attached to a pipe
 * @node: in card->devices
 * @pipe: the pipe
 * @pdev: the PCI device, a reference
 * @payer: the user that is charged for @pages, a reference; NULL: no user is
 * @pages: the memory, pinned
 * @count: number of @pages
 * @sgt: the mapping of @pages for the card's DMA
 * @mem: DMA address of the memory, for the card
 * @page: DMA address of the page with the device's doorbell, for the card
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

/* ---- the memory ---- */

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

/* ---- memory and doorbell mapped for the card ---- */

/* The card needs one DMA range, and memory that is accessed without bounce buffers. */
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

/* -ENXIO: the device does not answer, or its memory space is off. */
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

/* Undo device_map(). The card must not use the memory and the doorbell any more. */
static void device_unmap(struct nfpc_card *card, struct nfpc_device *d)
{
	nfpc_bar_unmap(card, d->page, PAGE_SIZE);
	dma_unmap_sgtable(&card->pdev->dev, &d->sgt, DMA_BIDIRECTIONAL, MAP_ATTRS);
	sg_free_table(&d->sgt);
}

/* ---- the card ---- */

static int device_cmd(struct nfpc_pipe *p, struct nfp_chan_fw_device *req, bool *unsure)
{
	struct nfpc_cmd cmd = {
		.cmd = NFP_CHAN_FW_CMD_DEVICE,
		.pipe = p->nr,
		.device = req,
	};
	int err;

	req->cmd = cpu_to_le16(NFP_CHAN_FW_CMD_DEVICE);
	req->pipe = cpu_to_le16(p->nr);
	err = nfpc_mbox_exec(p->card, &cmd);
	*unsure = cmd.unsure;
	return err;
}

static int device_cmd_give(struct nfpc_pipe *p, const struct nfpc_device *d,
			   const struct nfp_chan_device *l, bool *unsure)
{
	struct nfp_chan_fw_device req = {
		.mem_addr = cpu_to_le64(d->mem),
		.doorbell_addr = cpu_to_le64(d->page + offset_in_page(l->doorbell_off)),
		.mem_size = cpu_to_le32(l->mem_size),
		.in_size = cpu_to_le16(l->in_size),
		.out_size = cpu_to_le16(l->out_size),
		.slots = cpu_to_le16(l->slots),
		.skip = cpu_to_le16(l->skip),
		.src_at = l->src_at,
		.dst_at = l->dst_at,
		.len_at = l->len_at,
		.room_at = l->room_at,
		.done_at = l->done_at,
		.done_len = l->done_len,
		.status_at = l->status_at,
		.seq_at = l->seq_at,
		.outlen_at = l->outlen_at,
		.status_ok = cpu_to_le32(l->status_ok),
		.dev_addr = cpu_to_le64(l->dev_addr),
	};

	memcpy(req.desc, l->desc, sizeof(req.desc));
	return device_cmd(p, &req, unsure);
}

/* 0: the card has confirmed that it does not use the device, which is freed. */
static int device_take_back(struct nfpc_pipe *p)
{
	struct nfp_chan_fw_device req = { };
	struct nfpc_device *d = p->device;
	bool unsure;
	int err;

	lockdep_assert_held(&p->card->device_lock);
	err = device_cmd(p, &req, &unsure);
	/* -ENOENT: for the card the pipe is not open, so it has no device. */
	if (err && err != -ENOENT)
		return err;
	p->device = NULL;
	list_del(&d->node);
	device_unmap(p->card, d);
	device_free(d);
	return 0;
}

/* A lookup does not find a removed device, whether its notifier has run or not. */
static bool still_there(const struct pci_dev *pdev)
{
	struct pci_dev *found = pci_get_domain_bus_and_slot(pci_domain_nr(pdev->bus),
							    pdev->bus->number, pdev->devfn);

	pci_dev_put(found);
	return found == pdev;
}

/* Attach @d to @p, or free @d. */
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
	/* The ME process behind the channel drives no device. */
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
	/* Page faults may sleep without bound, so pages are pinned before any lock is taken. */
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

/* NFP_CHAN_IOC_DEVICE */
int nfpc_device_set(struct nfpc_pipe *p, const struct nfp_chan_device *l)
{
	/* The card will write to a device that nfp_chan does not own. */
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
 * nfpc_device_drop() - free a device that is attached to no pipe any more
 * @card: the card
 * @d: the device, or NULL
 * @quiet: the card has confirmed that it does not use the memory. Otherwise the memory stays
 *	pinned until the next boot
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

/* The card was asked to close @p. Return: its device, unless the card confirmed (@quiet). */
struct nfpc_device *nfpc_device_cut(struct nfpc_pipe *p, bool quiet)
{
	struct nfpc_device *d = device_take(p);

	if (!quiet)
		return d;
	nfpc_device_drop(p->card, d, true);
	return NULL;
}

/* The card detaches. @quiet: the card has confirmed that all pipes are closed. */
void nfpc_device_gone(struct nfpc_pipe *p, bool quiet)
{
	lockdep_assert_held_write(&p->card->win_sem);
	nfpc_device_drop(p->card, device_take(p), quiet);
}

/* @pdev is being removed or loses its driver: detach it from all pipes. */
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
