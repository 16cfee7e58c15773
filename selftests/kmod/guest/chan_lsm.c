// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_lsm.c - security modules label the file of a channel, and may refuse an OPEN. Here a BPF
 * program refuses, because a BPF program needs no policy.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "calls.h"

#define HOOK "inode_init_security_anon"

/* Load the BPF program: until its fd is closed, each new labelled anonymous inode gets EACCES. */
static int refuse(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = -EACCES },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_LSM_MAC);
	int id = libbpf_find_vmlinux_btf_id(HOOK, BPF_LSM_MAC), prog, link;

	if (id < 0)
		die("no " HOOK);
	opts.attach_btf_id = id;
	prog = bpf_prog_load(BPF_PROG_TYPE_LSM, "refuse", "GPL", insns, 2, &opts);
	link = bpf_raw_tracepoint_open(NULL, prog);
	if (prog < 0 || link < 0)
		die("BPF program at " HOOK);
	close(prog);
	return link;
}

static void opens(int card)
{
	int link, fd;

	link = refuse();
	fails(chan_open(card, "tick", 0, 0), EACCES, "OPEN, refused by a security module");
	fails(port_open(card), EACCES, "PORT, refused by a security module");
	is(card_info(card).pipe_used, 0, "no pipe is open");
	close(link);
	fd = chan_must(card, "tick", NFP_CHAN_OPEN_NONBLOCK);
	fails(read(fd, &link, sizeof(link)), EAGAIN,
	      "without the security module the channel opens");
	close(fd);
}

/* Check the name that a policy uses for the files of channels. */
static void name(int card)
{
	int fd = chan_must(card, "tick", 0);
	char path[64], text[64] = "";

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ok(readlink(path, text, sizeof(text) - 1) > 0 && !strcmp(text, "anon_inode:[nfp_chan]"),
	   "the file of a channel has the name that all have: %s", text);
	close(fd);
}

int main(void)
{
	int card = card_open(O_RDWR);

	opens(card);
	name(card);
	return tap_done();
}
