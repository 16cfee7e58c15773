// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* port_list.c - the channels of a port, and the list of those to look at. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "port.h"

#define SLOTS_FIRST	16

void port_init(struct nfpchan_port *port, int wake_fd)
{
	port->done_end = &port->done;
	port->legs[0].ch = &port->ch;
	port->leg_count = 1;
	port->alive = 1;
	port->epoll_fd = -1;
	port->wake_fd = wake_fd;
	port->ch.wake = wake_fd + 1;
}

void port_exit(struct nfpchan_port *port)
{
	uint32_t i;

	for (i = 0; i < port->slot_count; i++)
		if (port->slots[i].ch)
			port->slots[i].ch->port = NULL;
	free(port->slots);
	if (port->epoll_fd >= 0)
		close(port->epoll_fd);
	if (port->wake_fd >= 0)
		close(port->wake_fd);
}

/* ---- channels ---- */

static int slot_find(struct nfpchan_port *port, uint32_t *slot)
{
	uint32_t i, n = port->slot_count ? 2 * port->slot_count : SLOTS_FIRST;
	struct port_slot *slots;

	for (i = 0; i < port->slot_count; i++)
		if (!port->slots[i].used)
			break;
	*slot = i;
	if (i < port->slot_count)
		return 0;
	slots = realloc(port->slots, n * sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	memset(slots + i, 0, (n - i) * sizeof(*slots));
	port->slots = slots;
	port->slot_count = n;
	return 0;
}

int port_reserve(struct nfpchan_port *port, unsigned int leg, uint64_t *cookie)
{
	struct port_slot *s;
	uint32_t slot;
	int err;

	chan_lock(&port->ch);
	err = slot_find(port, &slot);
	if (!err) {
		s = &port->slots[slot];
		s->used = true;
		s->leg = leg;
		/* Elements for the slot's last channel may still arrive, with its generation. */
		s->gen = s->gen == UINT32_MAX ? 1 : s->gen + 1;
		*cookie = (uint64_t)s->gen << 32 | slot;
	}
	chan_unlock(&port->ch);
	return err;
}

void port_attach(struct nfpchan_port *port, uint64_t cookie, struct nfpchan *ch)
{
	struct port_slot *s;

	chan_lock(&port->ch);
	s = &port->slots[(uint32_t)cookie];
	s->ch = ch;
	s->used = ch != NULL;
	if (ch) {
		ch->port = port;
		ch->slot = (uint32_t)cookie;
		ch->reqs_end = &ch->reqs;
		/* Any thread that waits for the port looks at the channel: its lock is needed. */
		if (!port->ch.ring.alone)
			ring_alone(&ch->ring, false);
		/* Elements that arrived before this were not matched to the channel: look at it. */
		port_ready(port, ch);
		port_wake(port);
	}
	chan_unlock(&port->ch);
}

/* ---- the list of channels to look at ---- */

/* Append @ch: the list is circular, so its end is before its first channel. */
void port_ready(struct nfpchan_port *port, struct nfpchan *ch)
{
	struct nfpchan *first = port->ready;

	if (ch->ready_next)
		return;
	if (!first) {
		ch->ready_next = ch;
		ch->ready_prev = ch;
		port->ready = ch;
	} else {
		ch->ready_next = first;
		ch->ready_prev = first->ready_prev;
		first->ready_prev->ready_next = ch;
		first->ready_prev = ch;
	}
	port->ready_count++;
}

void port_quiet(struct nfpchan_port *port, struct nfpchan *ch)
{
	if (!ch->ready_next)
		return;
	if (port->ready == ch)
		port->ready = ch->ready_next == ch ? NULL : ch->ready_next;
	ch->ready_prev->ready_next = ch->ready_next;
	ch->ready_next->ready_prev = ch->ready_prev;
	ch->ready_next = NULL;
	port->ready_count--;
}

void port_wake(struct nfpchan_port *port)
{
	if (port->leaving == port->waiting || port->wake_fd < 0)
		return;
	port->wakes++;
	if (!port->leaving)
		eventfd_write(port->wake_fd, 1);
	port->leaving = port->waiting;
}

void port_leg_dead(struct nfpchan_port *port, struct port_leg *leg)
{
	unsigned int i, which = (unsigned int)(leg - port->legs);
	struct port_slot *s;

	if (leg->dead)
		return;
	leg->dead = true;
	port->alive--;
	/* The pipe stays readable, so it would end every sleep. */
	if (port->epoll_fd >= 0)
		epoll_ctl(port->epoll_fd, EPOLL_CTL_DEL, leg->ch->fd, NULL);
	for (i = 0; i < port->slot_count; i++) {
		s = &port->slots[i];
		if (!s->ch || s->ch->closing || s->leg != which)
			continue;
		s->ch->told = true;
		port_ready(port, s->ch);
	}
	/* The pipe is not in the epoll any more, so it does not wake threads that sleep. */
	port_wake(port);
}
