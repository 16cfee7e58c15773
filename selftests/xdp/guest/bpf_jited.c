// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_jited.c - write the JITed bytes of BPF program ID to FILE. bpftool wants a
 * disassembler for that, which distributions build it without.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST	(64u << 10)

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

int main(int argc, char **argv)
{
	static uint8_t image[MOST];
	struct bpf_prog_info info = {
		.jited_prog_insns = (uintptr_t)image,
		.jited_prog_len = sizeof(image),
	};
	union bpf_attr attr;
	FILE *f;
	int fd;

	if (argc != 3) {
		fprintf(stderr, "usage: bpf_jited ID FILE\n");
		return 2;
	}
	memset(&attr, 0, sizeof(attr));
	attr.prog_id = strtoul(argv[1], NULL, 0);
	fd = bpf(BPF_PROG_GET_FD_BY_ID, &attr);
	if (fd < 0) {
		fprintf(stderr, "program %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uintptr_t)&info;
	if (bpf(BPF_OBJ_GET_INFO_BY_FD, &attr)) {
		fprintf(stderr, "program %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	if (info.jited_prog_len > sizeof(image)) {
		fprintf(stderr, "program %s: %u bytes, room for %zu\n", argv[1],
			info.jited_prog_len, sizeof(image));
		return 1;
	}
	f = fopen(argv[2], "w");
	if (!f || fwrite(image, 1, info.jited_prog_len, f) != info.jited_prog_len || fclose(f)) {
		fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
		return 1;
	}
	return 0;
}
