// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_port_cards.c - a port that tells of several cards' channels.
 *
 * There is one card in a process: the others' pipes are pipes of it as well, which
 * makes no difference to the library.
 */
#define _GNU_SOURCE
#include "port_rig.h"

#define CARD	5	/* device number of the second, + 1 of the next, and so on */

/**
 * struct leg - what the port has on another card
 * @ch: the handle; the port's to free once it was joined
 * @end: its pipe
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

/* Both are told of, also while one of them always has something. */
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
	/* Its card alone has had something to say so far. */
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
 * A channel in the list that turns out to have nothing, or is none of a select's: who
 * finds this out looks at the other cards before it says that there is nothing.
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
		/* Whichever card has its turn. */
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
		/* With what was taken given back. */
		host_run(r.h->host);
	}
	rig_end(&r);
}

/* A select on channels of two cards: each has its turn. */
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
		/* As above. */
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

/* One card breaks: that is told once, and its channels are no longer told of. */
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
	/* What is there for both: the other's is told of. */
	tick(&r);
	tick(&r);
	assert_ptr_equal(told_of(&r), &rx.ch);
	assert_int_equal(drain(&rx), 1);
	assert_int_equal(drain(&its), 1);
	assert_null(told_of(&r));
	/* Back again, it has its old place, and tells of new channels. */
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
	/* When all have failed that is all it says. */
	end_doorbell(&again.end, RING_REG_DATA, 1);
	end_doorbell(&r.end, RING_REG_DATA, 1);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(wait_now(&r, ev, EVENTS), -EIO);
	/* The first card's pipe is the port's: only who comes behind it has its place. */
	for (unsigned int i = 0; i < 3; i++) {
		leg_add(&again, &r, 20 + i, 0);
		assert_int_equal(r.port.leg_count, 3);
		end_doorbell(&again.end, RING_REG_DATA, 1);
		assert_int_equal(wait_now(&r, ev, EVENTS), -EIO);
	}
	rig_end(&r);
}

/* Of a channel whose card has failed there may be something that nobody has told of. */
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
	/* The port's pipe is off before it can tell. */
	end_doorbell(&two.end, RING_REG_DATA, 1);
	tick(&r);
	assert_int_equal(wait_now(&r, ev, EVENTS), -EIO);
	/* One to the NFP is told of, too: it may be what is waited for. */
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
