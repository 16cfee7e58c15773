// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* memory.c - the variables of a program: in its model, and in the maps of its object. */
#include <bpf/bpf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "random.h"
#include "diff.h"

#define KEYS	6	/* most keys that are inserted into a table */

char memory_why[256];

static bool __attribute__((format(printf, 1, 2))) wrong(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(memory_why, sizeof(memory_why), fmt, ap);
	va_end(ap);
	return false;
}

static uint32_t elements(const struct model_var *v)
{
	return v->rows * v->columns;
}

/*
 * Return the key of the BPF map's element that has element @i of the variable. @offset: where in
 * it.
 */
static uint32_t place_of(const struct model_var *v, uint32_t i, uint32_t *offset)
{
	uint32_t flat = v->column ? i % v->columns * v->rows + i / v->columns : i;

	*offset = flat % v->per * v->size;
	return flat / v->per;
}

/* ---- before ---- */

/* Make key @i of a table: a number that windows often have. */
static void key_of(const struct model_var *v, uint32_t i, uint8_t *key)
{
	static const uint8_t keys[KEYS] = { 0, 1, 2, 5, 0xff, 17 };

	memset(key, 0, v->key_size);
	key[0] = keys[i];
}

static void fill_table(const struct model_var *v, uint64_t *x)
{
	uint8_t key[64], value[64] = { 0 };
	uint32_t i;

	for (i = 0; i < KEYS && i < v->entries; i++) {
		key_of(v, i, key);
		value[0] = random_below(x, 4);
		if (v->value_size > 4)
			value[4] = random_below(x, 256);
		v->put(key, value);
	}
}

bool memory_fill_model(const struct model_program *prog, uint64_t *x)
{
	unsigned int i;
	uint32_t j, k;

	for (i = 0; i < prog->nr_vars; i++) {
		const struct model_var *v = &prog->vars[i];

		if (v->put)
			fill_table(v, x);
		for (j = 0; !v->put && j < elements(v); j++) {
			if (v->ctrl)
				v->at[j * v->size] = 1 + random_below(x, 4);
			for (k = 0; !v->ctrl && prog->fill && k < v->size; k++)
				v->at[j * v->size + k] = random_next(x) >> 20;
		}
	}
	return true;
}

static bool put_table(const struct model_var *v, int fd)
{
	uint8_t key[64];
	uint32_t i;

	for (i = 0; i < KEYS && i < v->entries; i++) {
		key_of(v, i, key);
		if (bpf_map_update_elem(fd, key, v->get(key), BPF_ANY))
			return wrong("map %s: cannot insert key %u", v->map, i);
	}
	return true;
}

static bool put_array(const struct model_var *v, int fd)
{
	uint8_t value[4096] = { 0 };
	uint32_t i, offset, key, last = UINT32_MAX;

	/* The elements in one element of the map have consecutive flat indices. */
	for (i = 0; i < elements(v); i++) {
		uint32_t f = v->column ? i % v->rows * v->columns + i / v->rows : i;

		key = place_of(v, f, &offset);
		if (key != last && last != UINT32_MAX &&
		    bpf_map_update_elem(fd, &last, value, BPF_ANY))
			return wrong("map %s: cannot write key %u", v->map, last);
		last = key;
		memcpy(value + offset, v->at + f * v->size, v->size);
	}
	if (bpf_map_update_elem(fd, &last, value, BPF_ANY))
		return wrong("map %s: cannot write key %u", v->map, last);
	return true;
}

static bool put_abi(struct bpf_object *obj, const char *name, uint32_t key, const void *value)
{
	int fd = bpf_object__find_map_fd_by_name(obj, name);

	if (fd < 0)
		return wrong("no map %s", name);
	if (bpf_map_update_elem(fd, &key, value, BPF_ANY))
		return wrong("map %s: cannot write key %u", name, key);
	return true;
}

static int map_of(struct bpf_object *obj, const struct model_var *v)
{
	struct bpf_map *map = bpf_object__find_map_by_name(obj, v->map);

	if (!map) {
		wrong("variable %s: no map %s", v->name, v->map);
		return -1;
	}
	if (bpf_map__value_size(map) != (v->put ? v->value_size : v->map_size) ||
	    bpf_map__key_size(map) != (v->put ? v->key_size : 4)) {
		wrong("variable %s: the layout is not that of map %s", v->name, v->map);
		return -1;
	}
	return bpf_map__fd(map);
}

bool memory_fill(const struct model_device *dev, struct bpf_object *obj)
{
	const struct model_program *prog = dev->prog;
	unsigned int i;
	int fd;

	if (!put_abi(obj, NCL_MAP_PLACE, 0, &dev->own))
		return false;
	for (i = 0; i <= prog->nodes; i++)
		if (!put_abi(obj, NCL_MAP_NODES, i, &dev->nodes[i]))
			return false;
	for (i = 0; i < prog->nr_vars; i++) {
		const struct model_var *v = &prog->vars[i];

		fd = map_of(obj, v);
		if (fd < 0 || !(v->put ? put_table(v, fd) : put_array(v, fd)))
			return false;
	}
	return true;
}

/* ---- after ---- */

static bool counts_same(const struct model_device *dev, struct bpf_object *obj, const char *who)
{
	static const char *const name[NCL_COUNTS] = {
		"windows", "passed", "reflected", "broadcast", "dropped", "busy", "malformed",
		"nowhere",
	};
	int fd = bpf_object__find_map_fd_by_name(obj, NCL_MAP_COUNTS);
	uint64_t got;
	uint32_t i;

	for (i = 0; i < NCL_COUNTS; i++) {
		if (bpf_map_lookup_elem(fd, &i, &got))
			return wrong("%s: no counter %s", who, name[i]);
		if (got != dev->counts[i])
			return wrong("%s: %lu %s, the model %lu", who, got, name[i], dev->counts[i]);
	}
	return true;
}

static void hex(char *to, const uint8_t *from, uint32_t n)
{
	for (n = n > 16 ? 16 : n; n; n--, to += 2)
		sprintf(to, "%02x", from[n - 1]);
}

static bool element_same(const struct model_var *v, const char *who, uint32_t i,
			 const uint8_t *want, const uint8_t *got, uint32_t size)
{
	char w[40], g[40];

	if (!memcmp(want, got, size))
		return true;
	hex(w, want, size);
	hex(g, got, size);
	return wrong("%s: %s[%u] is 0x%s, in the model 0x%s", who, v->name, i, g, w);
}

static bool array_same(const struct model_var *v, int fd, const char *who)
{
	uint8_t value[4096];
	uint32_t i, offset, key, last = UINT32_MAX;

	for (i = 0; i < elements(v); i++) {
		key = place_of(v, i, &offset);
		if (key != last && bpf_map_lookup_elem(fd, &key, value))
			return wrong("%s: map %s has no key %u", who, v->map, key);
		last = key;
		if (!element_same(v, who, i, v->at + i * v->size, value + offset, v->size))
			return false;
	}
	return true;
}

static bool table_same(const struct model_var *v, int fd, const char *who)
{
	uint8_t key[64], value[64];
	uint32_t i;

	for (i = 0; i < KEYS && i < v->entries; i++) {
		key_of(v, i, key);
		if (bpf_map_lookup_elem(fd, key, value))
			return wrong("%s: map %s has no key %u", who, v->map, i);
		if (!element_same(v, who, i, v->get(key), value, v->value_size))
			return false;
	}
	return true;
}

bool memory_same(const struct model_device *dev, struct bpf_object *obj, const char *who)
{
	const struct model_program *prog = dev->prog;
	int lock = bpf_object__find_map_fd_by_name(obj, NCL_MAP_LOCK);
	uint32_t none;
	unsigned int i;

	for (i = 0; i < prog->nr_vars; i++) {
		const struct model_var *v = &prog->vars[i];
		int fd = map_of(obj, v);

		if (fd < 0 || !(v->put ? table_same(v, fd, who) : array_same(v, fd, who)))
			return false;
	}
	if (lock >= 0 && !bpf_map_get_next_key(lock, NULL, &none))
		return wrong("%s: lock %u is held", who, none);
	return counts_same(dev, obj, who);
}
