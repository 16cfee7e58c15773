// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* draw.c - draw a policy graph as text and in the language of Graphviz. */
#include <inttypes.h>
#include <string.h>
#include "draw.h"

#define LABEL	128

/* The number with a unit, such as "1.23 M" */
static const char *amount(double n, char buf[24])
{
	static const char *const unit[] = { "", " k", " M", " G", " T" };
	unsigned int i = 0;

	for (; n >= 1000 && i < 4; i++)
		n /= 1000;
	snprintf(buf, 24, "%.*f%s", i ? 2 : 0, n, i ? unit[i] : " ");
	return buf;
}

static const char *rate_text(const struct graph_rate *r, char buf[LABEL])
{
	char msgs[24], bytes[24], dropped[40] = "";

	if (r->dropped)
		snprintf(dropped, sizeof(dropped), ", %" PRIu64 " dropped", r->dropped);
	snprintf(buf, LABEL, "%s%" PRIu64 " messages, %s/s, %sB/s%s", r->via, r->msgs, amount(r->msgs_s, msgs),
		 amount(r->bytes_s, bytes), dropped);
	return buf;
}

/* ---- the tree ---- */

struct tree {
	const struct graph *g;
	const struct graph_rate *rate;
	FILE *out;
	char indent[4 * GRAPH_NODES + 1];
	bool drawn[GRAPH_NODES];
};

static const char *otherwise(const struct graph *g, const struct graph_edge *e)
{
	for (unsigned int i = 0; i < g->edges; i++)
		if (g->edge[i].from == e->from && g->edge[i].match.type)
			return "otherwise";
	return "";
}

static void draw_node(struct tree *t, unsigned int n);

static void draw_edge(struct tree *t, const struct graph_edge *e, bool last)
{
	char match[LABEL], rate[LABEL];
	const char *text = graph_match_text(&e->match, match, sizeof(match));
	size_t len = strlen(t->indent);

	if (!*text)
		text = otherwise(t->g, e);
	fprintf(t->out, "%s%s %s%s%s%s", t->indent, last ? "`->" : "|->", graph_end_name(t->g, e->to),
		*text ? " (" : "", text, *text ? ")" : "");
	if (t->rate && t->rate[e - t->g->edge].known)
		fprintf(t->out, "    %s", rate_text(&t->rate[e - t->g->edge], rate));
	fputc('\n', t->out);
	if (e->to >= t->g->nodes)
		return;
	strcat(t->indent, last ? "    " : "|   ");
	draw_node(t, e->to);
	t->indent[len] = '\0';
}

/* Draw what @n sends to. A node that several edges lead to is drawn with its edges once. */
static void draw_node(struct tree *t, unsigned int n)
{
	const struct graph_edge *last = NULL;
	const struct graph_edge *e, *end = t->g->edge + t->g->edges;

	if (t->drawn[n])
		return;
	t->drawn[n] = true;
	for (e = t->g->edge; e < end; e++)
		if (e->from == n)
			last = e;
	for (e = t->g->edge; e < end; e++)
		if (e->from == n)
			draw_edge(t, e, e == last);
}

static bool is_led_to(const struct graph *g, unsigned int n)
{
	for (unsigned int i = 0; i < g->edges; i++)
		if (g->edge[i].to == n)
			return true;
	return false;
}

void graph_tree(const struct graph *g, const struct graph_rate *rate, FILE *out)
{
	struct tree t = { .g = g, .rate = rate, .out = out };

	for (unsigned int i = 0; i < g->nodes; i++) {
		if (is_led_to(g, i))
			continue;
		fprintf(out, "%s\n", g->node[i].name);
		draw_node(&t, i);
	}
}

/* ---- dot ---- */

static void dot_text(FILE *out, const char *s)
{
	fputc('"', out);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fputc('\\', out);
		fputc(*s, out);
	}
	fputc('"', out);
}

void graph_dot(const struct graph *g, const char *name, const struct graph_rate *rate, FILE *out)
{
	char match[LABEL], text[LABEL], label[2 * LABEL + 2];

	fputs("digraph ", out);
	dot_text(out, name);
	fputs(" {\n\trankdir=LR;\n\tnode [shape=box];\n", out);
	for (unsigned int d = 0; d < g->devices; d++) {
		fprintf(out, "\tsubgraph \"cluster_%u\" {\n\t\tlabel=", d);
		dot_text(out, g->device[d].name);
		fputs(";\n", out);
		for (unsigned int n = 0; n < g->nodes; n++)
			if (g->node[n].device == d)
				fprintf(out, "\t\t\"%s\";\n", g->node[n].name);
		fputs("\t}\n", out);
	}
	for (unsigned int i = 0; i < g->edges; i++) {
		const struct graph_edge *e = &g->edge[i];

		graph_match_text(&e->match, match, sizeof(match));
		*text = '\0';
		if (rate && rate[i].known)
			rate_text(&rate[i], text);
		snprintf(label, sizeof(label), "%s%s%s", match, *text && *match ? "\\n" : "", text);
		fprintf(out, "\t\"%s\" -> \"%s\" [label=\"%s\"];\n", g->node[e->from].name,
			graph_end_name(g, e->to), label);
	}
	fputs("}\n", out);
}
