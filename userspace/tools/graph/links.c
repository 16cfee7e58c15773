// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* links.c - open and close the links of a policy graph. */
#include <stdlib.h>
#include <string.h>
#include "loaded.h"
#include "tool.h"

static int card_open(struct loaded *l, unsigned int device, const char *file)
{
	const struct graph_device *d = &l->g->device[device];
	char text[256];

	if (l->card[device])
		return 0;
	if (!nfpchan_card_open(&l->card[device], d->card, text, sizeof(text)))
		return 0;
	return tool_fail("%s:%u: device %s: %s", file, d->line, d->name, text);
}

static int channel_open(struct loaded *l, unsigned int node, const char *name, uint32_t flags,
			struct nfpchan **ch, const char *file)
{
	const struct nfpchan_opts opts = { .size = sizeof(opts), .flags = flags };
	const struct graph_node *n = &l->g->node[node];
	struct nfpchan_card *card;
	char text[256];

	if (card_open(l, n->card, file))
		return EXIT_FAILURE;
	card = l->card[n->card];
	if (!nfpchan_open(ch, card, name, &opts))
		return 0;
	return tool_fail("%s:%u: node %s: %s", file, n->line, n->name,
			 nfpchan_card_error(card, text, sizeof(text)));
}

static int edge_link(struct loaded *l, unsigned int i, const char *file)
{
	const struct graph_edge *e = &l->g->edge[i];
	struct nfpchan_link_opts opts = {
		.size = sizeof(opts), .match_len = e->match.width, .match_off = e->match.offset,
		.hdr = e->command, .hdr_len = e->command_len, .state_off = e->state_off,
		.state_len = e->state_len, .state_step = e->state_step,
	};
	struct nfpchan *to;
	char text[256];

	if (e->to == GRAPH_HOST)
		return 0;
	graph_match_bytes(&e->match, opts.match_value, opts.match_mask);
	/* With NFPCHAN_LINK no message arrives between the open and the link. */
	if (channel_open(l, e->from, l->g->node[e->from].out, NFPCHAN_LINK, &l->from[i], file))
		return EXIT_FAILURE;
	to = e->to == GRAPH_NOWHERE ? NULL : l->in[e->to];
	if (e->to != GRAPH_NOWHERE && !to &&
	    channel_open(l, e->to, l->g->node[e->to].in, 0, &l->to[i], file))
		return EXIT_FAILURE;
	if (nfpchan_link_open(&l->link[i], l->from[i], to ? to : l->to[i], &opts))
		return tool_fail("%s:%u: edge %s -> %s: %s", file, e->line,
				 graph_end_name(l->g, e->from), graph_end_name(l->g, e->to),
				 nfpchan_error(l->from[i], text, sizeof(text)));
	return *l->g->node[e->from].interface ? events_bind(l->from[i], &l->g->node[e->from], file) : 0;
}

static bool has_accel(const struct graph *g, unsigned int node)
{
	return g->device[g->node[node].device].kind != GRAPH_CARD;
}

static int accel_load(struct loaded *l, unsigned int node, const char *file)
{
	const struct graph_node *n = &l->g->node[node];

	if (channel_open(l, node, n->in, 0, &l->in[node], file))
		return EXIT_FAILURE;
	return loaded_accel_open(&l->accel[node], l->g, n, l->in[node], file);
}

/* Open the accelerators first. Until then, their jobs would wait in their channels. */
static int open_all(struct loaded *l, const char *file)
{
	int ret = 0;

	for (unsigned int i = 0; i < l->g->nodes && !ret; i++)
		ret = has_accel(l->g, i) ? accel_load(l, i, file) : 0;
	for (unsigned int i = 0; i < l->g->edges && !ret; i++)
		ret = edge_link(l, i, file);
	return ret;
}

int loaded_open(struct loaded *l, const struct graph *g, const char *file)
{
	int ret;

	*l = (struct loaded){ .g = g };
	ret = open_all(l, file);
	if (ret)
		loaded_close(l);
	return ret;
}

/* Closing a channel ends its link. Close the accelerators after that, when no job can come. */
void loaded_end(struct loaded *l)
{
	for (unsigned int i = 0; i < l->g->edges; i++) {
		nfpchan_close(l->from[i]);
		nfpchan_close(l->to[i]);
		l->from[i] = NULL;
		l->to[i] = NULL;
	}
	for (unsigned int i = 0; i < l->g->nodes; i++) {
		if (l->accel[i]) {
			l->jobs[i] = loaded_accel_jobs(l->accel[i]);
			loaded_accel_close(l->accel[i]);
		}
		nfpchan_close(l->in[i]);
		l->accel[i] = NULL;
		l->in[i] = NULL;
	}
}

void loaded_close(struct loaded *l)
{
	loaded_end(l);
	for (unsigned int i = 0; i < l->g->edges; i++)
		nfpchan_link_close(l->link[i]);
	for (unsigned int i = 0; i < l->g->devices; i++)
		if (l->card[i])
			nfpchan_card_close(l->card[i]);
}

struct loaded_jobs loaded_jobs(const struct loaded *l, unsigned int node)
{
	return l->accel[node] ? loaded_accel_jobs(l->accel[node]) : l->jobs[node];
}

struct nfp_chan_link_stat loaded_stat(struct loaded *l, unsigned int edge)
{
	struct nfp_chan_link_stat stat = { .state = NFP_CHAN_LINK_DOWN };

	if (l->link[edge])
		nfpchan_link_stats(l->link[edge], &stat);
	return stat;
}
