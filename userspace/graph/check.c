// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* check.c - check a policy graph as a whole. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "graph.h"

/* Where the text of an error goes */
struct report {
	const char *file;
	char *err;
	size_t errlen;
};

static int wrong(const struct report *r, unsigned int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static int wrong(const struct report *r, unsigned int line, const char *fmt, ...)
{
	int n = snprintf(r->err, r->errlen, "%s:%u: ", r->file, line);
	va_list ap;

	va_start(ap, fmt);
	if (n >= 0 && (size_t)n < r->errlen)
		vsnprintf(r->err + n, r->errlen - (size_t)n, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

const char *graph_end_name(const struct graph *g, unsigned int end)
{
	if (end == GRAPH_NOWHERE)
		return "dropped";
	return end == GRAPH_HOST ? "host" : g->node[end].name;
}

const char *graph_match_text(const struct graph_match *m, char *buf, size_t size)
{
	int n = 0;

	*buf = '\0';
	if (m->type)
		n = snprintf(buf, size, "%s at %u = 0x%" PRIx64, m->type, m->offset, m->value);
	if (m->type && n >= 0 && (size_t)n < size && m->mask != UINT64_MAX >> (64 - 8 * m->width))
		snprintf(buf + n, size - (size_t)n, " mask 0x%" PRIx64, m->mask);
	return buf;
}

void graph_match_bytes(const struct graph_match *m, uint8_t value[8], uint8_t mask[8])
{
	bool big = m->type && m->type[0] == 'b';

	memset(value, 0, 8);
	memset(mask, 0, 8);
	for (unsigned int i = 0; i < m->width; i++) {
		unsigned int shift = 8 * (big ? m->width - 1 - i : i);

		value[i] = (uint8_t)(m->value >> shift);
		mask[i] = (uint8_t)(m->mask >> shift);
	}
}

/* ---- each edge ---- */

static bool allowed(const struct graph *g, unsigned int from, unsigned int to)
{
	for (unsigned int i = 0; i < g->allows; i++)
		if (g->allow[i].from == from && g->allow[i].to == to)
			return true;
	return !g->allows;
}

static int check_allowed(const struct graph *g, const struct graph_edge *e, const struct report *r)
{
	unsigned int from = g->node[e->from].device;
	unsigned int to = e->to == GRAPH_HOST ? GRAPH_HOST : g->node[e->to].device;

	if (allowed(g, from, to))
		return 0;
	return wrong(r, e->line, "edge %s -> %s: no line allows %s -> %s", g->node[e->from].name,
		     graph_end_name(g, e->to), g->device[from].name,
		     to == GRAPH_HOST ? "host" : g->device[to].name);
}

/* The channels of an accelerator's process and of events are exclusive: one edge each. */
static int check_exclusive(const struct graph *g, unsigned int i, const struct report *r)
{
	const struct graph_edge *e = &g->edge[i];
	const struct graph_node *from = &g->node[e->from], *to;

	to = e->to == GRAPH_HOST ? NULL : &g->node[e->to];
	if (*from->interface && !to)
		return wrong(r, e->line, "edge %s -> host: events reach the host without a graph",
			     from->name);
	for (unsigned int j = 0; j < i; j++) {
		const struct graph_edge *o = &g->edge[j];

		if (*from->interface && o->from == e->from)
			return wrong(r, e->line, "edge %s -> %s: %s has events, and only one edge may take them, that of line %u",
				     from->name, graph_end_name(g, e->to), from->name, o->line);
		if (to && g->device[to->device].kind != GRAPH_CARD && o->to == e->to)
			return wrong(r, e->line, "edge %s -> %s: only one edge may lead to accelerator node %s, that of line %u",
				     from->name, to->name, to->name, o->line);
	}
	return 0;
}

/* Is there a message that both edges take? */
static bool overlap(const struct graph_match *a, const struct graph_match *b)
{
	uint8_t av[8], am[8], bv[8], bm[8];

	if (!a->type || !b->type)
		return !a->type && !b->type;
	graph_match_bytes(a, av, am);
	graph_match_bytes(b, bv, bm);
	for (unsigned int i = 0; i < a->width; i++) {
		unsigned int at = a->offset + i - b->offset;

		if (a->offset + i < b->offset || at >= b->width)
			continue;
		if ((av[i] ^ bv[at]) & am[i] & bm[at])
			return false;
	}
	return true;
}

static int check_overlap(const struct graph *g, unsigned int i, const struct report *r)
{
	const struct graph_edge *e = &g->edge[i];

	for (unsigned int j = 0; j < i; j++) {
		const struct graph_edge *o = &g->edge[j];

		if (o->from == e->from && overlap(&o->match, &e->match))
			return wrong(r, e->line, "edge %s -> %s takes messages that the edge of line %u takes already%s",
				     g->node[e->from].name, graph_end_name(g, e->to), o->line,
				     e->match.type ? "" : ": a node can have one edge without 'match'");
	}
	return 0;
}

/* ---- all edges ---- */

/* Can messages from @node reach @to? Searches depth first. */
static bool leads(const struct graph *g, unsigned int node, unsigned int to, bool *seen)
{
	if (node == to)
		return true;
	if (seen[node])
		return false;
	seen[node] = true;
	for (unsigned int i = 0; i < g->edges; i++)
		if (g->edge[i].from == node && g->edge[i].to != GRAPH_HOST &&
		    leads(g, g->edge[i].to, to, seen))
			return true;
	return false;
}

static int check_circle(const struct graph *g, const struct graph_edge *e, const struct report *r)
{
	bool seen[GRAPH_NODES] = { false };

	if (e->to == GRAPH_HOST || !leads(g, e->to, e->from, seen))
		return 0;
	return wrong(r, e->line, "edge %s -> %s closes a circle: if all of its channels are full, each node waits for the next",
		     g->node[e->from].name, g->node[e->to].name);
}

static int check_node(const struct graph *g, unsigned int n, const struct report *r)
{
	for (unsigned int i = 0; i < g->edges; i++)
		if (g->edge[i].from == n || g->edge[i].to == n)
			return 0;
	return wrong(r, g->node[n].line, "node %s has no edge", g->node[n].name);
}

int graph_check(const struct graph *g, const char *file, char *err, size_t errlen)
{
	const struct report r = { file, err, errlen };
	int ret = 0;

	for (unsigned int i = 0; i < g->edges && !ret; i++) {
		ret = check_allowed(g, &g->edge[i], &r);
		if (!ret)
			ret = check_exclusive(g, i, &r);
		if (!ret)
			ret = check_overlap(g, i, &r);
		if (!ret)
			ret = check_circle(g, &g->edge[i], &r);
	}
	for (unsigned int i = 0; i < g->nodes && !ret; i++)
		ret = check_node(g, i, &r);
	return ret;
}
