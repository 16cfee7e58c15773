// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* events.c - a node of a policy graph that sends the events of an offloaded XDP program. */
#include <errno.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bpf_sys.h"
#include "loaded.h"
#include "prog_maps.h"
#include "tool.h"

static int fail(const struct graph_node *n, const char *file, const char *text, int err)
{
	return tool_fail("%s:%u: node %s: %s: %s%s%s", file, n->line, n->name, n->interface, text,
			 err ? ": " : "", err ? strerror(-err) : "");
}

/* Descriptor of the program that @n's interface has offloaded. Negative: failed, printed why. */
static int find_prog(const struct graph_node *n, const char *file)
{
	unsigned int ifindex = if_nametoindex(n->interface);
	int fd = ifindex ? bpf_attached_fd((int)ifindex) : -ENODEV;

	if (!ifindex)
		fail(n, file, "there is no such interface", 0);
	else if (fd == -ENOENT)
		fail(n, file, "no XDP program is offloaded", 0);
	else if (fd < 0)
		fail(n, file, "its XDP program", fd);
	return fd;
}

static int map_bind(struct nfpchan *ch, const struct graph_node *n, const char *file, int prog,
		    uint32_t id)
{
	int fd = bpf_map_fd(id), ret = 0;
	char text[256];

	if (fd < 0)
		return fail(n, file, "its event map", fd);
	if (nfpchan_xdp_bind(ch, prog, fd))
		ret = fail(n, file, nfpchan_error(ch, text, sizeof(text)), 0);
	close(fd);
	return ret;
}

int events_bind(struct nfpchan *ch, const struct graph_node *n, const char *file)
{
	int prog = find_prog(n, file), map, ret = 0;
	struct bpf_maps maps;
	char text[256];

	if (prog < 0)
		return EXIT_FAILURE;
	ret = bpf_maps_read(&maps, prog);
	if (ret) {
		close(prog);
		return fail(n, file, "the maps of its XDP program", ret);
	}
	map = bpf_maps_find(&maps, n->map, BPF_MAP_TYPE_PERF_EVENT_ARRAY, text, sizeof(text));
	if (map == -ENOENT)
		ret = tool_fail("%s:%u: node %s: the XDP program of %s has no perf event array '%s'",
				file, n->line, n->name, n->interface, n->map);
	else if (map < 0)
		ret = tool_fail("%s:%u: node %s: event map '%s' of %s: %s", file, n->line, n->name,
				n->map, n->interface, text);
	else
		ret = map_bind(ch, n, file, prog, maps.map[map].info.id);
	bpf_maps_free(&maps);
	close(prog);
	return ret;
}
