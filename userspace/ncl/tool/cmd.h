/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* cmd.h - declarations that all commands of ncl use. */
#ifndef NCL_CMD_H
#define NCL_CMD_H

#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>

/* Exit status */
#define EXIT_USAGE	2	/* the command line is wrong */
#define EXIT_TIMEOUT	3	/* --timeout has passed */

/**
 * struct command - a command of the tool
 * @name: name of the command
 * @args: its arguments, for the usage line
 * @what: one line that describes the command
 * @help: its options, one a line
 * @run: function that runs the command; argv[0] is "ncl " and the name. Returns the exit status
 */
struct command {
	const char *name;
	const char *args;
	const char *what;
	const char *help;
	int (*run)(const struct command *cmd, int argc, char **argv);
};

int cmd_deploy(const struct command *cmd, int argc, char **argv);
int cmd_serve(const struct command *cmd, int argc, char **argv);
int cmd_show(const struct command *cmd, int argc, char **argv);
int cmd_undo(const struct command *cmd, int argc, char **argv);

int command_help(const struct command *cmd);

/*
 * Print "ncl: " and a message on stderr. ncl_fail() returns EXIT_FAILURE, ncl_usage() returns
 * EXIT_USAGE.
 */
int ncl_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int ncl_usage(const struct command *cmd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Flush the standard output. Returns 0, or prints the reason and returns EXIT_FAILURE. */
int ncl_flush(void);

#endif /* NCL_CMD_H */
