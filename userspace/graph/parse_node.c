// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* parse_node.c - read the statements "device", "key" and "node" of a policy graph. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "graph.h"
#include "parse.h"

#define INDEX_MAX	15
#define SKIP_MAX	2040	/* first bytes of a message that a job may leave out */

/* Read a new name. Devices and nodes share one space of names, and "host" is taken. */
static int read_name(struct tokens *t, const struct graph *g, char *to)
{
	int ret = tokens_name(t, 1, "name", to, GRAPH_NAME);
	const struct graph_device *d;
	const struct graph_node *n;

	if (ret)
		return ret;
	d = graph_find_device(g, to);
	n = graph_find_node(g, to);
	if (!strcmp(to, "host"))
		return tokens_error(t, EINVAL, "'host' is the reserved name of the host");
	if (d || n)
		return tokens_error(t, EINVAL, "'%s' is already the %s of line %u", to, d ? "device" : "node",
				    d ? d->line : n->line);
	return 0;
}

static int read_text(struct tokens *t, unsigned int i, char *to)
{
	if (strlen(t->token[i]) >= GRAPH_TEXT)
		return tokens_error(t, EINVAL, "'%s' has %zu characters; the limit is %u", t->token[i],
				    strlen(t->token[i]), GRAPH_TEXT - 1);
	strcpy(to, t->token[i]);
	return 0;
}

/* ---- device ---- */

const char *graph_kind_name(enum graph_kind kind)
{
	static const char *const names[] = {
		[GRAPH_CARD] = "card", [GRAPH_AES_GCM] = "aes-gcm", [GRAPH_CLASSIFY] = "classify",
	};

	return names[kind];
}

/* Read KIND [INDEX]. */
static int read_accel(struct tokens *t, const struct graph *g, struct graph_device *d)
{
	uint64_t index = 0;

	for (d->kind = GRAPH_AES_GCM; d->kind <= GRAPH_CLASSIFY; d->kind++)
		if (!strcmp(graph_kind_name(d->kind), t->token[3]))
			break;
	if (d->kind > GRAPH_CLASSIFY)
		return tokens_error(t, EINVAL, "'%s' is no kind of accelerator: aes-gcm or classify",
				    t->token[3]);
	if (t->n > 4 && tokens_number(t, 4, "index", INDEX_MAX, &index))
		return -EINVAL;
	d->index = (unsigned int)index;
	for (unsigned int i = 0; i < g->devices; i++)
		if (g->device[i].kind == d->kind && g->device[i].index == d->index)
			return tokens_error(t, EINVAL, "%s %u is the device '%s' of line %u", t->token[3],
					    d->index, g->device[i].name, g->device[i].line);
	return 0;
}

int graph_read_device(struct tokens *t, struct graph *g)
{
	struct graph_device d = { .line = t->line };
	int ret = read_name(t, g, d.name);

	if (!ret && !strcmp(t->token[2], "accel"))
		ret = read_accel(t, g, &d);
	else if (!ret && strcmp(t->token[2], "card"))
		ret = tokens_error(t, EINVAL, "'%s' is no kind of device: there are 'card' and 'accel'",
				   t->token[2]);
	else if (!ret && t->n > 4)
		ret = tokens_error(t, EINVAL, "'%s' after the number of a card", t->token[4]);
	else if (!ret)
		ret = read_text(t, 3, d.card);
	if (!ret && g->devices == GRAPH_DEVICES)
		ret = graph_full(t, "device", GRAPH_DEVICES);
	if (!ret)
		g->device[g->devices++] = d;
	return ret;
}

/* ---- key ---- */

static const struct graph_key *find_key(const struct graph *g, unsigned int device,
					unsigned int stream)
{
	for (unsigned int i = 0; i < g->keys; i++)
		if (g->key[i].device == device && g->key[i].stream == stream)
			return &g->key[i];
	return NULL;
}

int graph_read_key(struct tokens *t, struct graph *g)
{
	const struct graph_device *d = graph_find_device(g, t->token[1]);
	struct graph_key k = { .line = t->line };
	const struct graph_key *other;
	uint64_t stream;

	if (!d || d->kind != GRAPH_AES_GCM)
		return tokens_error(t, EINVAL, "'%s' is no accelerator that has keys: no line above has such a device aes-gcm",
				    t->token[1]);
	if (tokens_number(t, 2, "stream", GRAPH_STREAMS - 1, &stream))
		return -EINVAL;
	if (strlen(t->token[3]) != 2 * GRAPH_KEY || !graph_is_hex(t->token[3]))
		return tokens_error(t, EINVAL, "a key has %u hexadecimal digits, not %zu", 2 * GRAPH_KEY,
				    strlen(t->token[3]));
	k.device = (unsigned int)(d - g->device);
	k.stream = (unsigned int)stream;
	graph_hex(t->token[3], k.key, GRAPH_KEY);
	other = find_key(g, k.device, k.stream);
	if (other)
		return tokens_error(t, EINVAL, "line %u has a key of stream %u already", other->line, k.stream);
	if (g->keys == GRAPH_KEYS)
		return graph_full(t, "key", GRAPH_KEYS);
	g->key[g->keys++] = k;
	return 0;
}

/* ---- node ---- */

static int read_events(struct tokens *t, unsigned int i, struct graph_node *n)
{
	if (i + 2 >= t->n)
		return tokens_error(t, EINVAL, "'events' needs INTERFACE MAP");
	if (*n->interface)
		return tokens_error(t, EINVAL, "'events' is given twice");
	return read_text(t, i + 1, n->interface) ?: read_text(t, i + 2, n->map);
}

static int read_channel(struct tokens *t, unsigned int i, char *to)
{
	if (i + 1 == t->n)
		return tokens_error(t, EINVAL, "'%s' needs the name of a channel", t->token[i]);
	if (*to)
		return tokens_error(t, EINVAL, "'%s' is given twice", t->token[i]);
	return read_text(t, i + 1, to);
}

/* Read [in CHANNEL] [out CHANNEL] [events INTERFACE MAP]. */
static int read_ends(struct tokens *t, struct graph_node *n)
{
	unsigned int i = 3;
	int ret = 0;

	while (!ret && i < t->n) {
		const char *end = t->token[i];
		bool events = !strcmp(end, "events");

		if (events)
			ret = read_events(t, i, n);
		else if (!strcmp(end, "in") || !strcmp(end, "out"))
			ret = read_channel(t, i, *end == 'i' ? n->in : n->out);
		else
			ret = tokens_error(t, EINVAL, "'%s' is neither 'in' nor 'out' nor 'events'", end);
		i += events ? 3 : 2;
	}
	if (!ret && *n->interface && !*n->out)
		ret = tokens_error(t, EINVAL, "'events' needs an 'out' channel");
	return ret;
}

/* Read [stream STREAM] [skip BYTES]. */
static int read_job(struct tokens *t, const struct graph *g, struct graph_node *n)
{
	const struct graph_device *d = &g->device[n->device];
	uint64_t stream = 0, skip = 0;
	unsigned int i;
	int ret = 0;

	for (i = 6; i < t->n && !ret; i += 2) {
		bool is_stream = !strcmp(t->token[i], "stream");

		if (!is_stream && strcmp(t->token[i], "skip"))
			return tokens_error(t, EINVAL, "'%s' instead of 'stream' or 'skip'", t->token[i]);
		if (i + 1 == t->n)
			return tokens_error(t, EINVAL, "'%s' needs a number", t->token[i]);
		if (is_stream && d->kind != GRAPH_AES_GCM)
			return tokens_error(t, EINVAL, "device '%s' has no streams", d->name);
		ret = is_stream ? tokens_number(t, i + 1, "stream", GRAPH_STREAMS - 1, &stream) :
				  tokens_number(t, i + 1, "skip", SKIP_MAX, &skip);
	}
	if (ret)
		return ret;
	n->stream = (unsigned int)stream;
	n->skip = (unsigned int)skip;
	if (d->kind == GRAPH_AES_GCM && !find_key(g, n->device, n->stream))
		return tokens_error(t, EINVAL, "no line above has a key of device '%s', stream %u", d->name,
				    n->stream);
	return 0;
}

/* An accelerator is driven by one ME process, and an ME process drives one accelerator. */
static int check_via(struct tokens *t, const struct graph *g, const struct graph_node *n)
{
	for (unsigned int i = 0; i < g->nodes; i++) {
		const struct graph_node *o = &g->node[i];

		if (g->device[o->device].kind == GRAPH_CARD)
			continue;
		if (o->device == n->device)
			return tokens_error(t, EINVAL, "node '%s' (line %u) has device '%s'", o->name, o->line,
					    t->token[2]);
		if (o->card == n->card && o->unit == n->unit)
			return tokens_error(t, EINVAL, "node '%s' (line %u) has unit %u of '%s'", o->name,
					    o->line, n->unit, t->token[4]);
	}
	return 0;
}

/* Read via CARD UNIT, and the options after it. */
static int read_via(struct tokens *t, const struct graph *g, struct graph_node *n)
{
	const struct graph_device *card;
	uint64_t unit;
	int ret;

	if (t->n < 6 || strcmp(t->token[3], "via"))
		return tokens_error(t, EINVAL, "device '%s' is an accelerator: its node needs via CARD UNIT",
				    t->token[2]);
	card = graph_find_device(g, t->token[4]);
	if (!card || card->kind != GRAPH_CARD)
		return tokens_error(t, EINVAL, "no line above has a card '%s'", t->token[4]);
	if (tokens_number(t, 5, "unit", GRAPH_UNITS - 1, &unit))
		return -EINVAL;
	n->card = (unsigned int)(card - g->device);
	n->unit = (unsigned int)unit;
	snprintf(n->in, sizeof(n->in), "dev%u-in", n->unit);
	snprintf(n->out, sizeof(n->out), "dev%u-out", n->unit);
	ret = check_via(t, g, n);
	return ret ? ret : read_job(t, g, n);
}

int graph_read_node(struct tokens *t, struct graph *g)
{
	struct graph_node n = { .line = t->line };
	const struct graph_device *d;
	int ret = read_name(t, g, n.name);

	if (ret)
		return ret;
	d = graph_find_device(g, t->token[2]);
	if (!d)
		return tokens_error(t, EINVAL, "no line above has a device '%s'", t->token[2]);
	n.device = (unsigned int)(d - g->device);
	n.card = n.device;
	ret = d->kind == GRAPH_CARD ? read_ends(t, &n) : read_via(t, g, &n);
	if (!ret && g->nodes == GRAPH_NODES)
		ret = graph_full(t, "node", GRAPH_NODES);
	if (!ret)
		g->node[g->nodes++] = n;
	return ret;
}
