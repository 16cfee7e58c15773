/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * storm_xdp.h - a channel that an offloaded program's map is bound to, while the card
 * goes: no frames, but what the module holds for it must be let go of.
 */
#ifndef STORM_XDP_H
#define STORM_XDP_H

#include "xdp/programs/offload.h"
#include "storm.h"

static struct hook {
	struct bpf_object *obj;
	int node, ch;
	uint32_t prog_id;
} hook = { .node = -1, .ch = -1 };

static inline void hook_close(int *fd)
{
	close(*fd);
	*fd = -1;
}

static inline void hook_unload(void)
{
	bpf_object__close(hook.obj);
	hook.obj = NULL;
}

/* Of whichever of the card's ports */
static inline uint32_t hook_ifindex(void)
{
	char path[128];
	glob_t g = { 0 };
	uint32_t n = 0;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/net/*/ifindex", pci);
	if (!glob(path, 0, NULL, &g))
		n = left_number(g.gl_pathv[0], "");
	globfree(&g);
	return n;
}

/* @alone: nobody else holds the program. */
static inline void hook_bind(bool alone)
{
	struct nfp_chan_xdp_bind bind = { .size = sizeof(bind) };

	hook.obj = offload_load(OFFLOAD_HOOK, hook_ifindex());
	if (!hook.obj)
		die(OFFLOAD_HOOK);
	hook.prog_id = offload_prog_id(hook.obj);
	if (!hook.prog_id)
		die("of a program");
	hook.node = card_open(O_RDWR);
	hook.ch = chan_must(hook.node, "xdp0", NFP_CHAN_OPEN_NONBLOCK);
	bind.prog_fd = offload_prog(hook.obj);
	bind.map_id = offload_map_id(hook.obj, "events");
	if (ioctl(hook.ch, NFP_CHAN_IOC_XDP_BIND, &bind))
		die("bind");
	if (alone)
		hook_unload();
}

static inline bool hook_there(void)
{
	int fd = bpf_prog_get_fd_by_id(hook.prog_id);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The card has @gone, or the channel is closed under it: nobody has the program any more. */
static inline bool hook_end(bool gone)
{
	bool good = true;
	char byte;

	if (gone && (read(hook.ch, &byte, 1) >= 0 || errno != ENODEV)) {
		printf("# a channel with a binding has outlived the card\n");
		good = false;
	}
	hook_close(&hook.ch);
	hook_close(&hook.node);
	if (hook.obj) {
		if (!hook_there()) {
			printf("# a program is gone before its last file\n");
			good = false;
		}
		hook_unload();
	}
	if (!UNTIL(!hook_there())) {
		printf("# somebody still holds a program that was bound\n");
		good = false;
	}
	return good;
}

#endif /* STORM_XDP_H */
