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
 * @streams: --streams
 */
struct options {
	const char *write;
	const char *dd;
	uint64_t snap;
	uint64_t port;
	uint64_t sample;
	uint64_t streams;
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
		{ "streams", 't', .number = &o->streams, .min = 1, .max = NFP_FRAMES_STREAMS },
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
	if (to_stdout && o->streams > 1)
		return tool_usage(cmd, "--streams writes more than one file: give --write FILE");
	if (to_stdout && isatty(STDOUT_FILENO))
		return tool_usage(cmd, "a capture is no text for a terminal: give --write FILE, or a pipe");
	c->streams = (unsigned int)o->streams;
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

/* One stream goes to @write, and several to @write.0, @write.1, ... */
static int open_files(struct capture *c, const char *write)
{
	char path[sizeof(c->file[0].path)];
	unsigned int i;

	if (!write || !strcmp(write, "-")) {
		snprintf(c->file[0].path, sizeof(c->file[0].path), "standard output");
		c->file[0].out = stdout;
		return 0;
	}
	for (i = 0; i < c->streams; i++) {
		int n = c->streams == 1 ? snprintf(path, sizeof(path), "%s", write) :
					  snprintf(path, sizeof(path), "%s.%u", write, i);

		if (n < 0 || (size_t)n >= sizeof(path))
			return tool_fail("%s: %s", write, strerror(ENAMETOOLONG));
		if (capture_file_open(&c->file[i], path))
			return EXIT_FAILURE;
	}
	return 0;
}

static int close_files(struct capture *c)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->streams; i++)
		if (c->file[i].out && c->file[i].out != stdout && fclose(c->file[i].out))
			ret = tool_fail("%s: %s", c->file[i].path, strerror(errno));
	return ret;
}

int cmd_capture(const struct command *cmd, int argc, char **argv)
{
	struct options o = {
		.snap = NFP_FRAMES_SNAP_MAX, .port = NFP_FRAMES_PORTS, .sample = 1, .streams = 1,
	};
	struct capture c = { .count = 0 };
	struct nfpchan_card *card;
	int ret, err;

	ret = parse(cmd, argc, argv, &o, &c);
	if (ret >= 0)
		return ret;
	card = tool_card();
	if (!card)
		return EXIT_FAILURE;
	/* To open a FIFO takes until it has a reader, and a signal ends that. */
	ret = open_files(&c, o.write);
	c.sigs = ret ? -1 : tool_signals();
	if (!ret)
		ret = c.sigs < 0 ? EXIT_FAILURE : captured(&c, card);
	if (c.sigs >= 0)
		close(c.sigs);
	err = close_files(&c);
	ret = ret ?: err;
	nfpchan_card_close(card);
	return ret;
}
