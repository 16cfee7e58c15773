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
	{ "stats", "[CHANNEL]...", "print counters of channels (default: of all)",
	  "  -p, --prometheus    in the text format of Prometheus\n", "echo-in echo-out", cmd_stats },
	{ "top", "", "show the rates of channels and flows, live",
	  "  -d, --delay SECONDS each SECONDS (1)\n"
	  "  -f, --flows         begin with flows\n"
	  "  -o, --once          print one interval without escape codes, then end\n"
	  "Keys: q quit; c channels, f flows; n, m, b, d, s, i: sort by name, messages, bytes,\n"
	  "drops, stalls, interrupts.\n",
	  "--once", cmd_top },
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
	{ "flows", "", "print records of the flow meter, or send them as IPFIX, and its totals",
	  "  -f, --flush         have all flows reported, then end\n"
	  "  -q, --quiet MS      with --flush: first wait for a pause of MS (200)\n"
	  "  -n, --count N       end after N records\n"
	  "  -F, --follow        with --flush: go on after that, until interrupted\n"
	  "  -i, --idle S        set the meter: a flow ends after S seconds without a packet\n"
	  "  -a, --active S      set the meter: report a flow that goes on every S seconds; 0: not\n"
	  "  -x, --ipfix COLLECTOR\n"
	  "                      send the records to [tcp:]HOST[:PORT], with --active 120\n"
	  "  -d, --domain N      with --ipfix: the observation domain id (0)\n"
	  "  -r, --refresh S     with --ipfix over UDP: send templates every S seconds (60)\n",
	  "--flush", cmd_flows },
	{ "capture", "[EXPR]...", "write frames of the wire ports in pcapng format, filtered by the card",
	  "  -w, --write FILE    write to FILE; -: to the standard output (default)\n"
	  "  -s, --snap LEN      copy at most LEN bytes of a frame (65535)\n"
	  "  -n, --count N       end after N frames\n"
	  "  -p, --port N        of this wire port only\n"
	  "  -S, --sample N      one in N of the frames that the filter accepts\n"
	  "  -t, --streams N     N streams (1), a thread and a file, FILE.0 and so on, for each\n"
	  "  -d, --dd FILE       the filter that tcpdump -dd has printed to FILE\n"
	  "  EXPR                a filter, in the language of tcpdump\n",
	  "tcp port 80 | tcpdump -n -r -", cmd_capture },
	{ "replay", "FILE", "send the frames of a capture at a wire port, with its timing",
	  "  -p, --port N        at this port (0)\n"
	  "  -s, --speed X       X times as fast as the capture (1)\n"
	  "  -a, --as-fast-as-possible\n"
	  "                      without its timing\n",
	  "capture.pcap --speed 2", cmd_replay },
	{ "extcap", "", "the cards as interfaces of Wireshark, which runs this command",
	  "  -I, --extcap-interfaces\n"
	  "  -V, --extcap-version VERSION\n"
	  "  -i, --extcap-interface NAME\n"
	  "  -D, --extcap-dlts\n"
	  "  -C, --extcap-config\n"
	  "  -f, --extcap-capture-filter EXPR\n"
	  "                      the filter; without --capture: say whether it is right\n"
	  "  -R, --capture\n"
	  "  -F, --fifo FILE     write to FILE\n"
	  "  -p, --port N        as for capture; 2: of all ports\n"
	  "  -s, --snap LEN      as for capture\n"
	  "  -S, --sample N      as for capture\n",
	  "--extcap-interfaces", cmd_extcap },
	{ "xdp", "COMMAND ...", "XDP programs on the card: nfpchan xdp --help", NULL, NULL, cmd_xdp },
	{ "firmware", "COMMAND ...", "firmware files of the card: nfpchan firmware --help", NULL, NULL,
	  cmd_firmware },
	{ "graph", "COMMAND ...", "policy graphs of ME processes: nfpchan graph --help", NULL, NULL, cmd_graph },
	{ "completion", "SHELL", "print a completion script: bash, zsh or fish", COMPLETION_HELP, "bash",
	  cmd_completion },
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
		{ "json-lines", 'J', .flag = &tool.lines, .also = &tool.json },
		{ .name = NULL },
	};
	static const struct program nfpchan = {
		.name = "nfpchan",
		.about = "Message channels to the microengines of an Agilio card.",
		.opts = opts,
		.help = "  -c, --card CARD     number, PCI function or device node (the first card);\n"
			"                      bpf:DEV: an interface of a card without channel firmware\n"
			"  -j, --json          print one JSON document instead of text\n"
			"  -J, --json-lines    print JSON, with a line for each message, record or event\n",
		.commands = commands,
		.kinds = tool_kinds,
	};

	return program_main(&nfpchan, argc, argv);
}
