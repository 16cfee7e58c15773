/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tool.h - what the commands of nfpchan share. */
#ifndef NFPCHAN_TOOL_H
#define NFPCHAN_TOOL_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <nfpchan.h>
#include "json.h"

#define NSEC_PER_MSEC	1000000

/* Exit status */
#define EXIT_USAGE	2	/* the command line is wrong */
#define EXIT_TIMEOUT	3	/* --timeout has passed */

/**
 * struct tool - options that every command has
 * @card: --card, or NULL for the first
 * @json: --json
 */
struct tool {
	const char *card;
	bool json;
};

extern struct tool tool;

/**
 * struct command - a command of the tool
 * @name: its name
 * @args: its arguments, for the usage line
 * @what: one line about it
 * @help: its options, one a line, or NULL
 * @run: does it; arguments as main()'s, argv[0] is "nfpchan" and the name. Returns
 *	the exit status
 */
struct command {
	const char *name;
	const char *args;
	const char *what;
	const char *help;
	int (*run)(const struct command *cmd, int argc, char **argv);
};

int cmd_list(const struct command *cmd, int argc, char **argv);
int cmd_info(const struct command *cmd, int argc, char **argv);
int cmd_stats(const struct command *cmd, int argc, char **argv);
int cmd_send(const struct command *cmd, int argc, char **argv);
int cmd_recv(const struct command *cmd, int argc, char **argv);
int cmd_signal(const struct command *cmd, int argc, char **argv);
int cmd_link(const struct command *cmd, int argc, char **argv);
int cmd_flows(const struct command *cmd, int argc, char **argv);
int cmd_chain(const struct command *cmd, int argc, char **argv);
int cmd_chain_check(const struct command *cmd, int argc, char **argv);
int cmd_chain_load(const struct command *cmd, int argc, char **argv);
int cmd_chain_show(const struct command *cmd, int argc, char **argv);
int cmd_chain_stats(const struct command *cmd, int argc, char **argv);
int cmd_chain_unload(const struct command *cmd, int argc, char **argv);
int cmd_xdp(const struct command *cmd, int argc, char **argv);
int cmd_xdp_map(const struct command *cmd, int argc, char **argv);
int cmd_xdp_explain(const struct command *cmd, int argc, char **argv);
int cmd_xdp_link(const struct command *cmd, int argc, char **argv);
int cmd_xdp_run(const struct command *cmd, int argc, char **argv);
int cmd_xdp_replace(const struct command *cmd, int argc, char **argv);
int cmd_xdp_watch(const struct command *cmd, int argc, char **argv);

/* Options of every command, for getopt_long() */
#define TOOL_SHORT	"c:jh"
#define TOOL_LONG \
	{ "card", required_argument, NULL, 'c' }, \
	{ "json", no_argument, NULL, 'j' }, \
	{ "help", no_argument, NULL, 'h' }

/* Values of an option that may be given several times; room for as many as arguments */
struct tool_texts {
	const char **text;
	unsigned int count;
};

/**
 * struct tool_opt - an option that a command has of its own
 * @name: the long one
 * @letter: the short one
 * @flag: it has no value: set when it is given
 * @text: where its value goes
 * @texts: where its values go
 * @number: where its value goes, from @min to @max
 * @ns: the same, of a value in milliseconds
 * @min: the least number allowed
 * @max: the greatest
 *
 * One of the five pointers is set. What it leads to is the default.
 */
struct tool_opt {
	const char *name;
	char letter;
	bool *flag;
	const char **text;
	struct tool_texts *texts;
	uint64_t *number;
	int64_t *ns;
	uint64_t min;
	uint64_t max;
};

#define TOOL_OPTS	20	/* of a command, at most */

/*
 * Parse options; @opts ends with an empty one. Arguments, from argv[optind] on: one at
 * least if there is a name in @need for it, and at most @max, unless that is negative.
 * Returns -1 to go on, or the exit status to end with.
 */
int tool_options(const struct command *cmd, int argc, char **argv,
		 const struct tool_opt *opts, const char *need, int max);

void command_help(const struct command *cmd);
/* A command of a group, "xdp run" of "xdp": @group ends with an empty one. */
int command_group(const struct command *cmd, const struct command *group, const char *about,
		  int argc, char **argv);
/* Run it; argv[0] may be anything. */
int command_run(const struct command *cmd, int argc, char **argv);

/* "nfpchan: ..." on stderr; the first returns EXIT_FAILURE, the second EXIT_USAGE. */
int tool_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int tool_usage(const struct command *cmd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* What was printed goes out: 0, or EXIT_FAILURE with the reason printed. */
int tool_flush(void);

/* Open the card, a channel of it, or both for that; NULL with the reason printed. */
struct nfpchan_card *tool_card(void);
struct nfpchan *tool_channel(struct nfpchan_card *card, const char *name);
struct nfpchan *tool_open(const char *name);

/* Is the card that was asked for an interface, which is reached by bpf(2)? */
bool tool_by_bpf(void);

/*
 * SIGINT and SIGTERM as a file descriptor, so that none falls between a look
 * and a sleep. Before any thread is started. -1 with the reason printed.
 */
int tool_signals(void);

const char *dir_name(uint32_t dir);

#endif /* NFPCHAN_TOOL_H */
