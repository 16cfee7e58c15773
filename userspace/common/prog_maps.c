// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * prog_maps.c - the maps of a program, and their names.
 *
 * The kernel keeps 15 characters of a map's name, so it may give several maps one name. The
 * program's BTF has the whole names, in the order of the section ".maps". libbpf, with which also
 * ip(8) and bpftool(8) load programs, creates the maps in this order, so their ids ascend in it.
 * The n-th of the maps of one name is therefore the n-th definition of that name. This does not
 * hold if the program does not use all of them, nor if they are pinned, because a pinned map may
 * be older than the program.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bpf_sys.h"
#include "prog_maps.h"

#define KEPT	(BPF_OBJ_NAME_LEN - 1)	/* characters that the kernel keeps */

/* ---- BTF ---- */

/**
 * struct types - the types of a program
 * @data: BTF, which the kernel has checked
 * @end: end of the types
 * @strings: the strings
 */
struct types {
	const struct btf_header *data;
	const char *end;
	const char *strings;
};

/* @id: of the BTF, or 0: the program has none */
static int types_read(uint32_t id, struct types *t)
{
	struct bpf_btf_info info = { .btf_size = 0 };
	int err, fd = id ? bpf_btf_fd(id) : -ENOENT;
	char *data = NULL;

	if (fd < 0)
		return fd;
	err = bpf_btf_info(fd, &info);		/* the size */
	if (!err) {
		data = malloc(info.btf_size);
		info = (struct bpf_btf_info){ .btf = (uintptr_t)data, .btf_size = info.btf_size };
		err = data ? bpf_btf_info(fd, &info) : -ENOMEM;
	}
	close(fd);
	if (err) {
		free(data);
		return err;
	}
	t->data = (const void *)data;
	t->end = data + t->data->hdr_len + t->data->type_off + t->data->type_len;
	t->strings = data + t->data->hdr_len + t->data->str_off;
	return 0;
}

/* Bytes that follow a type */
static size_t type_more(const struct btf_type *t)
{
	size_t n = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return n * sizeof(struct btf_var_secinfo);
	default:
		return 0;
	}
}

static const struct btf_type *type_first(const struct types *t)
{
	const char *at = (const char *)t->data + t->data->hdr_len + t->data->type_off;

	return at < t->end ? (const void *)at : NULL;
}

static const struct btf_type *type_next(const struct types *t, const struct btf_type *type)
{
	const char *at = (const char *)(type + 1) + type_more(type);

	return at < t->end ? (const void *)at : NULL;
}

/* Returns NULL for 0, which is void. */
static const struct btf_type *type_by_id(const struct types *t, uint32_t id)
{
	const struct btf_type *type = id ? type_first(t) : NULL;

	while (type && --id)
		type = type_next(t, type);
	return type;
}

/* ---- definitions ---- */

/**
 * struct def - a definition of a map
 * @name: its name
 * @pinned: it says that the map is pinned
 */
struct def {
	const char *name;
	bool pinned;
};

static bool is_pinned(const struct types *t, const struct btf_type *type)
{
	const struct btf_member *m;
	unsigned int i;

	while (type && (BTF_INFO_KIND(type->info) == BTF_KIND_TYPEDEF ||
			BTF_INFO_KIND(type->info) == BTF_KIND_CONST))
		type = type_by_id(t, type->type);
	if (!type || BTF_INFO_KIND(type->info) != BTF_KIND_STRUCT)
		return false;
	m = (const void *)(type + 1);
	for (i = 0; i < BTF_INFO_VLEN(type->info); i++)
		if (!strcmp(t->strings + m[i].name_off, "pinning"))
			return true;
	return false;
}

/* Read the definitions in ".maps". Returns how many, or -errno. The caller frees them. */
static int defs_read(const struct types *t, struct def **def)
{
	const struct btf_type *sec, *var;
	const struct btf_var_secinfo *v;
	int i, n;

	for (sec = type_first(t); sec; sec = type_next(t, sec))
		if (BTF_INFO_KIND(sec->info) == BTF_KIND_DATASEC &&
		    !strcmp(t->strings + sec->name_off, ".maps"))
			break;
	*def = NULL;
	n = sec ? BTF_INFO_VLEN(sec->info) : 0;
	if (!n)
		return 0;
	*def = calloc((size_t)n, sizeof(**def));
	if (!*def)
		return -ENOMEM;
	v = (const void *)(sec + 1);
	for (i = 0; i < n; i++) {
		var = type_by_id(t, v[i].type);
		(*def)[i] = (struct def){
			t->strings + var->name_off, is_pinned(t, type_by_id(t, var->type)),
		};
	}
	return n;
}

/* ---- names ---- */

static void name_find(struct bpf_maps *m, struct bpf_map_named *map, const struct def *def, int defs)
{
	const char *kept = map->info.name, *name = kept;
	int i, used = 0, lower = 0, defined = 0;
	bool pinned = false;

	for (i = 0; i < m->n; i++)
		if (!strcmp(m->map[i].info.name, kept)) {
			used++;
			lower += m->map[i].info.id < map->info.id;
		}
	for (i = 0; i < defs; i++)
		if (!strncmp(def[i].name, kept, KEPT)) {
			name = defined++ == lower ? def[i].name : name;
			pinned |= def[i].pinned;
		}
	if (!defined)
		map->known = strlen(kept) < KEPT ? BPF_NAME_WHOLE : BPF_NAME_CUT;
	else if (defined == used && (used == 1 || !pinned))
		map->known = BPF_NAME_WHOLE;
	else
		map->known = BPF_NAME_UNSURE;
	map->name = strdup(map->known == BPF_NAME_WHOLE ? name : kept);
}

static int names_find(struct bpf_maps *m, uint32_t btf_id)
{
	struct types t = { .data = NULL };
	struct def *def = NULL;
	int i, defs = types_read(btf_id, &t);

	if (!defs)
		defs = defs_read(&t, &def);
	if (defs < 0 && defs != -ENOENT)
		m->n = 0;
	for (i = 0; i < m->n; i++)
		name_find(m, &m->map[i], def, defs);
	free(def);
	free((void *)t.data);
	for (i = 0; i < m->n; i++)
		if (!m->map[i].name)
			return -ENOMEM;
	return defs == -ENOENT ? 0 : defs;
}

int bpf_maps_read(struct bpf_maps *m, int prog_fd)
{
	uint32_t ids[BPF_MAPS_MAX], i;
	struct bpf_prog_info prog = {
		.nr_map_ids = BPF_MAPS_MAX, .map_ids = (uintptr_t)ids,
	};
	int fd, err;

	memset(m, 0, sizeof(*m));
	err = bpf_prog_info(prog_fd, &prog);
	for (i = 0; !err && i < prog.nr_map_ids && i < BPF_MAPS_MAX; i++) {
		fd = bpf_map_fd(ids[i]);
		err = fd < 0 ? fd : bpf_map_info(fd, &m->map[i].info);
		m->n += !err;
		if (fd >= 0)
			close(fd);
	}
	if (!err)
		err = names_find(m, prog.btf_id);
	if (err < 0)
		bpf_maps_free(m);
	return err < 0 ? err : 0;
}

void bpf_maps_free(struct bpf_maps *m)
{
	int i;

	for (i = 0; i < m->n; i++)
		free(m->map[i].name);
	m->n = 0;
}

/* Is it the map of this name, or of this id if @name is a number? Names begin with no digit. */
static bool is_called(const struct bpf_map_named *map, const char *name)
{
	char *end;

	if (*name >= '0' && *name <= '9')
		return strtoul(name, &end, 10) == map->info.id && !*end;
	if (map->known == BPF_NAME_WHOLE)
		return !strcmp(map->name, name);
	return !strncmp(map->info.name, name, KEPT);
}

int bpf_maps_find(const struct bpf_maps *m, const char *name, uint32_t type, char *why, size_t len)
{
	bool by_id = *name >= '0' && *name <= '9', unsure = false;
	int i, found = -ENOENT, n = 0;
	size_t at = 0;

	for (i = 0; i < m->n; i++) {
		const struct bpf_map_named *map = &m->map[i];

		if ((type && map->info.type != type) || !is_called(map, name))
			continue;
		found = i;
		unsure |= !by_id && map->known == BPF_NAME_UNSURE;
		if (at < len)
			at += (size_t)snprintf(why + at, len - at, "%s%u", n ? " or " : "map ",
					       map->info.id);
		n++;
	}
	if (n < 2 && !unsure)
		return found;
	if (at < len)
		snprintf(why + at, len - at,
			 ": the kernel keeps only the first %d characters of a map's name", KEPT);
	return -ENOTUNIQ;
}
