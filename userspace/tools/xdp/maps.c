// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps.c - which map of an object is which map in the kernel. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../tool.h"
#include "xdp.h"

/* The map of a loaded object that the kernel knows by this id, or NULL. */
static struct bpf_map *map_of_id(const struct bpf_object *obj, uint32_t id)
{
	struct bpf_map_info info;
	struct bpf_map *map;
	uint32_t len;

	bpf_object__for_each_map(map, obj) {
		len = sizeof(info);
		memset(&info, 0, len);
		if (bpf_map__fd(map) >= 0 && !bpf_obj_get_info_by_fd(bpf_map__fd(map), &info, &len) &&
		    info.id == id)
			return map;
	}
	return NULL;
}

int maps_name(struct bpf_maps *m, const struct bpf_object *obj)
{
	struct bpf_map *map;
	char *name;
	int i;

	for (i = 0; i < m->n; i++) {
		map = map_of_id(obj, m->map[i].info.id);
		name = map ? strdup(bpf_map__name(map)) : NULL;
		if (map && !name)
			return -ENOMEM;
		if (!map)
			continue;
		free(m->map[i].name);
		m->map[i].name = name;
		m->map[i].known = BPF_NAME_WHOLE;
	}
	return 0;
}

/* ---- maps of the program that is replaced ---- */

static int map_keep(const char *dev, struct bpf_map *map, const struct bpf_map_info *info)
{
	const char *name = bpf_map__name(map);
	int fd, err;

	if (info->type != bpf_map__type(map) || info->key_size != bpf_map__key_size(map) ||
	    info->value_size != bpf_map__value_size(map) ||
	    (info->max_entries != bpf_map__max_entries(map) &&
	     info->type != BPF_MAP_TYPE_PERF_EVENT_ARRAY))
		return tool_fail("%s: map %s has keys of %u bytes, values of %u and %u entries; in the "
				 "program that is replaced it has %u, %u and %u: change its name",
				 dev, name, bpf_map__key_size(map), bpf_map__value_size(map),
				 bpf_map__max_entries(map), info->key_size, info->value_size,
				 info->max_entries);
	fd = bpf_map_get_fd_by_id(info->id);
	err = fd < 0 ? fd : bpf_map__reuse_fd(map, fd);
	if (fd >= 0)
		close(fd);
	return err ? tool_fail("%s: map %s: %s", dev, name, xdp_error(err)) : 0;
}

int maps_keep(const char *dev, struct bpf_object *obj, const struct bpf_maps *old)
{
	struct bpf_map *map, *taken[BPF_MAPS_MAX] = { NULL };
	const char *name;
	char why[256];
	int i, err;

	bpf_object__for_each_map(map, obj) {
		name = bpf_map__name(map);
		i = bpf_maps_find(old, name, 0, why, sizeof(why));
		if (i == -ENOENT)
			continue;
		if (i < 0)
			return tool_fail("%s: in the program that is replaced, map %s may be %s. Change its name",
					 dev, name, why);
		if (taken[i])
			return tool_fail("%s: maps %s and %s would both be map %u (%s) of the program that is replaced: change one name",
					 dev, bpf_map__name(taken[i]), name, old->map[i].info.id, old->map[i].name);
		taken[i] = map;
		err = map_keep(dev, map, &old->map[i].info);
		if (err)
			return err;
	}
	return 0;
}

/* Compare the names by which bpf_maps_read() tells the maps of a program with those of the object. */
static int names_check(const char *dev, const struct bpf_object *obj, int prog_fd)
{
	const struct bpf_map *map;
	struct bpf_maps m;
	int i, err;

	err = bpf_maps_read(&m, prog_fd);
	if (err)
		return tool_fail("%s: maps of the program: %s", dev, xdp_error(err));
	for (i = 0; !err && i < m.n; i++) {
		map = map_of_id(obj, m.map[i].info.id);
		if (map && !bpf_map__is_internal(map) && m.map[i].known == BPF_NAME_WHOLE &&
		    strcmp(bpf_map__name(map), m.map[i].name))
			err = tool_fail("%s: map %s would be taken for %s afterwards, because the kernel "
					"keeps only the first %d characters of a map's name, and the order "
					"in the object is not that of the old program: change one name, or "
					"define and use the maps in the old order, and new ones last",
					dev, bpf_map__name(map), m.map[i].name, BPF_OBJ_NAME_LEN - 1);
	}
	bpf_maps_free(&m);
	return err;
}

int maps_names_check(const char *dev, const struct bpf_object *obj)
{
	struct bpf_program *prog;
	int err = 0;

	bpf_object__for_each_program(prog, obj)
		if (!err && bpf_program__fd(prog) >= 0)
			err = names_check(dev, obj, bpf_program__fd(prog));
	return err;
}
