// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* kvs.c - see kvs.h. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include "kvs.h"

#define AT_BITS		48
#define AT_MASK		((1ull << AT_BITS) - 1)

#define HUGE		(2ull << 20)

/* Zeroed memory, in huge pages if possible: a key is anywhere in it, and the TLB is small. */
static void *kvs_memory(uint64_t len)
{
	void *p;

	len = (len + HUGE - 1) & ~(HUGE - 1);
	p = aligned_alloc(HUGE, len);
	if (!p)
		return NULL;
	madvise(p, len, MADV_HUGEPAGE);
	return memset(p, 0, len);
}

struct kvs *kvs_new(unsigned int buckets, unsigned int log)
{
	struct kvs *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->buckets = 1ull << buckets;
	k->size = 1ull << log;
	k->index = kvs_memory(k->buckets * KVS_WAYS * sizeof(*k->index));
	k->log = kvs_memory(k->size);
	if (!k->index || !k->log) {
		kvs_free(k);
		return NULL;
	}
	return k;
}

void kvs_free(struct kvs *k)
{
	free(k->index);
	free(k->log);
	free(k);
}

static uint64_t *kvs_bucket(const struct kvs *k, uint64_t hash)
{
	return k->index + (hash & (k->buckets - 1)) * KVS_WAYS;
}

/* The item of an entry, or NULL if it has another key, or newer items lie there. */
static struct kvs_item *kvs_item(const struct kvs *k, uint64_t entry, uint64_t hash, uint64_t key)
{
	uint64_t at = (entry & AT_MASK) - 1;
	struct kvs_item *item;

	if (!entry || (entry ^ hash) >> AT_BITS || k->head - at > k->size)
		return NULL;
	item = (struct kvs_item *)(k->log + (at & (k->size - 1)));
	return item->key == key ? item : NULL;
}

const struct kvs_item *kvs_get(const struct kvs *k, uint64_t key)
{
	uint64_t hash = packet_mix(packet_mix(key)), *bucket = kvs_bucket(k, hash);
	const struct kvs_item *item;

	for (int i = 0; i < KVS_WAYS; i++) {
		item = kvs_item(k, bucket[i], hash, key);
		if (item)
			return item;
	}
	return NULL;
}

/* The entry to use for a key: its own, else an empty one, else the one with the oldest item. */
static uint64_t *kvs_entry(struct kvs *k, uint64_t hash, uint64_t key)
{
	uint64_t *bucket = kvs_bucket(k, hash), *best = bucket;

	for (int i = 0; i < KVS_WAYS; i++) {
		if (kvs_item(k, bucket[i], hash, key))
			return &bucket[i];
		if ((bucket[i] & AT_MASK) < (*best & AT_MASK))
			best = &bucket[i];
	}
	return best;
}

/* Append an item to the log. Return its position. */
static uint64_t kvs_append(struct kvs *k, uint64_t key, const void *value, uint32_t len,
			   uint64_t room)
{
	uint64_t left = k->size - (k->head & (k->size - 1)), at;
	struct kvs_item *item;

	/* An item is in one piece: the rest of the log stays free if it is too small. */
	if (left < room)
		k->head += left;
	at = k->head;
	item = (struct kvs_item *)(k->log + (at & (k->size - 1)));
	*item = (struct kvs_item){ .key = key, .len = len };
	memcpy(item->value, value, len);
	k->head += room;
	return at;
}

bool kvs_set(struct kvs *k, uint64_t key, const void *value, uint32_t len)
{
	uint64_t hash = packet_mix(packet_mix(key));
	uint64_t room = (sizeof(struct kvs_item) + len + 7) & ~7ull;
	uint64_t *entry = kvs_entry(k, hash, key);
	struct kvs_item *item = kvs_item(k, *entry, hash, key);

	if (room > k->size / 4)
		return false;
	if (item && item->len == len)
		memcpy(item->value, value, len);
	else
		*entry = hash >> AT_BITS << AT_BITS | (kvs_append(k, key, value, len, room) + 1);
	return true;
}

static uint8_t kvs_answer(const struct kvs_item *item, struct kvs_msg *m, uint32_t room)
{
	if (!item)
		return KVS_NONE;
	if (item->len > room)
		return KVS_SHORT;
	memcpy(m->value, item->value, item->len);
	m->len = htole16((uint16_t)item->len);
	return KVS_OK;
}

void kvs_serve(struct kvs *k, struct kvs_msg *m, uint32_t room)
{
	const struct kvs_item *item;
	uint32_t len = le16toh(m->len);

	if (len > room || (m->op != KVS_GET && m->op != KVS_SET)) {
		k->bad++;
		m->status = KVS_BAD;
	} else if (m->op == KVS_SET) {
		k->sets++;
		m->status = kvs_set(k, le64toh(m->key), m->value, len) ? KVS_OK : KVS_BAD;
	} else {
		k->gets++;
		item = kvs_get(k, le64toh(m->key));
		k->hits += !!item;
		m->status = kvs_answer(item, m, len);
	}
}
