// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_card.c - nfpchan list, info, stats, signal: commands that open no channel. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "tool.h"

/* The body of a command on a card; @j is for its JSON output. Returns the exit status. */
typedef int card_command(struct nfpchan_card *card, struct json *j, char **args);

/* Run a command that has no options of its own. @need and @max are those of tool_options(). */
static int card_run(const struct command *cmd, int argc, char **argv, const char *need, int max,
		    card_command *run)
{
	static const struct tool_opt none[] = { { .name = NULL } };
	int ret = tool_options(cmd, argc, argv, none, need, max);
	struct nfpchan_card *card;
	struct json j;

	if (ret >= 0)
		return ret;
	card = tool_card();
	if (!card)
		return EXIT_FAILURE;
	tool_json_rows(&j);
	ret = run(card, &j, &argv[optind]);
	nfpchan_card_close(card);
	return ret;
}

/**
 * struct chan_row - a channel, as the commands print it
 * @q: its properties and counters
 * @repeats: the ME process may take a message more than once
 * @repeated: times that it did
 */
struct chan_row {
	struct nfp_chan_query q;
	bool repeats;
	uint64_t repeated;
};

/*
 * @err: the result of the query that has filled in @row->q; @channel: the name that it was for, or
 * NULL. Returns 0 or an exit status
 */
static int row_fill(struct nfpchan_card *card, struct chan_row *row, int err, const char *channel)
{
	int ret = err ? err : nfpchan_repeats(card, row->q.name, &row->repeated);

	if (ret < 0)
		return tool_card_fail(card, channel);
	row->repeats = ret;
	return EXIT_SUCCESS;
}

/* ---- a channel's properties ---- */

static void flag_names(const struct chan_row *row, char buf[40])
{
	uint32_t flags = row->q.chan_flags;

	snprintf(buf, 40, "%s%s%s%s%s", flags & NFP_CHAN_F_EXCLUSIVE ? " exclusive" : "",
		 flags & NFP_CHAN_F_SIGNAL ? " signal" : "",
		 flags & NFP_CHAN_F_DROP ? " drop" : "",
		 flags & NFP_CHAN_F_XDP ? " xdp" : "",
		 row->repeats ? " repeats" : "");
}

/* The interrupt moderation of the channel's pipes */
static void irq_text(const struct nfp_chan_query *q, char buf[64])
{
	if (!q->irq_usecs)
		snprintf(buf, 64, "not held back");
	else if (!q->irq_count)
		snprintf(buf, 64, "held back for %u us", q->irq_usecs);
	else
		snprintf(buf, 64, "held back for %u messages or %u us", q->irq_count,
			 q->irq_usecs);
}

static void chan_plain_head(void)
{
	printf("%-24s%-9s%8s%8s%12s%7s  %s\n", "CHANNEL", "DIR", "SIZE", "MAX", "DEPTH",
	       "PIPES", "PROCESS  FLAGS");
}

static void chan_plain(const struct chan_row *row)
{
	const struct nfp_chan_query *q = &row->q;
	char size[16] = "any", depth[16] = "rendezvous", flags[40], irq[32] = "";

	if (q->elem_size)
		snprintf(size, sizeof(size), "%u", q->elem_size);
	if (q->depth)
		snprintf(depth, sizeof(depth), "%u", q->depth);
	if (q->kind == NFP_CHAN_STREAM)
		snprintf(size, sizeof(size), "stream");
	flag_names(row, flags);
	if (q->irq_usecs)
		snprintf(irq, sizeof(irq), " irq=%u/%uus", q->irq_count, q->irq_usecs);
	printf("%-24s%-9s%8s%8u%12s%7u  i%u.me%u.%u%s%s\n", q->name, dir_name(q->dir), size,
	       q->max_size, depth, q->pipes, q->island, q->me, q->ctx, flags, irq);
}

static void chan_json(struct json *j, const struct chan_row *row)
{
	const struct nfp_chan_query *q = &row->q;

	json_str(j, "name", q->name);
	json_u64(j, "id", q->id);
	json_str(j, "dir", dir_name(q->dir));
	json_str(j, "kind", q->kind == NFP_CHAN_STREAM ? "stream" : "message");
	json_u64(j, "elem_size", q->elem_size);
	json_u64(j, "max_size", q->max_size);
	json_u64(j, "depth", q->depth);
	json_u64(j, "pipes", q->pipes);
	json_u64(j, "irq_count", q->irq_count);
	json_u64(j, "irq_usecs", q->irq_usecs);
	json_u64(j, "island", q->island);
	json_u64(j, "me", q->me);
	json_u64(j, "ctx", q->ctx);
	json_bool(j, "exclusive", q->chan_flags & NFP_CHAN_F_EXCLUSIVE);
	json_bool(j, "signal", q->chan_flags & NFP_CHAN_F_SIGNAL);
	json_bool(j, "drop", q->chan_flags & NFP_CHAN_F_DROP);
	json_bool(j, "xdp", q->chan_flags & NFP_CHAN_F_XDP);
	json_bool(j, "repeats", row->repeats);
}

/* ---- a channel's counters ---- */

static void stat_plain_head(void)
{
	printf("%-24s%12s%14s%10s%10s%10s%9s%10s\n", "CHANNEL", "MESSAGES", "BYTES", "DROPPED",
	       "STALLED", "IRQS", "SIGNALS", "REPEATED");
}

static void stat_plain(const struct chan_row *row)
{
	const struct nfp_chan_query *q = &row->q;

	printf("%-24s%12" PRIu64 "%14" PRIu64 "%10" PRIu64 "%10" PRIu64 "%10" PRIu64
	       "%9" PRIu64 "%10" PRIu64 "\n", q->name, (uint64_t)q->msgs, (uint64_t)q->bytes,
	       (uint64_t)q->dropped, (uint64_t)q->stalled, (uint64_t)q->irqs,
	       (uint64_t)q->signals, row->repeated);
}

static void stat_json(struct json *j, const struct chan_row *row)
{
	const struct nfp_chan_query *q = &row->q;

	json_str(j, "name", q->name);
	json_u64(j, "msgs", q->msgs);
	json_u64(j, "bytes", q->bytes);
	json_u64(j, "dropped", q->dropped);
	json_u64(j, "stalled", q->stalled);
	json_u64(j, "irqs", q->irqs);
	json_u64(j, "signals", q->signals);
	json_u64(j, "repeated", row->repeated);
}

/* ---- the card ---- */

static void card_plain(const struct nfp_chan_info *i)
{
	printf("card        %s\n", i->pci);
	printf("firmware    %s %s, ABI %u.%u, boot %08x\n", i->fw_name, i->fw_version,
	       i->abi_major, i->abi_minor, i->boot_id);
	printf("clock       %u MHz\n", i->me_mhz);
	printf("channels    %u\n", i->chan_count);
	printf("pipes       %u of %u in use\n", i->pipe_used, i->pipe_count);
	printf("memory      %llu bytes for DMA, %llu held\n", i->dma_bytes, i->held_bytes);
}

static void card_json(struct json *j, const struct nfp_chan_info *i)
{
	json_object(j, NULL);
	json_str(j, "pci", i->pci);
	json_str(j, "fw_name", i->fw_name);
	json_str(j, "fw_version", i->fw_version);
	json_u64(j, "abi_major", i->abi_major);
	json_u64(j, "abi_minor", i->abi_minor);
	json_u64(j, "boot_id", i->boot_id);
	json_u64(j, "me_mhz", i->me_mhz);
	json_u64(j, "channels", i->chan_count);
	json_u64(j, "pipes", i->pipe_count);
	json_u64(j, "pipes_used", i->pipe_used);
	json_u64(j, "dma_bytes", i->dma_bytes);
	json_u64(j, "held_bytes", i->held_bytes);
	json_close(j);
}

/* ---- tables of channels ---- */

/**
 * struct printer - how a command prints a channel
 * @plain_head: print the heading of the table
 * @plain: print a line of the table
 * @json: print the members of the channel's JSON object
 */
struct printer {
	void (*plain_head)(void);
	void (*plain)(const struct chan_row *row);
	void (*json)(struct json *j, const struct chan_row *row);
};

static const struct printer chan_printer = { chan_plain_head, chan_plain, chan_json };
static const struct printer stat_printer = { stat_plain_head, stat_plain, stat_json };

static void show_one(struct json *j, const struct printer *p, const struct chan_row *row)
{
	if (!tool.json) {
		p->plain(row);
		return;
	}
	json_object(j, NULL);
	p->json(j, row);
	json_close(j);
	json_row_end(j);
}

static int show_all(struct nfpchan_card *card, struct json *j, const struct printer *p)
{
	struct nfp_chan_info info;
	struct chan_row row;
	uint32_t id;
	int ret;

	if (nfpchan_card_info(card, &info))
		return tool_card_fail(card, NULL);
	for (id = 0; id < info.chan_count; id++) {
		ret = row_fill(card, &row, nfpchan_query_id(card, id, &row.q), NULL);
		if (ret)
			return ret;
		show_one(j, p, &row);
	}
	return EXIT_SUCCESS;
}

static int show_named(struct nfpchan_card *card, struct json *j, const struct printer *p,
		      char **names)
{
	int err, ret = EXIT_SUCCESS;
	struct chan_row row;

	for (; *names; names++) {
		err = row_fill(card, &row, nfpchan_query(card, *names, &row.q), *names);
		if (err)
			ret = err;
		else
			show_one(j, p, &row);
	}
	return ret;
}

/* Print the channels in @names, or all; in JSON as an array. */
static int show_table(struct nfpchan_card *card, struct json *j, const struct printer *p,
		      char **names)
{
	int ret;

	if (tool.json)
		json_rows(j, NULL);
	else
		p->plain_head();
	ret = *names ? show_named(card, j, p, names) : show_all(card, j, p);
	if (tool.json) {
		json_rows_end(j);
		json_end(j);
	}
	return ret;
}

static int list(struct nfpchan_card *card, struct json *j, char **args)
{
	return show_table(card, j, &chan_printer, args);
}

int cmd_list(const struct command *cmd, int argc, char **argv)
{
	return card_run(cmd, argc, argv, NULL, 0, list);
}

static int stats(struct nfpchan_card *card, struct json *j, char **args)
{
	return show_table(card, j, &stat_printer, args);
}

int cmd_stats(const struct command *cmd, int argc, char **argv)
{
	return card_run(cmd, argc, argv, NULL, -1, stats);
}

static int info_card(struct nfpchan_card *card, struct json *j)
{
	struct nfp_chan_info info;

	if (nfpchan_card_info(card, &info))
		return tool_card_fail(card, NULL);
	if (!tool.json) {
		card_plain(&info);
		return EXIT_SUCCESS;
	}
	card_json(j, &info);
	json_end(j);
	return EXIT_SUCCESS;
}

static int info_channel(struct nfpchan_card *card, struct json *j, const char *name)
{
	char flags[40], irq[64];
	struct chan_row row;
	const struct nfp_chan_query *q = &row.q;
	int ret = row_fill(card, &row, nfpchan_query(card, name, &row.q), name);

	if (ret)
		return ret;
	if (tool.json) {
		json_object(j, NULL);
		chan_json(j, &row);
		json_close(j);
		json_end(j);
		return EXIT_SUCCESS;
	}
	flag_names(&row, flags);
	printf("channel     %s, id %u, %s%s\n", q->name, q->id, dir_name(q->dir), flags);
	if (q->kind == NFP_CHAN_STREAM)
		printf("stream      elements of %u bytes\n", q->elem_size);
	else if (q->elem_size)
		printf("messages    of %u bytes\n", q->elem_size);
	else
		printf("messages    of at most %u bytes\n", q->max_size);
	if (q->depth)
		printf("depth       %u\n", q->depth);
	else
		printf("depth       0 (rendezvous)\n");
	printf("process     i%u.me%u.%u: island %u, ME %u, context %u\n", q->island, q->me, q->ctx,
	       q->island, q->me, q->ctx);
	printf("pipes       %u open\n", q->pipes);
	irq_text(q, irq);
	printf("interrupts  %s\n", irq);
	return EXIT_SUCCESS;
}

static int info(struct nfpchan_card *card, struct json *j, char **args)
{
	return *args ? info_channel(card, j, *args) : info_card(card, j);
}

int cmd_info(const struct command *cmd, int argc, char **argv)
{
	return card_run(cmd, argc, argv, NULL, 1, info);
}

static int set_signal(struct nfpchan_card *card, struct json *j, char **args)
{
	if (nfpchan_signal(card, *args))
		return tool_card_fail(card, *args);
	if (!tool.json)
		return EXIT_SUCCESS;
	json_object(j, NULL);
	json_str(j, "channel", *args);
	json_bool(j, "signalled", true);
	json_close(j);
	json_end(j);
	return EXIT_SUCCESS;
}

int cmd_signal(const struct command *cmd, int argc, char **argv)
{
	return card_run(cmd, argc, argv, "a channel", 1, set_signal);
}
