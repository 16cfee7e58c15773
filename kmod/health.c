// SPDX-License-Identifier: GPL-2.0-only
/*
 * health.c - a card that does not answer as it should: noticed while nobody asks
 * anything of it, and what was left with it taken back once it answers again.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "card.h"

/* Three reads of the card each: nothing to what a healthy one does otherwise. */
#define HEALTH_PERIOD	(2 * HZ)

/**
 * nfpc_limbo_add() - keep what a pipe of unknown state uses
 * @card: the card
 * @limbo: its memory and numbers; given back once the card confirms that it has
 *	closed the pipe, or at the detach
 */
void nfpc_limbo_add(struct nfpc_card *card, struct nfpc_limbo *limbo)
{
	lockdep_assert_held(&card->win_sem);
	mutex_lock(&card->pipes_lock);
	list_add_tail(&limbo->node, &card->limbo);
	mutex_unlock(&card->pipes_lock);
}

static void limbo_free(struct nfpc_card *card, struct nfpc_limbo *limbo)
{
	nfpc_device_drop(card, limbo->device, true);
	nfpc_dma_free(card, &limbo->note);
	nfpc_dma_free(card, &limbo->ring);
	kfree(limbo);
}

static struct nfpc_limbo *limbo_first(struct nfpc_card *card)
{
	struct nfpc_limbo *limbo;

	mutex_lock(&card->pipes_lock);
	limbo = list_first_entry_or_null(&card->limbo, struct nfpc_limbo, node);
	mutex_unlock(&card->pipes_lock);
	return limbo;
}

/**
 * nfpc_limbo_retry() - close what was not confirmed as closed
 * @card: the card
 *
 * In the order in which they came: a ring comes behind the pipe that shares it.
 * Stops when the card does not answer again. Until then messages may go to those
 * pipes, and an exclusive channel is taken.
 */
void nfpc_limbo_retry(struct nfpc_card *card)
{
	struct nfpc_limbo *limbo;

	lockdep_assert_held(&card->win_sem);
	if (list_empty_careful(&card->limbo))
		return;
	mutex_lock(&card->limbo_lock);
	while ((limbo = limbo_first(card)) && nfpc_pipe_nr_close(card, limbo->nr)) {
		mutex_lock(&card->pipes_lock);
		list_del(&limbo->node);
		nfpc_pipe_nr_free(card, limbo->nr, limbo->inline_page, limbo->signal_db);
		mutex_unlock(&card->pipes_lock);
		limbo_free(card, limbo);
	}
	mutex_unlock(&card->limbo_lock);
}

/* At detach. @quiet: the card has confirmed, or cannot do DMA any more. */
void nfpc_limbo_end(struct nfpc_card *card, bool quiet)
{
	struct nfpc_limbo *limbo, *next;

	lockdep_assert_held_write(&card->win_sem);
	list_for_each_entry_safe(limbo, next, &card->limbo, node) {
		list_del(&limbo->node);
		if (!quiet) {
			nfpc_dma_abandon(card, &limbo->note);
			nfpc_dma_abandon(card, &limbo->ring);
			nfpc_device_drop(card, limbo->device, false);
			limbo->device = NULL;
		}
		limbo_free(card, limbo);
	}
}

/* Not sooner than that: an interrupt may be on its way. */
static void irqs_watch(struct nfpc_card *card)
{
	if (time_before(jiffies, READ_ONCE(card->watch_at)))
		return;
	WRITE_ONCE(card->watch_at, jiffies + HEALTH_PERIOD);
	nfpc_irqs_watch(card);
}

static void health(struct work_struct *work)
{
	struct nfpc_card *card = container_of(to_delayed_work(work),
					      struct nfpc_card, health);

	down_read(&card->win_sem);
	if (card->live && nfpc_window_check(card)) {
		nfpc_limbo_retry(card);
		irqs_watch(card);
		nfpc_health_schedule(card, HEALTH_PERIOD);
	}
	up_read(&card->win_sem);
}

void nfpc_health_init(struct nfpc_card *card)
{
	mutex_init(&card->limbo_lock);
	INIT_LIST_HEAD(&card->limbo);
	INIT_DELAYED_WORK(&card->health, health);
}

/* Under win_sem of a live card: so none is under way once it was detached. */
void nfpc_health_schedule(struct nfpc_card *card, unsigned long delay)
{
	lockdep_assert_held(&card->win_sem);
	/* Freezable: of a card that sleeps with the machine all reads are ones. */
	mod_delayed_work(system_freezable_wq, &card->health, delay);
}

void nfpc_health_start(struct nfpc_card *card)
{
	/* At a card that was taken for another, beside the work. */
	WRITE_ONCE(card->watch_at, jiffies);
	nfpc_health_schedule(card, HEALTH_PERIOD);
}

/* Not live any more. Without win_sem, which the work takes. */
void nfpc_health_stop(struct nfpc_card *card)
{
	cancel_delayed_work_sync(&card->health);
}

/* Commands are again: what waits for that need not wait for the next look. */
void nfpc_health_answered(struct nfpc_card *card)
{
	if (card->live && !list_empty_careful(&card->limbo))
		nfpc_health_schedule(card, 0);
}
