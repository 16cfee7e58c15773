// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * storm_card.c - the card goes away and comes back again and again, under traffic: nfp is unbound
 * and bound, the modules are unloaded in any order, the PCI device is removed and found again.
 * Each time the map of an offloaded program is bound to a channel.
 *
 * usage: storm_card bind|rescan LOOPS
 *        storm_card modules LOOPS NFP.KO NFP_CHAN.KO
 */
#define _GNU_SOURCE
#include "xdp/programs/offload.h"
#include "lib/storm.h"

static const char *nfp_ko, *chan_ko;

/*
 * ---- a channel to which the map of an offloaded program is bound ----
 *
 * No frames are sent. The module must release what it holds for the binding.
 */

static struct hook {
	struct bpf_object *obj;
	int node, ch;
	uint32_t prog_id, map_id;
} hook = { .node = -1, .ch = -1 };

static void hook_close(int *fd)
{
	close(*fd);
	*fd = -1;
}

static void hook_unload(void)
{
	bpf_object__close(hook.obj);
	hook.obj = NULL;
}

static bool map_exists(uint32_t id)
{
	int fd = bpf_map_get_fd_by_id(id);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/*
 * Bind a program's map. @alone: close our own fds of program and map, so that nothing holds the
 * program, and only the binding the map.
 */
static void hook_bind(bool alone)
{
	hook.obj = offload_load(OFFLOAD_HOOK, offload_ifindex());
	if (!hook.obj)
		die(OFFLOAD_HOOK);
	hook.prog_id = offload_prog_id(hook.obj);
	hook.map_id = offload_map_id(hook.obj, "events");
	if (!hook.prog_id || !hook.map_id)
		die("ids of program and map");
	hook.node = card_open(O_RDWR);
	hook.ch = chan_must(hook.node, "xdp0", NFP_CHAN_OPEN_NONBLOCK);
	if (ioctl(hook.ch, NFP_CHAN_IOC_XDP_BIND,
		  ARG(xdp_bind, .prog_fd = offload_prog(hook.obj),
		      .map_fd = bpf_object__find_map_fd_by_name(hook.obj, "events"))))
		die("bind");
	if (alone)
		hook_unload();
}

/*
 * The card has @gone, or else this closes the channel: after that nothing must hold program and
 * map, except our own fds, which this closes as well.
 */
static bool hook_end(bool gone)
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
		if (!prog_exists(hook.prog_id)) {
			printf("# the program was freed before its last fd was closed\n");
			good = false;
		}
		hook_unload();
	}
	if (!UNTIL(!prog_exists(hook.prog_id))) {
		printf("# a program whose map was bound is still held\n");
		good = false;
	}
	if (!UNTIL(!map_exists(hook.map_id))) {
		printf("# a map that was bound is still held\n");
		good = false;
	}
	return good;
}

/* ---- the card ---- */

/* Check that nothing of the channels is left: no interrupt, node, class device or pipe. */
static bool chan_gone(struct left is, const char *after)
{
	struct left want = is;

	want.n[LEFT_INTERRUPTS] = 0;
	want.n[LEFT_NODES] = 0;
	want.n[LEFT_CLASS] = 0;
	want.n[LEFT_PIPES] = -1;
	return left_same(&want, &is, after);
}

/* Check that nothing of the channels is left, and no vector and no DMA mapping of nfp. */
static bool card_gone(const char *after)
{
	struct left is = left_now(), want = is;

	want.n[LEFT_VECTORS] = 0;
	want.n[LEFT_DMA] = 0;
	return left_same(&want, &is, after) && chan_gone(is, after);
}

static bool bind_once(unsigned int loop)
{
	bool good;

	hook_bind(loop % 2);
	file_put("/sys/bus/pci/drivers/nfp/unbind", pci);
	good = card_gone("unbound") & hook_end(true);
	file_put("/sys/bus/pci/drivers/nfp/bind", pci);
	return good;
}

static bool rescan_once(unsigned int loop)
{
	char path[64];
	bool good;

	hook_bind(loop % 2);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/remove", pci);
	file_put(path, "1");
	good = card_gone("removed") & hook_end(true);
	file_put("/sys/bus/pci/rescan", "1");
	return good;
}

static void insert(const char *ko)
{
	int fd = open(ko, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		die(ko);
	close(fd);
}

static bool out(const char *name)
{
	return !syscall(SYS_delete_module, name, O_NONBLOCK);
}

static bool nfp_out(void)
{
	if (out("nfp"))
		return card_gone("nfp has left");
	printf("# nfp does not leave: %s\n", strerror(errno));
	return false;
}

/* Unload nfp_chan. @held: fds of the card are open, so this must fail until they are closed. */
static bool chan_out(bool held)
{
	bool good = true;

	if (held) {
		good = !out("nfp_chan") && errno == EWOULDBLOCK;
		if (!good)
			printf("# nfp_chan left its users, or: %s\n", strerror(errno));
		traffic_pause();
		good &= hook_end(false);
	} else {
		/* The card has gone, so the workers close their fds without being told. */
		while (left_number("/sys/module/nfp_chan/refcnt", ""))
			sched_yield();
	}
	good &= out("nfp_chan");
	if (!good)
		printf("# nfp_chan stays: %s\n", strerror(errno));
	if (held)
		traffic_resume();
	return good && chan_gone(left_now(), "nfp_chan has left");
}

/* Unload both modules in either order, or one of them; load them again in either order. */
static bool modules_once(unsigned int loop)
{
	bool nfp = loop % 6 != 5, chan = loop % 6 != 4, chan_first = loop % 6 > 1, good = true;

	/* Alternate every second loop, so that each order has the map held both ways. */
	hook_bind(loop / 2 % 2);
	if (nfp && !(chan && chan_first))
		good = nfp_out() & hook_end(true);
	if (good && chan)
		good = chan_out(!nfp || chan_first);
	if (good && nfp && chan && chan_first)
		good = nfp_out();
	if (!good)
		return false;
	if (chan && (loop % 2 || !nfp))
		insert(chan_ko);
	if (nfp)
		insert(nfp_ko);
	if (chan && nfp && !(loop % 2))
		insert(chan_ko);
	return true;
}

static const struct storm storms[] = {
	{ .name = "bind", .once = bind_once },
	{ .name = "rescan", .once = rescan_once },
	{ .name = "modules", .once = modules_once, .files = 2 },
	{ .name = NULL }
};

int main(int argc, char **argv)
{
	if (argc == 5) {
		nfp_ko = argv[3];
		chan_ko = argv[4];
	}
	return storm_main(storms, argc, argv);
}
