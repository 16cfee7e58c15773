// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* parse_edge.c - read the statement "edge" of a policy graph. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "graph.h"
#include "parse.h"

static int read_type(struct tokens *t, unsigned int i, struct graph_match *m)
{
	static const struct {
		const char *name;
		unsigned int width;
	} types[] = {
		{ "u8", 1 }, { "u16", 2 }, { "u32", 4 }, { "u64", 8 },
		{ "be16", 2 }, { "be32", 4 }, { "be64", 8 },
	};

	for (unsigned int n = 0; n < sizeof(types) / sizeof(types[0]); n++) {
		if (strcmp(types[n].name, t->token[i]))
			continue;
		m->type = types[n].name;
		m->width = types[n].width;
		return 0;
	}
	return tokens_error(t, EINVAL, "'%s' is no type of a field: u8, u16, u32, u64, be16, be32 or be64",
			    t->token[i]);
}

/* Read token @i as a number in C's syntax: decimal, octal or hexadecimal. */
static int read_number(struct tokens *t, unsigned int i, const char *what, uint64_t most,
		       uint64_t *to)
{
	char *end;

	errno = 0;
	*to = strtoull(t->token[i], &end, 0);
	if (*t->token[i] < '0' || *t->token[i] > '9' || *end || errno || *to > most)
		return tokens_error(t, EINVAL, "%s '%s' is no number of 0 to 0x%llx", what, t->token[i],
				    (unsigned long long)most);
	return 0;
}

/* Read TYPE OFFSET = VALUE [mask MASK] from token *@at on, and move *@at after it. */
static int read_match(struct tokens *t, unsigned int *at, struct graph_match *m)
{
	unsigned int i = *at;
	uint64_t most, offset;
	bool masked;
	int ret;

	if (t->n < i + 4)
		return tokens_error(t, EINVAL, "'match' needs TYPE OFFSET = VALUE [mask MASK]");
	masked = t->n > i + 4 && !strcmp(t->token[i + 4], "mask");
	if (masked && t->n == i + 5)
		return tokens_error(t, EINVAL, "'mask' needs a number");
	*at += masked ? 6 : 4;
	ret = read_type(t, i, m);
	if (!ret)
		ret = tokens_number(t, i + 1, "offset", GRAPH_OFFSET, &offset);
	if (!ret && strcmp(t->token[i + 2], "="))
		ret = tokens_error(t, EINVAL, "'%s' instead of '='", t->token[i + 2]);
	if (ret)
		return ret;
	most = UINT64_MAX >> (64 - 8 * m->width);
	m->offset = (unsigned int)offset;
	m->mask = most;
	ret = read_number(t, i + 3, "value", most, &m->value);
	if (!ret && masked)
		ret = read_number(t, i + 5, "mask", most, &m->mask);
	if (!ret && m->value & ~m->mask)
		return tokens_error(t, EINVAL, "value %s has bits that the mask %s leaves out",
				    t->token[i + 3], t->token[i + 5]);
	return ret;
}

/* Read HEX... from token *@at on, and move *@at after it. */
static int read_command(struct tokens *t, unsigned int *at, struct graph_edge *e)
{
	unsigned int i = *at, len = 0;

	for (; i < t->n && graph_is_hex(t->token[i]); i++) {
		len = (unsigned int)strlen(t->token[i]) / 2;
		if (e->command_len + len > GRAPH_COMMAND)
			break;
		graph_hex(t->token[i], e->command + e->command_len, len);
		e->command_len += len;
	}
	if (!e->command_len || e->command_len % 4 || (i < t->n && strcmp(t->token[i], "state")))
		return tokens_error(t, EINVAL, "'command' needs hexadecimal digits: 4 to %u bytes, a multiple of 4",
				    GRAPH_COMMAND);
	*at = i;
	return 0;
}

/* Read u32|u64 OFFSET step STEP from token *@at on, and move *@at after it. */
static int read_state(struct tokens *t, unsigned int *at, struct graph_edge *e)
{
	unsigned int i = *at, len = 4;
	uint64_t off, step;

	if (t->n < i + 4 || strcmp(t->token[i + 2], "step"))
		return tokens_error(t, EINVAL, "'state' needs u32|u64 OFFSET step STEP");
	if (!strcmp(t->token[i], "u64"))
		len = 8;
	else if (strcmp(t->token[i], "u32"))
		return tokens_error(t, EINVAL, "'%s' is no type of a state: u32 or u64", t->token[i]);
	if (tokens_number(t, i + 1, "offset", GRAPH_COMMAND, &off) ||
	    tokens_number(t, i + 3, "step", UINT32_MAX, &step))
		return -EINVAL;
	if (off % 4 || off + len > e->command_len)
		return tokens_error(t, EINVAL, "a state of %u bytes at %u: the offset must be a multiple of 4, and the command has %u bytes",
				    len, (unsigned int)off, e->command_len);
	if (!step)
		return tokens_error(t, EINVAL, "step 0: the state would not change");
	e->state_off = (unsigned int)off;
	e->state_len = len;
	e->state_step = (uint32_t)step;
	*at = i + 4;
	return 0;
}

/* Is token *@at @name? If so, move *@at after it. */
static bool option(const struct tokens *t, unsigned int *at, const char *name)
{
	if (*at >= t->n || strcmp(t->token[*at], name))
		return false;
	++*at;
	return true;
}

/* Read the tokens after NODE -> NODE. */
static int read_options(struct tokens *t, struct graph_edge *e)
{
	unsigned int i = 4;
	int ret = 0;

	if (option(t, &i, "match"))
		ret = read_match(t, &i, &e->match);
	if (!ret && option(t, &i, "command")) {
		ret = read_command(t, &i, e);
		if (!ret && option(t, &i, "state"))
			ret = read_state(t, &i, e);
	}
	if (!ret && i < t->n)
		ret = tokens_error(t, EINVAL, "'%s' instead of 'match' or 'command'", t->token[i]);
	if (!ret && e->to == GRAPH_HOST && i > 4)
		ret = tokens_error(t, EINVAL, "an edge to the host cannot have 'match' or 'command': it takes all messages that no other edge takes");
	return ret;
}

int graph_read_edge(struct tokens *t, struct graph *g)
{
	struct graph_edge e = { .to = GRAPH_HOST, .line = t->line };
	const struct graph_node *from = graph_find_node(g, t->token[1]), *to = graph_find_node(g, t->token[3]);
	int ret = graph_arrow(t);

	if (ret)
		return ret;
	if (!from || (!to && strcmp(t->token[3], "host")))
		return tokens_error(t, EINVAL, "no line above has a node '%s'", t->token[from ? 3 : 1]);
	if (!*from->out)
		return tokens_error(t, EINVAL, "node '%s' (line %u) has no 'out'", from->name, from->line);
	if (to && !*to->in)
		return tokens_error(t, EINVAL, "node '%s' (line %u) has no 'in'", to->name, to->line);
	e.from = (unsigned int)(from - g->node);
	if (to)
		e.to = (unsigned int)(to - g->node);
	ret = read_options(t, &e);
	if (!ret && g->edges == GRAPH_EDGES)
		ret = graph_full(t, "edge", GRAPH_EDGES);
	if (!ret)
		g->edge[g->edges++] = e;
	return ret;
}

