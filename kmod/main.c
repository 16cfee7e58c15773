// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - which PFs we are attached to, and when.
 *
 * nfp.ko owns the PF. We share it while it is bound and has a vNIC: for so long
 * it keeps its window to the queue controllers open and MSI-X enabled. Rules:
 *
 *  - attach: PF bound to "nfp", with a registered netdev, under its
 *    device_lock; at module load, at BUS_NOTIFY_BOUND_DRIVER, and by the scan;
 *  - detach: at BUS_NOTIFY_UNBIND_DRIVER, before nfp's remove; in the reboot
 *    notifier, before nfp's shutdown; at the unregistration of the PF's last
 *    netdev, before nfp goes on to close window and MSI-X (as port splits did
 *    in some kernels); at module exit. A vector that outlives nfp's MSI-X is
 *    a WARN and then an Oops in the core;
 *  - detach before the system goes to sleep, attach when it is back;
 *  - a scan follows whenever a netdev of a PF appears and whenever a command
 *    found the window moved or the firmware restarted. Where that PF has no
 *    firmware for us yet, as it is just starting, it is tried again for a while.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/reboot.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/suspend.h>
#include <linux/workqueue.h>
#include "card.h"
#include "compat.h"
#include "pipe.h"

#define NFPC_VENDOR_NETRONOME	0x19ee
#define NFPC_VENDOR_CORIGINE	0x1da8

/* From a PF that was attached, and cannot be again, to the next try; twice that, ... */
#define RETRY_FIRST	(5 * HZ)
#define RETRY_MAX	6

/**
 * struct nfpc_lost - a PF that is to be tried again
 * @node: in the list of them
 * @dev: the PF; bound to nfp, or it would not be there
 * @tries: so many were in vain
 * @at: time of the next, jiffies
 */
struct nfpc_lost {
	struct list_head node;
	struct device *dev;
	unsigned int tries;
	unsigned long at;
};

static DEFINE_MUTEX(cards_lock);	/* cards, lost, active; attach and detach */
static LIST_HEAD(cards);
static LIST_HEAD(lost);
static bool active;		/* nothing attaches before init or after exit, reboot */
static unsigned int asleep;	/* nor from before a sleep of the system to behind it: how many */

static bool pf_match(struct device *dev)
{
	struct pci_dev *pdev;

	if (!dev_is_pci(dev))
		return false;
	pdev = to_pci_dev(dev);
	if (pdev->vendor != NFPC_VENDOR_NETRONOME &&
	    pdev->vendor != NFPC_VENDOR_CORIGINE)
		return false;
	switch (pdev->device) {
	case 0x3800:
	case 0x4000:
	case 0x5000:
	case 0x6000:
		return true;
	}
	return false;
}

/* The name is all there is to tell nfp.ko by: it exports nothing. */
static bool pf_bound(struct device *dev)
{
	device_lock_assert(dev);
	return dev->driver && device_is_bound(dev) &&
	       !strcmp(dev->driver->name, "nfp");
}

/*
 * A netdev that is leaving is still a child of the PF when its notifier runs,
 * so the state counts, too. It may change any time: an unregistration that is
 * missed here is seen by the notifier, which waits for cards_lock.
 */
static int netdev_registered(struct device *child, void *unused)
{
	if (!child->class || strcmp(child->class->name, "net"))
		return 0;
	return nfpc_reg_state(to_net_dev(child)) == NETREG_REGISTERED;
}

static bool pf_has_netdev(struct device *dev)
{
	return device_for_each_child(dev, NULL, netdev_registered);
}

static struct nfpc_card *card_find(struct device *dev)
{
	struct nfpc_card *card;

	lockdep_assert_held(&cards_lock);
	list_for_each_entry(card, &cards, node)
		if (&card->pdev->dev == dev)
			return card;
	return NULL;
}

static void card_drop(struct nfpc_card *card)
{
	lockdep_assert_held(&cards_lock);
	list_del(&card->node);
	nfpc_card_detach(card);
}

static struct nfpc_lost *lost_find(struct device *dev)
{
	struct nfpc_lost *l;

	lockdep_assert_held(&cards_lock);
	list_for_each_entry(l, &lost, node)
		if (l->dev == dev)
			return l;
	return NULL;
}

static void lost_forget(struct nfpc_lost *l)
{
	lockdep_assert_held(&cards_lock);
	if (!l)
		return;
	list_del(&l->node);
	kfree(l);
}

static void retry(struct work_struct *work);
static DECLARE_DELAYED_WORK(retry_work, retry);

static struct nfpc_lost *lost_add(struct device *dev)
{
	struct nfpc_lost *l = kzalloc(sizeof(*l), GFP_KERNEL);

	lockdep_assert_held(&cards_lock);
	if (!l)
		return NULL;
	l->dev = dev;
	l->at = jiffies + RETRY_FIRST;
	list_add_tail(&l->node, &lost);
	return l;
}

/* @dev, of which @l is known if it was lost before, cannot be attached: later? */
static void lost_again(struct nfpc_lost *l, struct device *dev)
{
	if (!l)
		l = lost_add(dev);
	if (!l)
		return;
	if (l->tries == RETRY_MAX) {
		lost_forget(l);
		return;
	}
	l->at = jiffies + (RETRY_FIRST << l->tries++);
	schedule_delayed_work(&retry_work, RETRY_FIRST);
}

static void pf_attach(struct device *dev)
{
	struct nfpc_card *card;
	struct nfpc_lost *l;
	bool was = false;

	mutex_lock(&cards_lock);
	card = card_find(dev);
	if (card && nfpc_card_is_stale(card)) {
		card_drop(card);
		card = NULL;
		was = true;
	}
	if (!card && active && !asleep && pf_bound(dev) && pf_has_netdev(dev)) {
		l = lost_find(dev);
		card = nfpc_card_attach(to_pci_dev(dev));
		if (!IS_ERR(card)) {
			list_add_tail(&card->node, &cards);
			lost_forget(l);
		} else if (was || l) {
			lost_again(l, dev);
		}
	}
	mutex_unlock(&cards_lock);
}

static void pf_detach(struct device *dev)
{
	struct nfpc_card *card;

	mutex_lock(&cards_lock);
	card = card_find(dev);
	if (card)
		card_drop(card);
	lost_forget(lost_find(dev));
	mutex_unlock(&cards_lock);
}

/* One whose time has come, a reference. */
static struct device *lost_due(void)
{
	struct device *dev = NULL;
	struct nfpc_lost *l;

	mutex_lock(&cards_lock);
	list_for_each_entry(l, &lost, node)
		if (time_after_eq(jiffies, l->at)) {
			l->at = jiffies + RETRY_FIRST;
			dev = get_device(l->dev);
			break;
		}
	if (!dev && !list_empty(&lost))
		schedule_delayed_work(&retry_work, RETRY_FIRST);
	mutex_unlock(&cards_lock);
	return dev;
}

static void retry(struct work_struct *work)
{
	struct device *dev;

	while ((dev = lost_due())) {
		device_lock(dev);
		pf_attach(dev);
		device_unlock(dev);
		put_device(dev);
	}
}

/* For good */
static void detach_all(void)
{
	struct nfpc_card *card, *next;

	mutex_lock(&cards_lock);
	WRITE_ONCE(active, false);
	list_for_each_entry_safe(card, next, &cards, node)
		card_drop(card);
	while (!list_empty(&lost))
		lost_forget(list_first_entry(&lost, struct nfpc_lost, node));
	mutex_unlock(&cards_lock);
}

/* For the time of a sleep, and if the first try after it is in vain there are others. */
static void detach_asleep(void)
{
	struct nfpc_card *card, *next;
	struct device *dev;

	mutex_lock(&cards_lock);
	asleep++;
	list_for_each_entry_safe(card, next, &cards, node) {
		dev = &card->pdev->dev;
		card_drop(card);
		lost_add(dev);
	}
	mutex_unlock(&cards_lock);
}

static int scan_one(struct device *dev, void *unused)
{
	if (pf_match(dev)) {
		device_lock(dev);
		pf_attach(dev);
		device_unlock(dev);
	}
	return 0;
}

static void scan(struct work_struct *work)
{
	bus_for_each_dev(&pci_bus_type, NULL, NULL, scan_one);
}

static DECLARE_WORK(scan_work, scan);

void nfpc_scan_schedule(void)
{
	schedule_work(&scan_work);
}

/* A device that is one of a card's, too, or was. */
static void device_lost(struct pci_dev *pdev)
{
	struct nfpc_card *card;

	mutex_lock(&cards_lock);
	list_for_each_entry(card, &cards, node)
		nfpc_device_lost(card, pdev);
	mutex_unlock(&cards_lock);
}

/*
 * The first two events come under device_lock. Until the last one root may have bound
 * the driver once more.
 */
static int bus_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct device *dev = data;

	if (event == BUS_NOTIFY_UNBIND_DRIVER || event == BUS_NOTIFY_REMOVED_DEVICE)
		device_lost(to_pci_dev(dev));
	if (!pf_match(dev))
		return NOTIFY_DONE;
	if (event == BUS_NOTIFY_BOUND_DRIVER)
		pf_attach(dev);
	else if (event == BUS_NOTIFY_UNBIND_DRIVER)
		pf_detach(dev);
	else if (event == BUS_NOTIFY_REMOVED_DEVICE)
		nfpc_held_leak(dev);
	return NOTIFY_DONE;
}

/*
 * Under rtnl. A move to another network namespace is announced with the same
 * two events, but for a netdev that stays registered. A netdev that appears
 * while nfp is not bound does so in its probe: BOUND_DRIVER will follow. At our
 * own registration all that are there are announced: init scans after that.
 */
static int netdev_event(struct notifier_block *nb, unsigned long event,
			void *data)
{
	struct net_device *netdev = netdev_notifier_info_to_dev(data);
	struct device *dev = netdev->dev.parent;

	if (!dev || !pf_match(dev))
		return NOTIFY_DONE;
	if (event == NETDEV_REGISTER && READ_ONCE(active) && device_is_bound(dev))
		nfpc_scan_schedule();
	else if (event == NETDEV_UNREGISTER && !pf_has_netdev(dev))
		pf_detach(dev);
	return NOTIFY_DONE;
}

static int reboot_event(struct notifier_block *nb, unsigned long event,
			void *data)
{
	detach_all();
	return NOTIFY_DONE;
}

/*
 * Sleeps nest: who has /dev/snapshot open is preparing one, while others come and go. Of
 * one that was begun before this module was there only the end is seen.
 */
static void awake_again(void)
{
	bool last;

	mutex_lock(&cards_lock);
	if (asleep)
		asleep--;
	last = !asleep;
	mutex_unlock(&cards_lock);
	if (last)
		nfpc_scan_schedule();
}

/*
 * nfp.ko knows nothing of sleep. The PCI core takes bus mastering from a card
 * whose firmware goes on, and the card may come back as one that was reset. So
 * channels end before that, while their users still run and can be told, and
 * the cards that are there afterwards are attached anew.
 *
 * Under system_transition_mutex and the chain's rwsem. Nobody who holds either of
 * them waits for cards_lock, or the other way round, but here; the scan is left to
 * the worker since a probe may register a notifier under its device_lock.
 */
static int pm_event(struct notifier_block *nb, unsigned long event, void *data)
{
	switch (event) {
	case PM_HIBERNATION_PREPARE:
	case PM_SUSPEND_PREPARE:
	case PM_RESTORE_PREPARE:
		detach_asleep();
		break;
	case PM_POST_HIBERNATION:
	case PM_POST_SUSPEND:
	case PM_POST_RESTORE:
		awake_again();
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block bus_nb = { .notifier_call = bus_event };
static struct notifier_block netdev_nb = { .notifier_call = netdev_event };
static struct notifier_block reboot_nb = { .notifier_call = reboot_event };
static struct notifier_block pm_nb = { .notifier_call = pm_event };

/* Not in the middle of a sleep, whose beginning would be missed. */
static int pm_register(void)
{
	unsigned int flags = lock_system_sleep();
	int err = register_pm_notifier(&pm_nb);

	unlock_system_sleep(flags);
	return err;
}

static int __init nfpc_init(void)
{
	int err;

	/* Positions of 64 bits are read at once, by the card's memory and ours. */
	if (!IS_ENABLED(CONFIG_64BIT)) {
		pr_err("a kernel of 32 bits is not supported\n");
		return -EOPNOTSUPP;
	}
	/*
	 * A doorbell page holds the queues of one pipe, an inline page what
	 * one pipe sends. A larger page of the CPU would give a process those
	 * of others.
	 */
	if (PAGE_SIZE != SZ_4K) {
		pr_err("pages of %lu bytes: only 4096 is supported\n", PAGE_SIZE);
		return -EOPNOTSUPP;
	}
	err = nfpc_cards_init();
	if (err)
		return err;
	nfpc_debugfs_init();
	err = register_reboot_notifier(&reboot_nb);
	if (err)
		goto err_cards;
	err = pm_register();
	if (err)
		goto err_reboot;
	err = bus_register_notifier(&pci_bus_type, &bus_nb);
	if (err)
		goto err_pm;
	err = register_netdevice_notifier(&netdev_nb);
	if (err)
		goto err_bus;
	mutex_lock(&cards_lock);
	WRITE_ONCE(active, true);
	mutex_unlock(&cards_lock);
	/* The nodes are there when insmod returns. */
	scan(NULL);
	return 0;

err_bus:
	bus_unregister_notifier(&pci_bus_type, &bus_nb);
err_pm:
	unregister_pm_notifier(&pm_nb);
err_reboot:
	unregister_reboot_notifier(&reboot_nb);
err_cards:
	nfpc_debugfs_exit();
	nfpc_cards_exit();
	return err;
}

/*
 * Open fds hold the module, as with any character device: an exit that
 * revoked them would leave files whose operations are gone.
 */
static void __exit nfpc_exit(void)
{
	detach_all();	/* from here on nothing attaches */
	unregister_netdevice_notifier(&netdev_nb);
	bus_unregister_notifier(&pci_bus_type, &bus_nb);
	unregister_pm_notifier(&pm_nb);
	unregister_reboot_notifier(&reboot_nb);
	cancel_work_sync(&scan_work);
	cancel_delayed_work_sync(&retry_work);
	nfpc_xdp_exit();
	nfpc_debugfs_exit();
	nfpc_cards_exit();
	nfpc_held_leak(NULL);
}

module_init(nfpc_init);
module_exit(nfpc_exit);

MODULE_DESCRIPTION("Message channels to the microengines of Netronome Agilio cards");
MODULE_LICENSE("GPL");
MODULE_SOFTDEP("pre: nfp");
