// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_xdp.c - nfpchan xdp: commands for offloaded XDP programs. */
#include <stddef.h>
#include "tool.h"

static const struct command commands[] = {
#ifdef NFPCHAN_LIBBPF
	{ "xdp explain", "OBJECT", "say whether programs can be offloaded, and why not",
	  "  -d, --dev DEV       for this interface and its card\n"
	  "  -F, --firmware NAME for this firmware: public (default, bpf-2.0.6.124, which the\n"
	  "                      vendor has published), full (only the emulated card has\n"
	  "                      it), or a firmware file (.nffw)\n"
	  "  -H, --helpers LIST  for firmware with these helpers only, of lookup,update,\n"
	  "                      delete,event,adjust_head,adjust_tail,random,queue\n"
	  "  -w, --words N       for a card with N instructions per program\n"
	  "  -s, --strict        refuse programs that may behave differently on the card\n",
	  "--dev eth0 syn_digest.o", cmd_xdp_explain },
	{ "xdp link", "OBJECT...", "make one program of those that call bpf_tail_call()",
	  "  -o, --output FILE   write the linked object to FILE\n"
	  "  -e, --entry PROG    the program that a packet enters first\n"
	  "  -S, --slot MAP:INDEX=PROG   put PROG into this slot of prog array MAP;\n"
	  "                      MAP:INDEX=none empties a slot, MAP:none all slots.\n"
	  "                      May be given several times\n"
	  "  -l, --loop          allow tail calls in a circle, up to 33 for a packet\n"
	  "  -F, --firmware NAME for this firmware: public (default), full, or a file\n"
	  "  -w, --words N       for a card with N instructions per program\n"
	  "  -N, --native        for the host: do not check the limits of a card\n",
	  "firewall_chain.o --native --output linked.o", cmd_xdp_link },
	{ "xdp run", "OBJECT", "offload a program, and print its events",
	  "  -d, --dev DEV       offload to this interface\n"
	  "  -p, --prog NAME     this program of the object\n"
	  "  -m, --map NAME      events of this map\n"
	  "  -C, --channel NAME  through this channel (the first free one)\n"
	  "  -n, --count N       end after N events\n"
	  "  -L, --link          first link its tail calls, with --entry, --slot, --loop,\n"
	  "                      --words and --firmware of xdp link\n"
	  "  -x, --split         of programs joined by tail calls, run the first on the\n"
	  "                      card, the others on the host; SIGHUP reloads both\n"
	  "  -o, --host LIST     with --split: run these programs on the host (A,B)\n"
	  "  -s, --strict        with --split: run programs on the host that may behave\n"
	  "                      differently on the card\n"
	  "  -M, --split-map LIST\n"
	  "                      with --split: give each side a copy of these maps (A,B)\n"
	  "  -K, --carrier KIND  with --split: mark frames by ethertype (default) or queue\n"
	  "  -E, --ethertypes BASE[/COUNT]\n"
	  "                      with --split: private EtherTypes (0xf800/256)\n",
	  "--dev eth0 syn_digest.o", cmd_xdp_run },
	{ "xdp map", "dump NAME", "print a map's counters, summed over card, host and CPUs",
	  "  -d, --dev DEV       a map of this interface's programs\n",
	  "dump counters --dev eth0", cmd_xdp_map },
	{ "xdp replace", "OBJECT", "replace the offloaded program of an interface",
	  "  -d, --dev DEV       of this interface, without losing packets\n"
	  "  -p, --prog NAME     this program of the object\n"
	  "  -L, --link          first link its tail calls, with --entry, --slot, --loop,\n"
	  "                      --words and --firmware of xdp link\n"
	  "Maps of the same name and shape are kept, with their contents.\n",
	  "--dev eth0 syn_digest.o", cmd_xdp_replace },
	{ "xdp watch", "", "print events of the offloaded program of an interface",
	  "  -d, --dev DEV       of this interface\n"
	  "  -m, --map NAME      events of this map\n"
	  "  -C, --channel NAME  through this channel (the first free one)\n"
	  "  -n, --count N       end after N events\n",
	  "--dev eth0", cmd_xdp_watch },
#endif
	{ .name = NULL },
};

int cmd_xdp(const struct command *cmd, int argc, char **argv)
{
	if (!commands[0].name)
		return tool_fail("built without libbpf: no \"%s\"", cmd->name);
	return command_group(cmd, commands, "XDP programs on the card.", argc, argv);
}
