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
#include <linux/pm_runtime.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "pipe.h"

#define DEVICE_MEM_MAX	SZ_16M

/**
 * struct nfpc_device - a PCI device that is attached to a pipe
 * @node: in card->devices
 * @all: in devices; empty if the PCI device is gone
 * @pipe: the pipe
 * @pdev: the PCI device, a reference; it does not suspend while it is attached
 * @mem: the mapping of the memory for the card
 * @bell: the mapping of the page with the device's doorbell for the card
 */
struct nfpc_device {
	struct list_head node;
	struct list_head all;
	struct nfpc_pipe *pipe;
	struct pci_dev *pdev;
	struct nfpc_dma *mem;
	struct nfpc_dma *bell;
};

/* The devices of all cards, for the removal of a PCI device. */
static DEFINE_SPINLOCK(devices_lock);	/* protects devices and nfpc_device.all */
static LIST_HEAD(devices);

static struct nfpc_device *device_alloc(const struct nfp_chan_device *l)
{
	struct nfpc_device *d;
	int err = -ENXIO;

	d = kzalloc(sizeof(*d), GFP_KERNEL_ACCOUNT);
	if (!d)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&d->node);
	INIT_LIST_HEAD(&d->all);
	d->pdev = pci_get_domain_bus_and_slot(l->domain, l->bus, l->devfn);
	if (d->pdev)
		err = pm_runtime_resume_and_get(&d->pdev->dev);
	if (!err)
		return d;
	pci_dev_put(d->pdev);
	kfree(d);
	return ERR_PTR(-ENXIO);
}

static void device_free(struct nfpc_device *d)
{
	pm_runtime_put(&d->pdev->dev);
	pci_dev_put(d->pdev);
	kfree(d);
}

/* ---- memory and doorbell mapped for the card ---- */

/* Does the device decode its memory? A virtual function always does, and has no such bit. */
static bool decodes(struct pci_dev *pdev)
{
	u16 command;

	pci_read_config_word(pdev, PCI_COMMAND, &command);
	return command != U16_MAX && (pdev->no_command_memory || command & PCI_COMMAND_MEMORY);
}

/*
 * -ENXIO: there is no such doorbell, or the device does not answer. The card gets whole pages, so
 * the BAR must have its pages alone.
 */
static int bell_check(struct pci_dev *pdev, const struct nfp_chan_device *l)
{
	resource_size_t len;

	if (l->bar >= PCI_STD_NUM_BARS || !(pci_resource_flags(pdev, l->bar) & IORESOURCE_MEM))
		return -ENXIO;
	/* As in pci_enable_resources(): a BAR that is in no window of its bus has no address. */
	if (!pci_resource_n(pdev, l->bar)->parent)
		return -ENXIO;
	len = pci_resource_len(pdev, l->bar);
	if (l->doorbell_off >= len)
		return -ENXIO;
	if (!PAGE_ALIGNED(pci_resource_start(pdev, l->bar)) || !PAGE_ALIGNED(len)) {
		dev_info_ratelimited(&pdev->dev,
				     "BAR %u (%pR) may share a page with another BAR: not a device to be driven\n",
				     l->bar, pci_resource_n(pdev, l->bar));
		return -ENXIO;
	}
	return decodes(pdev) ? 0 : -ENXIO;
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
	phys = pci_resource_start(d->pdev, l->bar) + (l->doorbell_off & PAGE_MASK);
	d->bell = nfpc_bar_map(card, d->pdev, phys, PAGE_SIZE);
	return PTR_ERR_OR_ZERO(d->bell);
}

/* Undo device_map(). @quiet: the card has confirmed that it does not use the device. */
static void device_unmap(struct nfpc_card *card, struct nfpc_device *d, bool quiet)
{
	nfpc_dma_end(card, d->bell, quiet);
	nfpc_dma_end(card, d->mem, quiet);
}

/* ---- the card ---- */

static int device_cmd_give(struct nfpc_pipe *p, const struct nfpc_device *d,
			   const struct nfp_chan_device *l, const void *desc, bool *unsure)
{
	union nfpc_req req = {
		.device.mem_addr = cpu_to_le64(d->mem->addr),
		.device.doorbell_addr = cpu_to_le64(d->bell->addr +
						    offset_in_page(l->doorbell_off)),
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

	memcpy(req.device.desc, desc, sizeof(req.device.desc));
	return nfpc_mbox_exec(p->card, NFP_CHAN_FW_CMD_DEVICE, p->nr, &req, unsure);
}

/* The pipe has no device any more. */
static void device_end(struct nfpc_device *d, bool quiet)
{
	struct nfpc_card *card = d->pipe->card;

	lockdep_assert_held(&card->device_lock);
	d->pipe->device = NULL;
	list_del(&d->node);
	scoped_guard(spinlock, &devices_lock)
		list_del_init(&d->all);
	device_unmap(card, d, quiet);
	device_free(d);
}

/* 0: the card has confirmed that it does not use the device, which is freed. */
static int device_take_back(struct nfpc_device *d)
{
	bool unsure;
	int err;

	err = nfpc_mbox_simple(d->pipe->card, NFP_CHAN_FW_CMD_DEVICE, d->pipe->nr, &unsure);
	/* -ENOENT: for the card the pipe is not open, so it has no device. */
	if (err && err != -ENOENT)
		return err;
	device_end(d, true);
	return 0;
}

/*
 * The PCI device is gone, or about to go. If the card does not confirm that it leaves the device
 * alone, an IOMMU keeps the card's writes away, and the health work asks the card again.
 */
static void device_drop(struct nfpc_device *d)
{
	struct nfpc_card *card = d->pipe->card;
	int err;

	scoped_guard(spinlock, &devices_lock)
		list_del_init(&d->all);
	nfpc_bar_block(card, d->bell);
	err = device_take_back(d);
	if (!err)
		return;
	nfpc_pipe_off(d->pipe);
	dev_warn_ratelimited(&card->pdev->dev,
			     "%s: the card does not confirm that it leaves %s alone%s: %pe\n",
			     dev_name(&card->dev), pci_name(d->pdev),
			     nfpc_translated(&card->pdev->dev) ? ", its writes are blocked" : "",
			     ERR_PTR(err));
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
		       const struct nfp_chan_device *l, const void *desc)
{
	struct nfpc_card *card = p->card;
	bool unsure = false;
	int err;

	guard(rwsem_read)(&card->win_sem);
	guard(mutex)(&card->device_lock);
	if (!nfpc_card_live(card))
		err = -ENODEV;
	else
		err = p->device ? -EBUSY : device_map(card, d, buf, l);
	if (!err)
		err = device_cmd_give(p, d, l, desc, &unsure);
	/* The ME process of the channel drives no device. */
	if (err == -ENOENT)
		err = -EOPNOTSUPP;
	if (err && !unsure) {
		device_unmap(card, d, true);
		device_free(d);
		return err;
	}
	d->pipe = p;
	p->device = d;
	list_add_tail(&d->node, &card->devices);
	scoped_guard(spinlock, &devices_lock)
		list_add_tail(&d->all, &devices);
	if (!err && !still_there(d->pdev)) {
		device_drop(d);
		err = -ENXIO;
	}
	return err;
}

/* ---- the ioctl ---- */

static int device_new(struct nfpc_pipe *p, const struct nfp_chan_device *l)
{
	u8 desc[NFP_CHAN_FW_DEVICE_DESC];
	struct nfpc_device *d;
	struct nfpc_buf *buf;
	int err;

	if (!PAGE_ALIGNED(l->mem) || l->mem_size > DEVICE_MEM_MAX ||
	    l->doorbell_off % sizeof(u32) || l->desc_len != sizeof(desc))
		return -EINVAL;
	if (copy_from_user(desc, u64_to_user_ptr(l->desc), sizeof(desc)))
		return -EFAULT;
	d = device_alloc(l);
	if (IS_ERR(d))
		return PTR_ERR(d);
	/* Page faults may sleep without bound, so pages are pinned before any lock is taken. */
	buf = nfpc_buf_pin(l->mem, l->mem_size);
	if (IS_ERR(buf)) {
		device_free(d);
		return PTR_ERR(buf);
	}
	err = device_give(p, d, buf, l, desc);
	/* The mapping, if there is one, has a reference. */
	nfpc_buf_put(buf);
	return err;
}

static int device_detach(struct nfpc_pipe *p)
{
	guard(rwsem_read)(&p->card->win_sem);
	guard(mutex)(&p->card->device_lock);
	if (!nfpc_card_live(p->card))
		return -ENODEV;
	return p->device ? device_take_back(p->device) : -ENOENT;
}

/* The bus address of the signal doorbell, for a device that is set up before it is attached. */
static int device_bell(struct nfpc_pipe *p, u64 __user *ubell)
{
	u64 addr = 0;

	if (!p->signal_db)
		return -EOPNOTSUPP;
	mutex_lock(&p->lock);
	if (p->live)
		addr = nfpc_bus_addr(p->card->pdev,
				     nfpc_queue_phys(p->card, nfpc_signal_queue(p)) +
				     NFP_CHAN_FW_QC_ADD_WPTR, sizeof(u32));
	mutex_unlock(&p->lock);
	return addr ? put_user(addr, ubell) : -ENODEV;
}

/* NFP_CHAN_IOC_DEVICE */
int nfpc_device_ioctl(struct file *file, void *arg, void __user *uarg)
{
	struct nfp_chan_device __user *ul = uarg;
	struct nfpc_pipe *p = file->private_data;
	const struct nfp_chan_device *l = arg;

	if (l->flags & ~NFP_CHAN_DEVICE_BELL || l->rsvd0 || l->rsvd1 || l->rsvd2)
		return -EINVAL;
	if (p->chan->dir != NFP_CHAN_TO_NFP)
		return -EOPNOTSUPP;
	/* The card will write to a device of another driver, as a mapping of its BAR can. */
	if (!capable(CAP_SYS_RAWIO) || security_locked_down(LOCKDOWN_PCI_ACCESS))
		return -EPERM;
	if (!l->flags && l->mem_size)
		return device_new(p, l);
	if (memchr_inv(&l->mem, 0, sizeof(*l) - offsetof(struct nfp_chan_device, mem)))
		return -EINVAL;
	return l->flags ? device_bell(p, &ul->bell_addr) : device_detach(p);
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

	lockdep_assert_held(&card->win_sem);
	guard(mutex)(&card->device_lock);
	if (p->device)
		device_end(p->device, quiet);
}

/* A card that has @pdev, with a reference, or NULL. */
static struct nfpc_card *card_of(struct pci_dev *pdev)
{
	struct nfpc_card *card = NULL;
	struct nfpc_device *d;

	spin_lock(&devices_lock);
	list_for_each_entry(d, &devices, all) {
		if (d->pdev != pdev)
			continue;
		card = d->pipe->card;
		get_device(&card->dev);
		break;
	}
	spin_unlock(&devices_lock);
	return card;
}

/**
 * nfpc_device_lost() - detach a PCI device from all pipes
 * @pdev: the device, which is being removed or loses its driver
 *
 * Waits for no lock if no card has the device.
 */
void nfpc_device_lost(struct pci_dev *pdev)
{
	struct nfpc_device *d, *next;
	struct nfpc_card *card;

	while ((card = card_of(pdev))) {
		/* A detach of the card has ended all its devices when it gives win_sem back. */
		down_read(&card->win_sem);
		mutex_lock(&card->device_lock);
		list_for_each_entry_safe(d, next, &card->devices, node)
			if (d->pdev == pdev && !list_empty(&d->all))
				device_drop(d);
		mutex_unlock(&card->device_lock);
		up_read(&card->win_sem);
		put_device(&card->dev);
	}
}

/* Ask the card again to leave devices alone that are gone. */
void nfpc_devices_retry(struct nfpc_card *card)
{
	struct nfpc_device *d, *next;

	lockdep_assert_held(&card->win_sem);
	guard(mutex)(&card->device_lock);
	list_for_each_entry_safe(d, next, &card->devices, node)
		if (list_empty(&d->all) && device_take_back(d))
			break;
}
