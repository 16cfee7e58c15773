// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_load.c - nfpchan chain load: link what a policy graph links. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "loaded.h"
#include "tool.h"

/* A process of the caller's, but for the terminal, has the links from now on. */
static int leave(struct loaded *l, int listener, const char *name, const char *text)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t pid = fork();

	if (pid < 0 || null < 0)
		return tool_fail("%s", strerror(errno));
	if (pid)
		_exit(tool_flush());	/* The handles are the child's. */
	setsid();
	if (chdir("/"))
		return EXIT_FAILURE;
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	close(null);
	return loaded_serve(l, listener, name, text);
}

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (f && getdelim(&text, &size, '\0', f) < 0) {
		free(text);
		text = NULL;
	}
	if (!text)
		tool_fail("%s: %s", path, strerror(errno));
	if (f)
		fclose(f);
	return text;
}

static int load(const char *file, const struct graph *g, const char *text, bool foreground)
{
	char name[GRAPH_TEXT];
	struct loaded l;
	int listener, ret;

	if (loaded_name(file, name, sizeof(name)))
		return EXIT_FAILURE;
	listener = loaded_listen(name);
	if (listener < 0)
		return EXIT_FAILURE;
	ret = loaded_open(&l, g, file);
	if (!ret) {
		printf("%s: loaded, %u edges\n", name, g->edges);
		ret = foreground ? tool_flush() : 0;
		ret = ret ?: foreground ? loaded_serve(&l, listener, name, text) :
					  leave(&l, listener, name, text);
		loaded_close(&l);
	} else {
		loaded_unlisten(name);
	}
	close(listener);
	return ret;
}

int cmd_chain_load(const struct command *cmd, int argc, char **argv)
{
	bool foreground = false;
	const struct tool_opt opts[] = {
		{ "foreground", 'f', .flag = &foreground },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "a file", 1);
	char err[512], *text;
	struct graph *g;

	if (ret >= 0)
		return ret;
	if (graph_read(argv[optind], &g, err, sizeof(err)))
		return tool_fail("%s", err);
	text = read_text(argv[optind]);
	ret = text ? load(argv[optind], g, text, foreground) : EXIT_FAILURE;
	free(text);
	graph_free(g);
	return ret;
}
