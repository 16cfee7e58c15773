// SPDX-License-Identifier: GPL-2.0-only
/*
 * card.c - attach to a PF, and detach from it.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cc_platform.h>
#include <linux/dma-mapping.h>
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include "card.h"
#include "pipe.h"

#define CARDS_MAX	256
#define HEALTH_PERIOD	(2 * HZ)

static struct class nfpc_class = { .name = "nfp_chan" };
static DEFINE_IDA(card_ids);
static dev_t card_devt;

int nfpc_cards_init(void)
{
	int err;

	err = alloc_chrdev_region(&card_devt, 0, CARDS_MAX, "nfp_chan");
	if (err)
		return err;
	err = class_register(&nfpc_class);
	if (err)
		unregister_chrdev_region(card_devt, CARDS_MAX);
	return err;
}

void nfpc_cards_exit(void)
{
	class_unregister(&nfpc_class);
	unregister_chrdev_region(card_devt, CARDS_MAX);
	ida_destroy(&card_ids);
}

/* Freezable: while the machine sleeps the card reads as all ones. */
void nfpc_health_schedule(struct nfpc_card *card, unsigned long delay)
{
	mod_delayed_work(system_freezable_wq, &card->health, delay);
}

/*
 * Check that window and firmware are those of the attach, and ask the card again to close orphans
 * and to leave lost devices alone.
 */
static void health_work(struct work_struct *work)
{
	struct nfpc_card *card = container_of(to_delayed_work(work), struct nfpc_card, health);

	guard(rwsem_read)(&card->win_sem);
	if (!nfpc_card_live(card) || !nfpc_window_check(card))
		return;
	nfpc_orphans_close(card);
	nfpc_devices_retry(card);
	nfpc_health_schedule(card, HEALTH_PERIOD);
}

static void card_release(struct device *dev)
{
	struct nfpc_card *card = container_of(dev, struct nfpc_card, dev);

	kfree(card->fw.chans);
	kfree(card);
}

static struct nfpc_card *card_alloc(struct pci_dev *pdev)
{
	struct nfpc_card *card;
	int err, id;

	card = kzalloc(sizeof(*card), GFP_KERNEL);
	if (!card)
		return ERR_PTR(-ENOMEM);
	id = ida_alloc_max(&card_ids, CARDS_MAX - 1, GFP_KERNEL);
	if (id < 0) {
		kfree(card);
		return ERR_PTR(id);
	}
	card->pdev = pdev;
	init_rwsem(&card->win_sem);
	mutex_init(&card->mbox_lock);
	init_waitqueue_head(&card->mbox_wq);
	spin_lock_init(&card->sig_lock);
	mutex_init(&card->bind_lock);
	mutex_init(&card->device_lock);
	INIT_LIST_HEAD(&card->devices);
	mutex_init(&card->pipes_lock);
	INIT_LIST_HEAD(&card->pipes);
	mutex_init(&card->orphan_lock);
	INIT_LIST_HEAD(&card->orphans);
	INIT_DELAYED_WORK(&card->health, health_work);
	cdev_init(&card->cdev, &nfpc_card_fops);
	card->cdev.owner = THIS_MODULE;

	device_initialize(&card->dev);
	card->dev.class = &nfpc_class;
	card->dev.parent = &pdev->dev;
	card->dev.release = card_release;
	card->dev.devt = MKDEV(MAJOR(card_devt), id);
	err = dev_set_name(&card->dev, "nfp_chan%d", id);
	if (err) {
		ida_free(&card_ids, id);
		put_device(&card->dev);
		return ERR_PTR(err);
	}
	return card;
}

/*
 * The number is free once the node is gone, though fds may still be open. So a card that comes
 * back gets its old name.
 */
static void card_put(struct nfpc_card *card)
{
	ida_free(&card_ids, MINOR(card->dev.devt));
	put_device(&card->dev);
}

/* Open the window, read the tables of the firmware, start the mailbox. */
static int card_start(struct nfpc_card *card)
{
	struct pci_dev *pdev = card->pdev;
	int err;

	if (!pdev->msix_enabled || !pci_msix_can_alloc_dyn(pdev)) {
		dev_info(&pdev->dev,
			 "MSI-X is %s: cannot allocate vectors beside those of nfp\n",
			 pdev->msix_enabled ? "not dynamic on this platform" : "off");
		return -EOPNOTSUPP;
	}
	/* A process maps its ring as normal memory, and the card must see what it writes there. */
	if (cc_platform_has(CC_ATTR_MEM_ENCRYPT)) {
		dev_info(&pdev->dev, "not supported: memory is encrypted here\n");
		return -EOPNOTSUPP;
	}
	if (!nfpc_translated(&pdev->dev) &&
	    dma_get_required_mask(&pdev->dev) > dma_get_mask(&pdev->dev))
		card->gfp = GFP_DMA32;
	err = nfpc_window_open(card);
	if (err)
		return err;
	err = nfpc_fw_read(card) ?: nfpc_mbox_start(card);
	if (err)
		nfpc_window_close(card);
	return err;
}

/*
 * Make the card forget all memory of the host. True: the card has confirmed that, or its firmware
 * was restarted after the attach and has never had an address.
 *
 * A card that does not answer may write at any later time. Reads of all ones, or a reported
 * removal, prove nothing: the card can do DMA while the host cannot read from it, and a lost link
 * may come back.
 */
static bool card_quiesce(struct nfpc_card *card)
{
	bool unsure;

	/* GOODBYE closes all pipes, and makes the card forget the address of answers. */
	if (!nfpc_mbox_simple(card, NFP_CHAN_FW_CMD_GOODBYE, 0, &unsure))
		return true;
	/* If the request was sent, the restarted firmware may execute it, and write the answer. */
	return !unsure && nfpc_window_state(card) == NFPC_WINDOW_REBOOTED;
}

/* Undo card_start(): afterwards the module uses nothing of the PF. */
static void card_stop(struct nfpc_card *card)
{
	struct nfpc_pipe *p, *next;
	bool quiet;

	nfpc_peers_end(card);
	WRITE_ONCE(card->state, NFPC_CARD_LEAVING);
	down_write(&card->win_sem);
	quiet = card_quiesce(card);
	WRITE_ONCE(card->state, NFPC_CARD_GONE);
	list_splice_tail_init(&card->orphans, &card->pipes);
	list_for_each_entry(p, &card->pipes, node)
		nfpc_pipe_gone(p);
	/* A pipe that shares the ring of a pipe is later in the list. */
	list_for_each_entry_safe_reverse(p, next, &card->pipes, node)
		nfpc_pipe_end(p, quiet);
	nfpc_mbox_stop(card, quiet);
	nfpc_window_close(card);
	up_write(&card->win_sem);
	/* The work takes win_sem. */
	cancel_delayed_work_sync(&card->health);
}

struct nfpc_card *nfpc_card_attach(struct pci_dev *pdev)
{
	struct nfpc_card *card;
	int err;

	card = card_alloc(pdev);
	if (IS_ERR(card))
		return card;
	down_write(&card->win_sem);
	err = card_start(card);
	if (!err) {
		WRITE_ONCE(card->state, NFPC_CARD_LIVE);
		nfpc_health_schedule(card, HEALTH_PERIOD);
	}
	up_write(&card->win_sem);
	if (err)
		goto err_put;
	err = cdev_device_add(&card->cdev, &card->dev);
	if (err)
		goto err_live;
	dev_info(&pdev->dev, "%s: firmware %s %s, %u channels, %u pipes\n",
		 dev_name(&card->dev), card->fw.name, card->fw.version,
		 card->fw.chan_count, card->fw.pipe_count);
	return card;

err_live:
	card_stop(card);
err_put:
	card_put(card);
	return ERR_PTR(err);
}

/* Open fds stay open. Every call on them returns -ENODEV. */
void nfpc_card_detach(struct nfpc_card *card)
{
	cdev_device_del(&card->cdev, &card->dev);
	card_stop(card);
	dev_info(&card->pdev->dev, "%s: detached\n", dev_name(&card->dev));
	card_put(card);
}

/* The caller holds locks that a detach takes, so the scan detaches the card. */
void nfpc_card_set_stale(struct nfpc_card *card)
{
	if (cmpxchg(&card->state, NFPC_CARD_LIVE, NFPC_CARD_STALE) == NFPC_CARD_LIVE)
		nfpc_scan_schedule();
}

/*
 * Look at a stale card again. During a function level reset the card reads as if it were gone. A
 * reset holds device_lock, which is held here, so no reset is under way now.
 */
bool nfpc_card_is_stale(struct nfpc_card *card)
{
	static const char * const why[] = {
		[NFPC_WINDOW_MOVED] = "nfp uses the window otherwise",
		[NFPC_WINDOW_REBOOTED] = "the firmware has restarted",
		[NFPC_WINDOW_LOST] = "the firmware is not to be seen any more",
		[NFPC_WINDOW_DEAD] = "the device does not answer",
	};
	enum nfpc_window_state state;

	device_lock_assert(&card->pdev->dev);
	if (READ_ONCE(card->state) != NFPC_CARD_STALE)
		return false;
	guard(rwsem_read)(&card->win_sem);
	state = nfpc_window_state(card);
	if (state == NFPC_WINDOW_OK) {
		WRITE_ONCE(card->state, NFPC_CARD_LIVE);
		nfpc_health_schedule(card, HEALTH_PERIOD);
		return false;
	}
	dev_warn(&card->pdev->dev, "%s: %s, attaching anew\n", dev_name(&card->dev),
		 why[state]);
	return true;
}
