/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* command.h - a program with commands: their table, their options and help, and its exit status. */
#ifndef COMMAND_H
#define COMMAND_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define NSEC_PER_MSEC	1000000

/* Exit status */
#define EXIT_USAGE	2	/* the command line is wrong */
#define EXIT_TIMEOUT	3	/* the time of --timeout is over */

/**
 * struct command - a command of a program
 * @name: name of the command; of a command in a group, the group's name, a space and its own
 * @args: its arguments, for the usage line
 * @what: a line that describes it
 * @help: its options, one per line, or NULL
 * @example: arguments of a command line that does something useful
 * @run: the command. argv[0] is the names of the program and the command; the rest is as for
 *	main(). Returns the exit status
 */
struct command {
	const char *name;
	const char *args;
	const char *what;
	const char *help;
	const char *example;
	int (*run)(const struct command *cmd, int argc, char **argv);
};

/* Values of an option that may be given several times; @text has room for argc of them */
struct tool_texts {
	const char **text;
	unsigned int count;
};

/**
 * struct tool_opt - an option
 * @name: long name
 * @letter: short name
 * @flag: an option without a value: set to true
 * @also: another flag that it sets, or NULL
 * @text: receives the value
 * @texts: receives the values of an option that may be given several times
 * @number: receives the value, a number from @min to @max
 * @ns: receives the value, a number of milliseconds from @min to @max, in ns
 * @min: smallest number
 * @max: largest number
 *
 * One of the pointers but @also is set. The caller puts the default where it points to.
 */
struct tool_opt {
	const char *name;
	char letter;
	bool *flag;
	bool *also;
	const char **text;
	struct tool_texts *texts;
	uint64_t *number;
	int64_t *ns;
	uint64_t min;
	uint64_t max;
};

#define TOOL_OPTS	20	/* options of one command, with those of every command */

/**
 * struct program - a program with commands
 * @name: name of the program
 * @about: a line that says what it is for
 * @opts: options of every command, besides --help. The table ends with an empty entry
 * @help: these options, one per line, or NULL
 * @commands: the commands. The table ends with an empty entry
 * @kinds: what completion offers for arguments and values (complete.h). The table ends with an
 *	empty entry
 */
struct program {
	const char *name;
	const char *about;
	const struct tool_opt *opts;
	const char *help;
	const struct command *commands;
	const struct value_kind *kinds;
};

/**
 * struct command_tables - the tables of a command
 * @opts: its options, without those of every command. The table ends with an empty entry. Only
 *	names and the kinds of values are valid: the pointers were those of a call that has ended
 * @group: the commands of a group, or NULL
 */
struct command_tables {
	struct tool_opt opts[TOOL_OPTS + 1];
	const struct command *group;
};

/* Get the tables of a command, without running it. */
void command_tables(const struct command *cmd, struct command_tables *tables);

/* Run the command that a command line names. Returns the exit status. */
int program_main(const struct program *p, int argc, char **argv);

/* The commands "help" and "completion", for the table of a program */
int cmd_help(const struct command *cmd, int argc, char **argv);
int cmd_completion(const struct command *cmd, int argc, char **argv);

#define COMPLETION_HELP \
	"  words -- WORD...    instead of SHELL: print what can be in place of the last WORD\n" \
	"                      of a command line, which the scripts do\n"

/* Run a command of a group, such as "xdp run" of "xdp". @group ends with an empty entry. */
int command_group(const struct command *cmd, const struct command *group, const char *about,
		  int argc, char **argv);

/*
 * Parse the options of a command. @opts ends with an empty entry. The arguments are those from
 * argv[optind] on. @need: name of a first argument that must be there, or NULL. @max: largest
 * number of arguments; negative: any number. Returns -1 to go on, or the exit status.
 */
int tool_options(const struct command *cmd, int argc, char **argv,
		 const struct tool_opt *opts, const char *need, int max);

/*
 * Parse the options of two tables, up to the first argument if @first. Returns -1 to go on; 0: help
 * is wanted; or EXIT_USAGE, with the reason printed.
 */
int options_parse(int argc, char **argv, const struct tool_opt *opts, const struct tool_opt *common,
		  bool first);

/* Print the program's name and a message to stderr. Return EXIT_FAILURE and EXIT_USAGE. */
int tool_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int tool_usage(const struct command *cmd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Flush stdout. Returns 0, or EXIT_FAILURE with the reason printed. */
int tool_flush(void);

#endif /* COMMAND_H */
