// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_chain.c - nfpchan chain: commands for policy graphs. */
#include <stddef.h>
#include "tool.h"

static const struct command commands[] = {
	{ "chain check", "FILE", "check a graph", NULL, cmd_chain_check },
	{ "chain load", "FILE", "link channels as the graph says",
	  "  -f, --foreground    hold the links in the foreground, until interrupted\n",
	  cmd_chain_load },
	{ "chain show", "FILE|NAME", "draw a graph; a loaded one, given by NAME, with its rates",
	  "  -d, --dot           print it in the language of Graphviz' dot\n"
	  "  -i, --interval MS   measure rates over this time (1000)\n",
	  cmd_chain_show },
	{ "chain stats", "NAME", "print counters of the edges of a loaded graph", NULL, cmd_chain_stats },
	{ "chain unload", "NAME", "close the links of a loaded graph", NULL, cmd_chain_unload },
	{ NULL, NULL, NULL, NULL, NULL },
};

int cmd_chain(const struct command *cmd, int argc, char **argv)
{
	return command_group(cmd, commands, "Policy graphs of ME processes.", argc, argv);
}
