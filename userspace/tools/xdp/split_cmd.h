/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* split_cmd.h - nfpchan xdp run --split and xdp explain --split. */
#ifndef NFPCHAN_SPLIT_CMD_H
#define NFPCHAN_SPLIT_CMD_H

#include <stdio.h>
#include "linking.h"
#include "split.h"

/**
 * struct split_args - the command line of a split
 * @object: the object file
 * @dev: --dev, or NULL
 * @carrier: --carrier, or NULL
 * @ethertypes: --ethertypes, or NULL
 * @linking: the options of linking
 * @slots: the values of --slot
 * @opts: the other options
 */
struct split_args {
	const char *object, *dev;
	const char *carrier, *ethertypes;
	const struct linking *linking;
	struct slot_list slots;
	struct split_opts opts;
};

/* Entries of a command's table of options */
#define SPLIT_OPTS(a) \
	{ "host", 'o', .text = &(a).opts.host }, \
	{ "split-map", 'M', .text = &(a).opts.maps }, \
	{ "strict", 's', .flag = &(a).opts.strict }, \
	{ "carrier", 'K', .text = &(a).carrier }, \
	{ "ethertypes", 'E', .text = &(a).ethertypes }

/* Refuse options of --split without --split. Returns the exit status, or -1: no error. */
int split_args_check(const struct command *cmd, const struct split_args *a, bool split);

/* Run a split, or print its plan. @d: the interface, or NULL. Return the exit status. */
int split_run(struct split_args *a);
int split_explain(struct split_args *a, const struct limits *limits, const struct device *d);

/* Is the dispatcher of a split attached to @dev? */
bool split_runs(const char *dev);

/* Parse the options into @a->opts. Returns -1: no error, or prints why and returns the status. */
int split_options(struct split_args *a);

/* An open object and its plan */
struct split_work {
	struct xobject o;
	struct split s;
	bool opened;
};

int work_open(struct split_work *w, struct split_args *a, const struct limits *limits,
	      const struct device *d, unsigned int first);
void work_close(struct split_work *w);

/* Print the plan: where each program runs, and why. */
void plan_plain(const struct split *s, FILE *out);
void plan_json(const struct split *s, struct json *j);

#endif /* NFPCHAN_SPLIT_CMD_H */
