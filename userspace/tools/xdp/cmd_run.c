// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_run.c - nfpchan xdp run, watch and replace: parse and run the commands. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "explain.h"
#include "linking.h"
#include "split_cmd.h"
#include "xdp.h"

/**
 * struct run_opts - the options
 * @dev: --dev
 * @prog: --prog, or NULL
 * @map: --map, or NULL
 * @channel: --channel, or NULL
 * @count: --count; 0: no limit
 * @link: --link
 * @linking: options of --link
 * @split: --split
 * @a: options of --split
 */
struct run_opts {
	const char *dev;
	const char *prog;
	const char *map;
	const char *channel;
	uint64_t count;
	bool link;
	struct linking linking;
	bool split;
	struct split_args a;
};

/* Entries of the commands' tables of options */
#define EVENT_OPTS(o) \
	{ "map", 'm', .text = &(o)->map }, \
	{ "channel", 'C', .text = &(o)->channel }, \
	{ "count", 'n', .number = &(o)->count, .min = 1, .max = UINT64_MAX }
#define LOAD_OPTS(o) \
	{ "prog", 'p', .text = &(o)->prog }, \
	{ "link", 'L', .flag = &(o)->link }, \
	LINKING_OPTS(&(o)->linking)

static int options(const struct command *cmd, int argc, char **argv, const struct tool_opt *opts,
		   const char *need, const struct run_opts *o)
{
	int ret = tool_options(cmd, argc, argv, opts, need, !!need);

	if (ret >= 0)
		return ret;
	if (!o->dev)
		return tool_usage(cmd, "an interface is missing: --dev");
	if (!o->link && !o->split && linking_given(&o->linking))
		return tool_usage(cmd,
				  "--entry, --slot, --loop, --words and --firmware need --link or --split");
	if (o->link && o->prog)
		return tool_usage(cmd, "--prog cannot be used with --link: choose the first program with --entry");
	return -1;
}

/* Load @object, or with NULL take the attached program, and print its events. */
static int run_offload(struct offload *off, const struct run_opts *o, const char *object)
{
	struct watch w = { .off = off, .count = o->count, .sigs = -1 };
	int ret;

	ret = object ? offload_load(off, object, o->prog, o->link ? &o->linking : NULL, NULL) :
		       offload_attached(off);
	if (ret)
		return ret;
	/* If the reader of stdout exits, write() must fail, so that the program is detached below. */
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

/* Run a split. The command prints no events: `nfpchan xdp watch` prints them. */
static int run_split(const struct command *cmd, struct run_opts *o, const char *object)
{
	if (o->map || o->channel || o->count)
		return tool_usage(cmd, "--map, --channel and --count cannot be used with --split: "
				  "nfpchan xdp watch prints events");
	if (o->prog || o->link)
		return tool_usage(cmd, "--%s cannot be used with --split%s", o->prog ? "prog" : "link",
				  o->prog ? ": choose the first program with --entry" : "");
	o->a.dev = o->dev;
	o->a.object = object;
	o->a.linking = &o->linking;
	return split_run(&o->a);
}

int cmd_xdp_run(const struct command *cmd, int argc, char **argv)
{
	struct run_opts o = { .dev = NULL };
	const struct tool_opt opts[] = {
		{ "dev", 'd', .text = &o.dev }, EVENT_OPTS(&o), LOAD_OPTS(&o),
		{ "split", 'x', .flag = &o.split }, SPLIT_OPTS(o.a), { .name = NULL },
	};
	int ret;

	linking_begin(&o.linking, argc);
	ret = options(cmd, argc, argv, opts, "an object file", &o);
	if (ret < 0)
		ret = split_args_check(cmd, &o.a, o.split);
	if (ret < 0)
		ret = o.split ? run_split(cmd, &o, argv[optind]) : run(&o, argv[optind]);
	linking_end(&o.linking);
	return ret;
}

int cmd_xdp_watch(const struct command *cmd, int argc, char **argv)
{
	struct run_opts o = { .dev = NULL };
	const struct tool_opt opts[] = {
		{ "dev", 'd', .text = &o.dev }, EVENT_OPTS(&o), { .name = NULL },
	};
	int ret = options(cmd, argc, argv, opts, NULL, &o);

	return ret >= 0 ? ret : run(&o, NULL);
}

static int replace(const struct run_opts *o, const char *object)
{
	struct offload old, new;
	int ret;

	if (offload_dev(&old, o->dev))
		return EXIT_FAILURE;
	if (split_runs(o->dev))
		return tool_fail("%s has a split program: to replace it, send SIGHUP to the process "
				 "of nfpchan xdp run --split", o->dev);
	offload_dev(&new, o->dev);
	ret = offload_attached(&old);
	if (!ret)
		ret = offload_load(&new, object, o->prog, o->link ? &o->linking : NULL, &old);
	if (!ret)
		ret = offload_replace(&new, &old);
	if (!ret)
		printf("%s: program %u (%s) has replaced %u (%s)\n", o->dev, new.id, new.name, old.id,
		       old.name);
	offload_close(&new);
	offload_close(&old);
	return ret ? ret : tool_flush();
}

int cmd_xdp_replace(const struct command *cmd, int argc, char **argv)
{
	struct run_opts o = { .dev = NULL };
	const struct tool_opt opts[] = {
		{ "dev", 'd', .text = &o.dev }, LOAD_OPTS(&o), { .name = NULL },
	};
	int ret;

	linking_begin(&o.linking, argc);
	ret = options(cmd, argc, argv, opts, "an object file", &o);
	if (ret < 0)
		ret = replace(&o, argv[optind]);
	linking_end(&o.linking);
	return ret;
}
