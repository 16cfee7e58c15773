// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_run.c - nfpchan xdp run and watch: command lines. */
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include "../tool.h"
#include "xdp.h"

/**
 * struct run_opts - command line
 * @dev: --dev
 * @prog: --prog, or NULL
 * @map: --map, or NULL
 * @channel: --channel, or NULL
 * @count: --count, 0 for no end
 */
struct run_opts {
	const char *dev;
	const char *prog;
	const char *map;
	const char *channel;
	uint64_t count;
};

static int options(const struct command *cmd, int argc, char **argv, const char *shorts,
		   struct run_opts *o)
{
	static const struct option longs[] = {
		TOOL_LONG,
		{ "dev", required_argument, NULL, 'd' },
		{ "map", required_argument, NULL, 'm' },
		{ "channel", required_argument, NULL, 'C' },
		{ "count", required_argument, NULL, 'n' },
		{ "prog", required_argument, NULL, 'p' },
		{ NULL, 0, NULL, 0 },
	};
	int opt, ret;

	while ((opt = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		switch (opt) {
		case 'd':
			o->dev = optarg;
			break;
		case 'p':
			o->prog = optarg;
			break;
		case 'm':
			o->map = optarg;
			break;
		case 'C':
			o->channel = optarg;
			break;
		case 'n':
			if (!tool_number("--count", optarg, 1, UINT64_MAX, &o->count))
				return EXIT_USAGE;
			break;
		default:
			ret = tool_option(cmd, opt);
			if (ret >= 0)
				return ret;
		}
	}
	return o->dev ? -1 : tool_usage(cmd, "an interface is missing: --dev");
}

/* From the program to its events; @attach: it is not yet. */
static int run(struct offload *off, const struct run_opts *o, bool attach)
{
	struct watch w = { .off = off, .count = o->count, .sigs = -1 };
	int ret;

	/* Whoever reads our output may go: detach, as at any other end. */
	signal(SIGPIPE, SIG_IGN);
	ret = offload_map(off, o->map);
	if (!ret)
		ret = watch_start(&w, o->channel);
	if (!ret && attach)
		ret = offload_attach(off);
	if (!ret)
		ret = watch_run(&w);
	watch_end(&w);
	return ret;
}

int cmd_xdp_run(const struct command *cmd, int argc, char **argv)
{
	struct run_opts o = { .dev = NULL };
	struct offload off;
	int ret;

	ret = options(cmd, argc, argv, TOOL_SHORT "d:m:C:n:p:", &o);
	if (ret >= 0)
		return ret;
	if (optind == argc)
		return tool_usage(cmd, "an object file is missing");
	if (optind + 1 < argc)
		return tool_usage(cmd, "one argument too many: \"%s\"", argv[optind + 1]);
	if (offload_dev(&off, o.dev))
		return EXIT_FAILURE;
	ret = offload_load(&off, argv[optind], o.prog);
	if (!ret)
		ret = run(&off, &o, true);
	offload_close(&off);
	return ret;
}

int cmd_xdp_watch(const struct command *cmd, int argc, char **argv)
{
	struct run_opts o = { .dev = NULL };
	struct offload off;
	int ret;

	ret = options(cmd, argc, argv, TOOL_SHORT "d:m:C:n:", &o);
	if (ret >= 0)
		return ret;
	if (optind < argc)
		return tool_usage(cmd, "one argument too many: \"%s\"", argv[optind]);
	if (o.prog)
		return tool_usage(cmd, "--prog: it is the program that the interface has");
	if (offload_dev(&off, o.dev))
		return EXIT_FAILURE;
	ret = offload_attached(&off);
	if (!ret)
		ret = run(&off, &o, false);
	offload_close(&off);
	return ret;
}
