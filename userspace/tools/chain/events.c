// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* events.c - a node of a policy graph that sends the events of an offloaded XDP program. */
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bpf.h"
#include "loaded.h"
#include "tool.h"

static int fail(const struct graph_node *n, const char *file, const char *text, int err)
{
	return tool_fail("%s:%u: node %s: %s: %s%s%s", file, n->line, n->name, n->interface, text,
			 err ? ": " : "", err ? strerror(-err) : "");
}

/* The id of the program's perf event array with that name, or 0. */
static uint32_t find_map(int prog, const char *name)
{
	uint32_t ids[BPF_MAPS_MAX], found = 0;
	struct bpf_prog_info info = { .nr_map_ids = BPF_MAPS_MAX, .map_ids = (uintptr_t)ids };
	struct bpf_map_info map;

	if (bpf_prog_info(prog, &info))
		return 0;
	for (uint32_t i = 0; i < info.nr_map_ids && i < BPF_MAPS_MAX && !found; i++) {
		int fd = bpf_map_fd(ids[i]);

		memset(&map, 0, sizeof(map));
		if (fd >= 0 && !bpf_map_info(fd, &map) && map.type == BPF_MAP_TYPE_PERF_EVENT_ARRAY &&
		    !strncmp(map.name, name, sizeof(map.name) - 1))
			found = map.id;
		if (fd >= 0)
			close(fd);
	}
	return found;
}

/* Descriptor of the program that @n's interface has offloaded. Negative: failed, printed why. */
static int find_prog(const struct graph_node *n, const char *file)
{
	unsigned int ifindex = if_nametoindex(n->interface);
	int nl = bpf_netlink(), fd;
	int64_t id = nl < 0 || !ifindex ? 0 : bpf_attached(nl, (int)ifindex);

	if (nl >= 0)
		close(nl);
	if (!ifindex) {
		fail(n, file, "there is no such interface", 0);
		return -1;
	}
	if (id <= 0) {
		fail(n, file, "no XDP program is offloaded", (int)id);
		return -1;
	}
	fd = bpf_prog_fd((uint32_t)id);
	if (fd < 0)
		fail(n, file, "its XDP program", fd);
	return fd;
}

int events_bind(struct nfpchan *ch, const struct graph_node *n, const char *file)
{
	int prog = find_prog(n, file), ret = 0;
	char text[256];
	uint32_t map;

	if (prog < 0)
		return EXIT_FAILURE;
	map = find_map(prog, n->map);
	if (!map)
		ret = tool_fail("%s:%u: node %s: the XDP program of %s has no perf event array '%s'",
				file, n->line, n->name, n->interface, n->map);
	else if (nfpchan_xdp_bind(ch, prog, map))
		ret = fail(n, file, nfpchan_error(ch, text, sizeof(text)), 0);
	close(prog);
	return ret;
}
