// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_hold.c - nfpchan link: open a link, hold it, and show its counters. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tool.h"

#define INTERVAL_MAX	86400000	/* ms, a day */
#define LOOK_MS		1000		/* how often to look whether an ME process has ended */

static void stat_plain(const struct nfp_chan_link_stat *s)
{
	printf("%s -> %s: %llu messages, %llu bytes, %llu dropped, %llu stalled\n", s->from, s->to,
	       (unsigned long long)s->msgs, (unsigned long long)s->bytes,
	       (unsigned long long)s->dropped, (unsigned long long)s->stalled);
}

static void stat_json(struct json *j, const struct nfp_chan_link_stat *s)
{
	json_object(j, NULL);
	json_str(j, "from", s->from);
	json_str(j, "to", s->to);
	json_u64(j, "msgs", s->msgs);
	json_u64(j, "bytes", s->bytes);
	json_u64(j, "dropped", s->dropped);
	json_u64(j, "stalled", s->stalled);
	json_close(j);
	json_row_end(j);
}

static void stat_show(struct json *j, const struct nfp_chan_link_stat *s)
{
	if (tool.json)
		stat_json(j, s);
	else
		stat_plain(s);
}

/* Hold the link until a signal (returns 0), or until the link has ended (EXIT_FAILURE). */
static int hold(struct nfpchan_link *link, int sigs, int64_t interval, struct json *j)
{
	struct pollfd pfd[2] = {
		{ .fd = nfpchan_link_fd(link) },
		{ .fd = sigs, .events = POLLIN },
	};
	int ms = interval < 0 ? LOOK_MS : (int)(interval / NSEC_PER_MSEC);
	struct nfp_chan_link_stat s;
	int n;

	for (;;) {
		n = poll(pfd, 2, ms);
		if (nfpchan_link_stats(link, &s))
			return tool_fail("the link's counters cannot be read");
		if (pfd[1].revents || s.state != NFP_CHAN_LINK_UP || (!n && interval >= 0))
			stat_show(j, &s);
		if (s.state == NFP_CHAN_LINK_DOWN)
			return tool_fail("%s -> %s: the card is gone", s.from, s.to);
		if (s.state == NFP_CHAN_LINK_ENDED)
			return tool_fail("%s -> %s: an ME process has ended, or its channel is off",
					 s.from, s.to);
		if (pfd[1].revents)
			return EXIT_SUCCESS;
		if (tool_flush())
			return EXIT_FAILURE;
	}
}

/**
 * struct front - what the card puts in front of each message
 * @hex: --command: bytes as hexadecimal digits
 * @state: --state: TYPE,OFFSET,STEP of the number in these bytes that the card increases
 * @bytes: the bytes of @hex
 * @opts: the options for the library
 */
struct front {
	const char *hex;
	const char *state;
	uint8_t bytes[NFPCHAN_LINK_HDR_MAX];
	struct nfpchan_link_opts opts;
};

static int read_command(struct front *f)
{
	size_t len = strlen(f->hex);

	if (!len || len % 8 || len > 2 * sizeof(f->bytes) ||
	    strspn(f->hex, "0123456789abcdefABCDEF") != len) {
		tool_fail("--command is \"%s\": give hexadecimal digits of 4 to %zu bytes, a multiple of 4",
			  f->hex, sizeof(f->bytes));
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < len / 2; i++)
		f->bytes[i] = (uint8_t)strtoul((char[]){ f->hex[2 * i], f->hex[2 * i + 1], 0 }, NULL, 16);
	f->opts.hdr = f->bytes;
	f->opts.hdr_len = len / 2;
	return 0;
}

static int read_state(struct front *f)
{
	struct nfpchan_link_opts *o = &f->opts;
	unsigned int bits;
	uint64_t step;
	int end = 0;

	if (sscanf(f->state, "u%2u,%3" SCNu32 ",%10" SCNu64 "%n", &bits, &o->state_off, &step, &end) == 3 &&
	    !f->state[end] && (bits == 32 || bits == 64) && step <= UINT32_MAX) {
		o->state_len = bits / 8;
		o->state_step = (uint32_t)step;
		return 0;
	}
	tool_fail("--state is \"%s\": give u32 or u64, an offset in the command, and a step, with commas between",
		  f->state);
	return EXIT_USAGE;
}

static int link_hold(struct nfpchan *from, struct nfpchan *to, const struct front *front, int sigs,
		     int64_t interval)
{
	struct nfpchan_link *link;
	int ret = EXIT_FAILURE;
	char text[256];
	struct json j;

	if (nfpchan_link_open(&link, from, to, &front->opts))
		return tool_fail("%s", nfpchan_error(from, text, sizeof(text)));
	tool_json_rows(&j);
	if (tool.json)
		json_rows(&j, NULL);
	else
		printf("%s -> %s: linked\n", nfpchan_name(from), nfpchan_name(to));
	if (!tool_flush())
		ret = hold(link, sigs, interval, &j);
	if (tool.json) {
		json_rows_end(&j);
		json_end(&j);
	}
	nfpchan_link_close(link);
	return ret;
}

/* Open a channel that receives messages through a link only. */
static struct nfpchan *source(struct nfpchan_card *card, const char *name)
{
	struct nfpchan_opts o = { .size = sizeof(o), .flags = NFPCHAN_LINK };
	struct nfpchan *ch;

	if (nfpchan_open(&ch, card, name, &o))
		tool_card_fail(card, name);
	return ch;
}

static int link_names(char **names, const struct front *front, int sigs, int64_t interval)
{
	struct nfpchan_card *card = tool_card();
	struct nfpchan *from = NULL, *to = NULL;
	int ret = EXIT_FAILURE;

	if (card)
		from = source(card, names[0]);
	if (from)
		to = tool_channel(card, names[1]);
	nfpchan_card_close(card);
	if (to)
		ret = link_hold(from, to, front, sigs, interval);
	nfpchan_close(to);
	nfpchan_close(from);
	return ret;
}

int cmd_link(const struct command *cmd, int argc, char **argv)
{
	int64_t interval = -1;
	struct front front = { .opts.size = sizeof(front.opts) };
	const struct tool_opt opts[] = {
		{ "command", 'x', .text = &front.hex },
		{ "state", 's', .text = &front.state },
		{ "interval", 'i', .ns = &interval, .min = 1, .max = INTERVAL_MAX },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "a channel to the host", 2);
	int sigs;

	if (ret >= 0)
		return ret;
	if (argc - optind < 2)
		return tool_usage(cmd, "give a channel to the NFP behind \"%s\"", argv[optind]);
	ret = front.hex ? read_command(&front) : 0;
	if (!ret && front.state)
		ret = read_state(&front);
	if (ret)
		return ret;
	/* Before the link is opened, so that no signal ends the command without its counters. */
	sigs = tool_signals();
	if (sigs < 0)
		return EXIT_FAILURE;
	ret = link_names(argv + optind, &front, sigs, interval);
	close(sigs);
	return ret;
}
