// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_chain.c - nfpchan chain: commands for policy graphs. */
#include <stddef.h>
#include "tool.h"

static const struct command commands[] = {
	{ "chain check", "FILE", "is the graph right?", NULL, cmd_chain_check },
	{ "chain load", "FILE", "link the channels of its nodes, as its edges say",
	  "  -f, --foreground    hold the links until interrupted, instead of a process that does\n",
	  cmd_chain_load },
	{ "chain show", "FILE|NAME", "draw a graph; a loaded one (by its name) with live rates",
	  "  -d, --dot           in the language of Graphviz' dot\n"
	  "  -i, --interval MS   measure rates for so long (1000)\n",
	  cmd_chain_show },
	{ "chain stats", "NAME", "what each edge of a loaded graph has carried", NULL, cmd_chain_stats },
	{ "chain unload", "NAME", "take the links of a loaded graph down", NULL, cmd_chain_unload },
	{ NULL, NULL, NULL, NULL, NULL },
};

int cmd_chain(const struct command *cmd, int argc, char **argv)
{
	return command_group(cmd, commands, "Policy graphs of ME processes.", argc, argv);
}
