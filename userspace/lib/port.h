/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * port.h - ports and asynchronous requests, as the library's own files see them.
 *
 * The port's lock comes before that of a channel on it.
 */
#ifndef NFPCHAN_LIB_PORT_H
#define NFPCHAN_LIB_PORT_H

#include "chan.h"

/**
 * struct port_slot - what a cookie stands for
 * @ch: the channel, NULL while it is being opened, and of a free slot
 * @leg: what it reports to
 * @gen: which of the slot's channels that is; never 0
 * @used: the slot is not free
 */
struct port_slot {
	struct nfpchan *ch;
	unsigned int leg;
	uint32_t gen;
	bool used;
};

#define PORT_CARDS	16	/* that a port may have, at most */

/**
 * struct port_leg - what a port has on a card: a pipe
 * @ch: the pipe
 * @card: the card's device number
 * @dead: it has failed: nothing will come from there
 */
struct port_leg {
	struct nfpchan *ch;
	dev_t card;
	bool dead;
};

/**
 * struct nfpchan_port - an open port
 * @ch: its own pipe, on the first card; @ch.lock guards what follows
 * @legs: its pipes, @ch first
 * @leg_count: how many
 * @alive: those that have not failed
 * @turn: which is looked at next
 * @epoll_fd: of a port with several: what they are polled by, else -1
 * @slots: by the low half of a cookie, the high half being the generation
 * @slot_count: how many
 * @ready: channels that may have something to do, a list round and round; the
 *	next one to look at
 * @ready_count: how many
 * @done: requests that are complete and were not given out
 * @done_end: where the next one goes
 * @look_first: this time a channel is looked at though @done fills all the room
 * @waiting: threads that have found nothing and may be asleep
 * @wakes: how many times these were woken
 * @leaving: those of them who were, and have not come back to look
 * @wake_fd: eventfd: something is there that no element tells of. Readable while
 *	there are @leaving, as nobody else may take what woke them
 *
 * A channel that is not in @ready was looked at, behind the last element that
 * told of it, and had nothing.
 */
struct nfpchan_port {
	struct nfpchan ch;
	struct port_leg legs[PORT_CARDS];
	unsigned int leg_count;
	unsigned int alive;
	unsigned int turn;
	int epoll_fd;
	struct port_slot *slots;
	uint32_t slot_count;
	struct nfpchan *ready;
	unsigned int ready_count;
	struct nfpchan_async *done;
	struct nfpchan_async **done_end;
	bool look_first;
	unsigned int waiting;
	unsigned int wakes;
	unsigned int leaving;
	int wake_fd;
};

/* All but @ch, which is open. @wake_fd: or -1, where nobody sleeps. */
void port_init(struct nfpchan_port *port, int wake_fd);

/* Forget all channels and requests, which belong to the callers again. */
void port_exit(struct nfpchan_port *port);

/*
 * port_card.c: it has the card of @ch, a port's pipe that is open, as well; @card is
 * its device number. 0 or -errno, and @ch is the caller's still.
 */
int port_join(struct nfpchan_port *port, struct nfpchan *ch, dev_t card);

/* port_card.c: the leg on a card; of a card that the port does not have the first. */
unsigned int port_leg_of(struct nfpchan_port *port, dev_t card);

/* A cookie for a channel that is about to be opened on a leg: 0 or -ENOMEM. */
int port_reserve(struct nfpchan_port *port, unsigned int leg, uint64_t *cookie);

/* It is open, or was not opened (NULL). */
void port_attach(struct nfpchan_port *port, uint64_t cookie, struct nfpchan *ch);

/* @ch closes: its requests are complete. */
void port_detach(struct nfpchan *ch);

/*
 * async.c, of a channel that is closing, without the lock, as it may take a while:
 * take back the message of a rendezvous that is on offer. How its request ends.
 */
ssize_t async_take_back(struct nfpchan *ch);

/* ---- under the port's lock ---- */

/* Have @ch looked at. */
void port_ready(struct nfpchan_port *port, struct nfpchan *ch);

/* port_card.c: the leg has failed. Its channels are looked at: they say why. */
void port_leg_dead(struct nfpchan_port *port, struct port_leg *leg);

/* Take @ch out of those that are to be looked at. */
void port_quiet(struct nfpchan_port *port, struct nfpchan *ch);

/* Something is there for those who wait already: each of them looks. */
void port_wake(struct nfpchan_port *port);

/* async.c: do what can be done of the channel's requests. */
void async_run(struct nfpchan_port *port, struct nfpchan *ch);

/* async.c: the channel closes, and the first of its requests ends like this. */
void async_cancel(struct nfpchan_port *port, struct nfpchan *ch, ssize_t first);

/* ---- */

/**
 * port_select() - the first of @cases that can be done, by what the port tells
 *
 * Cases of other channels than those on the port, and sends, are passed over.
 * With @wait, if that is not NULL, who gets -EAGAIN calls port_pause().
 *
 * Return: index of the case, -EAGAIN, or the port's own failure.
 */
int port_select(struct nfpchan_port *port, struct nfpchan_case *cases, unsigned int n,
		struct pause *wait);

/* Do the case if it can be done. */
ssize_t case_try(struct nfpchan_case *c);

/* After a look that was to be waited for and found nothing; as chan_pause(). */
int port_pause(struct nfpchan_port *port, struct pause *p);

#endif /* NFPCHAN_LIB_PORT_H */
