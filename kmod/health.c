// SPDX-License-Identifier: GPL-2.0-only
/*
 * health.c - work that runs every two seconds: it checks that window and firmware are those of
 * the attach, asks the card again to close orphans, and wakes sleepers whose interrupt was lost.
 */
#include <linux/workqueue.h>
#include "pipe.h"

/* Longer than the card may delay an interrupt, NFP_CHAN_IRQ_USECS_MAX. */
#define HEALTH_PERIOD	(2 * HZ)

static void pipes_look(struct nfpc_card *card)
{
	struct nfpc_pipe *p;

	mutex_lock(&card->pipes_lock);
	list_for_each_entry(p, &card->pipes, node)
		nfpc_pipe_look(p);
	mutex_unlock(&card->pipes_lock);
}

/* Freezable: while the machine sleeps the card reads as all ones. */
static void health_schedule(struct nfpc_card *card, unsigned long delay)
{
	mod_delayed_work(system_freezable_wq, &card->health, delay);
}

static void health(struct work_struct *work)
{
	struct nfpc_card *card = container_of(to_delayed_work(work), struct nfpc_card, health);

	down_read(&card->win_sem);
	if (nfpc_card_live(card) && nfpc_window_check(card)) {
		nfpc_orphans_close(card);
		pipes_look(card);
		health_schedule(card, HEALTH_PERIOD);
	}
	up_read(&card->win_sem);
}

void nfpc_health_init(struct nfpc_card *card)
{
	INIT_DELAYED_WORK(&card->health, health);
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

/* The card answers commands again, so orphans can be closed at once. */
void nfpc_health_answered(struct nfpc_card *card)
{
	lockdep_assert_held(&card->win_sem);
	if (nfpc_card_live(card) && !list_empty_careful(&card->orphans))
		health_schedule(card, 0);
}
