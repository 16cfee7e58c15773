// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_load.c - nfpchan graph load: open the links of a policy graph. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "loaded.h"
#include "tool.h"

/**
 * struct graph_file - a file with a policy graph
 * @path: path of the file
 * @name: name of the graph
 * @text: contents of the file
 * @g: the graph
 */
struct graph_file {
	const char *path;
	char name[GRAPH_TEXT];
	char *text;
	struct graph *g;
};

/* Leave the session, the directory and the terminal of the process that ran the command. */
static int detach(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || chdir("/"))
		return tool_fail("%s", strerror(errno));
	setsid();
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	close(null);
	return 0;
}

/* Open the links, and hold them until they are unloaded. @up: pipe that reports them, or -1. */
static int hold(struct graph_file *f, int listener, int up)
{
	struct loaded l;
	int ret = loaded_open(&l, f->g, f->path);

	if (ret)
		return ret;
	if (up < 0) {
		printf("%s: loaded, %u edges\n", f->name, f->g->edges);
		ret = tool_flush();
	} else {
		ret = detach();
		if (!ret && write(up, "", 1) != 1)
			ret = EXIT_FAILURE;
		close(up);
	}
	if (!ret)
		ret = loaded_serve(&l, listener, f->name, f->text);
	loaded_close(&l);
	return ret;
}

/*
 * Hold the links in a background process. That process opens them itself, because a child does
 * not inherit the memory that devices write to.
 */
static int hold_apart(struct graph_file *f, int listener)
{
	int up[2];
	pid_t pid;
	char c;

	if (pipe2(up, O_CLOEXEC))
		return tool_fail("%s", strerror(errno));
	pid = fork();
	if (!pid) {
		close(up[0]);
		exit(hold(f, listener, up[1]));
	}
	close(up[1]);
	if (pid > 0 && read(up[0], &c, 1) == 1) {
		printf("%s: loaded, %u edges\n", f->name, f->g->edges);
		return tool_flush();
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);	/* the child has printed the reason */
	else
		tool_fail("%s", strerror(errno));
	loaded_unlisten(f->name);
	return EXIT_FAILURE;
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

static int load(struct graph_file *f, bool foreground)
{
	int listener, ret;

	if (loaded_name(f->path, f->name, sizeof(f->name)))
		return EXIT_FAILURE;
	listener = loaded_listen(f->name);
	if (listener < 0)
		return EXIT_FAILURE;
	ret = foreground ? hold(f, listener, -1) : hold_apart(f, listener);
	if (ret && foreground)
		loaded_unlisten(f->name);
	close(listener);
	return ret;
}

int cmd_graph_load(const struct command *cmd, int argc, char **argv)
{
	bool foreground = false;
	const struct tool_opt opts[] = {
		{ "foreground", 'f', .flag = &foreground },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "a file", 1);
	struct graph_file f;
	char err[512];

	if (ret >= 0)
		return ret;
	f.path = argv[optind];
	if (graph_read(f.path, &f.g, err, sizeof(err)))
		return tool_fail("%s", err);
	f.text = read_text(f.path);
	ret = f.text ? load(&f, foreground) : EXIT_FAILURE;
	free(f.text);
	graph_free(f.g);
	return ret;
}
