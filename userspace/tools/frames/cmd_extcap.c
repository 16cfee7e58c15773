// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_extcap.c - nfpchan extcap: the cards as interfaces of Wireshark and tshark. Wireshark runs the
 * command with one of the options that ask, and then with --capture (extcap(4)).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "../tool.h"
#include "capture.h"

#define NODES	"/dev/nfp_chan*"

/**
 * struct extcap - the options of nfpchan extcap
 * @interfaces: --extcap-interfaces
 * @dlts: --extcap-dlts
 * @config: --extcap-config
 * @capture: --capture
 * @version: --extcap-version: Wireshark's, which makes no difference
 * @interface: --extcap-interface: the name of a node in /dev
 * @filter: --extcap-capture-filter
 * @fifo: --fifo
 * @snap: --snap
 * @port: --port
 * @sample: --sample
 */
struct extcap {
	bool interfaces;
	bool dlts;
	bool config;
	bool capture;
	const char *version;
	const char *interface;
	const char *filter;
	const char *fifo;
	uint64_t snap;
	uint64_t port;
	uint64_t sample;
};

/* ---- what Wireshark asks ---- */

/* A card that cannot be opened, or has no frames, is no interface. */
static void print_interface(const char *node)
{
	struct nfpchan_card *card;
	struct nfp_chan_query q;
	struct nfp_chan_info info;
	char text[256];

	if (nfpchan_card_open(&card, node, text, sizeof(text)))
		return;
	if (!nfpchan_query(card, NFP_CHAN_FRAMES, &q) && !nfpchan_card_info(card, &info))
		printf("interface {value=%s}{display=Agilio %s}\n", node + strlen("/dev/"),
		       info.pci);
	nfpchan_card_close(card);
}

static int print_interfaces(void)
{
	glob_t nodes;
	size_t i;

	printf("extcap {version=" NFPCHAN_VERSION "}{display=nfpchan}\n");
	if (!glob(NODES, 0, NULL, &nodes))
		for (i = 0; i < nodes.gl_pathc; i++)
			print_interface(nodes.gl_pathv[i]);
	globfree(&nodes);
	return tool_flush();
}

static int print_dlts(void)
{
	printf("dlt {number=1}{name=EN10MB}{display=Ethernet}\n");
	return tool_flush();
}

static int print_config(void)
{
	printf("arg {number=0}{call=--port}{display=Wire port}{type=selector}\n"
	       "value {arg=0}{value=%u}{display=all}{default=true}\n", NFP_FRAMES_PORTS);
	for (unsigned int i = 0; i < NFP_FRAMES_PORTS; i++)
		printf("value {arg=0}{value=%u}{display=%u}{default=false}\n", i, i);
	printf("arg {number=1}{call=--snap}{display=Bytes of each frame}{type=integer}{range=1,%u}{default=%u}\n"
	       "arg {number=2}{call=--sample}{display=One frame in}{type=integer}{range=1,1000000}{default=1}\n",
	       NFP_FRAMES_SNAP_MAX, NFP_FRAMES_SNAP_MAX);
	return tool_flush();
}

/* ---- capture ---- */

static int run(struct capture *c, const char *interface, const char *fifo)
{
	struct nfpchan_card *card;
	char node[64];
	int ret;

	snprintf(node, sizeof(node), "/dev/%s", interface);
	tool.card = node;
	card = tool_card();
	if (!card)
		return EXIT_FAILURE;
	/* Wireshark ends a capture by a signal, or closes the pipe. */
	signal(SIGPIPE, SIG_IGN);
	c->until_closed = true;
	ret = capture_file_open(&c->file[0], fifo);
	c->sigs = ret ? -1 : tool_signals();
	if (!ret)
		ret = c->sigs < 0 ? EXIT_FAILURE : capture_run(c, card);
	if (c->file[0].out)
		fclose(c->file[0].out);
	if (c->sigs >= 0)
		close(c->sigs);
	nfpchan_card_close(card);
	return ret;
}

/* Make the filter, which is all that Wireshark wants while its user types it; and capture. */
static int filter_and_capture(const struct extcap *e)
{
	struct capture c = {
		.streams = 1,
		.ask.snap = (uint32_t)e->snap,
		.ask.sample = (uint32_t)e->sample,
		.ask.ports = e->port < NFP_FRAMES_PORTS ? 1u << e->port : FRAMES_ALL,
	};
	char *words[] = { (char *)(e->filter ? e->filter : "") };

	if (filter_make(&c.ask.filter, words, 1, NULL, c.ask.snap))
		return EXIT_FAILURE;
	return e->capture ? run(&c, e->interface, e->fifo) : EXIT_SUCCESS;
}

int cmd_extcap(const struct command *cmd, int argc, char **argv)
{
	struct extcap e = {
		.snap = NFP_FRAMES_SNAP_MAX, .port = NFP_FRAMES_PORTS, .sample = 1,
	};
	const struct tool_opt opts[] = {
		{ "extcap-interfaces", 'I', .flag = &e.interfaces },
		{ "extcap-version", 'V', .text = &e.version },
		{ "extcap-interface", 'i', .text = &e.interface },
		{ "extcap-dlts", 'D', .flag = &e.dlts },
		{ "extcap-config", 'C', .flag = &e.config },
		{ "extcap-capture-filter", 'f', .text = &e.filter },
		{ "capture", 'R', .flag = &e.capture },
		{ "fifo", 'F', .text = &e.fifo },
		{ "port", 'p', .number = &e.port, .max = NFP_FRAMES_PORTS },
		{ "snap", 's', .number = &e.snap, .min = 1, .max = NFP_FRAMES_SNAP_MAX },
		{ "sample", 'S', .number = &e.sample, .min = 1, .max = UINT32_MAX },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, NULL, 0);

	if (ret >= 0)
		return ret;
	if (e.interfaces)
		return print_interfaces();
	if (!e.interface)
		return tool_usage(cmd, "give --extcap-interfaces or --extcap-interface");
	if (e.dlts)
		return print_dlts();
	if (e.config)
		return print_config();
	if (e.capture && !e.fifo)
		return tool_usage(cmd, "--capture needs --fifo");
	if (!e.capture && !e.filter)
		return tool_usage(cmd, "give one of --extcap-dlts, --extcap-config, --extcap-capture-filter and --capture");
	return filter_and_capture(&e);
}
