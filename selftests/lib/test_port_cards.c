// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_port_cards.c - a port with channels of several cards.
 *
 * A process can have one card only. So the pipes of the "other" cards are of the same card, which
 * makes no difference to the library.
 */
#define _GNU_SOURCE
#include "port_rig.h"

#define CARD	5	/* device number of the second card; later cards count up */

/**
 * struct leg - the port's own pipe on another card
 * @ch: its handle; the port frees it, once it was added
 * @end: the host's memory of the pipe
 */
struct leg {
	struct nfpchan *ch;
	struct end end;
};

static void leg_open(struct leg *l, struct rig *r, unsigned int pipe)
{
	end_open_port(&l->end, r->h, pipe);
	l->ch = malloc(sizeof(*l->ch));
	assert_non_null(l->ch);
	handle_init(l->ch, &l->end, NFP_CHAN_ID_PORT);
}

static void leg_add(struct leg *l, struct rig *r, unsigned int pipe, dev_t card)
{
	leg_open(l, r, pipe);
	assert_int_equal(port_join(&r->port, l->ch, card), 0);
}

static void rig_end(struct rig *r)
{
	port_exit(&r->port);
	for (unsigned int i = 1; i < r->port.leg_count; i++)
		free(r->port.legs[i].ch);
}

static void add(void **state)
{
	struct leg more[PORT_CARDS], again;
	struct rig r;
	unsigned int i;

	rig_start(&r, *state);
	assert_int_equal(port_leg_of(&r.port, CARD), 0);
	for (i = 1; i < PORT_CARDS; i++)
		leg_add(&more[i], &r, i, CARD + i);
	assert_int_equal(port_leg_of(&r.port, CARD + 3), 3);
	leg_open(&again, &r, 20);
	assert_int_equal(port_join(&r.port, again.ch, CARD + 3), -EEXIST);
	assert_int_equal(port_join(&r.port, again.ch, CARD + 99), -ENOSPC);
	free(again.ch);
	assert_int_equal(r.port.leg_count, PORT_CARDS);
	rig_end(&r);
}

/* The port reports channels of both cards, also while one of them always has messages. */
static void tells(void **state)
{
	unsigned int count[2] = { 0 }, gaps = 0;
	struct nfpchan_event ev[EVENTS];
	struct chan ctl, rx[2];
	struct leg two;
	struct rig r;
	char buf[16];
	int n;

	rig_start(&r, *state);
	leg_add(&two, &r, 30, CARD);
	chan_plain(&ctl, r.h, 29, CHAN_ID_LOAD_CTL, 12);
	chan_on(&rx[0], &r, 0, CHAN_ID_LOAD, 18);
	assert_null(told_of(&r));
	load(&ctl, 100);
	/* Only that channel's card had news so far. */
	assert_ptr_equal(told_of(&r), &rx[0].ch);
	chan_on_leg(&rx[1], &r, 1, &two.end, 1, CHAN_ID_LOAD, 18);
	load(&ctl, 100);
	for (unsigned int i = 0; i < 62; i++) {
		n = wait_now(&r, ev, EVENTS);
		/* The first record of a channel tells of one message. */
		if (n == -EAGAIN && ++gaps <= 2)
			continue;
		assert_in_range(n, 1, 2);
		for (int k = 0; k < n; k++) {
			assert_int_equal(nfpchan_recv(ev[k].ch, buf, sizeof(buf),
						      NFPCHAN_NONBLOCK), 16);
			count[ev[k].ch == &rx[1].ch]++;
		}
	}
	assert_in_range(count[0], 58, 62);
	assert_in_range(count[1], 58, 62);
	rig_end(&r);
}

/*
 * If the first channel that the port has in its list has no message, or is not one of the
 * select's, the call looks at the other cards before it returns -EAGAIN.
 */
static void looks_at_all(void **state)
{
	struct nfpchan_case c;
	struct nfpchan_event ev[EVENTS];
	struct chan ctl, rx, other;
	struct leg more[4];
	struct rig r;
	char buf[16];

	rig_start(&r, *state);
	for (unsigned int i = 1; i < 4; i++)
		leg_add(&more[i], &r, 10 + i, CARD + i);
	chan_plain(&ctl, r.h, 29, CHAN_ID_LOAD_CTL, 12);
	chan_on_leg(&rx, &r, 1, &more[1].end, 0, CHAN_ID_TICK, 12);
	chan_on_leg(&other, &r, 3, &more[3].end, 1, CHAN_ID_LOAD, 18);
	c = (struct nfpchan_case){ &other.ch, buf, sizeof(buf), 1, 0 };
	for (unsigned int i = 0; i < 12; i++) {
		assert_null(told_of(&r));
		tick(&r);
		assert_ptr_equal(told_of(&r), &rx.ch);
		load(&ctl, 1);
		/* Start with each of the cards. */
		r.port.turn = i / 2 % 4;
		if (i % 2) {
			assert_int_equal(drain(&rx), 1);
			assert_int_equal(nfpchan_port_wait(&r.port, ev, 1, NFPCHAN_NONBLOCK), 1);
			assert_ptr_equal(ev[0].ch, &other.ch);
			assert_int_equal(drain(&other), 1);
		} else {
			assert_int_equal(nfpchan_select(&c, 1, NFPCHAN_NONBLOCK), 0);
			assert_int_equal(c.ret, 16);
			assert_int_equal(drain(&rx), 1);
		}
		/* Let the card see the room that was given back. */
		host_run(r.h->host);
	}
	rig_end(&r);
}

/* A select on channels of two cards chooses both by turns. */
static void selects(void **state)
{
	unsigned int count[2] = { 0 }, gaps = 0;
	struct nfpchan_case cases[2];
	struct chan ctl, rx[2];
	struct leg two;
	struct rig r;
	char buf[16];
	int i;

	rig_start(&r, *state);
	leg_add(&two, &r, 30, CARD);
	chan_plain(&ctl, r.h, 29, CHAN_ID_LOAD_CTL, 12);
	chan_on(&rx[0], &r, 0, CHAN_ID_LOAD, 18);
	chan_on_leg(&rx[1], &r, 1, &two.end, 1, CHAN_ID_LOAD, 18);
	for (i = 0; i < 2; i++)
		cases[i] = (struct nfpchan_case){ &rx[i].ch, buf, sizeof(buf), 1, 0 };
	assert_int_equal(nfpchan_select(cases, 2, NFPCHAN_NONBLOCK), -EAGAIN);
	load(&ctl, 100);
	for (unsigned int n = 0; n < 100;) {
		host_run(r.h->host);
		i = nfpchan_select(cases, 2, NFPCHAN_NONBLOCK);
		/* The first record of a channel tells of one message. */
		if (i == -EAGAIN && ++gaps <= 2)
			continue;
		assert_in_range(i, 0, 1);
		count[i]++;
		if (++n == 50)
			assert_in_range(count[0], 22, 28);
	}
	assert_int_equal(count[0], 50);
	assert_int_equal(count[1], 50);
	assert_int_equal(nfpchan_select(cases, 2, NFPCHAN_NONBLOCK), -EAGAIN);
	rig_end(&r);
}

/* The firmware of one card fails: the port reports that once, and no more of its channels. */
static void fails(void **state)
{
	struct nfpchan_event ev[EVENTS];
	struct leg two, again;
	struct chan rx, its, new;
	struct rig r;
	char text[80];

	rig_start(&r, *state);
	leg_add(&two, &r, 30, CARD);
	chan_on(&rx, &r, 0, CHAN_ID_TICK, 12);
	chan_on_leg(&its, &r, 1, &two.end, 1, CHAN_ID_TICK, 12);
	end_doorbell(&two.end, RING_REG_DATA, 1);
	assert_int_equal(wait_now(&r, ev, EVENTS), -EIO);
	assert_non_null(strstr(nfpchan_port_error(&r.port, text, sizeof(text)), "off"));
	assert_null(told_of(&r));
	/* Both channels have a message: the port reports that of the other card. */
	tick(&r);
	tick(&r);
	assert_ptr_equal(told_of(&r), &rx.ch);
	assert_int_equal(drain(&rx), 1);
	assert_int_equal(drain(&its), 1);
	assert_null(told_of(&r));
	/* The card comes back: it gets its old place in the port, which reports new channels. */
	assert_int_equal(port_leg_of(&r.port, CARD), 0);
	leg_add(&again, &r, 29, CARD);
	assert_int_equal(r.port.leg_count, 2);
	assert_int_equal(port_leg_of(&r.port, CARD), 1);
	chan_on_leg(&new, &r, 1, &again.end, 2, CHAN_ID_ECHO_OUT, 12);
	chan_off(&its);
	chan_off(&rx);
	chan_on_leg(&its, &r, 1, &again.end, 1, CHAN_ID_TICK, 12);
	tick(&r);
	assert_ptr_equal(told_of(&r), &its.ch);
	assert_int_equal(drain(&its), 1);
	/* When all cards have failed, the port only returns that error. */
	end_doorbell(&again.end, RING_REG_DATA, 1);
	end_doorbell(&r.end, RING_REG_DATA, 1);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(wait_now(&r, ev, EVENTS), -EIO);
	/*
	 * The first card's pipe is the port's own: another card gets its place only after it has
	 * failed.
	 */
	for (unsigned int i = 0; i < 3; i++) {
		leg_add(&again, &r, 20 + i, 0);
		assert_int_equal(r.port.leg_count, 3);
		end_doorbell(&again.end, RING_REG_DATA, 1);
		assert_int_equal(wait_now(&r, ev, EVENTS), -EIO);
	}
	rig_end(&r);
}

/*
 * When a card has failed, its channels may have news that it could not report: the port reports
 * them all once.
 */
static void failed_channel(void **state)
{
	struct nfpchan_event ev[EVENTS];
	struct chan its, tx;
	struct leg two;
	struct rig r;

	rig_start(&r, *state);
	leg_add(&two, &r, 30, CARD);
	chan_on_leg(&its, &r, 1, &two.end, 1, CHAN_ID_TICK, 12);
	chan_on_leg(&tx, &r, 1, &two.end, 2, CHAN_ID_PIT, 18);
	assert_null(told_of(&r));
	/* The card turns the port's pipe off before it can write the element. */
	end_doorbell(&two.end, RING_REG_DATA, 1);
	tick(&r);
	assert_int_equal(wait_now(&r, ev, EVENTS), -EIO);
	/* The channel to the NFP is also reported: the caller may be waiting for it. */
	assert_int_equal(wait_now(&r, ev, EVENTS), 2);
	assert_true(ev[0].ch == &tx.ch || ev[1].ch == &tx.ch);
	assert_ptr_equal(told_of(&r), &its.ch);
	assert_int_equal(drain(&its), 1);
	assert_null(told_of(&r));
	rig_end(&r);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		T(add),
		T(tells),
		T(looks_at_all),
		T(selects),
		T(fails),
		T(failed_channel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
