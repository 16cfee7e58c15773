// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* attach.c - attach device programs to interfaces, and detach them. */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "cmd.h"
#include "netns.h"
#include "place.h"
#include "say.h"

static uint32_t flags(enum state_mode mode)
{
	static const uint32_t flag[] = {
		[STATE_OFFLOAD] = XDP_FLAGS_HW_MODE, [STATE_NATIVE] = XDP_FLAGS_DRV_MODE,
		[STATE_GENERIC] = XDP_FLAGS_SKB_MODE,
	};

	return flag[mode];
}

/* Returns the id of the program that an interface has in a mode, 0 if it has none, or -errno. */
static int64_t attached(int ifindex, enum state_mode mode)
{
	LIBBPF_OPTS(bpf_xdp_query_opts, q);
	int err = bpf_xdp_query(ifindex, 0, &q);

	if (err)
		return err;
	if (mode == STATE_OFFLOAD)
		return q.hw_prog_id;
	return mode == STATE_NATIVE ? q.drv_prog_id : q.skb_prog_id;
}

static int64_t attached_any(int ifindex)
{
	int64_t id = 0;
	int mode;

	for (mode = STATE_OFFLOAD; mode <= STATE_GENERIC && !id; mode++)
		id = attached(ifindex, (enum state_mode)mode);
	return id;
}

int64_t state_attached(const struct state *s)
{
	int ret = netns_enter_inode(s->netns);

	return ret ? ret : attached((int)s->ifindex, s->mode);
}

bool state_alive(const struct state *s)
{
	int fd = bpf_prog_get_fd_by_id(s->prog);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int state_detach(const struct state *s)
{
	LIBBPF_OPTS(bpf_xdp_attach_opts, opts);
	int64_t id = state_attached(s);
	int ret;

	if (id < 0 || id != s->prog)
		return id < 0 ? (int)id : -ENOENT;
	opts.old_prog_fd = bpf_prog_get_fd_by_id(s->prog);
	if (opts.old_prog_fd < 0)
		return opts.old_prog_fd;
	ret = bpf_xdp_detach((int)s->ifindex, flags(s->mode) | XDP_FLAGS_REPLACE, &opts);
	close(opts.old_prog_fd);
	return ret;
}

/* Print that the interface has an XDP program already, which this deployment does not replace. */
static int is_taken(const struct place *p)
{
	struct bpf_prog_info info = { 0 };
	int64_t id = attached_any(p->iface.index);
	int fd = id > 0 ? bpf_prog_get_fd_by_id((uint32_t)id) : -1;
	uint32_t len = sizeof(info);

	if (fd >= 0) {
		bpf_obj_get_info_by_fd(fd, &info, &len);
		close(fd);
	}
	return tool_fail("%s: %s has XDP program %lld (%s) already. `ncl show` knows those that ncl has "
			 "deployed; ip link set dev %s xdp off ends others", p->label, p->ifname,
			 (long long)id, info.name, p->ifname);
}

/* The new program replaces the old program on the same interface, in the same mode. */
static bool same_place(const struct place *p)
{
	return p->replaces && p->old.ifindex == p->state.ifindex && p->old.netns == p->state.netns &&
	       p->old.mode == p->state.mode;
}

static int attach_once(const struct place *p)
{
	LIBBPF_OPTS(bpf_xdp_attach_opts, opts, .old_prog_fd = p->old_prog);

	if (same_place(p))
		return bpf_xdp_attach(p->iface.index, p->prog, flags(p->state.mode) | XDP_FLAGS_REPLACE,
				      &opts);
	return bpf_xdp_attach(p->iface.index, p->prog,
			      flags(p->state.mode) | XDP_FLAGS_UPDATE_IF_NOEXIST, NULL);
}

/*
 * libbpf prints the driver's reason after "libbpf: Kernel error message: ". Return only the
 * reason.
 */
static const char *reason(char said[SAY_LINE], int err)
{
	char *text = say_worst(said) ? strstr(said, "message: ") : NULL;

	return text ? text + strlen("message: ") : strerror(-err);
}

int place_attach(struct place *p)
{
	char said[SAY_LINE];
	int err;

	if (place_enter(p))
		return EXIT_FAILURE;
	say_begin();
	err = attach_once(p);
	if (err && err != -EBUSY && err != -EEXIST && p->state.mode == STATE_NATIVE && !p->chosen) {
		snprintf(p->why, sizeof(p->why), "native: %.100s", reason(said, err));
		p->state.mode = STATE_GENERIC;
		say_begin();
		err = attach_once(p);
	}
	if ((err == -EBUSY || err == -EEXIST) && attached_any(p->iface.index) > 0)
		return is_taken(p);
	if (err)
		return tool_fail("%s: %s does not take the program (%s): %s", p->label, p->ifname,
				 state_modes[p->state.mode], reason(said, err));
	p->attached = true;
	/*
	 * The old program is on another interface or in another mode. The new program runs now,
	 * so detach the old program.
	 */
	if (p->replaces && !same_place(p))
		state_detach(&p->old);
	return 0;
}

void place_revert(struct place *p)
{
	LIBBPF_OPTS(bpf_xdp_attach_opts, opts, .old_prog_fd = p->prog);

	if (!p->attached)
		return;
	p->attached = false;
	if (same_place(p) && !place_enter(p)) {
		bpf_xdp_attach(p->iface.index, p->old_prog, flags(p->old.mode) | XDP_FLAGS_REPLACE,
			       &opts);
		return;
	}
	state_detach(&p->state);
	if (p->replaces && !netns_enter_inode(p->old.netns))
		bpf_xdp_attach((int)p->old.ifindex, p->old_prog,
			       flags(p->old.mode) | XDP_FLAGS_UPDATE_IF_NOEXIST, NULL);
}
