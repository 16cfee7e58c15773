// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - attach and detach of PFs: on which events, and under which locks.
 *
 * nfp.ko owns the PF. The module shares the PF while nfp is bound and has a vNIC, because
 * that long nfp keeps its window to the queue controllers open and MSI-X enabled. Rules:
 *
 *  - Attach a PF that is bound to nfp and has a registered netdev, under its device_lock: at
 *    module load, at BUS_NOTIFY_BOUND_DRIVER, and in the scan.
 *  - Detach at BUS_NOTIFY_UNBIND_DRIVER, before nfp's remove; in the reboot notifier, before
 *    nfp's shutdown; at the unregistration of the PF's last netdev, because nfp may close the
 *    window and MSI-X next (port splits do that in some kernels); at module exit. If a vector
 *    outlived nfp's MSI-X, the core would warn and then crash.
 *  - Detach before the system sleeps, and attach when it wakes.
 *  - Scan when a netdev of a PF appears or is brought up, and when a command finds that the window
 *    has moved or the firmware was restarted. If that firmware does not answer yet, the PF is
 *    attached when its netdev is brought up, or reloaded.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/reboot.h>
#include <linux/suspend.h>
#include <linux/version.h>
#include "card.h"

#if KERNEL_VERSION(6, 8, 0) > LINUX_VERSION_CODE
#error "nfp_chan needs Linux 6.8 or later: files with an inode that security modules label"
#endif

/* Added to @barred before init, and after exit or reboot */
#define FOR_GOOD	0x10000U

static DEFINE_MUTEX(cards_lock);	/* protects the next two; held for attach and detach */
static LIST_HEAD(cards);
static unsigned int barred = FOR_GOOD;	/* number of sleeps; while not 0 nothing attaches */

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

static void pf_attach(struct device *dev)
{
	struct nfpc_card *card;

	guard(mutex)(&cards_lock);
	card = card_find(dev);
	if (card && nfpc_card_is_stale(card)) {
		card_drop(card);
		card = NULL;
	}
	if (!card && !barred && nfpc_pf_usable(dev)) {
		card = nfpc_card_attach(to_pci_dev(dev));
		if (!IS_ERR(card))
			list_add_tail(&card->node, &cards);
	}
}

static void pf_detach(struct device *dev)
{
	struct nfpc_card *card;

	guard(mutex)(&cards_lock);
	card = card_find(dev);
	if (card)
		card_drop(card);
}

/* Detach all cards, and allow no attach. @why: 1 for a sleep, or FOR_GOOD. */
static void cards_bar(unsigned int why)
{
	struct nfpc_card *card, *next;

	guard(mutex)(&cards_lock);
	WRITE_ONCE(barred, barred + why);
	list_for_each_entry_safe(card, next, &cards, node)
		card_drop(card);
}

/*
 * A sleep has ended. Sleeps nest: one process may have /dev/snapshot open, and so prepare a sleep,
 * while others begin and end. A sleep that began before this module was loaded is seen at its end
 * only.
 */
static void cards_awake(void)
{
	mutex_lock(&cards_lock);
	if (barred % FOR_GOOD)
		WRITE_ONCE(barred, barred - 1);
	mutex_unlock(&cards_lock);
	nfpc_scan_schedule();
}

static int pf_scan(struct device *dev, void *unused)
{
	if (nfpc_pf_match(dev)) {
		device_lock(dev);
		pf_attach(dev);
		device_unlock(dev);
	}
	return 0;
}

static void pfs_scan(struct work_struct *work)
{
	bus_for_each_dev(&pci_bus_type, NULL, NULL, pf_scan);
}

static DECLARE_WORK(scan_work, pfs_scan);

void nfpc_scan_schedule(void)
{
	schedule_work(&scan_work);
}

/* The PF is removed. NULL: the module is, so all PFs are forgotten. */
static void pf_forget(struct device *dev)
{
	nfpc_held_free(dev, true);
	nfpc_push_free(dev, true);
}

/*
 * BOUND_DRIVER and UNBIND_DRIVER come under device_lock. Between UNBIND_DRIVER and
 * REMOVED_DEVICE root may bind the driver again.
 */
static int bus_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct device *dev = data;

	if (event == BUS_NOTIFY_UNBIND_DRIVER || event == BUS_NOTIFY_REMOVED_DEVICE)
		nfpc_device_lost(to_pci_dev(dev));
	if (!nfpc_pf_match(dev))
		return NOTIFY_DONE;
	if (event == BUS_NOTIFY_BOUND_DRIVER)
		pf_attach(dev);
	else if (event == BUS_NOTIFY_UNBIND_DRIVER)
		pf_detach(dev);
	else if (event == BUS_NOTIFY_REMOVED_DEVICE)
		pf_forget(dev);
	return NOTIFY_DONE;
}

/*
 * Called under rtnl. A move to another network namespace has the same two events, but the
 * netdev stays registered. A netdev that appears while nfp is not bound appears in nfp's probe,
 * and BOUND_DRIVER follows. register_netdevice_notifier() announces all existing netdevs; init
 * scans after that.
 */
static int netdev_event(struct notifier_block *nb, unsigned long event,
			void *data)
{
	struct net_device *netdev = netdev_notifier_info_to_dev(data);
	struct device *dev = netdev->dev.parent;

	if (!dev || !nfpc_pf_match(dev))
		return NOTIFY_DONE;
	if ((event == NETDEV_REGISTER || event == NETDEV_UP) && !READ_ONCE(barred) &&
	    device_is_bound(dev))
		nfpc_scan_schedule();
	else if (event == NETDEV_UNREGISTER && !nfpc_pf_has_netdev(dev))
		pf_detach(dev);
	return NOTIFY_DONE;
}

static int reboot_event(struct notifier_block *nb, unsigned long event,
			void *data)
{
	cards_bar(FOR_GOOD);
	return NOTIFY_DONE;
}

/*
 * nfp.ko has no support for sleep. The PCI core takes bus mastering from a card whose firmware
 * goes on, and the card may have been reset when the system wakes. So channels end before the
 * sleep, while their users still run and can see it, and cards are attached again afterwards.
 *
 * Called under system_transition_mutex and the rwsem of the notifier chain. Nothing else takes
 * cards_lock under these, or these under cards_lock. The scan runs in a work item, because it
 * takes device_lock, and a probe may register a notifier under device_lock.
 */
static int pm_event(struct notifier_block *nb, unsigned long event, void *data)
{
	switch (event) {
	case PM_HIBERNATION_PREPARE:
	case PM_SUSPEND_PREPARE:
	case PM_RESTORE_PREPARE:
		cards_bar(1);
		break;
	case PM_POST_HIBERNATION:
	case PM_POST_SUSPEND:
	case PM_POST_RESTORE:
		cards_awake();
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block bus_nb = { .notifier_call = bus_event };
static struct notifier_block netdev_nb = { .notifier_call = netdev_event };
static struct notifier_block reboot_nb = { .notifier_call = reboot_event };
static struct notifier_block pm_nb = { .notifier_call = pm_event };

/* Not during a sleep, because the notifier would see its end only. */
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

	/*
	 * Positions of 64 bits are read at once. Memory is coherent with DMA, and a page of RAM
	 * that replaces a doorbell is mapped with the attributes of RAM.
	 */
	if (!IS_ENABLED(CONFIG_X86_64)) {
		pr_err("only x86-64 is supported\n");
		return -EOPNOTSUPP;
	}
	err = nfpc_account_init();
	if (err)
		return err;
	err = nfpc_cards_init();
	if (err)
		return err;
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
	scoped_guard(mutex, &cards_lock)
		WRITE_ONCE(barred, barred - FOR_GOOD);
	/* Not in a work item, so that the nodes exist when insmod returns. */
	pfs_scan(NULL);
	return 0;

err_bus:
	bus_unregister_notifier(&pci_bus_type, &bus_nb);
err_pm:
	unregister_pm_notifier(&pm_nb);
err_reboot:
	unregister_reboot_notifier(&reboot_nb);
err_cards:
	nfpc_cards_exit();
	return err;
}

/* Open fds hold a reference to the module, so no fd is open here. */
static void __exit nfpc_exit(void)
{
	cards_bar(FOR_GOOD);	/* from here on nothing attaches */
	unregister_netdevice_notifier(&netdev_nb);
	bus_unregister_notifier(&pci_bus_type, &bus_nb);
	unregister_pm_notifier(&pm_nb);
	unregister_reboot_notifier(&reboot_nb);
	cancel_work_sync(&scan_work);
	nfpc_cards_exit();
	pf_forget(NULL);
}

module_init(nfpc_init);
module_exit(nfpc_exit);

MODULE_DESCRIPTION("Message channels to the microengines of Netronome Agilio cards");
MODULE_LICENSE("GPL");
MODULE_SOFTDEP("pre: nfp");
