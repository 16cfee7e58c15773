// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_card.c - nfpchan list, info, stats, signal: commands that open no channel. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "chan_row.h"
#include "tool.h"

/* The body of a command on a card. Returns the exit status. */
typedef int card_command(struct nfpchan_card *card, char **args);

static int with_card(card_command *run, char **args)
{
	struct nfpchan_card *card = tool_card();
	int ret;

	if (!card)
		return EXIT_FAILURE;
	ret = run(card, args);
	nfpchan_card_close(card);
	return ret;
}

/* Run a command that has no options of its own. @need and @max are those of tool_options(). */
static int card_run(const struct command *cmd, int argc, char **argv, const char *need, int max,
		    card_command *run)
{
	static const struct tool_opt none[] = { { .name = NULL } };
	int ret = tool_options(cmd, argc, argv, none, need, max);

	return ret < 0 ? with_card(run, &argv[optind]) : ret;
}

/* Read the channel @id, or that of a name. Returns 0, or an exit status with the reason printed. */
static int row_get(struct nfpchan_card *card, const char *name, uint32_t id, struct chan_row *row)
{
	int err = name ? chan_row_name(card, name, row) : chan_row_id(card, id, row);

	return err ? tool_card_fail(card, name) : EXIT_SUCCESS;
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

/* The context of the ME process, and its name if the firmware says it */
static void process_text(const struct chan_row *row, char buf[64])
{
	const struct nfp_chan_query *q = &row->q;

	snprintf(buf, 64, "i%u.me%u.%u%s%s", q->island, q->me, q->ctx, *row->process ? " " : "",
		 row->process);
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
	printf("%-24s%-9s%8s%8s%12s%7s  %-21s %s\n", "CHANNEL", "DIR", "SIZE", "MAX", "DEPTH",
	       "PIPES", "PROCESS", "FLAGS");
}

static void chan_plain(const struct chan_row *row)
{
	const struct nfp_chan_query *q = &row->q;
	char size[16] = "any", depth[16] = "rendezvous", flags[40], irq[32] = "";
	char process[64];

	if (q->elem_size)
		snprintf(size, sizeof(size), "%u", q->elem_size);
	if (q->depth)
		snprintf(depth, sizeof(depth), "%u", q->depth);
	if (q->kind == NFP_CHAN_STREAM)
		snprintf(size, sizeof(size), "stream");
	flag_names(row, flags);
	if (q->irq_usecs)
		snprintf(irq, sizeof(irq), " irq=%u/%uus", q->irq_count, q->irq_usecs);
	process_text(row, process);
	printf("%-24s%-9s%8s%8u%12s%7u  %-*s%s%s\n", q->name, dir_name(q->dir), size,
	       q->max_size, depth, q->pipes, *flags || *irq ? 21 : 0, process, flags, irq);
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
	json_str(j, "process", row->process);
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
 * @more: read what it prints besides properties and counters, or NULL
 * @plain_head: print the heading of the table
 * @plain: print a line of the table
 * @json: print the members of the channel's JSON object
 */
struct printer {
	void (*more)(struct nfpchan_card *card, struct chan_row *row);
	void (*plain_head)(void);
	void (*plain)(const struct chan_row *row);
	void (*json)(struct json *j, const struct chan_row *row);
};

static const struct printer chan_printer = {
	.more = chan_row_process, .plain_head = chan_plain_head, .plain = chan_plain,
	.json = chan_json,
};

static const struct printer stat_printer = {
	.plain_head = stat_plain_head, .plain = stat_plain, .json = stat_json,
};

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

/*
 * Read the channels in @names, or all of the card. Those that cannot be read are left out, with the
 * reason printed, and the exit status is that of a failure. The caller frees @rows.
 */
static int rows_read(struct nfpchan_card *card, char **names, struct chan_row **rows, uint32_t *n)
{
	int ret = EXIT_SUCCESS, err = 0;
	struct nfp_chan_info info;
	uint32_t count = 0, i;

	*n = 0;
	*rows = NULL;
	while (names[count])
		count++;
	if (!count && nfpchan_card_info(card, &info))
		return tool_card_fail(card, NULL);
	if (!count)
		count = info.chan_count;
	*rows = calloc((size_t)count + 1, sizeof(**rows));
	if (!*rows)
		return tool_fail("out of memory");
	/* An error of one name says nothing about the next. */
	for (i = 0; i < count && (!err || *names); i++) {
		err = row_get(card, *names ? names[i] : NULL, i, &(*rows)[*n]);
		if (err)
			ret = err;
		else
			(*n)++;
	}
	return ret;
}

/* Print the channels in @names, or all; in JSON as an array. */
static int show_table(struct nfpchan_card *card, const struct printer *p, char **names)
{
	struct chan_row *rows;
	struct json j;
	uint32_t n, i;
	int ret = rows_read(card, names, &rows, &n);

	tool_json_rows(&j);
	if (tool.json)
		json_rows(&j, NULL);
	else
		p->plain_head();
	for (i = 0; i < n; i++) {
		if (p->more)
			p->more(card, &rows[i]);
		show_one(&j, p, &rows[i]);
	}
	if (tool.json) {
		json_rows_end(&j);
		json_end(&j);
	}
	free(rows);
	return ret;
}

static int list(struct nfpchan_card *card, char **args)
{
	return show_table(card, &chan_printer, args);
}

int cmd_list(const struct command *cmd, int argc, char **argv)
{
	return card_run(cmd, argc, argv, NULL, 0, list);
}

static int stats(struct nfpchan_card *card, char **args)
{
	return show_table(card, &stat_printer, args);
}

static int stats_prometheus(struct nfpchan_card *card, char **args)
{
	struct nfp_chan_info info;
	struct chan_row *rows;
	uint32_t n;
	int ret;

	if (nfpchan_card_info(card, &info))
		return tool_card_fail(card, NULL);
	ret = rows_read(card, args, &rows, &n);
	/* The channels of two interfaces of a card may have the same names. */
	chan_rows_prometheus(stdout, tool_by_bpf() ? tool.card : info.pci, rows, n);
	free(rows);
	return ret;
}

int cmd_stats(const struct command *cmd, int argc, char **argv)
{
	bool prometheus = false;
	const struct tool_opt opts[] = {
		{ "prometheus", 'p', .flag = &prometheus },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, NULL, -1);

	if (ret >= 0)
		return ret;
	if (prometheus && tool.json)
		return tool_usage(cmd, "give one of --json and --prometheus");
	return with_card(prometheus ? stats_prometheus : stats, &argv[optind]);
}

static int info_card(struct nfpchan_card *card)
{
	struct nfp_chan_info info;
	struct json j;

	if (nfpchan_card_info(card, &info))
		return tool_card_fail(card, NULL);
	if (!tool.json) {
		card_plain(&info);
		return EXIT_SUCCESS;
	}
	json_init(&j, stdout);
	card_json(&j, &info);
	json_end(&j);
	return EXIT_SUCCESS;
}

static int info_channel(struct nfpchan_card *card, const char *name)
{
	char flags[40], irq[64], process[64];
	struct chan_row row;
	struct json j;
	const struct nfp_chan_query *q = &row.q;
	int ret = row_get(card, name, 0, &row);

	if (ret)
		return ret;
	chan_row_process(card, &row);
	if (tool.json) {
		json_init(&j, stdout);
		json_object(&j, NULL);
		chan_json(&j, &row);
		json_close(&j);
		json_end(&j);
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
	process_text(&row, process);
	printf("process     %s: island %u, ME %u, context %u\n", process, q->island, q->me,
	       q->ctx);
	printf("pipes       %u open\n", q->pipes);
	irq_text(q, irq);
	printf("interrupts  %s\n", irq);
	return EXIT_SUCCESS;
}

static int info(struct nfpchan_card *card, char **args)
{
	return *args ? info_channel(card, *args) : info_card(card);
}

int cmd_info(const struct command *cmd, int argc, char **argv)
{
	return card_run(cmd, argc, argv, NULL, 1, info);
}

static int set_signal(struct nfpchan_card *card, char **args)
{
	struct json j;

	if (nfpchan_signal(card, *args))
		return tool_card_fail(card, *args);
	if (!tool.json)
		return EXIT_SUCCESS;
	json_init(&j, stdout);
	json_object(&j, NULL);
	json_str(&j, "channel", *args);
	json_bool(&j, "signalled", true);
	json_close(&j);
	json_end(&j);
	return EXIT_SUCCESS;
}

int cmd_signal(const struct command *cmd, int argc, char **argv)
{
	return card_run(cmd, argc, argv, "a channel", 1, set_signal);
}
