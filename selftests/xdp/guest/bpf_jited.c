// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_jited.c - write the JITed bytes of BPF program ID to FILE. bpftool needs a
 * disassembler for this, and distributions build it without one.
 */
#include <bpf/bpf.h>
#include <stdint.h>
#include "tap.h"

int main(int argc, char **argv)
{
	static uint8_t image[64u << 10];
	struct bpf_prog_info info = {
		.jited_prog_insns = (uintptr_t)image,
		.jited_prog_len = sizeof(image),
	};
	uint32_t len = sizeof(info);
	FILE *f;

	if (argc != 3) {
		fprintf(stderr, "usage: bpf_jited ID FILE\n");
		return 2;
	}
	if (bpf_prog_get_info_by_fd(bpf_prog_get_fd_by_id(strtoul(argv[1], NULL, 0)), &info, &len))
		die(argv[1]);
	errno = EFBIG;
	if (info.jited_prog_len > sizeof(image))
		die(argv[1]);
	f = fopen(argv[2], "w");
	if (!f || fwrite(image, 1, info.jited_prog_len, f) != info.jited_prog_len || fclose(f))
		die(argv[2]);
	return 0;
}
