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
static int read_name(struct words *w, const struct graph *g, char *to)
{
	int ret = words_name(w, 1, "name", to, GRAPH_NAME);
	const struct graph_device *d;
	const struct graph_node *n;

	if (ret)
		return ret;
	d = graph_find_device(g, to);
	n = graph_find_node(g, to);
	if (!strcmp(to, "host"))
		return words_error(w, EINVAL, "'host' is the reserved name of the host");
	if (d || n)
		return words_error(w, EINVAL, "'%s' is already the %s of line %u", to, d ? "device" : "node",
				   d ? d->line : n->line);
	return 0;
}

static int read_text(struct words *w, unsigned int i, char *to)
{
	if (strlen(w->word[i]) >= GRAPH_TEXT)
		return words_error(w, EINVAL, "'%s' has %zu characters; the limit is %u", w->word[i],
				   strlen(w->word[i]), GRAPH_TEXT - 1);
	strcpy(to, w->word[i]);
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
static int read_accel(struct words *w, const struct graph *g, struct graph_device *d)
{
	uint64_t index = 0;

	for (d->kind = GRAPH_AES_GCM; d->kind <= GRAPH_CLASSIFY; d->kind++)
		if (!strcmp(graph_kind_name(d->kind), w->word[3]))
			break;
	if (d->kind > GRAPH_CLASSIFY)
		return words_error(w, EINVAL, "'%s' is no kind of accelerator: aes-gcm or classify",
				   w->word[3]);
	if (w->n > 4 && words_number(w, 4, "index", INDEX_MAX, &index))
		return -EINVAL;
	d->index = (unsigned int)index;
	for (unsigned int i = 0; i < g->devices; i++)
		if (g->device[i].kind == d->kind && g->device[i].index == d->index)
			return words_error(w, EINVAL, "%s %u is the device '%s' of line %u", w->word[3],
					   d->index, g->device[i].name, g->device[i].line);
	return 0;
}

int graph_read_device(struct words *w, struct graph *g)
{
	struct graph_device d = { .line = w->line };
	int ret = read_name(w, g, d.name);

	if (!ret && !strcmp(w->word[2], "accel"))
		ret = read_accel(w, g, &d);
	else if (!ret && strcmp(w->word[2], "card"))
		ret = words_error(w, EINVAL, "'%s' is no kind of device: there are 'card' and 'accel'",
				  w->word[2]);
	else if (!ret && w->n > 4)
		ret = words_error(w, EINVAL, "'%s' after the number of a card", w->word[4]);
	else if (!ret)
		ret = read_text(w, 3, d.card);
	if (!ret && g->devices == GRAPH_DEVICES)
		ret = graph_full(w, "device", GRAPH_DEVICES);
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

int graph_read_key(struct words *w, struct graph *g)
{
	const struct graph_device *d = graph_find_device(g, w->word[1]);
	struct graph_key k = { .line = w->line };
	const struct graph_key *other;
	uint64_t stream;

	if (!d || d->kind != GRAPH_AES_GCM)
		return words_error(w, EINVAL, "'%s' is no accelerator that has keys: no line above has such a device aes-gcm",
				   w->word[1]);
	if (words_number(w, 2, "stream", GRAPH_STREAMS - 1, &stream))
		return -EINVAL;
	if (strlen(w->word[3]) != 2 * GRAPH_KEY || !graph_is_hex(w->word[3]))
		return words_error(w, EINVAL, "a key has %u hexadecimal digits, not %zu", 2 * GRAPH_KEY,
				   strlen(w->word[3]));
	k.device = (unsigned int)(d - g->device);
	k.stream = (unsigned int)stream;
	graph_hex(w->word[3], k.key, GRAPH_KEY);
	other = find_key(g, k.device, k.stream);
	if (other)
		return words_error(w, EINVAL, "line %u has a key of stream %u already", other->line, k.stream);
	if (g->keys == GRAPH_KEYS)
		return graph_full(w, "key", GRAPH_KEYS);
	g->key[g->keys++] = k;
	return 0;
}

/* ---- node ---- */

static int read_events(struct words *w, unsigned int i, struct graph_node *n)
{
	if (i + 2 >= w->n)
		return words_error(w, EINVAL, "'events' needs INTERFACE MAP");
	if (*n->interface)
		return words_error(w, EINVAL, "'events' is given twice");
	return read_text(w, i + 1, n->interface) ?: read_text(w, i + 2, n->map);
}

static int read_channel(struct words *w, unsigned int i, char *to)
{
	if (i + 1 == w->n)
		return words_error(w, EINVAL, "'%s' needs the name of a channel", w->word[i]);
	if (*to)
		return words_error(w, EINVAL, "'%s' is given twice", w->word[i]);
	return read_text(w, i + 1, to);
}

/* Read [in CHANNEL] [out CHANNEL] [events INTERFACE MAP]. */
static int read_ends(struct words *w, struct graph_node *n)
{
	unsigned int i = 3;
	int ret = 0;

	while (!ret && i < w->n) {
		const char *word = w->word[i];
		bool events = !strcmp(word, "events");

		if (events)
			ret = read_events(w, i, n);
		else if (!strcmp(word, "in") || !strcmp(word, "out"))
			ret = read_channel(w, i, *word == 'i' ? n->in : n->out);
		else
			ret = words_error(w, EINVAL, "'%s' is neither 'in' nor 'out' nor 'events'", word);
		i += events ? 3 : 2;
	}
	if (!ret && *n->interface && !*n->out)
		ret = words_error(w, EINVAL, "'events' needs an 'out' channel");
	return ret;
}

/* Read [stream STREAM] [skip BYTES]. */
static int read_job(struct words *w, const struct graph *g, struct graph_node *n)
{
	const struct graph_device *d = &g->device[n->device];
	uint64_t stream = 0, skip = 0;
	unsigned int i;
	int ret = 0;

	for (i = 6; i < w->n && !ret; i += 2) {
		bool is_stream = !strcmp(w->word[i], "stream");

		if (!is_stream && strcmp(w->word[i], "skip"))
			return words_error(w, EINVAL, "'%s' instead of 'stream' or 'skip'", w->word[i]);
		if (i + 1 == w->n)
			return words_error(w, EINVAL, "'%s' needs a number", w->word[i]);
		if (is_stream && d->kind != GRAPH_AES_GCM)
			return words_error(w, EINVAL, "device '%s' has no streams", d->name);
		ret = is_stream ? words_number(w, i + 1, "stream", GRAPH_STREAMS - 1, &stream) :
				  words_number(w, i + 1, "skip", SKIP_MAX, &skip);
	}
	if (ret)
		return ret;
	n->stream = (unsigned int)stream;
	n->skip = (unsigned int)skip;
	if (d->kind == GRAPH_AES_GCM && !find_key(g, n->device, n->stream))
		return words_error(w, EINVAL, "no line above has a key of device '%s', stream %u", d->name,
				   n->stream);
	return 0;
}

/* An accelerator is driven by one ME process, and an ME process drives one accelerator. */
static int check_via(struct words *w, const struct graph *g, const struct graph_node *n)
{
	for (unsigned int i = 0; i < g->nodes; i++) {
		const struct graph_node *o = &g->node[i];

		if (g->device[o->device].kind == GRAPH_CARD)
			continue;
		if (o->device == n->device)
			return words_error(w, EINVAL, "node '%s' (line %u) has device '%s'", o->name, o->line,
					   w->word[2]);
		if (o->card == n->card && o->unit == n->unit)
			return words_error(w, EINVAL, "node '%s' (line %u) has unit %u of '%s'", o->name,
					   o->line, n->unit, w->word[4]);
	}
	return 0;
}

/* Read via CARD UNIT, and the options after it. */
static int read_via(struct words *w, const struct graph *g, struct graph_node *n)
{
	const struct graph_device *card;
	uint64_t unit;
	int ret;

	if (w->n < 6 || strcmp(w->word[3], "via"))
		return words_error(w, EINVAL, "device '%s' is an accelerator: its node needs via CARD UNIT",
				   w->word[2]);
	card = graph_find_device(g, w->word[4]);
	if (!card || card->kind != GRAPH_CARD)
		return words_error(w, EINVAL, "no line above has a card '%s'", w->word[4]);
	if (words_number(w, 5, "unit", GRAPH_UNITS - 1, &unit))
		return -EINVAL;
	n->card = (unsigned int)(card - g->device);
	n->unit = (unsigned int)unit;
	snprintf(n->in, sizeof(n->in), "dev%u-in", n->unit);
	snprintf(n->out, sizeof(n->out), "dev%u-out", n->unit);
	ret = check_via(w, g, n);
	return ret ? ret : read_job(w, g, n);
}

int graph_read_node(struct words *w, struct graph *g)
{
	struct graph_node n = { .line = w->line };
	const struct graph_device *d;
	int ret = read_name(w, g, n.name);

	if (ret)
		return ret;
	d = graph_find_device(g, w->word[2]);
	if (!d)
		return words_error(w, EINVAL, "no line above has a device '%s'", w->word[2]);
	n.device = (unsigned int)(d - g->device);
	n.card = n.device;
	ret = d->kind == GRAPH_CARD ? read_ends(w, &n) : read_via(w, g, &n);
	if (!ret && g->nodes == GRAPH_NODES)
		ret = graph_full(w, "node", GRAPH_NODES);
	if (!ret)
		g->node[g->nodes++] = n;
	return ret;
}
