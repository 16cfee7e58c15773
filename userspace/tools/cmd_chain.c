// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_chain.c - nfpchan chain: commands about policy graphs. */
#include <stddef.h>
#include "tool.h"

static const struct command commands[] = {
	{ "chain check", "FILE", "is the graph right?", NULL, cmd_chain_check },
	{ "chain show", "FILE", "draw the graph",
	  "  -d, --dot           in the language of Graphviz' dot\n",
	  cmd_chain_show },
	{ NULL, NULL, NULL, NULL, NULL },
};

int cmd_chain(const struct command *cmd, int argc, char **argv)
{
	return command_group(cmd, commands, "Policy graphs of ME processes.", argc, argv);
}
