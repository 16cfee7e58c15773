// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* card.c - open the card and channels for the commands, and say why that fails. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "near.h"
#include "tool.h"

int tool_card_fail(struct nfpchan_card *card, const char *channel)
{
	struct nfp_chan_query q;
	struct near near;
	char text[256];
	uint32_t id;

	nfpchan_card_error(card, text, sizeof(text));
	if (!channel || nfpchan_query(card, channel, &q) != -ENOENT)
		return tool_fail("%s", text);
	near_begin(&near, channel);
	for (id = 0; !nfpchan_query_id(card, id, &q); id++)
		near_try(&near, q.name);
	return tool_fail(*near.name ? "%s. Did you mean \"%s\"? nfpchan list%s%s prints the names" :
			 "%s%s. nfpchan list%s%s prints the names", text, near.name,
			 tool.card ? " -c " : "", tool.card ? tool.card : "");
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

	if (nfpchan_open(&ch, card, name, NULL))
		tool_card_fail(card, name);
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
