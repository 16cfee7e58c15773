// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_graph.c - nfpchan graph: commands for policy graphs. */
#include <stddef.h>
#include "tool.h"

static const struct command commands[] = {
	{ "graph check", "FILE", "check a graph", NULL, "branch.graph", cmd_graph_check },
	{ "graph load", "FILE", "link channels as the graph says",
	  "  -f, --foreground    hold the links in the foreground, until interrupted\n",
	  "branch.graph", cmd_graph_load },
	{ "graph show", "FILE|NAME", "draw a graph; a loaded one, given by NAME, with its rates",
	  "  -d, --dot           print it in the language of Graphviz' dot\n"
	  "  -i, --interval MS   measure rates over this time (1000)\n",
	  "branch.graph", cmd_graph_show },
	{ "graph stats", "NAME", "print counters of the edges of a loaded graph", NULL, "branch", cmd_graph_stats },
	{ "graph unload", "NAME", "close the links of a loaded graph", NULL, "branch", cmd_graph_unload },
	{ .name = NULL },
};

int cmd_graph(const struct command *cmd, int argc, char **argv)
{
	return command_group(cmd, commands, "Policy graphs of ME processes.", argc, argv);
}
