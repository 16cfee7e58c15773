// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_lsm.c - security modules label the files of channels and links, and may refuse an OPEN or a
 * LINK. Here a BPF program refuses, because a BPF program needs no policy.
 */
#include <linux/capability.h>
#include <sys/resource.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "link_fds.h"

#define CAP_OPT_NOAUDIT	2	/* include/linux/security.h */

/* Load a program that a hook of security modules runs until the returned fd is closed. */
static int hook(const char *name, const struct bpf_insn *insns, size_t count)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_LSM_MAC);
	int id = libbpf_find_vmlinux_btf_id(name, BPF_LSM_MAC), prog, link;

	if (id < 0)
		die(name);
	opts.attach_btf_id = id;
	prog = bpf_prog_load(BPF_PROG_TYPE_LSM, "refuse", "GPL", insns, count, &opts);
	link = bpf_raw_tracepoint_open(NULL, prog);
	if (prog < 0 || link < 0)
		die(name);
	close(prog);
	return link;
}

/* Each new labelled anonymous inode gets EACCES. */
static int refuse_inodes(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = -EACCES },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return hook("inode_init_security_anon", insns, sizeof(insns) / sizeof(insns[0]));
}

/* Nobody has CAP_IPC_LOCK, if the answer is one that would be audited. */
static int refuse_audited(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_2, .src_reg = BPF_REG_1,
		  .off = 16 },	/* the capability */
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_3, .src_reg = BPF_REG_1,
		  .off = 24 },	/* the options */
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = BPF_REG_2, .imm = CAP_IPC_LOCK,
		  .off = 2 },
		{ .code = BPF_JMP | BPF_JSET | BPF_K, .dst_reg = BPF_REG_3, .imm = CAP_OPT_NOAUDIT,
		  .off = 1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = -EPERM },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return hook("capable", insns, sizeof(insns) / sizeof(insns[0]));
}

static void opens(int dev)
{
	int load = chan_must(dev, "load", 0), pit = chan_must(dev, "pit", 0), link, fd;

	link = refuse_inodes();
	fails(chan_open(dev, "tick", 0, 0), EACCES, "OPEN, refused by a security module");
	fails(port_open(dev), EACCES, "PORT, refused by a security module");
	fails(link_fds(load, pit, 0), EACCES, "LINK, refused by a security module");
	is(card_info(dev).pipe_used, 2, "no further pipe is open");
	close(link);
	close(load);
	close(pit);
	fd = chan_must(dev, "tick", NFP_CHAN_OPEN_NONBLOCK);
	fails(read(fd, &link, sizeof(link)), EAGAIN,
	      "without the security module the channel opens");
	close(fd);
}

/* Check the name that a policy uses for the files of channels. */
static void name(int dev)
{
	int fd = chan_must(dev, "tick", 0);
	char path[64], text[64] = "";

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ok(readlink(path, text, sizeof(text) - 1) > 0 && !strcmp(text, "anon_inode:[nfp_chan]"),
	   "the file of a channel has the name that all have: %s", text);
	close(fd);
}

/* Each OPEN asks for CAP_IPC_LOCK, which an ordinary user lacks: that is nothing to audit. */
static void no_audit(int dev)
{
	struct rlimit was, none = { 0, 0 };
	int link, fd;

	getrlimit(RLIMIT_MEMLOCK, &was);
	none.rlim_max = was.rlim_max;
	link = refuse_audited();
	setrlimit(RLIMIT_MEMLOCK, &none);
	fd = chan_open(dev, "tick", 0, 0);
	ok(fd >= 0, "OPEN asks for CAP_IPC_LOCK without an audit record");
	setrlimit(RLIMIT_MEMLOCK, &was);
	close(fd);
	close(link);
}

int main(void)
{
	int dev = card_open(O_RDWR);

	opens(dev);
	name(dev);
	no_audit(dev);
	return tap_done();
}
