/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * port.h - ports and asynchronous requests, for the library's own files.
 *
 * A thread takes the port's lock before that of one of its channels.
 */
#ifndef NFPCHAN_LIB_PORT_H
#define NFPCHAN_LIB_PORT_H

#include "chan_handle.h"

/**
 * struct port_slot - a channel of a port, which a cookie names
 * @ch: the channel; NULL: it is being opened, or the slot is free
 * @leg: index of the leg that the channel reports to
 * @gen: generation: tells the slot's channels apart; never 0
 * @used: the slot is not free
 */
struct port_slot {
	struct nfpchan *ch;
	unsigned int leg;
	uint32_t gen;
	bool used;
};

#define PORT_CARDS	16	/* cards that a port may have */

/**
 * struct port_leg - a port's pipe on one card
 * @ch: the pipe
 * @card: device number of the card
 * @dead: the pipe has failed, so no news come from this card
 */
struct port_leg {
	struct nfpchan *ch;
	dev_t card;
	bool dead;
};

/**
 * struct nfpchan_port - an open port
 * @ch: the pipe on the first card. @ch.lock guards the fields below
 * @legs: the pipes; the first one is @ch
 * @leg_count: number of pipes
 * @alive: number of pipes that have not failed
 * @turn: index of the pipe to look at next
 * @epoll_fd: a port with several cards: epoll of their pipes; else -1
 * @slots: channels. The low half of a cookie is an index, the high half a generation
 * @slot_count: number of slots
 * @ready: circular list of channels that may have news: the next one to look at
 * @ready_count: number of channels in the list
 * @done: requests that are complete and were not returned to the caller
 * @done_end: where the pointer to the next such request goes
 * @look_first: this call keeps the last place for a channel, even if @done fills all places
 * @waiting: threads that have found nothing and may sleep
 * @wakes: number of wake-ups of such threads
 * @leaving: threads that were woken and have not looked since
 * @wake_fd: eventfd for news that is not from a card's element. It stays readable while there
 *	are @leaving threads, because each of them has to wake up
 *
 * A channel that is not in the list had nothing at the last look, and no element has named it
 * since.
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

/* Initialise all fields except @ch, which is open. @wake_fd may be -1 if no thread sleeps. */
void port_init(struct nfpchan_port *port, int wake_fd);

/* Detach all channels. Requests belong to their callers again. */
void port_exit(struct nfpchan_port *port);

/*
 * port_card.c: add @ch, an open pipe on the card with device number @card. Returns 0 or
 * -errno; after a failure @ch still belongs to the caller.
 */
int port_join(struct nfpchan_port *port, struct nfpchan *ch, dev_t card);

/* port_card.c: index of the leg on a card, or 0 if the port does not have the card. */
unsigned int port_leg_of(struct nfpchan_port *port, dev_t card);

/* Make a cookie for a channel that is about to be opened on a leg. Returns 0 or -ENOMEM. */
int port_reserve(struct nfpchan_port *port, unsigned int leg, uint64_t *cookie);

/* The channel of the cookie is open, or (NULL) could not be opened. */
void port_attach(struct nfpchan_port *port, uint64_t cookie, struct nfpchan *ch);

/* @ch is being closed: complete its requests and detach it. */
void port_detach(struct nfpchan *ch);

/*
 * async.c: @ch is being closed: take back the message of a rendezvous that is on offer.
 * Called without the lock, because the card may take a while. Returns the result of the
 * request.
 */
ssize_t async_take_back(struct nfpchan *ch);

/* ---- the caller holds the port's lock ---- */

/* Put @ch into the list of channels to look at. */
void port_ready(struct nfpchan_port *port, struct nfpchan *ch);

/*
 * port_card.c: waiting at the card of @leg has failed. Put all channels of the leg into the list of
 * channels to look at, so that each call on them reports the failure.
 */
void port_leg_dead(struct nfpchan_port *port, struct port_leg *leg);

/* Take @ch out of the list of channels to look at. */
void port_quiet(struct nfpchan_port *port, struct nfpchan *ch);

/* Wake all threads that wait, so that each of them looks. */
void port_wake(struct nfpchan_port *port);

/* async.c: work on the channel's requests as far as possible. */
void async_run(struct nfpchan_port *port, struct nfpchan *ch);

/* async.c: complete all requests of a channel that is being closed, the first with @first. */
void async_cancel(struct nfpchan_port *port, struct nfpchan *ch, ssize_t first);

/* ---- the caller does not hold the port's lock ---- */

/**
 * port_select() - do the first of @cases that can be done, by what the port tells
 *
 * Ignores sends, and cases on channels of other ports. With a @wait that is not NULL, the caller
 * calls port_pause() after -EAGAIN.
 *
 * Return: index of the case, -EAGAIN, or the failure of a card.
 */
int port_select(struct nfpchan_port *port, struct nfpchan_case *cases, unsigned int n,
		struct pause *wait);

/* Do the case, or return -EAGAIN. */
ssize_t case_try(struct nfpchan_case *c);

/* Wait, after a look that found nothing. As chan_pause(). */
int port_pause(struct nfpchan_port *port, struct pause *p);

#endif /* NFPCHAN_LIB_PORT_H */
