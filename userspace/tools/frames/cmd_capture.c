// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_capture.c - nfpchan capture: options, and what it says at the end. */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "../tool.h"
#include "capture.h"

#define SAMPLE_MAX	UINT32_MAX

/**
 * struct options - the options of nfpchan capture
 * @write: --write; NULL or "-": the standard output
 * @dd: --dd
 * @snap: --snap
 * @port: --port; NFP_FRAMES_PORTS: all
 * @sample: --sample
 */
struct options {
	const char *write;
	const char *dd;
	uint64_t snap;
	uint64_t port;
	uint64_t sample;
};

static int parse(const struct command *cmd, int argc, char **argv, struct options *o,
		 struct capture *c)
{
	const struct tool_opt opts[] = {
		{ "write", 'w', .text = &o->write },
		{ "snap", 's', .number = &o->snap, .min = 1, .max = NFP_FRAMES_SNAP_MAX },
		{ "count", 'n', .number = &c->count, .min = 1, .max = UINT64_MAX },
		{ "port", 'p', .number = &o->port, .max = NFP_FRAMES_PORTS - 1 },
		{ "sample", 'S', .number = &o->sample, .min = 1, .max = SAMPLE_MAX },
		{ "dd", 'd', .text = &o->dd },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, NULL, -1);
	bool to_stdout;

	if (ret >= 0)
		return ret;
	to_stdout = !o->write || !strcmp(o->write, "-");
	if (o->dd && optind < argc)
		return tool_usage(cmd, "more than one filter: give one of EXPR and --dd");
	if (to_stdout && tool.json)
		return tool_usage(cmd, "--json prints to the standard output: give --write FILE");
	if (to_stdout && isatty(STDOUT_FILENO))
		return tool_usage(cmd, "a capture is no text for a terminal: give --write FILE, or a pipe");
	c->ask.snap = (uint32_t)o->snap;
	c->ask.sample = (uint32_t)o->sample;
	c->ask.ports = o->port < NFP_FRAMES_PORTS ? 1u << o->port : FRAMES_ALL;
	return filter_make(&c->ask.filter, argv + optind, argc - optind, o->dd, c->ask.snap) ?
	       EXIT_USAGE : -1;
}

static void sum_json(const struct capture *c)
{
	struct json j;
	unsigned int i;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_u64(&j, "written", c->written);
	json_array(&j, "ports");
	for (i = 0; i < NFP_FRAMES_PORTS; i++) {
		json_object(&j, NULL);
		json_u64(&j, "seen", le64toh(c->totals.port[i].seen));
		json_u64(&j, "accepted", le64toh(c->totals.port[i].accepted));
		json_u64(&j, "copied", le64toh(c->totals.port[i].copied));
		json_u64(&j, "dropped", le64toh(c->totals.port[i].dropped));
		json_u64(&j, "lost", le64toh(c->totals.port[i].lost));
		json_close(&j);
	}
	json_close(&j);
	json_close(&j);
	json_end(&j);
}

/* The standard output may be the capture. */
static void sum_plain(const struct capture *c)
{
	uint64_t seen = 0, dropped = 0, lost = 0;
	unsigned int i;

	for (i = 0; i < NFP_FRAMES_PORTS; i++) {
		seen += le64toh(c->totals.port[i].seen);
		dropped += le64toh(c->totals.port[i].dropped);
		lost += le64toh(c->totals.port[i].lost);
	}
	fprintf(stderr, "%" PRIu64 " frames captured, %" PRIu64 " seen at the wire\n", c->written,
		seen);
	fprintf(stderr, "%" PRIu64 " dropped for lack of room, %" PRIu64 " lost by the ports\n",
		dropped, lost);
}

static int captured(struct capture *c, struct nfpchan_card *card)
{
	int ret = capture_run(c, card);

	if (ret)
		return ret;
	if (!tool.json) {
		sum_plain(c);
		return EXIT_SUCCESS;
	}
	sum_json(c);
	return tool_flush();
}

int cmd_capture(const struct command *cmd, int argc, char **argv)
{
	struct options o = { .snap = NFP_FRAMES_SNAP_MAX, .port = NFP_FRAMES_PORTS, .sample = 1 };
	struct capture c = { .count = 0 };
	struct nfpchan_card *card;
	bool to_file;
	int ret;

	ret = parse(cmd, argc, argv, &o, &c);
	if (ret >= 0)
		return ret;
	card = tool_card();
	if (!card)
		return EXIT_FAILURE;
	to_file = o.write && strcmp(o.write, "-");
	c.path = to_file ? o.write : "standard output";
	c.out = to_file ? fopen(o.write, "we") : stdout;
	c.sigs = tool_signals();
	if (!c.out)
		ret = tool_fail("%s: %s", c.path, strerror(errno));
	else
		ret = c.sigs < 0 ? EXIT_FAILURE : captured(&c, card);
	if (c.sigs >= 0)
		close(c.sigs);
	if (to_file && c.out && fclose(c.out) && !ret)
		ret = tool_fail("%s: %s", c.path, strerror(errno));
	nfpchan_card_close(card);
	return ret;
}
