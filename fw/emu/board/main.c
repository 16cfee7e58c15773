// SPDX-License-Identifier: BSD-2-Clause
/* main.c - the emulated card as a process: options, vfio-user server, wire ports. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "board.h"
#include "front.h"
#include "guard.h"
#include "hal.h"
#include "serve.h"
#include "wire.h"
#include "wire_pcap.h"

#define SETS_MAX	64
#define EXIT_USAGE	2
#define EXIT_CAPTURE	4	/* exit status; 3 is GUARD_EXIT */

struct options {
	const char *socket;
	const char *pcap_in[BOARD_PORTS];
	const char *pcap_out;
	const char *stats;
	const char *sets[SETS_MAX];
	unsigned int nsets;
	int ready_fd;
	bool once;
	unsigned int watchdog;
	bool real_pace;
	bool cable;
	bool no_chan;
	const char *wire[BOARD_PORTS];	/* "tap:NAME" or "unix:PATH" */
	struct wire_pcap *capture[BOARD_PORTS];	/* owned by the board */
};

static const char help[] =
"Usage: nfpboard --socket PATH [OPTION]...\n"
"Emulate an NFP-4000 Agilio CX card for QEMU's vfio-user-pci device.\n"
"\n"
"  --socket PATH       serve vfio-user on Unix socket PATH\n"
"  --pcap-in FILE      frames of FILE (pcap, pcapng; Ethernet) arrive at port 0\n"
"  --pcap-in1 FILE     the same for port 1\n"
"  --pcap-out FILE     write frames that leave port 0 to FILE (pcap, ns)\n"
"  --set KEY=VALUE     set an option of the card or of the program (repeatable):\n"
"      pace=off        frames of a capture arrive as fast as the port takes them\n"
"                      (default)\n"
"      pace=real       frames of a capture arrive with the gaps of their time\n"
"                      stamps\n"
"      watchdog=S      exit if a context of the firmware runs for S seconds of\n"
"                      CPU time without a swap (default 5; 0: never)\n"
"      start=flows     frames of a capture arrive when the flow meter has its\n"
"                      first receiver, or the host captures frames (default)\n"
"      start=link      frames of a capture arrive from link up on, perhaps before\n"
"                      a program of the host receives\n"
"      start=promisc   frames of a capture arrive while the port's interface is\n"
"                      up and promiscuous (default with chan=off)\n"
"      chan=off        run no channel firmware, like a card with the vendor's\n"
"                      firmware\n"
"      firmware=public  the BPF firmware that the vendor has published,\n"
"                      bpf-2.0.6.124 (default). XDP programs have the helpers\n"
"                      lookup and event, adjust_head, adjust_tail, random, and\n"
"                      the choice of a queue\n"
"      firmware=full   a firmware that no card has: all that the driver supports\n"
"      firmware=FILE   a firmware file of the vendor (.nffw) for two ports, of\n"
"                      application NIC or BPF. FILE has a slash or a dot\n"
"      firmware=host   no firmware, until the host's driver loads such a file.\n"
"                      A soft reset and a power cycle unload it\n"
"                      The next three change the firmware, so they come after it,\n"
"                      and need one other than host:\n"
"      app=nic         be a plain NIC: no offload, no control vNIC\n"
"      bpf-helpers=LIST  offer these helpers and features to XDP programs,\n"
"                      whatever the firmware offers, of lookup,update,delete,\n"
"                      event,adjust_head,adjust_tail,random,queue\n"
"      bpf-words=N     longest XDP program in instructions, up to that of the\n"
"                      firmware (public: 2816, full: 2560)\n"
"      images=FILE     write each XDP program that the host loads to FILE\n"
"      peers=on        DMA writes to addresses outside of the host's memory go\n"
"                      to other devices of the VM\n"
"      stores=strict   the function fails, and reads as ones until its reset,\n"
"                      after a store to SRAM or a queue controller that is not of\n"
"                      32 bits, or that goes to a queue controller's register\n"
"                      other than ADD_WPTR (default)\n"
"      stores=lenient  such a store changes the 32-bit words that it covers, and\n"
"                      the function does not fail\n"
"      fault=NAME[:after=N][:count=N][:value=N][:chan=CHANNEL],...\n"
"                      inject faults into the card: selftests/kmod/FAULTS.rst\n"
"      ports=cable     connect the two ports by a cable\n"
"      port0=tap:NAME  connect port 0 to a tap interface (port1=: port 1)\n"
"      port0=unix:PATH  connect port 0 to another program by a SOCK_SEQPACKET\n"
"                      socket, with one frame in a message; the program that\n"
"                      starts first listens\n"
"      mac=, serial=, temperature=, power=  values that the card reports\n"
"  --stats FILE        write counters to FILE as JSON at exit, and on SIGUSR1\n"
"  --ready-fd N        when the socket listens, write \"ready\" and a newline to\n"
"                      descriptor N, and close it\n"
"  --once              exit when the first client that has used the card disconnects\n"
"  --help, --version\n"
"\n"
"Log lines go to stderr. On SIGTERM or SIGINT the program writes its files, and\n"
"exits. Exit status: 0; 1 after an error; 2 for wrong usage; 3 if the watchdog\n"
"ended it, without writing the files; 4 if frames of a capture were left out or\n"
"could not be read or written: the last lines of the log say how many, and why.\n";

enum {
	OPT_SOCKET = 256, OPT_PCAP_IN, OPT_PCAP_IN1, OPT_PCAP_OUT, OPT_SET,
	OPT_STATS, OPT_READY_FD, OPT_ONCE, OPT_HELP, OPT_VERSION,
};

static const struct option long_options[] = {
	{ "socket", required_argument, NULL, OPT_SOCKET },
	{ "pcap-in", required_argument, NULL, OPT_PCAP_IN },
	{ "pcap-in1", required_argument, NULL, OPT_PCAP_IN1 },
	{ "pcap-out", required_argument, NULL, OPT_PCAP_OUT },
	{ "set", required_argument, NULL, OPT_SET },
	{ "stats", required_argument, NULL, OPT_STATS },
	{ "ready-fd", required_argument, NULL, OPT_READY_FD },
	{ "once", no_argument, NULL, OPT_ONCE },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ 0 },
};

static void usage_exit(const char *what, const char *value)
{
	fprintf(stderr, "nfpboard: %s%s%s\n", what, value ? ": " : "",
		value ? value : "");
	fprintf(stderr, "Try 'nfpboard --help'.\n");
	exit(EXIT_USAGE);
}

static unsigned int seconds_parse(const char *arg)
{
	char *end;
	unsigned long n = strtoul(arg, &end, 10);

	if (*arg < '0' || *arg > '9' || *end || n > 3600)
		usage_exit("--set watchdog must be 0 to 3600 seconds", arg);
	return n;
}

/*
 * Handle the keys that belong to the program or to the wire ports. Keep all others for
 * board_set().
 */
static void set_parse(struct options *o, const char *arg)
{
	const char *eq = strchr(arg, '=');

	if (!eq || eq == arg)
		usage_exit("--set needs KEY=VALUE", arg);
	if (!strncmp(arg, "pace=", 5)) {
		if (!strcmp(eq + 1, "real"))
			o->real_pace = true;
		else if (!strcmp(eq + 1, "off"))
			o->real_pace = false;
		else
			usage_exit("--set pace must be 'off' or 'real'", arg);
		return;
	}
	if (!strncmp(arg, "ports=", 6)) {
		if (strcmp(eq + 1, "cable"))
			usage_exit("--set ports must be 'cable'", arg);
		o->cable = true;
		return;
	}
	if (!strncmp(arg, "chan=", 5)) {
		if (strcmp(eq + 1, "on") && strcmp(eq + 1, "off"))
			usage_exit("--set chan must be 'on' or 'off'", arg);
		o->no_chan = !strcmp(eq + 1, "off");
		return;
	}
	if (!strncmp(arg, "watchdog=", 9)) {
		o->watchdog = seconds_parse(eq + 1);
		return;
	}
	if (!strncmp(arg, "port0=", 6) || !strncmp(arg, "port1=", 6)) {
		o->wire[arg[4] - '0'] = eq + 1;
		return;
	}
	if (o->nsets == SETS_MAX)
		usage_exit("--set may be given at most 64 times for the card", arg);
	o->sets[o->nsets++] = arg;
}

static int fd_parse(const char *arg)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(arg, &end, 10);
	if (errno || end == arg || *end || n < 0 || n > 1 << 20 ||
	    fcntl(n, F_GETFD) < 0)
		usage_exit("--ready-fd is not an open descriptor", arg);
	return n;
}

static void options_parse(struct options *o, int argc, char **argv)
{
	int c;

	while ((c = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		switch (c) {
		case OPT_SOCKET:
			o->socket = optarg;
			break;
		case OPT_PCAP_IN:
			o->pcap_in[0] = optarg;
			break;
		case OPT_PCAP_IN1:
			o->pcap_in[1] = optarg;
			break;
		case OPT_PCAP_OUT:
			o->pcap_out = optarg;
			break;
		case OPT_SET:
			set_parse(o, optarg);
			break;
		case OPT_STATS:
			o->stats = optarg;
			break;
		case OPT_READY_FD:
			o->ready_fd = fd_parse(optarg);
			break;
		case OPT_ONCE:
			o->once = true;
			break;
		case OPT_HELP:
			fputs(help, stdout);
			exit(EXIT_SUCCESS);
		case OPT_VERSION:
			puts("nfpboard " NFPCHAN_VERSION);
			exit(EXIT_SUCCESS);
		default:
			usage_exit("unknown or incomplete option", NULL);
		}
	}
	if (optind < argc)
		usage_exit("unexpected argument", argv[optind]);
	if (!o->socket)
		usage_exit("--socket is missing", NULL);
}

static int sets_apply(struct board *b, const struct options *o)
{
	char err[256];

	/* Without channel firmware there is no flow meter, so "start=flows" would wait forever. */
	if (o->no_chan)
		board_set(b, "start", "promisc", err, sizeof(err));
	for (unsigned int i = 0; i < o->nsets; i++) {
		char *key = strdup(o->sets[i]);
		char *eq;
		int ret;

		if (!key)
			return -ENOMEM;
		eq = strchr(key, '=');
		*eq = '\0';
		err[0] = '\0';
		ret = board_set(b, key, eq + 1, err, sizeof(err));
		if (ret)
			board_log(LOG_ERR, "--set %s: %s%s", o->sets[i],
				  *err ? err : strerror(-ret),
				  ret == -ENOENT ? ", chan, pace, port0, port1, ports, watchdog" : "");
		free(key);
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Connect a port to the capture files or the wire that the options name, of which one kind is
 * allowed.
 */
static int wire_choose(struct board *b, struct options *o, unsigned int port,
		       char *err, size_t errlen)
{
	struct wire_pcap_config c = {
		.in = o->pcap_in[port],
		.out = port ? NULL : o->pcap_out,
		.real_pace = o->real_pace,
	};
	struct wire_pcap *w;

	if ((c.in || c.out) + !!o->wire[port] + o->cable > 1) {
		snprintf(err, errlen, "the port can have only one of captures, port%u= and ports=", port);
		return -1;
	}
	if (o->wire[port])
		return wire_plug(b, port, o->wire[port], err, errlen);
	if (!c.in && !c.out)
		return 0;
	w = wire_pcap_open(&c, err, errlen);
	if (!w)
		return -1;
	board_wire(b, port, &wire_pcap_ops, w);
	o->capture[port] = w;
	return 0;
}

static int wires_plug(struct board *b, struct options *o)
{
	char err[512];

	for (unsigned int port = 0; port < BOARD_PORTS; port++) {
		if (wire_choose(b, o, port, err, sizeof(err))) {
			board_log(LOG_ERR, "port %u: %s", port, err);
			return -1;
		}
	}
	return o->cable ? wire_cable_plug(b) : 0;
}

/* Return: true if no frame of a capture was left out or lost. */
static bool captures_end(const struct options *o)
{
	bool whole = true;

	for (unsigned int port = 0; port < BOARD_PORTS; port++)
		if (o->capture[port])
			whole &= wire_pcap_end(o->capture[port]);
	return whole;
}

static bool card_run(void *dev, unsigned int budget)
{
	return board_run(dev, budget);
}

static uint64_t card_deadline(void *dev)
{
	return board_deadline(dev);
}

static void wires_pollfd(void *dev, struct pollfd *p)
{
	for (unsigned int port = 0; port < BOARD_PORTS; port++)
		p[port].fd = board_wire_fd(dev, port, &p[port].events);
}

/*
 * Write a new file and rename it, so that a reader finds either the whole new file or the old
 * one.
 */
static int stats_write(void *dev, const char *path)
{
	char name[PATH_MAX];
	int err;

	if (!path)
		return 0;
	if (snprintf(name, sizeof(name), "%s.new", path) >= (int)sizeof(name))
		err = -ENAMETOOLONG;
	else
		err = board_stats_json(dev, name);
	if (!err && rename(name, path))
		err = -errno;
	if (err)
		board_log(LOG_ERR, "--stats %s: %s", path, strerror(-err));
	return err;
}

static int serve(struct board *b, const struct options *o)
{
	const struct serve card = {
		.ops = &front_board,
		.dev = b,
		.socket = o->socket,
		.stats = o->stats,
		.ready_fd = o->ready_fd,
		.once = o->once,
		.run = card_run,
		.deadline = card_deadline,
		.nfds = BOARD_PORTS,
		.pollfds = wires_pollfd,
		.stats_write = stats_write,
	};

	return serve_device(&card);
}

int main(int argc, char **argv)
{
	struct options o = { .ready_fd = -1, .watchdog = GUARD_SECONDS };
	struct board *b;
	bool whole = true;
	int ret;

	options_parse(&o, argc, argv);
	ret = guard_crashes();
	if (!ret)
		ret = guard_turns(o.watchdog);
	if (ret)
		board_log(LOG_WARNING, "crash handlers and watchdog do not work: %s", strerror(-ret));
	b = board_create(o.no_chan ? NULL : &hal_firmware, NULL);
	if (!b) {
		board_log(LOG_ERR, "cannot create the board: %s", strerror(errno));
		return EXIT_FAILURE;
	}
	ret = sets_apply(b, &o);
	if (!ret)
		ret = wires_plug(b, &o);
	if (!ret) {
		int err;

		ret = serve(b, &o);
		whole = captures_end(&o);
		err = stats_write(b, o.stats);
		ret = ret ? ret : err;
	}
	/* The wires are closed here, so --pcap-out is complete after this. */
	board_destroy(b);
	if (ret)
		return EXIT_FAILURE;
	return whole ? EXIT_SUCCESS : EXIT_CAPTURE;
}
