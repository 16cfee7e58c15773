// SPDX-License-Identifier: GPL-2.0-only
/*
 * health.c - work that runs every two seconds: it checks that window and firmware are those of
 * the attach, and asks the card again to close orphans and to leave lost devices alone.
 */
#include <linux/workqueue.h>
#include "pipe.h"

#define HEALTH_PERIOD	(2 * HZ)

/* Freezable: while the machine sleeps the card reads as all ones. */
static void health_schedule(struct nfpc_card *card, unsigned long delay)
{
	mod_delayed_work(system_freezable_wq, &card->health, delay);
}

static void health_work(struct work_struct *work)
{
	struct nfpc_card *card = container_of(to_delayed_work(work), struct nfpc_card, health);

	down_read(&card->win_sem);
	if (nfpc_card_live(card) && nfpc_window_check(card)) {
		nfpc_orphans_close(card);
		nfpc_devices_retry(card);
		health_schedule(card, HEALTH_PERIOD);
	}
	up_read(&card->win_sem);
}

void nfpc_health_init(struct nfpc_card *card)
{
	INIT_DELAYED_WORK(&card->health, health_work);
}

void nfpc_health_start(struct nfpc_card *card)
{
	lockdep_assert_held(&card->win_sem);
	health_schedule(card, HEALTH_PERIOD);
}

/* The card is not live any more. win_sem is not held, because the work takes it. */
void nfpc_health_stop(struct nfpc_card *card)
{
	cancel_delayed_work_sync(&card->health);
}

/* The card answers commands again, so what waits for an answer can be tried at once. */
void nfpc_health_answered(struct nfpc_card *card)
{
	lockdep_assert_held(&card->win_sem);
	if (nfpc_card_live(card))
		health_schedule(card, 0);
}
