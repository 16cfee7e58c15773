// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* offload.c - load a program onto a card, or use the attached one. */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "linking.h"
#include "xdp.h"

#define MAPS_MAX	64	/* MAX_USED_MAPS of the kernel */
#define LOG_SIZE	65536

static int offload_fail(const struct offload *o, const char *what, int err)
{
	return tool_fail("%s: %s: %s", o->dev, what, strerror(-err));
}

int offload_dev(struct offload *o, const char *dev)
{
	memset(o, 0, sizeof(*o));
	o->dev = dev;
	o->fd = -1;
	o->link = -1;
	o->ifindex = (int)if_nametoindex(dev);
	return o->ifindex ? 0 : tool_fail("%s: no such interface", dev);
}

/* ---- information on programs and maps ---- */

static int prog_info(const struct offload *o, struct bpf_prog_info *info, uint32_t *maps)
{
	uint32_t len = sizeof(*info);

	memset(info, 0, sizeof(*info));
	info->map_ids = (uintptr_t)maps;
	info->nr_map_ids = maps ? MAPS_MAX : 0;
	return bpf_obj_get_info_by_fd(o->fd, info, &len);
}

static int identify(struct offload *o)
{
	struct bpf_prog_info info;
	int err;

	err = prog_info(o, &info, NULL);
	if (err)
		return offload_fail(o, "program", err);
	o->id = info.id;
	memcpy(o->name, info.name, sizeof(o->name));
	return 0;
}

/* Is the map with this @id a perf event array named @name? NULL matches each name. */
static bool map_fits(uint32_t id, const char *name, struct bpf_map_info *info)
{
	uint32_t len = sizeof(*info);
	int fd = bpf_map_get_fd_by_id(id), err;

	memset(info, 0, sizeof(*info));
	err = fd < 0 ? fd : bpf_obj_get_info_by_fd(fd, info, &len);
	if (fd >= 0)
		close(fd);
	return !err && info->type == BPF_MAP_TYPE_PERF_EVENT_ARRAY &&
	       (!name || !strncmp(info->name, name, sizeof(info->name) - 1));
}

int offload_map(struct offload *o, const char *map)
{
	struct bpf_prog_info prog;
	struct bpf_map_info info;
	uint32_t ids[MAPS_MAX], i;
	unsigned int found = 0;
	int err;

	err = prog_info(o, &prog, ids);
	if (err)
		return offload_fail(o, "program", err);
	for (i = 0; i < prog.nr_map_ids && i < MAPS_MAX; i++) {
		if (!map_fits(ids[i], map, &info))
			continue;
		found++;
		o->map_id = info.id;
		memcpy(o->map_name, info.name, sizeof(o->map_name));
	}
	if (found == 1)
		return 0;
	if (found)
		return tool_fail("%s: program %u (%s) uses %u event maps: choose one with --map",
				 o->dev, o->id, o->name, found);
	return tool_fail("%s: program %u (%s) uses no perf event array%s%s", o->dev, o->id,
			 o->name, map ? " named " : "", map ? map : "");
}

/* ---- maps of the program that is replaced ---- */

/* Find a map by name. The kernel may have truncated it. Returns a descriptor, or -1. */
static int map_find(const uint32_t *ids, unsigned int count, const char *name,
		    struct bpf_map_info *info)
{
	uint32_t len = sizeof(*info);
	unsigned int i;
	int fd;

	for (i = 0; i < count; i++) {
		fd = bpf_map_get_fd_by_id(ids[i]);
		memset(info, 0, sizeof(*info));
		if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, info, &len) &&
		    !strncmp(info->name, name, sizeof(info->name) - 1))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

static int map_keep(const struct offload *o, struct bpf_map *map, int fd,
		    const struct bpf_map_info *info)
{
	const char *name = bpf_map__name(map);
	int err;

	if (info->type != bpf_map__type(map) || info->key_size != bpf_map__key_size(map) ||
	    info->value_size != bpf_map__value_size(map) ||
	    (info->max_entries != bpf_map__max_entries(map) &&
	     info->type != BPF_MAP_TYPE_PERF_EVENT_ARRAY))
		return tool_fail("%s: map %s has keys of %u bytes, values of %u and %u entries; in the "
				 "program that is replaced it has %u, %u and %u: change its name",
				 o->dev, name, bpf_map__key_size(map), bpf_map__value_size(map),
				 bpf_map__max_entries(map), info->key_size, info->value_size,
				 info->max_entries);
	err = bpf_map__reuse_fd(map, fd);
	return err ? tool_fail("%s: map %s: %s", o->dev, name, strerror(-err)) : 0;
}

static int maps_keep(const struct offload *o, const struct offload *old)
{
	struct bpf_prog_info prog;
	struct bpf_map_info info;
	uint32_t ids[MAPS_MAX];
	struct bpf_map *map;
	int err, fd;

	err = prog_info(old, &prog, ids);
	if (err)
		return offload_fail(o, "program to replace", err);
	bpf_object__for_each_map(map, o->obj) {
		fd = map_find(ids, prog.nr_map_ids < MAPS_MAX ? prog.nr_map_ids : MAPS_MAX,
			      bpf_map__name(map), &info);
		if (fd < 0)
			continue;
		err = map_keep(o, map, fd, &info);
		close(fd);
		if (err)
			return err;
	}
	return 0;
}

/* ---- load ---- */

/* Messages of libbpf, printed if a load fails */
static char load_log[LOG_SIZE];
static size_t load_logged;

static int log_keep(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	size_t room = sizeof(load_log) - load_logged;
	int n;

	if (level > LIBBPF_WARN || room < 2)
		return 0;
	n = vsnprintf(load_log + load_logged, room, fmt, ap);
	if (n > 0)
		load_logged += (size_t)n < room ? (size_t)n : room - 1;
	return 0;
}

static struct bpf_program *choose(struct bpf_object *obj, const char *path, const char *name)
{
	struct bpf_program *prog, *found = NULL;
	unsigned int n = 0;

	bpf_object__for_each_program(prog, obj) {
		bool wanted = !name || !strcmp(bpf_program__name(prog), name);

		bpf_program__set_autoload(prog, wanted);
		n += wanted;
		found = wanted ? prog : found;
	}
	if (n == 1)
		return found;
	if (name)
		tool_fail("%s: no program \"%s\"", path, name);
	else
		tool_fail("%s: %u programs: choose one with --prog", path, n);
	return NULL;
}

/* Open the object. With @linking, link the object first and open the result. */
static int object_get(struct offload *o, const char *path, const struct linking *linking)
{
	struct nfpchan_xdp_image image;
	int ret;

	if (!linking) {
		o->obj = bpf_object__open_file(path, NULL);
		return o->obj ? 0 : tool_fail("%s: %s", path, strerror(errno));
	}
	ret = linking_run(linking, &path, 1, &image);
	if (ret)
		return ret;
	o->obj = bpf_object__open_mem(image.elf, image.len, NULL);
	ret = o->obj ? 0 : tool_fail("%s, linked: %s", path, strerror(errno));
	nfpchan_xdp_image_free(&image);
	return ret;
}

int offload_load(struct offload *o, const char *path, const char *name,
		 const struct linking *linking, const struct offload *old)
{
	struct bpf_program *prog;
	struct bpf_map *map;
	int err;

	libbpf_set_print(log_keep);
	err = object_get(o, path, linking);
	if (err)
		return err;
	prog = choose(o->obj, path, name);
	if (!prog)
		return EXIT_FAILURE;
	bpf_program__set_type(prog, BPF_PROG_TYPE_XDP);
	bpf_program__set_ifindex(prog, (uint32_t)o->ifindex);
	/* A perf event array is always in the kernel, also for a program on the card. */
	bpf_object__for_each_map(map, o->obj)
		if (bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			bpf_map__set_ifindex(map, (uint32_t)o->ifindex);
	err = old ? maps_keep(o, old) : 0;
	if (err)
		return err;
	err = bpf_object__load(o->obj);
	if (err) {
		fputs(load_log, stderr);
		return tool_fail("%s: cannot be offloaded to %s: %s. For the reason run: nfpchan xdp explain -d %s %s",
				 path, o->dev, strerror(-err), o->dev, path);
	}
	o->fd = dup(bpf_program__fd(prog));
	if (o->fd < 0)
		return offload_fail(o, "program", -errno);
	return identify(o);
}

int offload_attached(struct offload *o)
{
	LIBBPF_OPTS(bpf_xdp_query_opts, q);
	int err;

	err = bpf_xdp_query(o->ifindex, XDP_FLAGS_HW_MODE, &q);
	if (err)
		return offload_fail(o, "query of the attached program", err);
	if (!q.hw_prog_id)
		return tool_fail("%s: no offloaded program is attached", o->dev);
	o->fd = bpf_prog_get_fd_by_id(q.hw_prog_id);
	if (o->fd < 0)
		return offload_fail(o, "program", o->fd);
	return identify(o);
}

/* ---- attach ---- */

/* Attach by a BPF link: the kernel then detaches the program when this process ends or dies. */
int offload_attach(struct offload *o)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = XDP_FLAGS_HW_MODE);

	o->link = bpf_link_create(o->fd, o->ifindex, BPF_XDP, &opts);
	if (o->link == -EBUSY || o->link == -EEXIST)
		return tool_fail("%s: another offloaded program is attached", o->dev);
	return o->link < 0 ? offload_fail(o, "attach", o->link) : 0;
}

/* Find the BPF link that attaches @old. Returns a descriptor, or -1 if there is none. */
static int link_find(const struct offload *old)
{
	struct bpf_link_info info;
	uint32_t id = 0, len;
	int fd;

	while (!bpf_link_get_next_id(id, &id)) {
		fd = bpf_link_get_fd_by_id(id);
		memset(&info, 0, sizeof(info));
		len = sizeof(info);
		if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &len) &&
		    info.type == BPF_LINK_TYPE_XDP && info.prog_id == old->id &&
		    info.xdp.ifindex == (uint32_t)old->ifindex)
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

int offload_replace(struct offload *o, const struct offload *old)
{
	LIBBPF_OPTS(bpf_xdp_attach_opts, opts, .old_prog_fd = old->fd);
	int link = link_find(old), err;

	if (link >= 0) {
		err = bpf_link_update(link, o->fd, NULL);
		close(link);
	} else {
		err = bpf_xdp_attach(o->ifindex, o->fd, XDP_FLAGS_HW_MODE | XDP_FLAGS_REPLACE, &opts);
	}
	return err ? offload_fail(o, "replace", err) : 0;
}

void offload_detach(struct offload *o)
{
	if (o->link >= 0)
		close(o->link);
	o->link = -1;
}

void offload_close(struct offload *o)
{
	offload_detach(o);
	if (o->fd >= 0)
		close(o->fd);
	bpf_object__close(o->obj);
}
