// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options.c - parse the command lines of the commands. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "tool.h"

/* Handle an option that every command has, or an unknown one. */
static int common_option(const struct command *cmd, int opt)
{
	switch (opt) {
	case 'c':
		tool.card = optarg;
		return -1;
	case 'j':
		tool.json = true;
		return -1;
	case 'h':
		command_help(cmd);
		return EXIT_SUCCESS;
	}
	/* getopt_long() has printed what is wrong. */
	fprintf(stderr, "Try nfpchan %s --help.\n", cmd->name);
	return EXIT_USAGE;
}

static int number_option(const struct tool_opt *o)
{
	uint64_t val;
	char *end;

	errno = 0;
	val = strtoull(optarg, &end, 10);
	if (*optarg < '0' || *optarg > '9' || *end || errno || val < o->min || val > o->max) {
		tool_fail("--%s is \"%s\", allowed are %llu to %llu", o->name, optarg,
			  (unsigned long long)o->min, (unsigned long long)o->max);
		return EXIT_USAGE;
	}
	if (o->ns)
		*o->ns = (int64_t)val * NSEC_PER_MSEC;
	else
		*o->number = val;
	return -1;
}

static int own_option(const struct tool_opt *o)
{
	if (!o->flag && !o->text && !o->texts)
		return number_option(o);
	if (o->flag)
		*o->flag = true;
	else if (o->texts)
		o->texts->text[o->texts->count++] = optarg;
	else
		*o->text = optarg;
	return -1;
}

/* Append @opts to the tables of getopt_long(), after the options of every command. */
static void opt_tables(const struct tool_opt *opts, struct option *longs, char *shorts)
{
	const struct tool_opt *o;

	for (o = opts; o->name; o++) {
		int arg = o->flag ? no_argument : required_argument;

		if (o - opts == TOOL_OPTS)
			abort();
		*longs++ = (struct option){ o->name, arg, NULL, o->letter };
		*shorts++ = o->letter;
		if (arg == required_argument)
			*shorts++ = ':';
	}
}

int tool_options(const struct command *cmd, int argc, char **argv,
		 const struct tool_opt *opts, const char *need, int max)
{
	struct option longs[3 + TOOL_OPTS + 1] = { TOOL_LONG };
	char shorts[sizeof(TOOL_SHORT) + 2 * TOOL_OPTS] = TOOL_SHORT;
	const struct tool_opt *o;
	int opt, ret;

	opt_tables(opts, &longs[3], &shorts[sizeof(TOOL_SHORT) - 1]);
	while ((opt = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		for (o = opts; o->name && o->letter != opt; o++)
			;
		ret = o->name ? own_option(o) : common_option(cmd, opt);
		if (ret >= 0)
			return ret;
	}
	if (need && optind == argc)
		return tool_usage(cmd, "%s is missing", need);
	if (max >= 0 && argc - optind > max)
		return tool_usage(cmd, "one argument too many: \"%s\"", argv[optind + max]);
	return -1;
}
