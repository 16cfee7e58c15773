// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* command.c - find and run the command that a command line names, and print help. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "command.h"
#include "complete.h"
#include "near.h"

#define HELP	"  -h, --help          print this help\n"

static const struct program *program;

/* command_tables() is under way: commands tell their tables, and do nothing. */
static struct command_tables *tables;

static const struct tool_opt none[] = { { .name = NULL } };

static const char *program_help(void)
{
	return program->help ? program->help : "";
}

/* ---- messages ---- */

int tool_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "%s: ", program->name);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	return EXIT_FAILURE;
}

int tool_flush(void)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	return tool_fail("standard output: %s", strerror(errno ? errno : EIO));
}

int tool_usage(const struct command *cmd, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "%s %s: ", program->name, cmd->name);
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\nTry %s %s --help.\n", program->name, cmd->name);
	va_end(ap);
	return EXIT_USAGE;
}

/* ---- help ---- */

static void command_help(const struct command *cmd)
{
	printf("usage: %s %s [OPTION]...%s%s\n%s\n\n%s%s" HELP "\nExample: %s %s%s%s\n", program->name,
	       cmd->name, *cmd->args ? " " : "", cmd->args, cmd->what, cmd->help ? cmd->help : "",
	       program_help(), program->name, cmd->name, *cmd->example ? " " : "", cmd->example);
}

static void usage(FILE *out)
{
	const struct command *c;

	fprintf(out, "usage: %s [OPTION]... COMMAND [OPTION]... [ARGUMENT]...\n%s\n\n", program->name,
		program->about);
	for (c = program->commands; c->name; c++)
		fprintf(out, "  %-12s%-20s%s\n", c->name, c->args, c->what);
	fprintf(out, "\n%s" HELP "  -V, --version       print the version\n"
		"\n%s COMMAND --help says more. Exit status: 0 success, 1 failure, 2 wrong\n"
		"command line, 3 timeout.\n", program_help(), program->name);
}

static void group_usage(const struct command *cmd, const struct command *c, const char *about,
			FILE *out)
{
	fprintf(out, "usage: %s %s COMMAND [OPTION]... [ARGUMENT]...\n%s\n\n", program->name, cmd->name,
		about);
	for (; c->name; c++)
		fprintf(out, "  %-12s%-16s%s\n", strchr(c->name, ' ') + 1, c->args, c->what);
	fprintf(out, "\n%s %s COMMAND --help says more.\n", program->name, cmd->name);
}

/* ---- the tables of a command ---- */

static void tables_opts(const struct tool_opt *opts)
{
	unsigned int n = 0;

	for (; opts->name; opts++) {
		if (n == TOOL_OPTS)
			abort();
		tables->opts[n++] = *opts;
	}
}

void command_tables(const struct command *cmd, struct command_tables *t)
{
	static char name[] = "tables", option[] = "--help";
	char *argv[] = { name, option, NULL };

	memset(t, 0, sizeof(*t));
	tables = t;
	cmd->run(cmd, 2, argv);
	tables = NULL;
}

/* ---- the command of a command line ---- */

int tool_options(const struct command *cmd, int argc, char **argv,
		 const struct tool_opt *opts, const char *need, int max)
{
	int ret;

	if (tables) {
		tables_opts(opts);
		return EXIT_SUCCESS;
	}
	ret = options_parse(argc, argv, opts, program->opts, false);
	if (!ret)
		command_help(cmd);
	if (ret >= 0)
		return ret;
	if (need && optind == argc)
		return tool_usage(cmd, "%s is missing", need);
	if (max >= 0 && argc - optind > max)
		return tool_usage(cmd, "one argument too many: \"%s\"", argv[optind + max]);
	return -1;
}

/*
 * Find a command by name. Commands of @group have the group's name in front. Returns NULL with the
 * reason printed, and the name of the command that may have been meant.
 */
static const struct command *find(const struct command *c, const struct command *group, const char *name)
{
	size_t skip = group ? strlen(group->name) + 1 : 0;
	struct near near;

	near_begin(&near, name);
	for (; c->name; c++) {
		if (!strcmp(c->name + skip, name))
			return c;
		near_try(&near, c->name + skip);
	}
	fprintf(stderr, "%s%s%s: no command \"%s\"", program->name, group ? " " : "",
		group ? group->name : "", name);
	if (*near.name)
		fprintf(stderr, ". Did you mean \"%s\"?", near.name);
	fprintf(stderr, "\nTry %s%s%s --help.\n", program->name, group ? " " : "",
		group ? group->name : "");
	return NULL;
}

static int command_run(const struct command *cmd, int argc, char **argv)
{
	static char name[32];

	/* getopt_long() begins its messages with argv[0]. */
	snprintf(name, sizeof(name), "%s %s", program->name, cmd->name);
	argv[0] = name;
	optind = 0;	/* glibc: start again, with the options of the command */
	return cmd->run(cmd, argc, argv);
}

int command_group(const struct command *cmd, const struct command *group, const char *about,
		  int argc, char **argv)
{
	const struct command *c;

	if (tables) {
		tables->group = group;
		return EXIT_SUCCESS;
	}
	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		group_usage(cmd, group, about, stdout);
		return EXIT_SUCCESS;
	}
	if (argc < 2) {
		group_usage(cmd, group, about, stderr);
		return EXIT_USAGE;
	}
	c = find(group, cmd, argv[1]);
	return c ? command_run(c, argc - 1, argv + 1) : EXIT_USAGE;
}

/* Turn "help COMMAND" into "COMMAND --help". The command may be one of a group, and two words. */
int cmd_help(const struct command *cmd, int argc, char **argv)
{
	static char option[] = "--help";
	const struct command *about;
	int ret = tool_options(cmd, argc, argv, none, NULL, 2);

	if (ret >= 0)
		return ret;
	if (optind == argc) {
		usage(stdout);
		return EXIT_SUCCESS;
	}
	about = find(program->commands, NULL, argv[optind]);
	if (!about)
		return EXIT_USAGE;
	argc -= optind - 1;
	argv += optind - 1;
	memmove(argv, argv + 1, (size_t)(argc - 1) * sizeof(*argv));
	argv[argc - 1] = option;
	return command_run(about, argc, argv);
}

int cmd_completion(const struct command *cmd, int argc, char **argv)
{
	return complete_main(program, cmd, argc, argv);
}

int program_main(const struct program *p, int argc, char **argv)
{
	bool version = false;
	const struct tool_opt opts[] = { { "version", 'V', .flag = &version }, { .name = NULL } };
	const struct command *cmd;
	char name[32];
	int ret;

	program = p;
	snprintf(name, sizeof(name), "%s", p->name);
	argv[0] = name;
	ret = options_parse(argc, argv, opts, p->opts, true);
	if (ret > 0)
		return ret;
	if (!ret || version) {
		if (!ret)
			usage(stdout);
		else
			printf("%s " NFPCHAN_VERSION "\n", p->name);
		return tool_flush();
	}
	if (optind == argc) {
		usage(stderr);
		return EXIT_USAGE;
	}
	cmd = find(p->commands, NULL, argv[optind]);
	ret = cmd ? command_run(cmd, argc - optind, argv + optind) : EXIT_USAGE;
	return ret == EXIT_SUCCESS ? tool_flush() : ret;
}
