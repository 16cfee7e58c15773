// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* complete_script.c - the command "completion": print the script of a shell. */
#include <stdio.h>
#include <string.h>
#include "complete.h"

/*
 * The files userspace/completion/program.SHELL. Each has the program say what can be at the cursor,
 * so that the tables of the commands are in one place. "PROGRAM" stands for its name.
 */
static const struct {
	const char *shell;
	const char *text;
} scripts[] = {
	{ "bash",
#include "program.bash.h"
	},
	{ "zsh",
#include "program.zsh.h"
	},
	{ "fish",
#include "program.fish.h"
	},
};

static void print_for(const char *text, const char *program)
{
	static const char name[] = "PROGRAM";
	const char *end;

	for (; (end = strstr(text, name)); text = end + strlen(name))
		printf("%.*s%s", (int)(end - text), text, program);
	fputs(text, stdout);
}

int complete_main(const struct program *p, const struct command *cmd, int argc, char **argv)
{
	static const struct tool_opt none[] = { { .name = NULL } };
	int ret;
	size_t i;

	if (argc > 2 && !strcmp(argv[1], "words") && !strcmp(argv[2], "--")) {
		complete_words(p, argc - 3, argv + 3);
		return EXIT_SUCCESS;
	}
	ret = tool_options(cmd, argc, argv, none, "a shell", 1);
	if (ret >= 0)
		return ret;
	for (i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
		if (!strcmp(scripts[i].shell, argv[optind])) {
			print_for(scripts[i].text, p->name);
			return EXIT_SUCCESS;
		}
	}
	return tool_usage(cmd, "no script for the shell \"%s\", only for bash, zsh and fish",
			  argv[optind]);
}
