// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* complete_kinds.c - what completion offers for arguments and values of nfpchan. */
#define _GNU_SOURCE
#include <glob.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include "chan_row.h"
#include "netdev.h"
#include "tool.h"

/* Offer the channels that have all of these flags. */
static void offer_channels(const struct completion *c, uint32_t flags)
{
	struct nfpchan_card *card;
	struct nfp_chan_query q;
	uint32_t id;

	if (nfpchan_card_open(&card, tool.card, NULL, 0))
		return;
	for (id = 0; !nfpchan_query_id(card, id, &q); id++)
		if ((q.chan_flags & flags) == flags)
			complete_offer(c, 0, q.name, dir_name(q.dir));
	nfpchan_card_close(card);
}

static void channels(const struct completion *c)
{
	offer_channels(c, 0);
}

static void event_channels(const struct completion *c)
{
	offer_channels(c, NFP_CHAN_F_XDP);
}

static void interfaces(const struct completion *c)
{
	complete_interfaces(c, 0);
}

/* The last part of each path, without @end */
static void offer_paths(const struct completion *c, const char *pattern, const char *end)
{
	glob_t g;
	size_t i;
	char *name;

	if (glob(pattern, 0, NULL, &g))
		return;
	for (i = 0; i < g.gl_pathc; i++) {
		name = strrchr(g.gl_pathv[i], '/') + 1;
		name[strlen(name) - strlen(end)] = 0;
		complete_offer(c, 0, name, NULL);
	}
	globfree(&g);
}

static void graphs(const struct completion *c)
{
	offer_paths(c, "/run/nfpchan/*.graph", ".graph");
}

/* Nodes of cards, and interfaces of cards that may have other firmware */
static void cards(const struct completion *c)
{
	struct if_nameindex *all = if_nameindex(), *i;
	struct netdev d;
	char name[32];
	glob_t g;
	size_t n;

	if (!glob("/dev/nfp_chan*", 0, NULL, &g)) {
		for (n = 0; n < g.gl_pathc; n++)
			complete_offer(c, 0, g.gl_pathv[n], NULL);
		globfree(&g);
	}
	for (i = all; i && i->if_index; i++) {
		if (netdev_at(&d, i->if_index) || strcmp(d.driver, "nfp"))
			continue;
		snprintf(name, sizeof(name), "bpf:%s", d.name);
		complete_offer(c, 0, name, d.bus);
	}
	if (all)
		if_freenameindex(all);
}

const struct value_kind tool_kinds[] = {
	{ "CARD", .offer = cards },
	{ "CHANNEL", .offer = channels },
	{ "FROM", .offer = channels },
	{ "TO", .offer = channels },
	{ "--channel", .offer = event_channels },
	{ "DEV", .offer = interfaces },
	{ "FILE", .files = "" },
	{ "OBJECT", .files = "" },
	{ "graph show NAME", .offer = graphs },
	{ "graph stats NAME", .offer = graphs },
	{ "graph unload NAME", .offer = graphs },
	{ "--firmware", .words = "public full", .files = "" },
	{ "--helpers", .list = true,
	  .words = "lookup update delete event adjust_head adjust_tail random queue" },
	{ "--carrier", .words = "ethertype queue" },
	{ "SHELL", .words = "bash zsh fish" },
	{ .name = NULL },
};
