// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * xdp_load.c - say whether the driver accepts an object, and its length on the card.
 *
 * usage: xdp_load DEV OBJECT...
 *
 * Loads each object for offload to DEV, attaches nothing, and prints a line:
 * its name, "yes" and the microengine instructions of its programs; or "no", the
 * error, and the last message of the driver or the verifier.
 */
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include "xdp/programs/offload.h"

static char said[256], log_buf[1 << 20];

/* Keep libbpf's first warning. */
static int print(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	char line[256];

	vsnprintf(line, sizeof(line), fmt, ap);
	if (level == LIBBPF_WARN && !*said)
		snprintf(said, sizeof(said), "%s", line);
	return 0;
}

static int offload(struct bpf_object *obj, int ifindex)
{
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, obj) {
		/* libbpf does not know these sections; only the tests use them. */
		if (bpf_program__type(prog) == BPF_PROG_TYPE_UNSPEC)
			bpf_program__set_autoload(prog, false);
		bpf_program__set_ifindex(prog, ifindex);
		bpf_program__set_log_buf(prog, log_buf, sizeof(log_buf));
		bpf_program__set_log_level(prog, 1);
	}
	offload_maps(obj, ifindex);
	return bpf_object__load(obj);
}

static unsigned int words(struct bpf_object *obj)
{
	struct bpf_prog_info info;
	struct bpf_program *prog;
	unsigned int n = 0;
	uint32_t len;

	bpf_object__for_each_program(prog, obj) {
		len = sizeof(info);
		memset(&info, 0, sizeof(info));
		if (bpf_program__fd(prog) >= 0 &&
		    !bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &len))
			n += info.jited_prog_len / 8;
	}
	return n;
}

static void try_object(const char *path, int ifindex)
{
	struct bpf_object *obj;
	const char *line;
	int ret;

	said[0] = '\0';
	log_buf[0] = '\0';
	obj = bpf_object__open_file(path, NULL);
	ret = obj ? offload(obj, ifindex) : -errno;
	if (!ret) {
		printf("LOAD %s yes %u\n", path, words(obj));
	} else {
		line = offload_said(log_buf);
		said[strcspn(said, "\n")] = '\0';
		printf("LOAD %s no %s: %s\n", path, strerror(-ret), line ? line : said);
	}
	fflush(stdout);
	bpf_object__close(obj);
}

int main(int argc, char **argv)
{
	int ifindex = argc > 2 ? if_nametoindex(argv[1]) : 0;

	if (!ifindex) {
		fprintf(stderr, "usage: xdp_load DEV OBJECT...\n");
		return 2;
	}
	libbpf_set_print(print);
	for (argv += 2; *argv; argv++)
		try_object(*argv, ifindex);
	return 0;
}
