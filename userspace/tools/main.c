// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* main.c - nfpchan: the table of commands. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include "tool.h"

struct tool tool;

static const struct command commands[] = {
	{ "list", "", "list the channels of the card",
	  "The card needs channel firmware, which no firmware file of the vendor has. Channels of\n"
	  "XDP programs (bpf:INTERFACE) need none.\n", "", cmd_list },
	{ "info", "[CHANNEL]", "describe the card, or a channel", NULL, "echo-in", cmd_info },
	{ "stats", "[CHANNEL]...", "print counters of channels (default: of all)", NULL, "echo-in echo-out", cmd_stats },
	{ "send", "CHANNEL [DATA | -]", "send a message; -: from the standard input",
	  "  -f, --file FILE     send the contents of FILE\n"
	  "  -x, --hex HEX       send these bytes, in hexadecimal\n"
	  "  -n, --count N       send the message N times\n"
	  "  -t, --timeout MS    give up after this time, with exit status 3\n",
	  "echo-in hello", cmd_send },
	{ "recv", "CHANNEL", "receive messages, and print one per line",
	  "  -n, --count N       end after N messages\n"
	  "  -t, --timeout MS    end if none came for this time, with exit status 3\n"
	  "  -x, --hex           print messages in hexadecimal\n"
	  "  -r, --raw           print the bytes and nothing else\n",
	  "echo-out --count 1 & nfpchan send echo-in hello", cmd_recv },
	{ "signal", "CHANNEL", "set the signal of the channel's ME process", NULL, "tick", cmd_signal },
	{ "link", "FROM TO", "have the card carry messages between channels",
	  "  -x, --command HEX   put these bytes in front of each message\n"
	  "  -s, --state TYPE,OFFSET,STEP\n"
	  "                      the u32 or u64 at OFFSET of the command grows by STEP with\n"
	  "                      each message\n"
	  "  -i, --interval MS   print the counters at this interval, and at the end\n",
	  "capitals-out echo-in --interval 1000", cmd_link },
	{ "flows", "", "print records of the flow meter, and its totals",
	  "  -f, --flush         have all flows reported, then end\n"
	  "  -q, --quiet MS      with --flush: first wait for a pause of MS (200)\n"
	  "  -n, --count N       end after N records\n"
	  "  -F, --follow        with --flush: go on after that, until interrupted\n",
	  "--flush", cmd_flows },
	{ "xdp", "COMMAND ...", "XDP programs on the card: nfpchan xdp --help", NULL, NULL, cmd_xdp },
	{ "firmware", "COMMAND ...", "firmware files of the card: nfpchan firmware --help", NULL, NULL,
	  cmd_firmware },
	{ "graph", "COMMAND ...", "policy graphs of ME processes: nfpchan graph --help", NULL, NULL, cmd_graph },
	{ "help", "[COMMAND]...", "print help on all commands, or on one", NULL, "send", cmd_help },
	{ .name = NULL },
};

int tool_signals(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &set, NULL)) {
		tool_fail("signals: %s", strerror(errno));
		return -1;
	}
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		tool_fail("signalfd: %s", strerror(errno));
	return fd;
}

int main(int argc, char **argv)
{
	static const struct tool_opt opts[] = {
		{ "card", 'c', .text = &tool.card },
		{ "json", 'j', .flag = &tool.json },
		{ .name = NULL },
	};
	static const struct program nfpchan = {
		.name = "nfpchan",
		.about = "Message channels to the microengines of an Agilio card.",
		.opts = opts,
		.help = "  -c, --card CARD     number, PCI function or device node (the first card);\n"
			"                      bpf:DEV: an interface of a card without channel firmware\n"
			"  -j, --json          print one JSON document instead of text\n",
		.commands = commands,
	};

	return program_main(&nfpchan, argc, argv);
}
