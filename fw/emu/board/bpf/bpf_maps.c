// SPDX-License-Identifier: BSD-2-Clause
/*
 * bpf_maps.c - array and hash maps in the card's memory.
 */
#include <errno.h>
#include <stdlib.h>

#include "bpf_maps.h"
#include "bpf_prog.h"
#include "bytes.h"
#include "mem_map.h"
#include "mu.h"

#define PAGE		4096u
#define NONE		UINT32_MAX

/*
 * struct bd_map - a map
 * @addr: MU address of entry 0
 * @mem: the same memory as the board accesses it
 * @size: bytes of the memory, whole pages
 * @stride: bytes from one entry to the next
 * @value_off: offset of the value in an entry
 * @bucket: heads of the hash chains
 * @next: the next entry in a hash chain, or in the chain of freed entries
 * @fresh: entries from this number on were never used
 */
struct bd_map {
	struct bd_map_attr attr;
	uint64_t addr;
	uint8_t *mem;
	uint64_t size;
	uint32_t stride;
	uint32_t value_off;
	uint32_t used;
	uint32_t mask;
	uint32_t *bucket;
	uint32_t *next;
	uint64_t *live;
	uint32_t freed;
	uint32_t fresh;
};

static uint32_t round8(uint32_t n)
{
	return (n + 7) & ~7u;
}

static struct bd_map *map_get(const struct board *b, uint32_t tid)
{
	return tid - 1 < BD_MAPS_MAX ? b->maps->map[tid - 1] : NULL;
}

const struct bd_map_attr *bd_map_attr(const struct board *b, uint32_t tid)
{
	const struct bd_map *m = map_get(b, tid);

	return m ? &m->attr : NULL;
}

/* ---- memory ---- */

static bool place_free(const struct board *b, uint64_t addr, uint64_t size)
{
	unsigned int i;

	if (addr - BD_MAPS_ADDR > BD_MAPS_SIZE - size)
		return false;
	for (i = 0; i < BD_MAPS_MAX; i++) {
		const struct bd_map *m = b->maps->map[i];

		if (m && addr < m->addr + m->size && m->addr < addr + size)
			return false;
	}
	return true;
}

/*
 * Return: the lowest free address for @size bytes. That is the start of the area, or the end of a
 * map.
 */
static uint64_t place(const struct board *b, uint64_t size)
{
	uint64_t best = place_free(b, BD_MAPS_ADDR, size) ? BD_MAPS_ADDR : BD_NEVER;
	unsigned int i;

	for (i = 0; i < BD_MAPS_MAX; i++) {
		const struct bd_map *m = b->maps->map[i];

		if (m && m->addr + m->size < best && place_free(b, m->addr + m->size, size))
			best = m->addr + m->size;
	}
	return best;
}

static void map_destroy(struct bd_map *m)
{
	free(m->bucket);
	free(m->next);
	free(m->live);
	free(m);
}

static bool hash_init(struct bd_map *m)
{
	uint32_t buckets = 1;

	while (buckets < m->attr.max_entries)
		buckets *= 2;
	m->mask = buckets - 1;
	m->freed = NONE;
	m->bucket = malloc(buckets * sizeof(*m->bucket));
	m->next = malloc(m->attr.max_entries * sizeof(*m->next));
	m->live = calloc((m->attr.max_entries + 63) / 64, sizeof(*m->live));
	if (!m->bucket || !m->next || !m->live)
		return false;
	memset(m->bucket, 0xff, buckets * sizeof(*m->bucket));
	return true;
}

static struct bd_map *map_create(struct board *b, const struct bd_map_attr *attr)
{
	struct bd_map *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->attr = *attr;
	m->value_off = attr->type == BD_MAP_HASH ? round8(attr->key_size) : 0;
	m->stride = m->value_off + round8(attr->value_size);
	m->size = ((uint64_t)m->stride * attr->max_entries + PAGE - 1) / PAGE * PAGE;
	m->addr = place(b, m->size);
	if (m->addr == BD_NEVER || (attr->type == BD_MAP_HASH && !hash_init(m))) {
		map_destroy(m);
		return NULL;
	}
	m->mem = board_mem_ptr(b, m->addr, m->size);
	bd_mu_clear(m->mem, m->size);
	return m;
}

static int attr_check(const struct bd_map_attr *a)
{
	if (a->type != BD_MAP_HASH && a->type != BD_MAP_ARRAY)
		return -EINVAL;
	if (a->flags || !a->key_size || !a->value_size || !a->max_entries)
		return -EINVAL;
	if (a->type == BD_MAP_ARRAY && a->key_size != sizeof(uint32_t))
		return -EINVAL;
	if (a->key_size > BD_MAP_KEY_MAX || a->value_size > BD_MAP_VALUE_MAX ||
	    round8(a->key_size) + round8(a->value_size) > BD_MAP_ELEM_MAX)
		return -E2BIG;
	return 0;
}

static uint32_t elems_max(const struct board *b)
{
	uint32_t elems = b->ustore->caps.maps.elems;

	return elems < BD_MAP_ELEMS_MOST ? elems : BD_MAP_ELEMS_MOST;
}

int bd_map_alloc(struct board *b, const struct bd_map_attr *attr, uint32_t *tid)
{
	unsigned int slot = 0;
	int err = attr_check(attr);

	if (err)
		return err;
	if (b->maps->count == BD_MAPS_MAX || attr->max_entries > elems_max(b) - b->maps->elems)
		return -ENOMEM;
	while (b->maps->map[slot])
		slot++;
	b->maps->map[slot] = map_create(b, attr);
	if (!b->maps->map[slot])
		return -ENOMEM;
	b->maps->count++;
	b->maps->elems += attr->max_entries;
	*tid = slot + 1;
	return 0;
}

int bd_map_free(struct board *b, uint32_t tid, uint32_t *count)
{
	struct bd_map *m = map_get(b, tid);

	if (!m)
		return -EBADFD;
	*count = m->attr.type == BD_MAP_ARRAY ? m->attr.max_entries : m->used;
	b->maps->count--;
	b->maps->elems -= m->attr.max_entries;
	b->maps->map[tid - 1] = NULL;
	bd_mu_clear(m->mem, m->size);
	map_destroy(m);
	return 0;
}

void bd_maps_reset(struct board *b)
{
	uint32_t tid, count;

	for (tid = 1; tid <= BD_MAPS_MAX; tid++)
		bd_map_free(b, tid, &count);
}

/* ---- entries ---- */

static uint8_t *entry(const struct bd_map *m, uint32_t i)
{
	return m->mem + (uint64_t)m->stride * i;
}

static uint8_t *value_mem(const struct bd_map *m, uint32_t i)
{
	return entry(m, i) + m->value_off;
}

static uint64_t value_addr(const struct bd_map *m, uint32_t i)
{
	return m->addr + (uint64_t)m->stride * i + m->value_off;
}

static uint32_t bucket_of(const struct bd_map *m, const void *key)
{
	const uint8_t *k = key;
	uint64_t h = 0;
	uint32_t i;

	for (i = 0; i < m->attr.key_size; i++)
		h = (h ^ k[i]) * 0x9e3779b97f4a7c15ull;
	return (h ^ h >> 32) & m->mask;
}

/*
 * Return: the link that leads to the entry of @key (in the bucket or in the entry before), or the
 * link at the end of the chain, which is NONE.
 */
static uint32_t *hash_link(struct bd_map *m, const void *key)
{
	uint32_t *link = &m->bucket[bucket_of(m, key)];

	while (*link != NONE && memcmp(entry(m, *link), key, m->attr.key_size))
		link = &m->next[*link];
	return link;
}

/* Return: the number of the entry of @key, or NONE. */
static uint32_t map_find(struct bd_map *m, const void *key)
{
	uint32_t i;

	if (m->attr.type == BD_MAP_HASH)
		return *hash_link(m, key);
	i = bd_get32(key);
	return i < m->attr.max_entries ? i : NONE;
}

static uint32_t hash_take(struct bd_map *m)
{
	uint32_t i = m->freed;

	if (i != NONE)
		m->freed = m->next[i];
	else if (m->fresh < m->attr.max_entries)
		i = m->fresh++;
	else
		return NONE;
	m->used++;
	m->live[i / 64] |= 1ULL << (i % 64);
	return i;
}

static int hash_insert(struct bd_map *m, const void *key, const void *value)
{
	uint32_t i = hash_take(m), *bucket;

	if (i == NONE)
		return -E2BIG;
	bucket = &m->bucket[bucket_of(m, key)];
	memcpy(entry(m, i), key, m->attr.key_size);
	memcpy(value_mem(m, i), value, m->attr.value_size);
	m->next[i] = *bucket;
	*bucket = i;
	return 0;
}

int bd_map_lookup(struct board *b, uint32_t tid, const void *key, uint64_t *addr)
{
	struct bd_map *m = map_get(b, tid);
	uint32_t i;

	if (!m)
		return -EBADFD;
	i = map_find(m, key);
	if (i == NONE)
		return -ENOENT;
	*addr = value_addr(m, i);
	return 0;
}

/* The errors, and their order, are those of the kernel's maps. */
int bd_map_update(struct board *b, uint32_t tid, const void *key, const void *value,
		  uint32_t flags)
{
	struct bd_map *m = map_get(b, tid);
	uint32_t i;

	if (!m)
		return -EBADFD;
	if (flags > BD_MAP_EXIST)
		return -EINVAL;
	i = map_find(m, key);
	if (i == NONE && m->attr.type == BD_MAP_ARRAY)
		return -E2BIG;
	if (i == NONE)
		return flags == BD_MAP_EXIST ? -ENOENT : hash_insert(m, key, value);
	if (flags == BD_MAP_NOEXIST)
		return -EEXIST;
	memcpy(value_mem(m, i), value, m->attr.value_size);
	return 0;
}

int bd_map_delete(struct board *b, uint32_t tid, const void *key)
{
	struct bd_map *m = map_get(b, tid);
	uint32_t *link, i;

	if (!m)
		return -EBADFD;
	if (m->attr.type == BD_MAP_ARRAY)
		return -EINVAL;
	link = hash_link(m, key);
	i = *link;
	if (i == NONE)
		return -ENOENT;
	*link = m->next[i];
	m->next[i] = m->freed;
	m->freed = i;
	m->live[i / 64] &= ~(1ULL << (i % 64));
	m->used--;
	return 0;
}

/* Return: the first used entry from number @i on, or NONE. */
static uint32_t map_scan(const struct bd_map *m, uint32_t i)
{
	uint32_t words = (m->attr.max_entries + 63) / 64, w = i / 64;
	uint64_t left;

	if (i >= m->attr.max_entries)
		return NONE;
	if (m->attr.type == BD_MAP_ARRAY)
		return i;
	left = m->live[w] & ~0ULL << (i % 64);
	while (!left && ++w < words)
		left = m->live[w];
	return left ? w * 64 + __builtin_ctzll(left) : NONE;
}

int bd_map_next(struct board *b, uint32_t tid, const void *key, void *next, uint64_t *addr)
{
	struct bd_map *m = map_get(b, tid);
	uint32_t i = NONE;

	if (!m)
		return -EBADFD;
	if (key)
		i = map_find(m, key);
	i = map_scan(m, i + 1);		/* if @i is NONE, this is 0 */
	if (i == NONE)
		return -ENOENT;
	if (m->attr.type == BD_MAP_ARRAY)
		bd_put32(next, i);
	else
		memcpy(next, entry(m, i), m->attr.key_size);
	*addr = value_addr(m, i);
	return 0;
}
