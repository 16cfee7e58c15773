/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tool.h - shared by the commands of nfpchan. */
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
#define EXIT_TIMEOUT	3	/* the time of --timeout is over */

/**
 * struct tool - the options that every command has
 * @card: --card, or NULL for the first card
 * @json: --json
 */
struct tool {
	const char *card;
	bool json;
};

extern struct tool tool;

/**
 * struct command - a command of the tool
 * @name: name of the command
 * @args: its arguments, for the usage line
 * @what: a line that describes it
 * @help: its options, one per line, or NULL
 * @run: the command. argv[0] is "nfpchan" and the name; the rest is as for main(). Returns the
 *	exit status
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
int cmd_graph(const struct command *cmd, int argc, char **argv);
int cmd_graph_check(const struct command *cmd, int argc, char **argv);
int cmd_graph_load(const struct command *cmd, int argc, char **argv);
int cmd_graph_show(const struct command *cmd, int argc, char **argv);
int cmd_graph_stats(const struct command *cmd, int argc, char **argv);
int cmd_graph_unload(const struct command *cmd, int argc, char **argv);
int cmd_firmware(const struct command *cmd, int argc, char **argv);
int cmd_firmware_show(const struct command *cmd, int argc, char **argv);
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

/* Values of an option that may be given several times; @text has room for argc of them */
struct tool_texts {
	const char **text;
	unsigned int count;
};

/**
 * struct tool_opt - an option of one command
 * @name: long name
 * @letter: short name
 * @flag: an option without a value: set to true
 * @text: receives the value
 * @texts: receives the values of an option that may be given several times
 * @number: receives the value, a number from @min to @max
 * @ns: receives the value, a number of milliseconds from @min to @max, in ns
 * @min: smallest number
 * @max: largest number
 *
 * One of the five pointers is set. The caller puts the default where it points to.
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

#define TOOL_OPTS	20	/* options of one command */

/*
 * Parse options. @opts ends with an empty entry. The arguments are those from argv[optind] on.
 * @need: name of a first argument that must be there, or NULL. @max: largest number of
 * arguments; negative: any number. Returns -1 to go on, or the exit status.
 */
int tool_options(const struct command *cmd, int argc, char **argv,
		 const struct tool_opt *opts, const char *need, int max);

void command_help(const struct command *cmd);
/* Run a command of a group, such as "xdp run" of "xdp". @group ends with an empty entry. */
int command_group(const struct command *cmd, const struct command *group, const char *about,
		  int argc, char **argv);
/* Run a command. Sets argv[0]. */
int command_run(const struct command *cmd, int argc, char **argv);

/* Print "nfpchan: ..." to stderr. Return EXIT_FAILURE and EXIT_USAGE. */
int tool_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int tool_usage(const struct command *cmd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Flush stdout. Returns 0, or EXIT_FAILURE with the reason printed. */
int tool_flush(void);

/* Open the card, a channel of a card, or the card and a channel. NULL: failed, and printed why. */
struct nfpchan_card *tool_card(void);
struct nfpchan *tool_channel(struct nfpchan_card *card, const char *name);
struct nfpchan *tool_open(const char *name);

/* Is --card an interface ("bpf:DEV"), which is reached by bpf(2)? */
bool tool_by_bpf(void);

/*
 * Block SIGINT and SIGTERM, and receive them by a file descriptor, so that a signal between a
 * look at a flag and a sleep is not missed. To be called before any thread is started. Returns
 * the descriptor, or -1 with the reason printed.
 */
int tool_signals(void);

const char *dir_name(uint32_t dir);

#endif /* NFPCHAN_TOOL_H */
