// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_link.c - nfpchan xdp link: make one program of programs that call bpf_tail_call(). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "explain.h"
#include "linking.h"

/* Write a file. After a failure remove it, unless it is a device such as /dev/full. */
static int write_file(const char *path, const void *data, size_t len)
{
	FILE *f = fopen(path, "we");
	struct stat st;
	bool file = f && !fstat(fileno(f), &st) && S_ISREG(st.st_mode);
	int err = f ? 0 : errno;

	if (f && fwrite(data, 1, len, f) != len)
		err = errno;
	if (f && fclose(f) && !err)
		err = errno;
	if (!err)
		return 0;
	if (file)
		unlink(path);
	return tool_fail("%s: %s", path, strerror(err));
}

static void report(const char *path, const struct nfpchan_xdp_image *i)
{
	struct json j;

	if (tool.json) {
		json_init(&j, stdout);
		json_object(&j, NULL);
		json_str(&j, "file", path);
		json_u64(&j, "programs", i->progs);
		json_u64(&j, "instructions", i->insns);
		json_u64(&j, "words", i->words);
		json_close(&j);
		json_end(&j);
		return;
	}
	printf("%s: %u program%s, %u BPF instructions, ", path, i->progs, i->progs == 1 ? "" : "s",
	       i->insns);
	if (i->words)
		printf("%u microengine instructions on the card\n", i->words);
	else
		printf("for the host\n");
}

static int link_files(const struct linking *l, const char *path, char **objects, int count)
{
	struct nfpchan_xdp_image image;
	int ret;

	ret = linking_run(l, (const char *const *)objects, count, &image);
	if (ret)
		return ret;
	ret = write_file(path, image.elf, image.len);
	if (!ret)
		report(path, &image);
	nfpchan_xdp_image_free(&image);
	return ret ? ret : tool_flush();
}

int cmd_xdp_link(const struct command *cmd, int argc, char **argv)
{
	const char *output = NULL;
	struct linking l;
	const struct tool_opt opts[] = {
		{ "output", 'o', .text = &output },
		LINKING_OPTS(&l),
		{ "native", 'N', .flag = &l.native },
		{ .name = NULL },
	};
	int ret;

	linking_begin(&l, argc);
	ret = tool_options(cmd, argc, argv, opts, "an object file", -1);
	if (ret < 0 && !output)
		ret = tool_usage(cmd, "a file for the linked object is missing: --output");
	if (ret < 0)
		ret = link_files(&l, output, argv + optind, argc - optind);
	linking_end(&l);
	return ret;
}
