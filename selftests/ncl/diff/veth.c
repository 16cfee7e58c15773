// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * veth.c - send frames through a program at one end of a veth pair, in native and in generic XDP.
 *
 * A packet socket at the program's end receives the frames that the program passes. A packet
 * socket at the other end receives the frames that it sends back. The counters of the program
 * (enum ncl_count) have the number of frames that it drops.
 */
#include "xdp_run.h"
#include "diff.h"

struct veth {
	const char *dev;
	int dev_fd, peer_fd, peer_prog;
};

static struct veth veth;

/*
 * A frame of XDP_TX only reaches a peer that has an XDP program as well, so load one that passes
 * all.
 */
static int pass_prog(void)
{
	struct bpf_insn insn[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = XDP_PASS },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return bpf_prog_load(BPF_PROG_TYPE_XDP, "pass", "GPL", insn, 2, NULL);
}

void veth_open(const char *dev, const char *peer)
{
	veth.dev = dev;
	veth.dev_fd = packet_socket(if_nametoindex(dev));
	veth.peer_fd = packet_socket(if_nametoindex(peer));
	veth.peer_prog = pass_prog();
	if (bpf_xdp_attach(if_nametoindex(peer), veth.peer_prog, XDP_FLAGS_DRV_MODE, NULL))
		die("XDP at the veth's peer");
}

static uint64_t dropped(struct bpf_object *obj)
{
	static const uint32_t what[] = { NCL_DROPPED, NCL_BUSY, NCL_MALFORMED, NCL_NOWHERE };
	int fd = bpf_object__find_map_fd_by_name(obj, NCL_MAP_COUNTS);
	uint64_t n, all = 0;
	unsigned int i;

	for (i = 0; i < sizeof(what) / sizeof(what[0]); i++) {
		if (bpf_map_lookup_elem(fd, &what[i], &n))
			die("counters");
		all += n;
	}
	return all;
}

/* Receive frames until all expected frames have arrived, or until no more arrive. */
static void collect(struct bpf_object *obj, const struct outcome *want, struct outcome *got)
{
	struct pollfd fds[] = {
		{ .fd = veth.dev_fd, .events = POLLIN }, { .fd = veth.peer_fd, .events = POLLIN },
	};
	uint64_t end = now_ms() + slowly(WAIT_MS);

	for (;;) {
		bool moved = false;

		while (take(veth.dev_fd, &got->host))
			moved = true;
		while (take(veth.peer_fd, &got->peer))
			moved = true;
		got->dropped = dropped(obj);
		if ((got->host.n >= want->host.n && got->peer.n >= want->peer.n &&
		     got->dropped >= want->dropped) || now_ms() > end)
			return;
		if (moved)
			end = now_ms() + slowly(WAIT_MS);
		poll(fds, 2, 20);
	}
}

void veth_run(struct bpf_object *obj, uint32_t flags, const struct frames *packets,
	      const struct outcome *want, struct outcome *got)
{
	int index = if_nametoindex(veth.dev);

	if (bpf_xdp_attach(index, xdp_fd(obj), flags, NULL))
		die("XDP at the veth");
	send_frames(veth.peer_fd, packets);
	collect(obj, want, got);
	if (bpf_xdp_detach(index, flags, NULL))
		die("detach");
}
