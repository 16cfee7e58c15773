// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_hash.c - messages in a hash, from which the program deletes them: each is taken once.
 *
 * Message n is the entry with key n. The program keeps the number of the next message in the
 * array beside the hash.
 */
#include "bpf.h"

static int oldest(const struct bpf_store *s, uint32_t *nr)
{
	const uint32_t zero = 0;

	return bpf_lookup(s->count_fd, &zero, nr);
}

static int there(const struct bpf_store *s, uint32_t nr)
{
	uint8_t value[s->size];

	return bpf_lookup(s->map_fd, &nr, value);
}

static int put(struct bpf_store *s, uint32_t nr, const void *msg)
{
	return bpf_update_whole(s->map_fd, &nr, msg, BPF_NOEXIST);
}

static int taken(struct bpf_store *s, uint32_t next, uint32_t *nr)
{
	(void)next;
	return oldest(s, nr);
}

const struct bpf_store_ops bpf_hash_ops = {
	.oldest = oldest,
	.there = there,
	.put = put,
	.taken = taken,
};
