// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * port_cards.c - 256 channels of several cards on one port: waits, selects and polls.
 * One of the cards is removed meanwhile, and comes back. A channel cannot share its ring
 * with a channel of another card.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include "chan_test.h"

#define CARDS	9
#define CHANS	256
#define SIZE	64
#define EVENTS	32

/**
 * struct unit - a card
 * @card: the library's handle
 * @ctl: a channel that makes the card's other channels send
 * @name: its device
 */
struct unit {
	struct nfpchan_card *card;
	struct nfpchan *ctl;
	char name[32];
};

/**
 * struct chan - a channel
 * @ch: its handle
 * @unit: its card
 * @got: messages received
 */
struct chan {
	struct nfpchan *ch;
	unsigned int unit;
	unsigned int got;
};

static struct unit units[CARDS];
static struct chan chans[CHANS];
static struct nfpchan_case cases[CHANS];
static struct nfpchan_port *port;
static char buf[MSG_MAX];

static void unit_start(struct unit *u)
{
	struct nfpchan_opts o = { .size = sizeof(o), .spin_us = NO_SPIN };
	char why[256];

	if (nfpchan_card_open(&u->card, u->name, why, sizeof(why)))
		give_up(u->name, why);
	if (nfpchan_open(&u->ctl, u->card, "load-ctl", &o))
		give_up(u->name, nfpchan_card_error(u->card, why, sizeof(why)));
}

static struct nfpchan *on_port(struct unit *u)
{
	struct nfpchan_opts o = { .size = sizeof(o), .ring_size = 16384, .port = port };
	struct nfpchan *ch;
	char why[256];

	if (nfpchan_open(&ch, u->card, "load", &o))
		give_up("load", nfpchan_card_error(u->card, why, sizeof(why)));
	return ch;
}

static void order(struct unit *u, unsigned int count)
{
	struct load_req req = {
		.count = htole32(count), .size = htole32(SIZE), .target = htole32(LOAD_LOAD),
	};

	if (nfpchan_send(u->ctl, &req, sizeof(req), WAIT_NS))
		give_up(u->name, "load-ctl");
}

static struct chan *chan_of(const struct nfpchan *ch)
{
	for (unsigned int i = 0; i < CHANS; i++)
		if (chans[i].ch == ch)
			return &chans[i];
	give_up("event", "no such channel");
}

static unsigned int received(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < CHANS; i++)
		n += chans[i].got;
	return n;
}

static void reset(void)
{
	for (unsigned int i = 0; i < CHANS; i++)
		chans[i].got = 0;
}

static unsigned int received_of(unsigned int unit)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < CHANS; i++)
		n += chans[i].unit == unit ? chans[i].got : 0;
	return n;
}

static bool everyone(void)
{
	for (unsigned int i = 0; i < CHANS; i++)
		if (!chans[i].got)
			return false;
	return true;
}

static void open_all(void)
{
	struct nfpchan_opts o = { .size = sizeof(o), .spin_us = NO_SPIN };
	unsigned int pipes = 0;
	char why[256];

	for (unsigned int i = 0; i < CARDS; i++) {
		snprintf(units[i].name, sizeof(units[i].name), "nfp_chan%u", i);
		unit_start(&units[i]);
	}
	if (nfpchan_port_open(&port, units[0].card, &o))
		give_up("port", nfpchan_card_error(units[0].card, why, sizeof(why)));
	for (unsigned int i = 1; i < CARDS; i++)
		if (nfpchan_port_add(port, units[i].card, NULL))
			give_up("port", nfpchan_card_error(units[i].card, why, sizeof(why)));
	is(nfpchan_port_add(port, units[3].card, NULL), -EEXIST, "a card is added once");
	ok(strstr(nfpchan_card_error(units[3].card, why, sizeof(why)), units[3].name) != NULL,
	   "the message names it");
	for (unsigned int i = 0; i < CHANS; i++) {
		chans[i].unit = i % CARDS;
		chans[i].ch = on_port(&units[i % CARDS]);
		cases[i] = (struct nfpchan_case){ chans[i].ch, buf, sizeof(buf), 1, 0 };
	}
	for (unsigned int i = 0; i < CARDS; i++) {
		struct nfp_chan_info info = { .size = sizeof(info) };

		nfpchan_card_info(units[i].card, &info);
		pipes += info.pipe_used;
	}
	/* On each card, the port has a pipe of its own, and load-ctl is open. */
	is(pipes, CHANS + 2 * CARDS, "all channels of all cards are open on one port");
}

/* Receive from the channels that the port reports, until @count messages have come. 0 or -errno. */
static int take(unsigned int count)
{
	struct nfpchan_event ev[EVENTS];
	ssize_t len;
	int n;

	while (received() < count) {
		n = nfpchan_port_wait(port, ev, EVENTS, WAIT_NS);
		if (n < 0)
			return n;
		for (int i = 0; i < n; i++) {
			len = nfpchan_recv(ev[i].ch, buf, sizeof(buf), NFPCHAN_NONBLOCK);
			if (len == SIZE)
				chan_of(ev[i].ch)->got++;
			else if (len != -EAGAIN)
				return (int)len;
		}
	}
	return 0;
}

static void *sender(void *arg)
{
	/* When the main thread sleeps in poll() on all cards, have the last card send. */
	UNTIL(sleeping_in(*(pid_t *)arg) == SYS_ppoll);
	order(&units[CARDS - 1], 1);
	return NULL;
}

static void waits(void)
{
	pid_t self = getpid();
	pthread_t thread;
	unsigned int i;

	pthread_create(&thread, NULL, sender, &self);
	is(take(1), 0, "a sleeping wait is woken by the last card");
	pthread_join(thread, NULL);
	is(received_of(CARDS - 1), 1, "the event is of a channel of that card");
	reset();
	for (i = 0; i < CARDS; i++)
		order(&units[i], 300);
	is(take(300 * CARDS), 0, "messages of all cards");
	for (i = 0; i < CARDS && received_of(i) == 300; i++)
		;
	is(i, CARDS, "300 of each card");
	ok(everyone(), "on every channel");
	reset();
}

static void selects(void)
{
	int i;

	for (i = 0; i < CARDS; i++)
		order(&units[i], 100);
	while (received() < 100 * CARDS) {
		i = nfpchan_select(cases, CHANS, WAIT_NS);
		if (i < 0 || cases[i].ret != SIZE)
			break;
		chans[i].got++;
	}
	is(received(), 100 * CARDS, "a select of 256 receives has all of them");
	for (i = 0; i < CARDS && received_of(i) == 100; i++)
		;
	is(i, CARDS, "100 of each card");
	is(nfpchan_select(cases, CHANS, NFPCHAN_NONBLOCK), -EAGAIN, "and no more");
	reset();
}

static void polls(void)
{
	int fd = nfpchan_port_fd(port);
	struct nfpchan_event ev;

	while (nfpchan_port_wait(port, &ev, 1, NFPCHAN_NONBLOCK) != -EAGAIN)
		;
	is(events_of(fd, POLLIN, 0), 0, "the port's file is not readable");
	order(&units[4], 1);
	is(events_of(fd, POLLIN, WAIT_MS), POLLIN, "until one of the cards has a message");
	is(take(1), 0, "the port reports it");
	reset();
}

/* Check that each channel of @unit reports the end of its card, and close it. Return how many. */
static unsigned int bury(unsigned int unit)
{
	struct nfpchan_event ev[EVENTS];
	unsigned int n = 0;
	int got;

	while ((got = nfpchan_port_wait(port, ev, EVENTS, NFPCHAN_NONBLOCK)) > 0)
		for (int i = 0; i < got; i++) {
			struct chan *c = chan_of(ev[i].ch);

			if (nfpchan_recv(c->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) == -ENODEV)
				n += c->unit == unit;
			nfpchan_close(c->ch);
			c->ch = NULL;
		}
	return n;
}

static void goes(unsigned int unit, unsigned int its)
{
	struct unit *u = &units[unit];
	struct nfp_chan_info info = { .size = sizeof(info) };
	char why[256];

	nfpchan_card_info(u->card, &info);
	file_put("/sys/bus/pci/drivers/nfp/unbind", info.pci);
	is(take(1), -ENODEV, "a card is removed: a wait on the port ends");
	is(bury(unit), its, "the port reports each of its channels, which fail with ENODEV");
	order(&units[(unit + 1) % CARDS], 50);
	is(take(50), 0, "channels of other cards go on");
	reset();
	nfpchan_close(u->ctl);
	nfpchan_card_close(u->card);
	file_put("/sys/bus/pci/drivers/nfp/bind", info.pci);
	snprintf(why, sizeof(why), "/dev/%s", u->name);
	if (!UNTIL(!access(why, R_OK | W_OK)))
		give_up(u->name, "it does not come back");
	unit_start(u);
	is(nfpchan_port_add(port, u->card, NULL), 0, "it comes back, and is added again");
	for (unsigned int i = 0; i < CHANS; i++)
		if (!chans[i].ch)
			chans[i].ch = on_port(u);
	order(u, 100);
	is(take(100), 0, "the port reports new channels of it");
	is(received_of(unit), 100, "all events are of that card");
	reset();
}

/* nfpchan_open_return() needs two channels of the same card. */
static void strangers(void)
{
	struct unit *here = &units[0], *there = &units[CARDS - 1];
	struct nfpchan *in, *out;
	char why[256];

	if (nfpchan_open(&in, there->card, "source64", NULL))
		give_up("source64", nfpchan_card_error(there->card, why, sizeof(why)));
	is(nfpchan_open_return(&out, here->card, "sink64", in, NULL), -EXDEV,
	   "no channel is opened in the ring of another card's");
	ok(strstr(nfpchan_card_error(here->card, why, sizeof(why)), "source64") != NULL,
	   "the message names that one");
	is(nfpchan_open_return(&out, there->card,
	   "sink64", in, NULL), 0, "a channel of the same card does");
	nfpchan_close(out);
	nfpchan_close(in);
}

int main(void)
{
	signal(SIGALRM, on_alarm);
	alarm(4 * PROGRAM_S);
	open_all();
	waits();
	selects();
	polls();
	strangers();
	goes(CARDS - 1, CHANS / CARDS);
	/* Also the first card, which has the port's own pipe. */
	goes(0, CHANS / CARDS + 1);
	nfpchan_port_close(port);
	for (unsigned int i = 0; i < CHANS; i++)
		nfpchan_close(chans[i].ch);
	return tap_done();
}
