// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_run.c - nfpchan xdp run and watch: command lines. */
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

static int options(const struct command *cmd, int argc, char **argv, const char *need,
		   struct run_opts *o)
{
	const struct tool_opt opts[] = {
		{ "dev", 'd', .text = &o->dev },
		{ "map", 'm', .text = &o->map },
		{ "channel", 'C', .text = &o->channel },
		{ "count", 'n', .number = &o->count, .min = 1, .max = UINT64_MAX },
		{ "prog", 'p', .text = &o->prog },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, need, !!need);

	if (ret >= 0)
		return ret;
	return o->dev ? -1 : tool_usage(cmd, "an interface is missing: --dev");
}

/* From the program, which is in a file or attached, to its events. */
static int run_offload(struct offload *off, const struct run_opts *o, const char *object)
{
	struct watch w = { .off = off, .count = o->count, .sigs = -1 };
	int ret;

	ret = object ? offload_load(off, object, o->prog) : offload_attached(off);
	if (ret)
		return ret;
	/* Whoever reads our output may go: detach, as at any other end. */
	signal(SIGPIPE, SIG_IGN);
	ret = offload_map(off, o->map);
	if (!ret)
		ret = watch_start(&w, o->channel);
	if (!ret && object)
		ret = offload_attach(off);
	if (!ret)
		ret = watch_run(&w);
	watch_end(&w);
	return ret;
}

static int run(const struct run_opts *o, const char *object)
{
	struct offload off;
	int ret;

	if (offload_dev(&off, o->dev))
		return EXIT_FAILURE;
	ret = run_offload(&off, o, object);
	offload_close(&off);
	return ret;
}

int cmd_xdp_run(const struct command *cmd, int argc, char **argv)
{
	struct run_opts o = { .dev = NULL };
	int ret = options(cmd, argc, argv, "an object file", &o);

	return ret >= 0 ? ret : run(&o, argv[optind]);
}

int cmd_xdp_watch(const struct command *cmd, int argc, char **argv)
{
	struct run_opts o = { .dev = NULL };
	int ret = options(cmd, argc, argv, NULL, &o);

	if (ret >= 0)
		return ret;
	if (o.prog)
		return tool_usage(cmd, "--prog: it is the program that the interface has");
	return run(&o, NULL);
}
