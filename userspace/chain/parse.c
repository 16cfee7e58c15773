// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* parse.c - the statements of a policy graph. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "graph.h"
#include "words.h"

/* A statement: its words, and what reads them. @form is for errors. */
struct statement {
	const char *name;
	unsigned int min;
	unsigned int max;
	const char *form;
	int (*read)(struct words *w, struct graph *g);
};

static const struct graph_device *find_device(const struct graph *g, const char *name)
{
	for (unsigned int i = 0; i < g->devices; i++)
		if (!strcmp(g->device[i].name, name))
			return &g->device[i];
	return NULL;
}

static const struct graph_node *find_node(const struct graph *g, const char *name)
{
	for (unsigned int i = 0; i < g->nodes; i++)
		if (!strcmp(g->node[i].name, name))
			return &g->node[i];
	return NULL;
}

/* A new name: devices, nodes and the host are told apart by their names. */
static int read_name(struct words *w, const struct graph *g, char *to)
{
	int ret = words_name(w, 1, "name", to, GRAPH_NAME);
	const struct graph_device *d;
	const struct graph_node *n;

	if (ret)
		return ret;
	d = find_device(g, to);
	n = find_node(g, to);
	if (!strcmp(to, "host"))
		return words_error(w, EINVAL, "'host' is the name of the host");
	if (d || n)
		return words_error(w, EINVAL, "'%s' is the %s of line %u", to, d ? "device" : "node",
				   d ? d->line : n->line);
	return 0;
}

static int read_text(struct words *w, unsigned int i, char *to)
{
	if (strlen(w->word[i]) >= GRAPH_TEXT)
		return words_error(w, EINVAL, "'%s' has %zu characters; the most are %u", w->word[i],
				   strlen(w->word[i]), GRAPH_TEXT - 1);
	strcpy(to, w->word[i]);
	return 0;
}

static int full(struct words *w, const char *what, unsigned int most)
{
	return words_error(w, EINVAL, "one %s too many: a graph has %u at most", what, most);
}

static int read_device(struct words *w, struct graph *g)
{
	struct graph_device d = { .line = w->line };
	int ret = read_name(w, g, d.name);

	if (!ret && strcmp(w->word[2], "card"))
		ret = words_error(w, EINVAL, "'%s' is no kind of device: there is 'card'", w->word[2]);
	if (!ret)
		ret = read_text(w, 3, d.card);
	if (!ret && g->devices == GRAPH_DEVICES)
		ret = full(w, "device", GRAPH_DEVICES);
	if (!ret)
		g->device[g->devices++] = d;
	return ret;
}

static int read_ends(struct words *w, struct graph_node *n)
{
	for (unsigned int i = 3; i < w->n; i += 2) {
		bool in = !strcmp(w->word[i], "in");
		char *to = in ? n->in : n->out;

		if (!in && strcmp(w->word[i], "out"))
			return words_error(w, EINVAL, "'%s' is neither 'in' nor 'out'", w->word[i]);
		if (i + 1 == w->n)
			return words_error(w, EINVAL, "'%s' needs the name of a channel", w->word[i]);
		if (*to)
			return words_error(w, EINVAL, "'%s' is there twice", w->word[i]);
		if (read_text(w, i + 1, to))
			return -EINVAL;
	}
	return 0;
}

static int read_node(struct words *w, struct graph *g)
{
	struct graph_node n = { .line = w->line };
	const struct graph_device *d;
	int ret = read_name(w, g, n.name);

	if (ret)
		return ret;
	d = find_device(g, w->word[2]);
	if (!d)
		return words_error(w, EINVAL, "no line above has a device '%s'", w->word[2]);
	n.device = (unsigned int)(d - g->device);
	ret = read_ends(w, &n);
	if (!ret && g->nodes == GRAPH_NODES)
		ret = full(w, "node", GRAPH_NODES);
	if (!ret)
		g->node[g->nodes++] = n;
	return ret;
}

static int read_type(struct words *w, unsigned int i, struct graph_match *m)
{
	static const struct {
		const char *name;
		unsigned int width;
	} types[] = {
		{ "u8", 1 }, { "u16", 2 }, { "u32", 4 }, { "u64", 8 },
		{ "be16", 2 }, { "be32", 4 }, { "be64", 8 },
	};

	for (unsigned int t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
		if (strcmp(types[t].name, w->word[i]))
			continue;
		m->type = types[t].name;
		m->width = types[t].width;
		return 0;
	}
	return words_error(w, EINVAL, "'%s' is no type of a field: u8, u16, u32, u64, be16, be32 or be64",
			   w->word[i]);
}

/* A number in any base that C has */
static int read_number(struct words *w, unsigned int i, const char *what, uint64_t most, uint64_t *to)
{
	char *end;

	errno = 0;
	*to = strtoull(w->word[i], &end, 0);
	if (*w->word[i] < '0' || *w->word[i] > '9' || *end || errno || *to > most)
		return words_error(w, EINVAL, "%s '%s' is no number of 0 to 0x%llx", what, w->word[i],
				   (unsigned long long)most);
	return 0;
}

/* TYPE OFFSET = VALUE [mask MASK], from word *@at on, which goes behind it */
static int read_match(struct words *w, unsigned int *at, struct graph_match *m)
{
	unsigned int i = *at;
	uint64_t most, offset;
	bool masked;
	int ret;

	if (w->n < i + 4)
		return words_error(w, EINVAL, "'match' needs TYPE OFFSET = VALUE [mask MASK]");
	masked = w->n > i + 4 && !strcmp(w->word[i + 4], "mask");
	if (masked && w->n == i + 5)
		return words_error(w, EINVAL, "'mask' needs a number");
	*at += masked ? 6 : 4;
	ret = read_type(w, i, m);
	if (!ret)
		ret = words_number(w, i + 1, "offset", GRAPH_OFFSET, &offset);
	if (!ret && strcmp(w->word[i + 2], "="))
		ret = words_error(w, EINVAL, "'%s' where '=' belongs", w->word[i + 2]);
	if (ret)
		return ret;
	most = UINT64_MAX >> (64 - 8 * m->width);
	m->offset = (unsigned int)offset;
	m->mask = most;
	ret = read_number(w, i + 3, "value", most, &m->value);
	if (!ret && masked)
		ret = read_number(w, i + 5, "mask", most, &m->mask);
	if (!ret && m->value & ~m->mask)
		return words_error(w, EINVAL, "value %s has bits that the mask %s leaves out",
				   w->word[i + 3], w->word[i + 5]);
	return ret;
}

static int read_command(struct words *w, unsigned int i, struct graph_edge *e)
{
	const char *hex = i < w->n ? w->word[i] : "";
	size_t len = strlen(hex);

	if (!len || len % 8 || len > 2 * GRAPH_COMMAND || strspn(hex, "0123456789abcdefABCDEF") != len)
		return words_error(w, EINVAL, "'command' needs hexadecimal digits: 4 to %u bytes, a multiple of 4",
				   GRAPH_COMMAND);
	for (; *hex; hex += 2)
		e->command[e->command_len++] = (uint8_t)strtoul((char[]){ hex[0], hex[1], 0 }, NULL, 16);
	return 0;
}

/* What is behind NODE -> NODE */
static int read_options(struct words *w, struct graph_edge *e)
{
	unsigned int i = 4;
	int ret = 0;

	if (i < w->n && !strcmp(w->word[i], "match")) {
		i++;
		ret = read_match(w, &i, &e->match);
	}
	if (!ret && i < w->n && !strcmp(w->word[i], "command")) {
		ret = read_command(w, i + 1, e);
		i += 2;
	}
	if (!ret && i < w->n)
		ret = words_error(w, EINVAL, "'%s' where 'match' or 'command' belongs", w->word[i]);
	if (!ret && e->to == GRAPH_HOST && i > 4)
		ret = words_error(w, EINVAL, "an edge to the host has neither 'match' nor 'command': it takes what no other edge takes");
	return ret;
}

static int read_arrow(struct words *w)
{
	if (!strcmp(w->word[2], "->"))
		return 0;
	return words_error(w, EINVAL, "'%s' where '->' belongs", w->word[2]);
}

static int read_edge(struct words *w, struct graph *g)
{
	struct graph_edge e = { .to = GRAPH_HOST, .line = w->line };
	const struct graph_node *from = find_node(g, w->word[1]), *to = find_node(g, w->word[3]);
	int ret = read_arrow(w);

	if (ret)
		return ret;
	if (!from || (!to && strcmp(w->word[3], "host")))
		return words_error(w, EINVAL, "no line above has a node '%s'", w->word[from ? 3 : 1]);
	if (!*from->out)
		return words_error(w, EINVAL, "node '%s' (line %u) has no 'out'", from->name, from->line);
	if (to && !*to->in)
		return words_error(w, EINVAL, "node '%s' (line %u) has no 'in'", to->name, to->line);
	e.from = (unsigned int)(from - g->node);
	if (to)
		e.to = (unsigned int)(to - g->node);
	ret = read_options(w, &e);
	if (!ret && g->edges == GRAPH_EDGES)
		ret = full(w, "edge", GRAPH_EDGES);
	if (!ret)
		g->edge[g->edges++] = e;
	return ret;
}

static int read_allow(struct words *w, struct graph *g)
{
	const struct graph_device *from = find_device(g, w->word[1]), *to = find_device(g, w->word[3]);
	int ret = read_arrow(w);

	if (ret)
		return ret;
	if (!from || (!to && strcmp(w->word[3], "host")))
		return words_error(w, EINVAL, "no line above has a device '%s'", w->word[from ? 3 : 1]);
	if (g->allows == GRAPH_ALLOWS)
		return full(w, "allow", GRAPH_ALLOWS);
	g->allow[g->allows++] = (struct graph_allow){
		.from = (unsigned int)(from - g->device),
		.to = to ? (unsigned int)(to - g->device) : GRAPH_HOST,
	};
	return 0;
}

static int read_statement(struct words *w, struct graph *g)
{
	static const struct statement statements[] = {
		{ "device", 4, 4, "device NAME card CARD", read_device },
		{ "node", 3, 7, "node NAME DEVICE [in CHANNEL] [out CHANNEL]", read_node },
		{ "edge", 4, 13, "edge NODE -> NODE|host [match TYPE OFFSET = VALUE [mask MASK]] [command HEX]",
		  read_edge },
		{ "allow", 4, 4, "allow DEVICE -> DEVICE|host", read_allow },
	};

	for (unsigned int i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		const struct statement *s = &statements[i];

		if (strcmp(s->name, w->word[0]))
			continue;
		if (w->n < s->min || w->n > s->max)
			return words_error(w, EINVAL, "%u words; the statement is: %s", w->n, s->form);
		return s->read(w, g);
	}
	return words_error(w, EINVAL, "no statement '%s': there are device, node, edge and allow",
			   w->word[0]);
}

/* A node that has only edges with "match" has one more, for the other messages. */
static int add_nowhere(struct words *w, struct graph *g)
{
	unsigned int named = g->edges, matches, others, i;

	for (unsigned int n = 0; n < g->nodes; n++) {
		for (i = matches = others = 0; i < named; i++)
			if (g->edge[i].from == n)
				(*(g->edge[i].match.type ? &matches : &others))++;
		if (!matches || others)
			continue;
		if (g->edges == GRAPH_EDGES)
			return full(w, "edge", GRAPH_EDGES);
		g->edge[g->edges++] = (struct graph_edge){
			.from = n, .to = GRAPH_NOWHERE, .line = g->node[n].line,
		};
	}
	return 0;
}

/* All statements of @w, which is closed. */
static int read_all(struct words *w, struct graph **g)
{
	int ret = 0;

	*g = calloc(1, sizeof(**g));
	if (!*g)
		ret = words_error(w, ENOMEM, "%s", strerror(ENOMEM));
	while (!ret && (ret = words_next(w)) > 0)
		ret = read_statement(w, *g);
	w->line = 0;
	if (!ret && !(*g)->edges)
		ret = words_error(w, EINVAL, "no edge");
	words_close(w);
	if (!ret)
		ret = graph_check(*g, w->file, w->err, w->errlen);
	if (!ret)
		ret = add_nowhere(w, *g);
	if (ret) {
		graph_free(*g);
		*g = NULL;
	}
	return ret;
}

int graph_read(const char *path, struct graph **g, char *err, size_t errlen)
{
	struct words w;
	int ret = words_open(&w, path, err, errlen);

	*g = NULL;
	return ret ? ret : read_all(&w, g);
}

int graph_read_text(const char *name, const char *text, struct graph **g, char *err, size_t errlen)
{
	struct words w;
	int ret = words_text(&w, name, text, err, errlen);

	*g = NULL;
	return ret ? ret : read_all(&w, g);
}

void graph_free(struct graph *g)
{
	free(g);
}
