/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tool.h - what the commands of nfpchan share. */
#ifndef NFPCHAN_TOOL_H
#define NFPCHAN_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <nfpchan.h>
#include "json.h"

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
int cmd_flows(const struct command *cmd, int argc, char **argv);
int cmd_xdp(const struct command *cmd, int argc, char **argv);
int cmd_xdp_explain(const struct command *cmd, int argc, char **argv);
int cmd_xdp_run(const struct command *cmd, int argc, char **argv);
int cmd_xdp_watch(const struct command *cmd, int argc, char **argv);

/*
 * Options of every command, for getopt_long(): put them into the tables, hand
 * what is not the command's own to tool_option(). It returns -1 to go on, or
 * the exit status to end with.
 */
#define TOOL_SHORT	"c:jh"
#define TOOL_LONG \
	{ "card", required_argument, NULL, 'c' }, \
	{ "json", no_argument, NULL, 'j' }, \
	{ "help", no_argument, NULL, 'h' }
int tool_option(const struct command *cmd, int opt);

void command_help(const struct command *cmd);
/* Run it; argv[0] may be anything. */
int command_run(const struct command *cmd, int argc, char **argv);

/* "nfpchan: ..." on stderr; the first returns EXIT_FAILURE, the second EXIT_USAGE. */
int tool_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int tool_usage(const struct command *cmd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* What was printed goes out: 0, or EXIT_FAILURE with the reason printed. */
int tool_flush(void);

/* Parse a decimal of @min to @max; false with the reason printed. */
bool tool_number(const char *what, const char *arg, uint64_t min, uint64_t max,
		 uint64_t *val);

/* Open the card, or a channel of it; NULL with the reason printed. */
struct nfpchan_card *tool_card(void);
struct nfpchan *tool_channel(struct nfpchan_card *card, const char *name);

/*
 * SIGINT and SIGTERM as a file descriptor, so that none falls between a look
 * and a sleep. Before any thread is started. -1 with the reason printed.
 */
int tool_signals(void);

const char *dir_name(uint32_t dir);

#endif /* NFPCHAN_TOOL_H */
