// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * port_card.c - open ports, and add cards to them.
 *
 * A port has one pipe on each of its cards. If it has several, an epoll instance has all pipes
 * and the eventfd of the wake-ups.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "card_handle.h"
#include "port.h"

/* The last pipe (leg) on @card that has failed (@dead) or not, or NULL if there is none. */
static struct port_leg *leg_find(struct nfpchan_port *port, dev_t card, bool dead)
{
	unsigned int i;

	for (i = port->leg_count; i--;)
		if (port->legs[i].card == card && port->legs[i].dead == dead)
			return &port->legs[i];
	return NULL;
}

unsigned int port_leg_of(struct nfpchan_port *port, dev_t card)
{
	struct port_leg *leg;

	chan_lock(&port->ch);
	leg = leg_find(port, card, false);
	chan_unlock(&port->ch);
	return leg ? (unsigned int)(leg - port->legs) : 0;
}

/* ---- several cards ---- */

static int poll_add(int epoll_fd, int fd)
{
	struct epoll_event e = { .events = EPOLLIN };

	/* A port without a wake_fd has no threads that sleep. */
	if (fd < 0 || !epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &e))
		return 0;
	return -errno;
}

/* Make the port's fd an epoll instance, which can poll the pipes of several cards. */
static int poll_start(struct nfpchan_port *port)
{
	int fd, err;

	if (port->epoll_fd >= 0)
		return 0;
	fd = epoll_create1(EPOLL_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = poll_add(fd, port->wake_fd);
	if (!err && !port->legs[0].dead)
		err = poll_add(fd, port->ch.fd);
	if (err) {
		close(fd);
		return err;
	}
	port->epoll_fd = fd;
	port->ch.mute = true;
	port->ch.wake = fd + 1;
	return 0;
}

/* A place for a new pipe: that of a failed pipe on this card, or a free one, or NULL. */
static struct port_leg *leg_place(struct nfpchan_port *port, dev_t card)
{
	struct port_leg *leg = leg_find(port, card, true);

	/* The first leg's pipe is a part of the port's memory, so it cannot be replaced. */
	if (leg && leg != port->legs)
		return leg;
	return port->leg_count < PORT_CARDS ? &port->legs[port->leg_count] : NULL;
}

static int join(struct nfpchan_port *port, struct nfpchan *ch, dev_t card)
{
	struct port_leg *leg = leg_place(port, card);
	int err;

	if (leg_find(port, card, false))
		return -EEXIST;
	if (!leg)
		return -ENOSPC;
	err = poll_start(port);
	if (!err)
		err = poll_add(port->epoll_fd, ch->fd);
	if (err)
		return err;
	/* A CPU can monitor one cache line only. */
	if (port->ch.policy.watch == WATCH_MONITOR)
		port->ch.policy.watch = WATCH_SPIN;
	if (leg->ch) {
		chan_stop(leg->ch);
		free(leg->ch);
	} else {
		port->leg_count++;
	}
	*leg = (struct port_leg){ .ch = ch, .card = card };
	port->alive++;
	/* Threads that sleep poll the old descriptor: wake them. */
	port_wake(port);
	return 0;
}

int port_join(struct nfpchan_port *port, struct nfpchan *ch, dev_t card)
{
	int saved = errno, err;

	chan_lock(&port->ch);
	err = join(port, ch, card);
	chan_unlock(&port->ch);
	errno = saved;
	return err;
}

/* ---- the handle ---- */

/* Open a pipe on @card for a port. @ch is all zeros; its name is set here. */
static int pipe_start(struct nfpchan_card *card, struct nfpchan *ch,
		      const struct nfpchan_opts *o)
{
	strcpy(ch->name, "port");
	return card->ops->port(card, ch, o);
}

int nfpchan_port_open(struct nfpchan_port **out, struct nfpchan_card *card,
		      const struct nfpchan_opts *opts)
{
	int saved = errno, err, wake;
	struct nfpchan_port *port;
	struct nfpchan_opts o;

	*out = NULL;
	err = chan_opts(card, opts, &o);
	if (err)
		return err;
	port = calloc(1, sizeof(*port));
	if (!port)
		return card_fail(card, -ENOMEM, "port: out of memory");
	wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (wake < 0) {
		err = card_fail(card, -errno, "port: no eventfd: %s", strerrordesc_np(errno));
		goto fail_free;
	}
	port_init(port, wake);
	err = pipe_start(card, &port->ch, &o);
	if (err)
		goto fail_wake;
	port->legs[0].card = card->dev;
	*out = port;
	return 0;

fail_wake:
	close(wake);
fail_free:
	free(port);
	errno = saved;
	return err;
}

static int add_fail(struct nfpchan_card *card, int err)
{
	switch (err) {
	case -EEXIST:
		return card_fail(card, err, "port: it has %s already", card->path);
	case -ENOSPC:
		return card_fail(card, err, "port: it has %d cards, which is all it may have",
				 PORT_CARDS);
	}
	return card_fail(card, err, "port: cannot poll %s: %s", card->path,
			 strerrordesc_np(-err));
}

int nfpchan_port_add(struct nfpchan_port *port, struct nfpchan_card *card,
		     const struct nfpchan_opts *opts)
{
	struct nfpchan_opts o;
	struct nfpchan *ch;
	int err;

	err = chan_opts(card, opts, &o);
	if (err)
		return err;
	/* Locking and waiting are those of the port, whatever @opts says. */
	o.flags = port->ch.ring.alone ? NFPCHAN_ALONE : 0;
	ch = calloc(1, sizeof(*ch));
	if (!ch)
		return card_fail(card, -ENOMEM, "port: out of memory");
	err = pipe_start(card, ch, &o);
	if (err)
		goto fail_free;
	err = port_join(port, ch, card->dev);
	if (err) {
		add_fail(card, err);
		goto fail_stop;
	}
	return 0;

fail_stop:
	chan_stop(ch);
fail_free:
	free(ch);
	return err;
}

void nfpchan_port_close(struct nfpchan_port *port)
{
	unsigned int i;

	if (!port)
		return;
	port_exit(port);
	for (i = 1; i < port->leg_count; i++) {
		chan_stop(port->legs[i].ch);
		free(port->legs[i].ch);
	}
	chan_stop(&port->ch);
	free(port);
}

int nfpchan_port_fd(const struct nfpchan_port *port)
{
	return port->epoll_fd >= 0 ? port->epoll_fd : port->ch.fd;
}

char *nfpchan_port_error(struct nfpchan_port *port, char *buf, size_t len)
{
	struct nfpchan *ch = &port->ch;
	unsigned int i;

	chan_lock(&port->ch);
	/* The text is that of the pipe that has failed. */
	for (i = 0; i < port->leg_count; i++)
		if (port->legs[i].dead)
			ch = port->legs[i].ch;
	if (ch == &port->ch)
		chan_error(ch, buf, len);
	else
		nfpchan_error(ch, buf, len);
	chan_unlock(&port->ch);
	return buf;
}
