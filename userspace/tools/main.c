// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* main.c - nfpchan: the table of commands, and functions that the commands share. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include "tool.h"

struct tool tool;

static int cmd_help(const struct command *cmd, int argc, char **argv);

static const struct command commands[] = {
	{ "list", "", "list the channels of the card",
	  "The card needs channel firmware, which no firmware file of the vendor has. Channels of\n"
	  "XDP programs (bpf:INTERFACE) need none.\n", cmd_list },
	{ "info", "[CHANNEL]", "describe the card, or a channel", NULL, cmd_info },
	{ "stats", "[CHANNEL]...", "print counters of channels (default: of all)", NULL, cmd_stats },
	{ "send", "CHANNEL [DATA | -]", "send a message; -: from the standard input",
	  "  -f, --file FILE     send the contents of FILE\n"
	  "  -x, --hex HEX       send these bytes, in hexadecimal\n"
	  "  -n, --count N       send the message N times\n"
	  "  -t, --timeout MS    give up after this time, with exit status 3\n",
	  cmd_send },
	{ "recv", "CHANNEL", "receive messages, and print one per line",
	  "  -n, --count N       end after N messages\n"
	  "  -t, --timeout MS    end if none came for this time, with exit status 3\n"
	  "  -x, --hex           print messages in hexadecimal\n"
	  "  -r, --raw           print the bytes and nothing else\n",
	  cmd_recv },
	{ "signal", "CHANNEL", "set the signal of the channel's ME process", NULL, cmd_signal },
	{ "link", "FROM TO", "have the card carry messages between channels",
	  "  -x, --command HEX   put these bytes in front of each message\n"
	  "  -s, --state TYPE,OFFSET,STEP\n"
	  "                      the u32 or u64 at OFFSET of the command grows by STEP with\n"
	  "                      each message\n"
	  "  -i, --interval MS   print the counters at this interval, and at the end\n",
	  cmd_link },
	{ "flows", "", "print records of the flow meter, and its totals",
	  "  -f, --flush         have all flows reported, then end\n"
	  "  -q, --quiet MS      with --flush: first wait for a pause of MS (200)\n"
	  "  -n, --count N       end after N records\n"
	  "  -F, --follow        with --flush: go on after that, until interrupted\n",
	  cmd_flows },
	{ "xdp", "COMMAND ...", "XDP programs on the card: nfpchan xdp --help", NULL, cmd_xdp },
	{ "firmware", "COMMAND ...", "firmware files of the card: nfpchan firmware --help", NULL,
	  cmd_firmware },
	{ "graph", "COMMAND ...", "policy graphs of ME processes: nfpchan graph --help", NULL, cmd_graph },
	{ "help", "[COMMAND]", "print help on all commands, or on one", NULL, cmd_help },
};

#define COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static const char common_help[] =
	"  -c, --card CARD     number, PCI function or device node (the first card);\n"
	"                      bpf:DEV: an interface of a card without channel firmware\n"
	"  -j, --json          print one JSON document instead of text\n"
	"  -h, --help          print this help\n";

void command_help(const struct command *cmd)
{
	printf("usage: nfpchan %s [OPTION]...%s%s\n%s\n\n%s%s", cmd->name,
	       *cmd->args ? " " : "", cmd->args, cmd->what, cmd->help ? cmd->help : "",
	       common_help);
}

static void usage(FILE *out)
{
	size_t i;

	fprintf(out, "usage: nfpchan [OPTION]... COMMAND [OPTION]... [ARGUMENT]...\n"
		"Message channels to the microengines of an Agilio card.\n\n");
	for (i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-10s%-20s%s\n", commands[i].name, commands[i].args,
			commands[i].what);
	fprintf(out, "\n%s  -V, --version       print the version\n"
		"\nnfpchan COMMAND --help says more. Exit status: 0 success, 1 failure, "
		"2 wrong\ncommand line, 3 timeout.\n", common_help);
}

int tool_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("nfpchan: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	return EXIT_FAILURE;
}

int tool_flush(void)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	return tool_fail("standard output: %s", strerror(errno ?: EIO));
}

int tool_usage(const struct command *cmd, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "nfpchan %s: ", cmd->name);
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\nTry nfpchan %s --help.\n", cmd->name);
	va_end(ap);
	return EXIT_USAGE;
}

struct nfpchan_card *tool_card(void)
{
	struct nfpchan_card *card;
	char text[256];

	if (nfpchan_card_open(&card, tool.card, text, sizeof(text)))
		tool_fail("%s", text);
	return card;
}

struct nfpchan *tool_channel(struct nfpchan_card *card, const char *name)
{
	struct nfpchan *ch;
	char text[256];

	if (nfpchan_open(&ch, card, name, NULL))
		tool_fail("%s", nfpchan_card_error(card, text, sizeof(text)));
	return ch;
}

struct nfpchan *tool_open(const char *name)
{
	struct nfpchan_card *card = tool_card();
	struct nfpchan *ch = card ? tool_channel(card, name) : NULL;

	nfpchan_card_close(card);
	return ch;
}

bool tool_by_bpf(void)
{
	return tool.card && !strncmp(tool.card, "bpf:", 4);
}

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

const char *dir_name(uint32_t dir)
{
	return dir == NFP_CHAN_TO_HOST ? "to-host" : "to-nfp";
}

static const struct command *find(const char *name)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	tool_fail("no command \"%s\"", name);
	return NULL;
}

int command_run(const struct command *cmd, int argc, char **argv)
{
	static char name[32];

	/* getopt_long() begins its messages with argv[0]. */
	snprintf(name, sizeof(name), "nfpchan %s", cmd->name);
	argv[0] = name;
	optind = 0;	/* glibc: start again, with the options of the command */
	return cmd->run(cmd, argc, argv);
}

static void group_usage(const struct command *cmd, const struct command *c, const char *about,
			FILE *out)
{
	fprintf(out, "usage: nfpchan %s COMMAND [OPTION]... [ARGUMENT]...\n%s\n\n", cmd->name, about);
	for (; c->name; c++)
		fprintf(out, "  %-12s%-16s%s\n", strchr(c->name, ' ') + 1, c->args, c->what);
	fprintf(out, "\nnfpchan %s COMMAND --help says more.\n", cmd->name);
}

int command_group(const struct command *cmd, const struct command *group, const char *about,
		  int argc, char **argv)
{
	const struct command *c;

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		group_usage(cmd, group, about, stdout);
		return EXIT_SUCCESS;
	}
	if (argc < 2) {
		group_usage(cmd, group, about, stderr);
		return EXIT_USAGE;
	}
	for (c = group; c->name; c++)
		if (!strcmp(strchr(c->name, ' ') + 1, argv[1]))
			return command_run(c, argc - 1, argv + 1);
	return tool_usage(cmd, "no command \"%s\"", argv[1]);
}

/* Turn "help COMMAND" into "COMMAND --help". */
static int cmd_help(const struct command *cmd, int argc, char **argv)
{
	static char option[] = "--help";
	const struct command *about;

	if (argc == 1) {
		usage(stdout);
		return EXIT_SUCCESS;
	}
	if (!strcmp(argv[1], option) || !strcmp(argv[1], "-h")) {
		command_help(cmd);
		return EXIT_SUCCESS;
	}
	about = find(argv[1]);
	if (!about)
		return EXIT_USAGE;
	memmove(argv, argv + 1, (size_t)(argc - 1) * sizeof(*argv));
	argv[argc - 1] = option;
	return command_run(about, argc, argv);
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		TOOL_LONG,
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	const struct command *cmd;
	static char name[] = "nfpchan";
	int opt, ret;

	argv[0] = name;
	while ((opt = getopt_long(argc, argv, "+" TOOL_SHORT "V", longs, NULL)) != -1) {
		switch (opt) {
		case 'c':
			tool.card = optarg;
			break;
		case 'j':
			tool.json = true;
			break;
		case 'h':
			usage(stdout);
			return tool_flush();
		case 'V':
			puts("nfpchan " NFPCHAN_VERSION);
			return tool_flush();
		default:
			usage(stderr);
			return EXIT_USAGE;
		}
	}
	if (optind == argc) {
		usage(stderr);
		return EXIT_USAGE;
	}
	cmd = find(argv[optind]);
	if (!cmd) {
		usage(stderr);
		return EXIT_USAGE;
	}
	ret = command_run(cmd, argc - optind, argv + optind);
	return ret == EXIT_SUCCESS ? tool_flush() : ret;
}
