// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* load.c - load the object of a place into the card or into the kernel. */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "cmd.h"
#include "ncl_abi.h"
#include "netns.h"
#include "place.h"
#include "say.h"

int place_enter(const struct place *p)
{
	int ret = netns_enter(p->netns);

	if (!ret)
		return 0;
	if (p->netns)
		return tool_fail("%s: network namespace %s: %s", p->label, p->netns, strerror(-ret));
	return tool_fail("network namespace: %s", strerror(-ret));
}

static int failed(const struct place *p, const char *what, int err)
{
	return tool_fail("%s: %s: %s: %s", p->label, p->path, what, strerror(-err));
}

/*
 * Prepare the object for loading. In mode offload, program and maps get the interface's number:
 * the kernel then passes them to the driver of that card.
 */
static int prepare(struct place *p, struct bpf_program **prog)
{
	struct bpf_map *map;

	*prog = bpf_object__next_program(p->obj, NULL);
	if (!*prog || bpf_object__next_program(p->obj, *prog))
		return tool_fail("%s: %s: an object of nclc has one program", p->label, p->path);
	bpf_program__set_type(*prog, BPF_PROG_TYPE_XDP);
	if (p->state.mode != STATE_OFFLOAD)
		return 0;
	bpf_program__set_ifindex(*prog, (uint32_t)p->iface.index);
	bpf_object__for_each_map(map, p->obj)
		bpf_map__set_ifindex(map, (uint32_t)p->iface.index);
	return 0;
}

static int find_ids(struct place *p)
{
	struct bpf_prog_info prog = { 0 };
	uint32_t len = sizeof(prog);
	struct bpf_map *map;
	int err = bpf_obj_get_info_by_fd(p->prog, &prog, &len);

	if (err)
		return failed(p, "program", err);
	p->state.prog = prog.id;
	bpf_object__for_each_map(map, p->obj) {
		struct state_map *m = &p->state.map[p->state.maps];
		struct bpf_map_info info = { 0 };

		if (p->state.maps == STATE_MAPS)
			return tool_fail("%s: %s has more than %u maps", p->label, p->path, STATE_MAPS);
		len = sizeof(info);
		err = bpf_obj_get_info_by_fd(bpf_map__fd(map), &info, &len);
		if (err)
			return failed(p, bpf_map__name(map), err);
		snprintf(m->name, sizeof(m->name), "%s", bpf_map__name(map));
		m->id = info.id;
		p->state.maps++;
	}
	return 0;
}

static int load_failed(const struct place *p, int err)
{
	char said[SAY_LINE];

	if (say_worst(said))
		tool_fail("%s: %s", p->path, said);
	if (p->state.mode == STATE_OFFLOAD)
		return tool_fail("%s: %s cannot be offloaded to %s: %s. nfpchan xdp explain -d %s %s may "
				 "say why; --map %s=%s:native has this machine run it", p->label, p->path,
				 p->ifname, strerror(-err), p->ifname, p->path, p->label, p->ifname);
	return failed(p, "cannot be loaded", err);
}

int place_load(struct place *p)
{
	struct bpf_program *prog;
	int err;

	say_begin();
	p->obj = bpf_object__open_file(p->path, NULL);
	if (!p->obj)
		return tool_fail("%s: %s: %s", p->label, p->path, strerror(errno));
	if (prepare(p, &prog))
		return EXIT_FAILURE;
	err = bpf_object__load(p->obj);
	if (err)
		return load_failed(p, err);
	p->prog = bpf_program__fd(prog);
	return find_ids(p);
}

int place_put(const struct place *p, const char *name, uint32_t key, const void *value, size_t size)
{
	struct bpf_map *map = bpf_object__find_map_by_name(p->obj, name);
	int err;

	if (!map)
		return tool_fail("%s: %s: no map %s: not made by nclc", p->label, p->path, name);
	if (bpf_map__key_size(map) != sizeof(key) || bpf_map__value_size(map) != size ||
	    key >= bpf_map__max_entries(map))
		return tool_fail("%s: %s: map %s has %u keys of %u bytes, values of %u bytes; number %u of %zu "
				 "bytes is to be put there", p->label, p->path, name,
				 bpf_map__max_entries(map), bpf_map__key_size(map),
				 bpf_map__value_size(map), key, size);
	err = bpf_map_update_elem(bpf_map__fd(map), &key, value, BPF_ANY);
	return err ? failed(p, name, err) : 0;
}

void place_close(struct place *p)
{
	if (p->old_prog >= 0)
		close(p->old_prog);
	bpf_object__close(p->obj);
}
