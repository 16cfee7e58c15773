// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_slots.c - messages to a program that has no delete: each is taken at least once, in order,
 * repeats have its number and are counted, and messages that are torn or stale are not taken.
 *
 * usage: bpf_slots OBJECT DEV PEER WITH-DELETE
 *
 * OBJECT is xdp/channel/orders.c, compiled for firmware without a delete. WITH-DELETE is the object
 * for firmware with a delete, which the driver must refuse.
 */
#define _GNU_SOURCE
#include "bpf_rig.h"
#include "nfpchan_bpf.h"

#define MANY		100	/* orders in a row, while frames arrive */
#define TURNS		17	/* how often all slots are filled: more messages than counters */

static uint32_t given;	/* order n is message n of the channel */

static struct nfpchan *orders(void)
{
	return chan_start("orders", 0);
}

/* Times that an order was taken again */
static long repeated(void)
{
	uint64_t count;

	is(nfpchan_repeats(card, "orders", &count), 1, "orders may repeat");
	return (long)count;
}

static struct nfpchan *told(void)
{
	return chan_start("told", 0);
}

/* Does the program report for the next frame order @nr, or that @nr is not there? */
static bool reports(struct nfpchan *in, uint32_t nr, bool there)
{
	struct told t;
	ssize_t len;

	frame();
	len = nfpchan_recv(in, &t, sizeof(t), WAIT_NS);
	if (there)
		return t.nr == nr && told_is(&t, len, nr);
	return len == sizeof(t) && t.nr == nr && t.frame == frames && !t.taken;
}

/* Does one frame make the program report @count orders from @nr on? */
static unsigned int reports_all(struct nfpchan *in, uint32_t nr, unsigned int count)
{
	unsigned int good = 0, i;
	struct told t;
	ssize_t len;

	frame_more(0, DEPTH);
	for (i = 0; i < count; i++, nr++) {
		len = nfpchan_recv(in, &t, sizeof(t), WAIT_NS);
		good += t.nr == nr && told_is(&t, len, nr);
	}
	return good;
}

static unsigned int fill(struct nfpchan *out)
{
	unsigned int good = 0;

	while (good < DEPTH && !give(out, given, NFPCHAN_NONBLOCK)) {
		given++;
		good++;
	}
	return good;
}

static void one_at_a_time(void)
{
	struct nfpchan *out = orders(), *in = told();
	unsigned int i, good = 0;

	is(fill(out), DEPTH, "as many orders as there are slots");
	is(give(out, given, NFPCHAN_NONBLOCK), -EAGAIN, "one more: EAGAIN");
	is(give(out, given, 1000000), -ETIMEDOUT, "no room for a millisecond");
	for (i = 0; i < DEPTH; i++) {
		good += reports(in, given - DEPTH + i, true);
		good += nfpchan_drain(out, NFPCHAN_NONBLOCK) == (i < DEPTH - 1 ? -EAGAIN : 0);
	}
	is(good, 2 * DEPTH, "each is taken, in order, when the sender has seen that the last one was");
	ok(reports(in, given, false), "then no order is there");
	is(repeated(), 0, "no repeats");
	nfpchan_close(out);
	nfpchan_close(in);
}

static void repeats(void)
{
	struct nfpchan *out = orders(), *in = told();
	struct nfp_chan_query before = counters("orders"), q;
	long again = repeated();

	is(give(out, given++, 0), 0, "an order");
	ok(reports(in, given - 1, true) && reports(in, given - 1, true) &&
	   reports(in, given - 1, true), "three frames take it, by the same number");
	is(nfpchan_drain(out, NFPCHAN_NONBLOCK), 0, "the sender sees that it was taken");
	ok(reports(in, given, false), "a fourth frame does not take it");
	q = counters("orders");
	is((long)(q.msgs - before.msgs), 1, "it counts as one message");
	is(repeated() - again, 2, "and two repeats");
	nfpchan_close(out);
	nfpchan_close(in);
}

static void all_at_once(void)
{
	struct nfpchan *out = orders(), *in = told();
	unsigned int turn, good = 0;

	for (turn = 0; turn < TURNS; turn++) {
		good += fill(out);
		good += give(out, given, NFPCHAN_NONBLOCK) == -EAGAIN;
		good += reports_all(in, given - DEPTH, DEPTH);
	}
	is(good, TURNS * (2 * DEPTH + 1), "a frame takes all orders, in order; each turn makes room");
	is(nfpchan_drain(out, 0), 0, "all were taken");
	nfpchan_close(out);
	nfpchan_close(in);
}

static void *give_many(void *out)
{
	long good = 0;
	uint32_t i;

	for (i = 0; i < MANY; i++)
		good += !give(out, given + i, WAIT_NS);
	return (void *)(good + !nfpchan_drain(out, WAIT_NS));
}

/* Frames arrive while orders are sent. */
static void beside(void)
{
	struct nfpchan *out = orders(), *in = told();
	uint32_t next = given, odd = 0;
	struct told t;
	pthread_t thread;
	void *good;

	pthread_create(&thread, NULL, give_many, out);
	while (next != given + MANY && odd < 10) {
		frame();
		odd += nfpchan_recv(in, &t, sizeof(t), WAIT_NS) != sizeof(t);
		if (!t.taken)
			continue;
		odd += !told_is(&t, sizeof(t), t.nr) || t.nr > next;
		next += t.nr == next;
	}
	pthread_join(thread, &good);
	is(next, given + MANY, "every order is taken for a frame");
	is(odd, 0, "each is whole, and the first time that it is taken is in order");
	is((long)good, MANY + 1, "each send that waits for room ends, and the drain too");
	given += MANY;
	nfpchan_close(out);
	nfpchan_close(in);
}

/* The next sender goes on where the last one has ended. */
static void left_over(struct bpf_object *obj)
{
	struct nfpchan *out = orders(), *in = told();
	char file[64];

	ok(!give(out, given, 0) && !give(out, given + 1, 0), "two orders");
	nfpchan_close(out);
	ok(reports(in, given, true), "the first is taken when the sender has gone");
	out = orders();
	is(nfpchan_drain(out, 0), -EAGAIN, "the next sender finds one that is not taken");
	ok(reports(in, given + 1, true), "it is taken");
	is(nfpchan_drain(out, 0), 0, "the sender sees that");
	given += 2;
	ok(!give(out, given, 0) && reports(in, given, true), "another one is sent and taken");
	nfpchan_close(out);
	snprintf(file, sizeof(file), "/run/nfpchan/map-%u", offload_map_id(obj, "orders"));
	is(unlink(file), 0, "the library's file is gone");
	out = orders();
	is(nfpchan_drain(out, 0), -EAGAIN, "so the next sender counts it as not taken");
	ok(reports(in, given++, true) && !nfpchan_drain(out, 0), "it is taken again");
	ok(!give(out, given, 0) && reports(in, given, true), "the next one has the next number");
	given++;
	is(nfpchan_drain(out, 0), 0, "taken");
	nfpchan_close(out);
	nfpchan_close(in);
}

/* Write a slot as the host would, but with any number and check. */
static void slot_put(int map, uint32_t nr, uint32_t check, uint32_t msg)
{
	struct { struct nfpchan_slot slot; struct order order; } v = {
		{ nr, check }, order_of(msg),
	};
	uint32_t key = given % DEPTH;

	if (bpf_map_update_elem(map, &key, &v, BPF_ANY))
		die("slot");
}

static uint32_t check_of(uint32_t nr, uint32_t msg)
{
	struct order o = order_of(msg);

	return nfpchan_check(nr, &o, sizeof(o));
}

static void torn(struct bpf_object *obj)
{
	int map = bpf_object__find_map_fd_by_name(obj, "orders");
	struct nfpchan *in = told();

	slot_put(map, given, check_of(given, given + 1), given);
	ok(reports(in, given, false), "words of two messages: not taken");
	slot_put(map, given, check_of(given + DEPTH, given), given);
	ok(reports(in, given, false), "the check of another number: not taken");
	slot_put(map, given - DEPTH, check_of(given - DEPTH, given), given);
	ok(reports(in, given, false), "the number of the message before: not taken");
	slot_put(map, given + DEPTH, check_of(given + DEPTH, given), given);
	ok(reports(in, given, false), "the number of the message after: not taken");
	slot_put(map, given, check_of(given, given), given);
	ok(reports(in, given, true), "whole: taken");
	nfpchan_close(in);
}

/* The numbers go from 2^32 - 1 to 0. */
static void around(struct bpf_object *obj)
{
	int seen = bpf_object__find_map_fd_by_name(obj, "orders_n");
	struct nfpchan_seen last = { .next = given = UINT32_MAX - DEPTH / 2 };
	uint32_t key = NFPCHAN_COUNTERS;
	struct nfpchan *out, *in = told();

	if (bpf_map_update_elem(seen, &key, &last, BPF_ANY))
		die("orders_n");
	out = orders();
	is(fill(out), DEPTH, "numbers around 2^32");
	is(reports_all(in, given - DEPTH, DEPTH), DEPTH, "all are taken, in order");
	is(nfpchan_drain(out, 0), 0, "the sender sees that");
	nfpchan_close(out);
	nfpchan_close(in);
}

int main(int argc, char **argv)
{
	struct bpf_object *obj;
	unsigned int fds;
	char name[32];

	if (argc != 5)
		return 2;
	snprintf(name, sizeof(name), "bpf:%s", argv[2]);
	rig_open(argv, name);
	obj = offload_open(argv[4], dev);
	if (!obj)
		die(argv[4]);
	offload_maps(obj, dev);
	ok(bpf_object__load(obj), "the firmware has no delete");
	bpf_object__close(obj);
	obj = attached();
	fds = in_use().fds;
	one_at_a_time();
	repeats();
	all_at_once();
	beside();
	left_over(obj);
	torn(obj);
	is(in_use().fds, fds, "no descriptor is left");
	detach(obj);
	obj = attached();
	around(obj);
	detach(obj);
	return tap_done();
}
