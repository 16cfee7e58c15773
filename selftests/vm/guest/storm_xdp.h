/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * storm_xdp.h - a channel that an offloaded program's map is bound to, while the card
 * goes: no frames, but what the module holds for it must be let go of.
 */
#ifndef STORM_XDP_H
#define STORM_XDP_H

#include <linux/bpf.h>
#include "storm.h"

static struct hook {
	int node, ch, map, prog;
	uint32_t prog_id;
} hook = { .node = -1, .ch = -1, .map = -1, .prog = -1 };

static inline int hook_bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static inline void hook_close(int *fd)
{
	close(*fd);
	*fd = -1;
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

/* An event of 8 bytes for each packet. */
static inline int hook_load(int map, uint32_t ifindex)
{
	struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 6, .imm = 1 },
		{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = 10, .src_reg = 6, .off = -8 },
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = 2, .src_reg = BPF_PSEUDO_MAP_FD,
		  .imm = map },
		{ .code = 0 },
		/* BPF_F_CURRENT_CPU */
		{ .code = BPF_ALU | BPF_MOV | BPF_K, .dst_reg = 3, .imm = -1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 4, .src_reg = 10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 4, .imm = -8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 5, .imm = 8 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_perf_event_output },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = XDP_PASS },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_XDP,
		.insns = (uintptr_t)insns,
		.insn_cnt = sizeof(insns) / sizeof(insns[0]),
		.license = (uintptr_t)"Dual BSD/GPL",
		.prog_ifindex = ifindex,
	};

	return hook_bpf(BPF_PROG_LOAD, &attr);
}

static inline void hook_info(int fd, void *info, uint32_t len)
{
	union bpf_attr attr = {
		.info = { .bpf_fd = fd, .info_len = len, .info = (uintptr_t)info },
	};

	if (hook_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr))
		die("of a program, or a map");
}

/* @alone: nobody else holds the program. */
static inline void hook_bind(bool alone)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY, .key_size = 4, .value_size = 4,
		.max_entries = 2,
	};
	struct nfp_chan_xdp_bind bind = { .size = sizeof(bind) };
	struct bpf_prog_info prog = { 0 };
	struct bpf_map_info map = { 0 };

	hook.map = hook_bpf(BPF_MAP_CREATE, &attr);
	if (hook.map < 0)
		die("map");
	hook.prog = hook_load(hook.map, hook_ifindex());
	if (hook.prog < 0)
		die("program");
	hook_info(hook.map, &map, sizeof(map));
	hook_info(hook.prog, &prog, sizeof(prog));
	hook.prog_id = prog.id;
	hook.node = card_open(O_RDWR);
	hook.ch = chan_must(hook.node, "xdp0", NFP_CHAN_OPEN_NONBLOCK);
	bind.prog_fd = hook.prog;
	bind.map_id = map.id;
	if (ioctl(hook.ch, NFP_CHAN_IOC_XDP_BIND, &bind))
		die("bind");
	if (alone)
		hook_close(&hook.prog);
}

static inline bool hook_there(void)
{
	union bpf_attr attr = { .prog_id = hook.prog_id };
	int fd = hook_bpf(BPF_PROG_GET_FD_BY_ID, &attr);

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
	if (hook.prog >= 0) {
		if (!hook_there()) {
			printf("# a program is gone before its last file\n");
			good = false;
		}
		hook_close(&hook.prog);
	}
	hook_close(&hook.map);
	if (!UNTIL(!hook_there())) {
		printf("# somebody still holds a program that was bound\n");
		good = false;
	}
	return good;
}

#endif /* STORM_XDP_H */
