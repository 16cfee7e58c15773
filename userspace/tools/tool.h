/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tool.h - shared by the commands of nfpchan. */
#ifndef NFPCHAN_TOOL_H
#define NFPCHAN_TOOL_H

#include <nfpchan.h>
#include "command.h"
#include "complete.h"
#include "json.h"

/**
 * struct tool - the options that every command has
 * @card: --card, or NULL for the first card
 * @json: --json or --json-lines
 * @lines: --json-lines
 */
struct tool {
	const char *card;
	bool json;
	bool lines;
};

extern struct tool tool;
extern const struct value_kind tool_kinds[];

int cmd_list(const struct command *cmd, int argc, char **argv);
int cmd_info(const struct command *cmd, int argc, char **argv);
int cmd_stats(const struct command *cmd, int argc, char **argv);
int cmd_top(const struct command *cmd, int argc, char **argv);
int cmd_send(const struct command *cmd, int argc, char **argv);
int cmd_recv(const struct command *cmd, int argc, char **argv);
int cmd_signal(const struct command *cmd, int argc, char **argv);
int cmd_link(const struct command *cmd, int argc, char **argv);
int cmd_flows(const struct command *cmd, int argc, char **argv);
int cmd_capture(const struct command *cmd, int argc, char **argv);
int cmd_extcap(const struct command *cmd, int argc, char **argv);
int cmd_replay(const struct command *cmd, int argc, char **argv);
int cmd_graph(const struct command *cmd, int argc, char **argv);
int cmd_graph_check(const struct command *cmd, int argc, char **argv);
int cmd_graph_load(const struct command *cmd, int argc, char **argv);
int cmd_graph_show(const struct command *cmd, int argc, char **argv);
int cmd_graph_stats(const struct command *cmd, int argc, char **argv);
int cmd_graph_unload(const struct command *cmd, int argc, char **argv);
int cmd_firmware(const struct command *cmd, int argc, char **argv);
int cmd_firmware_show(const struct command *cmd, int argc, char **argv);
int cmd_firmware_list(const struct command *cmd, int argc, char **argv);
int cmd_firmware_verify(const struct command *cmd, int argc, char **argv);
int cmd_firmware_dump(const struct command *cmd, int argc, char **argv);
int cmd_firmware_graft(const struct command *cmd, int argc, char **argv);
int cmd_xdp(const struct command *cmd, int argc, char **argv);
int cmd_xdp_map(const struct command *cmd, int argc, char **argv);
int cmd_xdp_explain(const struct command *cmd, int argc, char **argv);
int cmd_xdp_link(const struct command *cmd, int argc, char **argv);
int cmd_xdp_run(const struct command *cmd, int argc, char **argv);
int cmd_xdp_replace(const struct command *cmd, int argc, char **argv);
int cmd_xdp_watch(const struct command *cmd, int argc, char **argv);

/* Open the card, a channel of a card, or the card and a channel. NULL: failed, and printed why. */
struct nfpchan_card *tool_card(void);
struct nfpchan *tool_channel(struct nfpchan_card *card, const char *name);
struct nfpchan *tool_open(const char *name);

/*
 * Print why the last call on the card has failed. @channel: the channel of the call, or NULL. If the
 * card has no channel of this name, say which name was meant. Returns EXIT_FAILURE.
 */
int tool_card_fail(struct nfpchan_card *card, const char *channel);

/* Is --card an interface ("bpf:DEV"), which is reached by bpf(2)? */
bool tool_by_bpf(void);

/*
 * Block SIGINT and SIGTERM, and receive them by a file descriptor, so that a signal between a
 * look at a flag and a sleep is not missed. To be called before any thread is started. Returns
 * the descriptor, or -1 with the reason printed.
 */
int tool_signals(void);

/* Begin a JSON document on stdout whose rows are lines with --json-lines. */
static inline void tool_json_rows(struct json *j)
{
	json_init(j, stdout);
	j->lines = tool.lines;
}

#endif /* NFPCHAN_TOOL_H */
