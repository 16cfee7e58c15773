// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_show.c - nfpchan chain check, show: a policy graph, checked and drawn. */
#include <stdlib.h>
#include <string.h>
#include "draw.h"
#include "tool.h"

static struct graph *read_graph(const char *path)
{
	struct graph *g;
	char err[512];

	if (graph_read(path, &g, err, sizeof(err)))
		tool_fail("%s", err);
	return g;
}

int cmd_chain_check(const struct command *cmd, int argc, char **argv)
{
	static const struct tool_opt none[] = { { .name = NULL } };
	int ret = tool_options(cmd, argc, argv, none, "a file", 1);
	struct graph *g;

	if (ret >= 0)
		return ret;
	g = read_graph(argv[optind]);
	if (!g)
		return EXIT_FAILURE;
	printf("%s: %u devices, %u nodes, %u edges\n", argv[optind], g->devices, g->nodes, g->edges);
	graph_free(g);
	return tool_flush();
}

int cmd_chain_show(const struct command *cmd, int argc, char **argv)
{
	bool dot = false;
	const struct tool_opt opts[] = {
		{ "dot", 'd', .flag = &dot },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "a file", 1);
	struct graph *g;

	if (ret >= 0)
		return ret;
	g = read_graph(argv[optind]);
	if (!g)
		return EXIT_FAILURE;
	if (dot)
		graph_dot(g, argv[optind], NULL, stdout);
	else
		graph_tree(g, NULL, stdout);
	graph_free(g);
	return tool_flush();
}
