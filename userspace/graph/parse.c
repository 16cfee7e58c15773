// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* parse.c - read the statements of a policy graph. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "graph.h"
#include "parse.h"

/* A statement: its name, the number of its tokens, its syntax for errors, and its reader */
struct statement {
	const char *name;
	unsigned int min;
	unsigned int max;
	const char *form;
	int (*read)(struct tokens *t, struct graph *g);
};

const struct graph_device *graph_find_device(const struct graph *g, const char *name)
{
	for (unsigned int i = 0; i < g->devices; i++)
		if (!strcmp(g->device[i].name, name))
			return &g->device[i];
	return NULL;
}

const struct graph_node *graph_find_node(const struct graph *g, const char *name)
{
	for (unsigned int i = 0; i < g->nodes; i++)
		if (!strcmp(g->node[i].name, name))
			return &g->node[i];
	return NULL;
}

int graph_full(struct tokens *t, const char *what, unsigned int most)
{
	return tokens_error(t, EINVAL, "one %s too many: a graph has %u at most", what, most);
}

int graph_arrow(struct tokens *t)
{
	if (!strcmp(t->token[2], "->"))
		return 0;
	return tokens_error(t, EINVAL, "'%s' instead of '->'", t->token[2]);
}

bool graph_is_hex(const char *hex)
{
	size_t len = strlen(hex);

	return len && len % 2 == 0 && strspn(hex, "0123456789abcdefABCDEF") == len;
}

void graph_hex(const char *hex, uint8_t *to, unsigned int len)
{
	for (unsigned int i = 0; i < len; i++, hex += 2)
		to[i] = (uint8_t)strtoul((char[]){ hex[0], hex[1], 0 }, NULL, 16);
}

static int read_allow(struct tokens *t, struct graph *g)
{
	const struct graph_device *from = graph_find_device(g, t->token[1]);
	const struct graph_device *to = graph_find_device(g, t->token[3]);
	int ret = graph_arrow(t);

	if (ret)
		return ret;
	if (!from || (!to && strcmp(t->token[3], "host")))
		return tokens_error(t, EINVAL, "no line above has a device '%s'", t->token[from ? 3 : 1]);
	if (g->allows == GRAPH_ALLOWS)
		return graph_full(t, "allow", GRAPH_ALLOWS);
	g->allow[g->allows++] = (struct graph_allow){
		.from = (unsigned int)(from - g->device),
		.to = to ? (unsigned int)(to - g->device) : GRAPH_HOST,
	};
	return 0;
}

static int read_statement(struct tokens *t, struct graph *g)
{
	static const struct statement statements[] = {
		{ "device", 4, 5, "device NAME card CARD, or device NAME accel KIND [INDEX]",
		  graph_read_device },
		{ "key", 4, 4, "key DEVICE STREAM HEX", graph_read_key },
		{ "node", 3, 10, "node NAME CARD [in CHANNEL] [out CHANNEL] [events INTERFACE MAP], or node NAME ACCELERATOR via CARD UNIT [stream STREAM] [skip BYTES]",
		  graph_read_node },
		{ "edge", 4, TOKENS_MAX, "edge NODE -> NODE|host [match TYPE OFFSET = VALUE [mask MASK]] [command HEX [state u32|u64 OFFSET step STEP]]",
		  graph_read_edge },
		{ "allow", 4, 4, "allow DEVICE -> DEVICE|host", read_allow },
	};

	for (unsigned int i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		const struct statement *s = &statements[i];

		if (strcmp(s->name, t->token[0]))
			continue;
		if (t->n < s->min || t->n > s->max)
			return tokens_error(t, EINVAL, "%u words; the statement is: %s", t->n, s->form);
		return s->read(t, g);
	}
	return tokens_error(t, EINVAL, "unknown statement '%s': a line begins with device, key, node, edge or allow",
			    t->token[0]);
}

/* Add an edge to GRAPH_NOWHERE to each node whose edges all have "match". */
static int add_nowhere(struct tokens *t, struct graph *g)
{
	unsigned int named = g->edges, matches, others, i;

	for (unsigned int n = 0; n < g->nodes; n++) {
		for (i = matches = others = 0; i < named; i++)
			if (g->edge[i].from == n)
				(*(g->edge[i].match.type ? &matches : &others))++;
		/* A channel of events has one edge, and drops what that edge does not take. */
		if (!matches || others || *g->node[n].interface)
			continue;
		if (g->edges == GRAPH_EDGES)
			return graph_full(t, "edge", GRAPH_EDGES);
		g->edge[g->edges++] = (struct graph_edge){
			.from = n, .to = GRAPH_NOWHERE, .line = g->node[n].line,
		};
	}
	return 0;
}

/* Read all statements of @t, and close it. */
static int read_all(struct tokens *t, struct graph **g)
{
	int ret = 0;

	*g = calloc(1, sizeof(**g));
	if (!*g)
		ret = tokens_error(t, ENOMEM, "%s", strerror(ENOMEM));
	while (!ret && (ret = tokens_next(t)) > 0)
		ret = read_statement(t, *g);
	t->line = 0;
	if (!ret && !(*g)->edges)
		ret = tokens_error(t, EINVAL, "the file has no edge");
	tokens_close(t);
	if (!ret)
		ret = graph_check(*g, t->file, t->err, t->errlen);
	if (!ret)
		ret = add_nowhere(t, *g);
	if (ret) {
		graph_free(*g);
		*g = NULL;
	}
	return ret;
}

int graph_read_text(const char *name, const char *text, struct graph **g, char *err, size_t errlen)
{
	struct tokens t;
	int ret = tokens_open(&t, name, text, err, errlen);

	*g = NULL;
	return ret ? ret : read_all(&t, g);
}

int graph_read(const char *path, struct graph **g, char *err, size_t errlen)
{
	return graph_read_text(path, NULL, g, err, errlen);
}

void graph_free(struct graph *g)
{
	free(g);
}
