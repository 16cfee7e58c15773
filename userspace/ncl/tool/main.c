// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* main.c - ncl: the table of commands, and functions that all commands use. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "cmd.h"

static int cmd_help(const struct command *cmd, int argc, char **argv);

static const struct command commands[] = {
	{ "deploy", "PROG.ncd NET.and", "load the programs of devices that are on this machine",
	  "  -m, --map LABEL=[NETNS/]INTERFACE[:MODE]\n"
	  "                      device LABEL is that interface; may be repeated. MODE is offload,\n"
	  "                      native or generic; without it, a card of the driver nfp gets the\n"
	  "                      program, and others native XDP, or else generic XDP\n"
	  "  -M, --mac LABEL=ADDRESS\n"
	  "                      Ethernet address of a node, which is not looked up then\n"
	  "  -t, --timeout S     look for Ethernet addresses no longer than that (5), exit status 3\n"
	  "  -r, --replace       in place of an earlier deployment of the program\n",
	  cmd_deploy },
	{ "serve", "PROG NET.and", "let hosts of other machines read and write _ctrl_ variables",
	  "  -a, --allow LABEL   only this host of NET.and, and others named so; default: all hosts\n",
	  cmd_serve },
	{ "show", "[PROG]", "what is deployed on this machine",
	  "  -v, --values        variables with their values\n"
	  "  -j, --json          one JSON document instead of text\n",
	  cmd_show },
	{ "undo", "PROG [LABEL]...", "end what was deployed, at all places or at these", "", cmd_undo },
	{ "help", "[COMMAND]", "about all commands, or about one", "", cmd_help },
};

#define COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static const char common_help[] = "  -h, --help          this\n";

int command_help(const struct command *cmd)
{
	printf("usage: ncl %s [OPTION]... %s\n%s\n\n%s%s", cmd->name, cmd->args, cmd->what,
	       cmd->help, common_help);
	return ncl_flush();
}

static void usage(FILE *out)
{
	size_t i;

	fprintf(out, "usage: ncl COMMAND [OPTION]... [ARGUMENT]...\n"
		"Places of NCL programs: devices of this machine.\n\n");
	for (i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-8s%-20s%s\n", commands[i].name, commands[i].args,
			commands[i].what);
	fprintf(out, "\n%s  -V, --version       the version\n"
		"\nncl COMMAND --help says more. Exit status: 0 success, 1 failure, 2 wrong command "
		"line,\n3 timeout.\n", common_help);
}

int ncl_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("ncl: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	return EXIT_FAILURE;
}

int ncl_usage(const struct command *cmd, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "ncl %s: ", cmd->name);
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\nTry ncl %s --help.\n", cmd->name);
	va_end(ap);
	return EXIT_USAGE;
}

int ncl_flush(void)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return EXIT_SUCCESS;
	return ncl_fail("standard output: %s", strerror(errno ? errno : EIO));
}

static const struct command *find(const char *name)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	ncl_fail("no command \"%s\"", name);
	usage(stderr);
	return NULL;
}

static int cmd_help(const struct command *cmd, int argc, char **argv)
{
	(void)cmd;
	if (argc > 1) {
		cmd = find(argv[1]);
		return cmd ? command_help(cmd) : EXIT_USAGE;
	}
	usage(stdout);
	return ncl_flush();
}

int main(int argc, char **argv)
{
	static char name[32];
	const struct command *cmd;
	const char *first = argc > 1 ? argv[1] : "";

	if (!strcmp(first, "-h") || !strcmp(first, "--help")) {
		usage(stdout);
		return ncl_flush();
	}
	if (!strcmp(first, "-V") || !strcmp(first, "--version")) {
		puts("ncl " NFPCHAN_VERSION);
		return ncl_flush();
	}
	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	cmd = find(first);
	if (!cmd)
		return EXIT_USAGE;
	/* getopt_long() prints argv[0] at the start of its messages. */
	snprintf(name, sizeof(name), "ncl %s", cmd->name);
	argv[1] = name;
	return cmd->run(cmd, argc - 1, argv + 1);
}
