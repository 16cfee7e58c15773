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
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include "pipe.h"

/**
 * struct nfpc_device - a PCI device that is attached to a pipe
 * @node: in card->devices
 * @pipe: the pipe
 * @pdev: the PCI device, a reference
 * @mem: the mapping of the memory for the card
 * @page: DMA address of the page with the device's doorbell, for the card
 */
struct nfpc_device {
	struct list_head node;
	struct nfpc_pipe *pipe;
	struct pci_dev *pdev;
	struct nfpc_dma *mem;
	dma_addr_t page;
};

static void device_free(struct nfpc_device *d)
{
	pci_dev_put(d->pdev);
	kfree(d);
}

/* ---- memory and doorbell mapped for the card ---- */

/* -ENXIO: there is no such doorbell, or the device does not answer. */
static int bell_check(struct pci_dev *pdev, const struct nfp_chan_device *l)
{
	resource_size_t len;
	u16 command;

	if (l->bar >= PCI_STD_NUM_BARS || !(pci_resource_flags(pdev, l->bar) & IORESOURCE_MEM))
		return -ENXIO;
	len = pci_resource_len(pdev, l->bar);
	if (len < sizeof(u32) || l->doorbell_off > len - sizeof(u32))
		return -ENXIO;
	pci_read_config_word(pdev, PCI_COMMAND, &command);
	return command != U16_MAX && command & PCI_COMMAND_MEMORY ? 0 : -ENXIO;
}

static int device_map(struct nfpc_card *card, struct nfpc_device *d, struct nfpc_buf *buf,
		      const struct nfp_chan_device *l)
{
	phys_addr_t phys;
	int err;

	if (d->pdev == card->pdev)
		return -ENXIO;
	err = bell_check(d->pdev, l);
	if (err)
		return err;
	d->mem = nfpc_dma_map(card, buf);
	if (IS_ERR(d->mem))
		return PTR_ERR(d->mem) == -EOPNOTSUPP ? -EADDRNOTAVAIL : PTR_ERR(d->mem);
	phys = (pci_resource_start(d->pdev, l->bar) + l->doorbell_off) & PAGE_MASK;
	err = nfpc_bar_map(card, d->pdev, phys, PAGE_SIZE, &d->page);
	if (err)
		nfpc_dma_end(card, d->mem, true);
	return err;
}

/* Undo device_map(). @quiet: the card has confirmed that it does not use the device. */
static void device_unmap(struct nfpc_card *card, struct nfpc_device *d, bool quiet)
{
	nfpc_bar_unmap(card, d->page, PAGE_SIZE);
	nfpc_dma_end(card, d->mem, quiet);
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
		.device.mem_addr = cpu_to_le64(d->mem->addr),
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

/* 0: the card has confirmed that it does not use the device, which is freed. */
static int device_take_back(struct nfpc_pipe *p)
{
	struct nfpc_device *d = p->device;
	union nfpc_req req = { };
	bool unsure;
	int err;

	lockdep_assert_held(&p->card->device_lock);
	err = device_cmd(p, &req, &unsure);
	/* -ENOENT: for the card the pipe is not open, so it has no device. */
	if (err && err != -ENOENT)
		return err;
	p->device = NULL;
	list_del(&d->node);
	device_unmap(p->card, d, true);
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
static int device_give(struct nfpc_pipe *p, struct nfpc_device *d, struct nfpc_buf *buf,
		       const struct nfp_chan_device *l)
{
	struct nfpc_card *card = p->card;
	bool unsure = false;
	int err;

	lockdep_assert_held(&card->device_lock);
	err = p->device ? -EBUSY : device_map(card, d, buf, l);
	if (err)
		goto err_free;
	err = device_cmd_give(p, d, l, &unsure);
	/* The ME process of the channel drives no device. */
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
	device_unmap(card, d, true);
err_free:
	device_free(d);
	return err;
}

/* ---- the ioctl ---- */

static int device_new(struct nfpc_pipe *p, const struct nfp_chan_device *l)
{
	struct nfpc_card *card = p->card;
	struct nfpc_device *d;
	struct user_struct *payer;
	struct nfpc_buf *buf;
	int err;

	if (!PAGE_ALIGNED(l->mem) || l->mem_size > NFP_CHAN_DEVICE_MEM_MAX)
		return -EINVAL;
	if (l->doorbell_off % sizeof(u32))
		return -EINVAL;
	d = kzalloc(sizeof(*d), GFP_KERNEL_ACCOUNT);
	if (!d)
		return -ENOMEM;
	d->pdev = pci_get_domain_bus_and_slot(l->domain, l->bus, l->devfn);
	if (!d->pdev) {
		kfree(d);
		return -ENXIO;
	}
	/* Page faults may sleep without bound, so pages are pinned before any lock is taken. */
	payer = nfpc_payer_get();
	buf = nfpc_buf_pin(l->mem, l->mem_size, payer);
	free_uid(payer);
	if (IS_ERR(buf)) {
		device_free(d);
		return PTR_ERR(buf);
	}
	down_read(&card->win_sem);
	mutex_lock(&card->device_lock);
	if (nfpc_card_live(card)) {
		err = device_give(p, d, buf, l);
	} else {
		device_free(d);
		err = -ENODEV;
	}
	mutex_unlock(&card->device_lock);
	up_read(&card->win_sem);
	/* The mapping, if there is one, has a reference. */
	nfpc_buf_put(buf);
	return err;
}

static int device_detach(struct nfpc_pipe *p, const struct nfp_chan_device *l)
{
	struct nfpc_card *card = p->card;
	int err;

	if (memchr_inv(&l->mem, 0, sizeof(*l) - offsetof(struct nfp_chan_device, mem)))
		return -EINVAL;
	down_read(&card->win_sem);
	mutex_lock(&card->device_lock);
	if (!nfpc_card_live(card))
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
	if (p->dir != NFP_CHAN_TO_NFP)
		return -ENOTTY;
	/* The card will write to a device that nfp_chan does not own. */
	if (!capable(CAP_SYS_RAWIO))
		return -EPERM;
	if (l->flags || l->rsvd0 || l->rsvd1 || memchr_inv(l->rsvd, 0, sizeof(l->rsvd)))
		return -EINVAL;
	return l->mem_size ? device_new(p, l) : device_detach(p, l);
}

/* ---- ends ---- */

/**
 * nfpc_device_end() - detach the device of a pipe that ends, if it has one
 * @p: the pipe
 * @quiet: the card has confirmed that it does not use the device any more
 */
void nfpc_device_end(struct nfpc_pipe *p, bool quiet)
{
	struct nfpc_card *card = p->card;
	struct nfpc_device *d;

	lockdep_assert_held(&card->win_sem);
	mutex_lock(&card->device_lock);
	d = p->device;
	p->device = NULL;
	if (d) {
		list_del(&d->node);
		device_unmap(card, d, quiet);
		device_free(d);
	}
	mutex_unlock(&card->device_lock);
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
		err = nfpc_card_live(card) ? device_take_back(d->pipe) : 0;
		if (err)
			dev_warn(&card->pdev->dev,
				 "%s: cannot have the card leave %s alone: %pe\n",
				 dev_name(&card->dev), pci_name(pdev), ERR_PTR(err));
	}
	mutex_unlock(&card->device_lock);
	up_read(&card->win_sem);
}
