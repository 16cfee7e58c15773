// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* offload.c - load a program onto a card, or use the attached one. */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bpf_sys.h"
#include "card_limits.h"
#include "linking.h"
#include "say.h"
#include "xdp.h"

const char *xdp_error(int err)
{
	return err == -EPERM ? "no permission (CAP_SYS_ADMIN and CAP_NET_ADMIN are needed)" :
			       strerror(-err);
}

static int offload_fail(const struct offload *o, const char *what, int err)
{
	return tool_fail("%s: %s: %s", o->dev, what, xdp_error(err));
}

int offload_dev(struct offload *o, const char *dev)
{
	memset(o, 0, sizeof(*o));
	o->fd = -1;
	o->link = -1;
	o->dev = o->net.name;
	return netdev_find(&o->net, dev) ? tool_fail("%s: no such interface", dev) : 0;
}

/* ---- information on programs and maps ---- */

static int identify(struct offload *o)
{
	struct bpf_prog_info info = { .nr_map_ids = 0 };
	uint32_t len = sizeof(info);
	int err;

	err = bpf_obj_get_info_by_fd(o->fd, &info, &len);
	if (err)
		return offload_fail(o, "program", err);
	o->id = info.id;
	memcpy(o->name, info.name, sizeof(o->name));
	return 0;
}

/* Find the program's only event map. Returns its index, or prints why there is none, and returns -1. */
static int only_event_map(const struct offload *o, const struct bpf_maps *m)
{
	int i, found = -1, n = 0;

	for (i = 0; i < m->n; i++)
		if (m->map[i].info.type == BPF_MAP_TYPE_PERF_EVENT_ARRAY) {
			found = i;
			n++;
		}
	if (n > 1)
		tool_fail("%s: program %u (%s) uses %d event maps: choose one with --map",
			  o->dev, o->id, o->name, n);
	else if (!n)
		tool_fail("%s: program %u (%s) uses no perf event array", o->dev, o->id, o->name);
	return n == 1 ? found : -1;
}

static int event_map(const struct offload *o, const struct bpf_maps *m, const char *map)
{
	char why[256];
	int i = bpf_maps_find(m, map, BPF_MAP_TYPE_PERF_EVENT_ARRAY, why, sizeof(why));

	if (i == -ENOENT)
		tool_fail("%s: program %u (%s) uses no perf event array named %s", o->dev, o->id,
			  o->name, map);
	else if (i < 0)
		tool_fail("%s: program %u (%s): event map %s may be %s. Choose it by its number",
			  o->dev, o->id, o->name, map, why);
	return i;
}

int offload_map(struct offload *o, const char *map)
{
	struct bpf_maps m;
	int err, i = -1;

	err = bpf_maps_read(&m, o->fd);
	if (!err && o->obj)
		err = maps_name(&m, o->obj);
	if (err)
		return offload_fail(o, "maps of the program", err);
	i = map ? event_map(o, &m, map) : only_event_map(o, &m);
	if (i >= 0) {
		o->map_id = m.map[i].info.id;
		o->map_name = strdup(m.map[i].name);
		o->map_fd = bpf_map_get_fd_by_id(o->map_id);
	}
	bpf_maps_free(&m);
	if (i < 0)
		return EXIT_FAILURE;
	if (o->map_fd < 0)
		return offload_fail(o, "the event map", o->map_fd);
	return o->map_name ? 0 : offload_fail(o, "name of a map", -ENOMEM);
}

/* ---- load ---- */

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
	struct linking l;
	char firmware[300];
	int ret;

	if (!linking) {
		o->obj = bpf_object__open_file(path, NULL);
		return o->obj ? 0 : tool_fail("%s: %s", path, strerror(errno));
	}
	/* Of firmware that is not known, the driver decides. */
	l = *linking;
	if (!l.firmware)
		l.firmware = card_firmware(&o->net, firmware, sizeof(firmware));
	if (!l.firmware)
		l.firmware = "full";
	ret = linking_run(&l, &path, 1, &image);
	if (ret)
		return ret;
	o->obj = bpf_object__open_mem(image.elf, image.len, NULL);
	ret = o->obj ? 0 : tool_fail("%s, linked: %s", path, strerror(errno));
	nfpchan_xdp_image_free(&image);
	return ret;
}

static int old_maps_keep(const struct offload *o, const struct offload *old)
{
	struct bpf_maps m;
	int err = bpf_maps_read(&m, old->fd);

	if (err)
		return offload_fail(o, "maps of the program to replace", err);
	err = maps_keep(o->dev, o->obj, &m);
	bpf_maps_free(&m);
	return err;
}

/* Print the messages, and last a line that says what is wrong and what to do. */
static int load_fail(const struct offload *o, const char *path, int err)
{
	char said[SAY_LINE];

	say_print();
	if (!say_worst(said))
		snprintf(said, sizeof(said), "no message");
	return tool_fail("%s: cannot be offloaded to %s: %s (%s). For all reasons run: nfpchan xdp explain -d %s %s",
			 path, o->dev, strerror(-err), said, o->dev, path);
}

int offload_load(struct offload *o, const char *path, const char *name,
		 const struct linking *linking, const struct offload *old)
{
	struct bpf_program *prog;
	struct bpf_map *map;
	int err;

	say_begin();
	err = object_get(o, path, linking);
	if (err)
		return err;
	prog = choose(o->obj, path, name);
	if (!prog)
		return EXIT_FAILURE;
	bpf_program__set_type(prog, BPF_PROG_TYPE_XDP);
	bpf_program__set_ifindex(prog, (uint32_t)o->net.index);
	/* A perf event array is always in the kernel, also for a program on the card. */
	bpf_object__for_each_map(map, o->obj)
		if (bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			bpf_map__set_ifindex(map, (uint32_t)o->net.index);
	err = old ? old_maps_keep(o, old) : 0;
	if (err)
		return err;
	err = bpf_object__load(o->obj);
	if (err == -EPERM)
		return offload_fail(o, path, err);
	if (err)
		return load_fail(o, path, err);
	o->fd = dup(bpf_program__fd(prog));
	if (o->fd < 0)
		return offload_fail(o, "program", -errno);
	err = old ? maps_names_check(o->dev, o->obj) : 0;
	return err ? err : identify(o);
}

int offload_attached(struct offload *o)
{
	o->fd = bpf_attached_fd(o->net.index);
	if (o->fd == -ENOENT)
		return tool_fail("%s: no offloaded program is attached", o->dev);
	if (o->fd < 0)
		return offload_fail(o, "the attached program", o->fd);
	return identify(o);
}

/* ---- attach ---- */

/* Attach by a BPF link: the kernel then detaches the program when this process ends or dies. */
int offload_attach(struct offload *o)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = XDP_FLAGS_HW_MODE);

	o->link = bpf_link_create(o->fd, o->net.index, BPF_XDP, &opts);
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
		    info.xdp.ifindex == (uint32_t)old->net.index)
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
		err = bpf_xdp_attach(o->net.index, o->fd, XDP_FLAGS_HW_MODE | XDP_FLAGS_REPLACE, &opts);
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
	if (o->map_fd > 0)
		close(o->map_fd);
	bpf_object__close(o->obj);
	free(o->map_name);
}
