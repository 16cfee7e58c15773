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
#include <linux/suspend.h>
#include <linux/workqueue.h>
#include "card.h"
#include "pipe.h"

/* The tries to attach PFs again that could not be: after 5 s, 10 s, 20 s, ... */
#define RETRY_FIRST	(5 * HZ)
#define RETRY_MAX	6

/* Part of @barred before init, and after exit or reboot */
#define FOR_GOOD	0x10000U

static DEFINE_MUTEX(cards_lock);	/* what follows; attach and detach */
static LIST_HEAD(cards);
static unsigned int barred = FOR_GOOD;	/* sleeps; nothing attaches while it is not 0 */
static unsigned int retries = RETRY_MAX;	/* tries that were in vain */

static void retry(struct work_struct *work);
static DECLARE_DELAYED_WORK(retry_work, retry);

/* A card that was attached went, and may come back. */
static void retry_start(void)
{
	lockdep_assert_held(&cards_lock);
	retries = 0;
	mod_delayed_work(system_wq, &retry_work, RETRY_FIRST);
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

static void pf_attach(struct device *dev)
{
	struct nfpc_card *card;

	mutex_lock(&cards_lock);
	card = card_find(dev);
	if (card && nfpc_card_is_stale(card)) {
		card_drop(card);
		card = NULL;
		retry_start();
	}
	if (!card && !barred && nfpc_pf_usable(dev)) {
		card = nfpc_card_attach(to_pci_dev(dev));
		if (!IS_ERR(card))
			list_add_tail(&card->node, &cards);
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
	mutex_unlock(&cards_lock);
}

/* All cards are detached. @why: 1 for a sleep, or FOR_GOOD. */
static void bar(unsigned int why)
{
	struct nfpc_card *card, *next;

	mutex_lock(&cards_lock);
	WRITE_ONCE(barred, barred + why);
	list_for_each_entry_safe(card, next, &cards, node)
		card_drop(card);
	mutex_unlock(&cards_lock);
}

/*
 * A sleep has ended. Sleeps nest: one process may have /dev/snapshot open, and so prepare a sleep,
 * while others begin and end. A sleep that began before this module was loaded is seen at its end
 * only.
 */
static void awake(void)
{
	mutex_lock(&cards_lock);
	if (barred % FOR_GOOD)
		WRITE_ONCE(barred, barred - 1);
	retry_start();
	mutex_unlock(&cards_lock);
	nfpc_scan_schedule();
}

static int scan_one(struct device *dev, void *unused)
{
	if (nfpc_pf_match(dev)) {
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

/* PFs without firmware for us are looked at as well, to no effect. */
static void retry(struct work_struct *work)
{
	scan(NULL);
	mutex_lock(&cards_lock);
	if (++retries < RETRY_MAX)
		mod_delayed_work(system_wq, &retry_work, RETRY_FIRST << retries);
	mutex_unlock(&cards_lock);
}

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
	if (!nfpc_pf_match(dev))
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

	if (!dev || !nfpc_pf_match(dev))
		return NOTIFY_DONE;
	if (event == NETDEV_REGISTER && !READ_ONCE(barred) && device_is_bound(dev))
		nfpc_scan_schedule();
	else if (event == NETDEV_UNREGISTER && !nfpc_pf_has_netdev(dev))
		pf_detach(dev);
	return NOTIFY_DONE;
}

static int reboot_event(struct notifier_block *nb, unsigned long event,
			void *data)
{
	bar(FOR_GOOD);
	return NOTIFY_DONE;
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
		bar(1);
		break;
	case PM_POST_HIBERNATION:
	case PM_POST_SUSPEND:
	case PM_POST_RESTORE:
		awake();
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

	/*
	 * Positions of 64 bits are read at once. Memory is coherent with DMA, and a page of RAM
	 * that replaces a doorbell is mapped with the attributes of RAM.
	 */
	if (!IS_ENABLED(CONFIG_X86_64)) {
		pr_err("only x86-64 is supported\n");
		return -EOPNOTSUPP;
	}
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
	mutex_lock(&cards_lock);
	WRITE_ONCE(barred, barred - FOR_GOOD);
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
	nfpc_cards_exit();
	return err;
}

/*
 * Open fds hold the module, as with any character device: an exit that
 * revoked them would leave files whose operations are gone.
 */
static void __exit nfpc_exit(void)
{
	bar(FOR_GOOD);	/* from here on nothing attaches */
	unregister_netdevice_notifier(&netdev_nb);
	bus_unregister_notifier(&pci_bus_type, &bus_nb);
	unregister_pm_notifier(&pm_nb);
	unregister_reboot_notifier(&reboot_nb);
	cancel_work_sync(&scan_work);
	cancel_delayed_work_sync(&retry_work);
	nfpc_xdp_exit();
	nfpc_cards_exit();
	nfpc_held_leak(NULL);
}

module_init(nfpc_init);
module_exit(nfpc_exit);

MODULE_DESCRIPTION("Message channels to the microengines of Netronome Agilio cards");
MODULE_LICENSE("GPL");
MODULE_SOFTDEP("pre: nfp");
