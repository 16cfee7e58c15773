/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* split_cmd.h - nfpchan xdp run --split and xdp explain --split. */
#ifndef NFPCHAN_SPLIT_CMD_H
#define NFPCHAN_SPLIT_CMD_H

#include <stdio.h>
#include "linking.h"
#include "split.h"

/**
 * struct split_args - a command line about a split
 * @object: the file
 * @dev: --dev, or NULL
 * @carrier: --carrier, or NULL
 * @ethertypes: --ethertypes, or NULL
 * @linking: options of linking
 * @slots: its --slot
 * @opts: the rest of it
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

/* Returns the exit status, or -1 unless there are options of --split without it. */
int split_args_check(const struct command *cmd, const struct split_args *a, bool split);

/* Both return the exit status; @d may be NULL. */
int split_run(struct split_args *a);
int split_explain(struct split_args *a, const struct limits *limits, const struct device *d);

/* The host's side of a split is attached. */
bool split_runs(const char *dev);

/* What the options say, to @a->opts. -1, or the exit status with the reason printed */
int split_options(struct split_args *a);

/* An object and its plan, open */
struct split_work {
	struct xobject o;
	struct split s;
	bool opened;
};

int work_open(struct split_work *w, struct split_args *a, const struct limits *limits,
	      const struct device *d, unsigned int first);
void work_close(struct split_work *w);

/* The plan: which program runs where, and why */
void plan_plain(const struct split *s, FILE *out);
void plan_json(const struct split *s, struct json *j);

#endif /* NFPCHAN_SPLIT_CMD_H */
