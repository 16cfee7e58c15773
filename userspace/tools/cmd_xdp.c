// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_xdp.c - nfpchan xdp: commands for offloaded XDP programs. */
#include <stddef.h>
#include "tool.h"

static const struct command commands[] = {
#ifdef NFPCHAN_LIBBPF
	{ "xdp explain", "OBJECT", "can its programs be offloaded, and if not, why?",
	  "  -d, --dev DEV       to this interface, and the card behind it\n"
	  "  -H, --helpers LIST  of a card whose firmware has these helpers, such as\n"
	  "                      lookup,update,delete,event,adjust_head,adjust_tail,random,queue\n"
	  "  -w, --words N       of a card where a program may have N instructions (2560)\n"
	  "  -s, --strict        what may do something else on the card cannot, either\n",
	  cmd_xdp_explain },
	{ "xdp link", "OBJECT...", "make one program of those that call bpf_tail_call()",
	  "  -o, --output FILE   the linked object\n"
	  "  -e, --entry PROG    the program that a packet enters first\n"
	  "  -S, --slot MAP:INDEX=PROG   prog array MAP has PROG there; MAP:INDEX=none: nothing;\n"
	  "                      MAP:none: it is empty. May be given several times\n"
	  "  -l, --loop          let tail calls lead in a circle, up to the kernel's 33\n"
	  "  -w, --words N       for a card where a program may have N instructions (2560)\n"
	  "  -N, --native        for the host: what a card cannot do is no matter\n",
	  cmd_xdp_link },
	{ "xdp run", "OBJECT", "offload its program, print its events until interrupted",
	  "  -d, --dev DEV       to this interface, and from the card behind it\n"
	  "  -p, --prog NAME     this program of the object\n"
	  "  -m, --map NAME      events of this map\n"
	  "  -C, --channel NAME  by this channel (the first that is free)\n"
	  "  -n, --count N       end after N events\n"
	  "  -L, --link          link its tail calls, with --entry, --slot, --loop and --words\n"
	  "                      as xdp link has them\n"
	  "  -x, --split         the front of its tail calls on the card, the rest on the host;\n"
	  "                      SIGHUP loads the object again, in the place of what is there\n"
	  "  -o, --host LIST     with --split: these programs on the host, commas between\n"
	  "  -s, --strict        with --split: so is what may do something else on the card\n"
	  "  -M, --split-map LIST    with --split: each side may have a copy of these maps\n"
	  "  -K, --carrier KIND  from card to host by \"ethertype\" (default) or by \"queue\"\n"
	  "  -E, --ethertypes BASE[/COUNT]   of this private block (0xf800/256)\n",
	  cmd_xdp_run },
	{ "xdp map", "dump NAME", "counters of a map, summed up over card, host and CPUs",
	  "  -d, --dev DEV       of the programs that this interface has\n",
	  cmd_xdp_map },
	{ "xdp replace", "OBJECT", "offload its program in the place of the one that an interface has",
	  "  -d, --dev DEV       of this interface; packets go on meanwhile\n"
	  "  -p, --prog NAME     this program of the object\n"
	  "  -L, --link          link its tail calls, with --entry, --slot, --loop and --words\n"
	  "                      as xdp link has them\n"
	  "Maps of the same name and shape are kept, with what is in them.\n",
	  cmd_xdp_replace },
	{ "xdp watch", "", "print events of the program that an interface has",
	  "  -d, --dev DEV       of this interface\n"
	  "  -m, --map NAME      events of this map\n"
	  "  -C, --channel NAME  by this channel (the first that is free)\n"
	  "  -n, --count N       end after N events\n",
	  cmd_xdp_watch },
#endif
	{ NULL, NULL, NULL, NULL, NULL },
};

int cmd_xdp(const struct command *cmd, int argc, char **argv)
{
	if (!commands[0].name)
		return tool_fail("built without libbpf: no \"%s\"", cmd->name);
	return command_group(cmd, commands, "XDP programs on the card.", argc, argv);
}
