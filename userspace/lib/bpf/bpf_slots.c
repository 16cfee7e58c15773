// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_slots.c - messages in an array of slots, for a program that writes no map: each message is
 * taken at least once.
 *
 * Message n is in slot n modulo the number of slots. The program reads the number of the oldest
 * message from the last element of the array beside the slots. Each run of the program that
 * takes a message adds 1 to one of the counters in that array. When the library reads a counter
 * that has changed since it wrote the message, it counts the message as taken, and moves the
 * number on. Only then does it use the slot for another message.
 *
 * A run may be late: it has read the oldest number before the library moved it on. It then takes
 * the message again, or finds another number in the slot, or a copy whose check differs. Its count
 * goes to the counter of its own message, which the next NFPCHAN_COUNTERS - 1 messages do not use.
 * The library reads a counter again before it writes a message that uses it.
 */
#include <errno.h>
#include <string.h>
#include "bpf.h"

static int seen_read(const struct bpf_store *s, uint32_t key, struct nfpchan_seen *seen)
{
	return bpf_lookup(s->count_fd, &key, seen);
}

/* Read the counter of message @nr. *@more: out: takes since the last call for this counter. */
static int counter_read(struct bpf_store *s, uint32_t nr, uint32_t *more)
{
	uint32_t i = nr % NFPCHAN_COUNTERS;
	struct nfpchan_seen seen;
	int err = seen_read(s, i, &seen);

	if (err)
		return err;
	*more = seen.taken - s->share->mark[i];
	s->share->mark[i] = seen.taken;
	return 0;
}

static int oldest(const struct bpf_store *s, uint32_t *nr)
{
	struct nfpchan_seen seen;
	int err = seen_read(s, NFPCHAN_COUNTERS, &seen);

	if (!err)
		*nr = seen.next;
	return err;
}

static int there(const struct bpf_store *s, uint32_t nr)
{
	uint8_t value[sizeof(struct nfpchan_slot) + s->size];
	uint32_t key = nr % s->depth;
	struct nfpchan_slot slot;
	int err = bpf_lookup(s->map_fd, &key, value);

	if (err)
		return err;
	memcpy(&slot, value, sizeof(slot));
	return slot.nr == nr && slot.check == nfpchan_check(nr, value + sizeof(slot), s->size) ?
	       0 : -ENOENT;
}

/*
 * Without the map's file it is not known which messages in the slots have been taken. Count none
 * as taken: the program takes them again. In a new map all counters are 0.
 */
static int start(struct bpf_store *s)
{
	struct bpf_share *share = s->share;
	uint32_t nr = 0, i, more;
	int err;

	if (share->marked)
		return 0;
	err = oldest(s, &nr);
	share->next = nr;
	if (!err && !nr)
		err = there(s, nr);
	for (i = 0; !err && i < NFPCHAN_COUNTERS; i++)
		err = counter_read(s, i, &more);
	if (err && err != -ENOENT)
		return err;
	share->marked = 1;
	return 0;
}

static int put(struct bpf_store *s, uint32_t nr, const void *msg)
{
	struct nfpchan_slot slot = { .nr = nr, .check = nfpchan_check(nr, msg, s->size) };
	uint8_t value[sizeof(slot) + s->size];
	uint32_t key = nr % s->depth, late;
	int err = counter_read(s, nr, &late);

	if (err)
		return err;
	s->share->repeated += late;
	memcpy(value, &slot, sizeof(slot));
	memcpy(value + sizeof(slot), msg, s->size);
	return bpf_update_whole(s->map_fd, &key, value, BPF_EXIST);
}

static int taken(struct bpf_store *s, uint32_t next, uint32_t *nr)
{
	const uint32_t key = NFPCHAN_COUNTERS;
	struct nfpchan_seen seen = { .next = *nr };
	uint32_t more;
	int err = 0;

	while (seen.next != next) {
		err = counter_read(s, seen.next, &more);
		if (err || !more)
			break;
		s->share->repeated += more - 1;
		seen.next++;
	}
	if (seen.next == *nr)
		return err;
	err = bpf_update_whole(s->count_fd, &key, &seen, BPF_EXIST) ?: err;
	if (!err)
		*nr = seen.next;
	return err;
}

const struct bpf_store_ops bpf_slots_ops = {
	.oldest = oldest,
	.there = there,
	.start = start,
	.put = put,
	.taken = taken,
};
