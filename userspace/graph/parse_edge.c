// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* parse_edge.c - read the statement "edge" of a policy graph. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "graph.h"
#include "parse.h"

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

/* Read word @i as a number in C's syntax: decimal, octal or hexadecimal. */
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

/* Read TYPE OFFSET = VALUE [mask MASK] from word *@at on, and move *@at after it. */
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
		ret = words_error(w, EINVAL, "'%s' instead of '='", w->word[i + 2]);
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

/* Read HEX... from word *@at on, and move *@at after it. */
static int read_command(struct words *w, unsigned int *at, struct graph_edge *e)
{
	unsigned int i = *at, len = 0;

	for (; i < w->n && graph_is_hex(w->word[i]); i++) {
		len = (unsigned int)strlen(w->word[i]) / 2;
		if (e->command_len + len > GRAPH_COMMAND)
			break;
		graph_hex(w->word[i], e->command + e->command_len, len);
		e->command_len += len;
	}
	if (!e->command_len || e->command_len % 4 || (i < w->n && strcmp(w->word[i], "state")))
		return words_error(w, EINVAL, "'command' needs hexadecimal digits: 4 to %u bytes, a multiple of 4",
				   GRAPH_COMMAND);
	*at = i;
	return 0;
}

/* Read u32|u64 OFFSET step STEP from word *@at on, and move *@at after it. */
static int read_state(struct words *w, unsigned int *at, struct graph_edge *e)
{
	unsigned int i = *at, len = 4;
	uint64_t off, step;

	if (w->n < i + 4 || strcmp(w->word[i + 2], "step"))
		return words_error(w, EINVAL, "'state' needs u32|u64 OFFSET step STEP");
	if (!strcmp(w->word[i], "u64"))
		len = 8;
	else if (strcmp(w->word[i], "u32"))
		return words_error(w, EINVAL, "'%s' is no type of a state: u32 or u64", w->word[i]);
	if (words_number(w, i + 1, "offset", GRAPH_COMMAND, &off) ||
	    words_number(w, i + 3, "step", UINT32_MAX, &step))
		return -EINVAL;
	if (off % 4 || off + len > e->command_len)
		return words_error(w, EINVAL, "a state of %u bytes at %u: the offset must be a multiple of 4, and the command has %u bytes",
				   len, (unsigned int)off, e->command_len);
	if (!step)
		return words_error(w, EINVAL, "step 0: the state would not change");
	e->state_off = (unsigned int)off;
	e->state_len = len;
	e->state_step = (uint32_t)step;
	*at = i + 4;
	return 0;
}

/* Is word *@at @name? If so, move *@at after it. */
static bool option(const struct words *w, unsigned int *at, const char *name)
{
	if (*at >= w->n || strcmp(w->word[*at], name))
		return false;
	++*at;
	return true;
}

/* Read the words after NODE -> NODE. */
static int read_options(struct words *w, struct graph_edge *e)
{
	unsigned int i = 4;
	int ret = 0;

	if (option(w, &i, "match"))
		ret = read_match(w, &i, &e->match);
	if (!ret && option(w, &i, "command")) {
		ret = read_command(w, &i, e);
		if (!ret && option(w, &i, "state"))
			ret = read_state(w, &i, e);
	}
	if (!ret && i < w->n)
		ret = words_error(w, EINVAL, "'%s' instead of 'match' or 'command'", w->word[i]);
	if (!ret && e->to == GRAPH_HOST && i > 4)
		ret = words_error(w, EINVAL, "an edge to the host cannot have 'match' or 'command': it takes all messages that no other edge takes");
	return ret;
}

int graph_read_edge(struct words *w, struct graph *g)
{
	struct graph_edge e = { .to = GRAPH_HOST, .line = w->line };
	const struct graph_node *from = graph_find_node(g, w->word[1]), *to = graph_find_node(g, w->word[3]);
	int ret = graph_arrow(w);

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
		ret = graph_full(w, "edge", GRAPH_EDGES);
	if (!ret)
		g->edge[g->edges++] = e;
	return ret;
}

