// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* main.c - ncl: the table of commands. */
#include "cmd.h"

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
	  "hops.ncd net.and --map s1=eth0", cmd_deploy },
	{ "serve", "PROG NET.and", "let hosts of other machines read and write _ctrl_ variables",
	  "  -a, --allow LABEL   only this host of NET.and, and others named so; default: all hosts\n",
	  "hops net.and --allow w1", cmd_serve },
	{ "show", "[PROG]", "what is deployed on this machine",
	  "  -v, --values        variables with their values\n"
	  "  -j, --json          one JSON document instead of text\n",
	  "--values hops", cmd_show },
	{ "undo", "PROG [LABEL]...", "end what was deployed, at all places or at these", NULL,
	  "hops", cmd_undo },
	{ "completion", "SHELL", "print a completion script: bash, zsh or fish", COMPLETION_HELP, "bash",
	  cmd_completion },
	{ "help", "[COMMAND]...", "print help on all commands, or on one", NULL, "deploy", cmd_help },
	{ .name = NULL },
};

int main(int argc, char **argv)
{
	static const struct tool_opt none[] = { { .name = NULL } };
	static const struct program ncl = {
		.name = "ncl",
		.about = "Places of NCL programs: devices of this machine.",
		.opts = none,
		.commands = commands,
		.kinds = ncl_kinds,
	};

	return program_main(&ncl, argc, argv);
}
