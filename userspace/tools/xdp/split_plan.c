// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* split_plan.c - parse the options of a split, make its plan, print the plan. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../tool.h"
#include "split_cmd.h"

#define TEXT	4096
#define QUEUES	64

int split_args_check(const struct command *cmd, const struct split_args *a, bool split)
{
	if (split)
		return -1;
	if (a->opts.host || a->opts.maps || a->carrier || a->ethertypes)
		return tool_usage(cmd, "--host, --split-map, --carrier and --ethertypes are options of "
				  "--split");
	return -1;
}

/* ---- the carrier ---- */

static int bad_block(const char *text)
{
	tool_fail("--ethertypes is \"%s\", not BASE[/COUNT] with COUNT a multiple of 16, within "
		  "0x600 to 0xffff, and without a common EtherType such as IPv4; the default is "
		  "0x%x/%u", text, CARRIER_BASE, CARRIER_COUNT);
	return EXIT_USAGE;
}

static int block(struct carrier *c, const char *text)
{
	unsigned long base, count = CARRIER_COUNT;
	char *end;

	base = strtoul(text, &end, 0);
	if (isdigit(*text) && *end == '/')
		count = isdigit(end[1]) ? strtoul(end + 1, &end, 0) : 0;
	/* Each of the two generations of a replacement uses one half of the block. */
	if (!isdigit(*text) || *end || base < 0x600 || base > 0xffff || !count ||
	    count % (2 * CARRIER_TYPES) || base + count > 0x10000)
		return bad_block(text);
	c->base = (uint16_t)base;
	c->count = (unsigned int)count;
	return -1;
}

static bool has_usual_type(const struct carrier *c)
{
	int i;

	for (i = 1; i < CARRIER_TYPES; i++)
		if (carrier_types[i] >= c->base && carrier_types[i] < c->base + c->count)
			return true;
	return false;
}

/* Count the queues of @dev. Without @dev assume the most that rx_queue_index can select. */
static int queues(struct carrier *c, const char *dev)
{
	char err[256];

	c->queue = QUEUES - 1;
	c->slots = QUEUES - 1;
	return dev && queues_count(dev, c, err, sizeof(err)) ? tool_fail("%s", err) : -1;
}

static int carrier(struct split_args *a)
{
	struct carrier *c = &a->opts.carrier;
	int ret = -1;

	*c = (struct carrier){ .base = CARRIER_BASE, .count = CARRIER_COUNT };
	if (a->carrier && !strcmp(a->carrier, "queue")) {
		c->kind = CARRIER_QUEUE;
	} else if (a->carrier && strcmp(a->carrier, "ethertype")) {
		tool_fail("--carrier is \"%s\", allowed are ethertype and queue", a->carrier);
		return EXIT_USAGE;
	}
	if (a->ethertypes && c->kind == CARRIER_QUEUE) {
		tool_fail("--ethertypes cannot be used with --carrier queue");
		return EXIT_USAGE;
	}
	if (c->kind == CARRIER_QUEUE)
		return queues(c, a->dev);
	if (a->ethertypes)
		ret = block(c, a->ethertypes);
	if (ret < 0 && has_usual_type(c))
		return bad_block(a->ethertypes);
	c->slots = c->count / CARRIER_TYPES;
	return ret;
}

int split_options(struct split_args *a)
{
	int ret = slots_parse(&a->linking->slots, &a->slots);

	if (ret)
		return ret;
	a->opts.slots = a->slots.slot;
	a->opts.slot_count = a->slots.count;
	a->opts.entry = a->linking->entry;
	a->opts.loop = a->linking->loop;
	return carrier(a);
}

/* ---- the plan ---- */

int work_open(struct split_work *w, struct split_args *a, const struct limits *limits,
	      const struct device *d, unsigned int first)
{
	char err[TEXT];
	int ret;

	*w = (struct split_work){ .opened = false };
	if (object_open(&w->o, a->object, err, sizeof(err))) {
		tool_fail("%s: %s", a->object, err);
		return EXIT_USAGE;
	}
	w->opened = true;
	w->o.limits = *limits;
	maps_check(&w->o, d);
	ret = split_plan(&w->s, &w->o, &a->opts, first, err, sizeof(err));
	return ret ? tool_fail("%s: %s", a->object, err) : 0;
}

void work_close(struct split_work *w)
{
	if (w->opened) {
		split_free(&w->s);
		object_close(&w->o);
	}
	w->opened = false;
}

/* ---- print the plan ---- */

static const char *where(const struct split_prog *p)
{
	return p->card && p->host ? "both" : p->card ? "card" : p->host ? "host" : "neither";
}

static void prog_plain(const struct split *s, unsigned int i, FILE *out)
{
	const struct split_prog *p = &s->prog[i];
	const struct xprog *x = &s->o->prog[i];
	struct line line;

	fprintf(out, "  %-16s %-7s", x->name, where(p));
	if ((int)i == s->entry)
		fprintf(out, " entry,");
	if (p->card)
		fprintf(out, " %u instructions of the card", p->words);
	if (p->card && *p->why)
		fprintf(out, "; ");
	else if (!p->card && !p->host)
		fprintf(out, " no tail call reaches it");
	fprintf(out, "%s%s\n", p->card || p->slot < 0 || !*p->why ? "" : " ", p->why);
	if (p->host && p->insn >= 0 && object_line(s->o, x, p->insn, &line))
		fprintf(out, "  %-16s %-7s %s:%u: %s\n", "", "", line.file, line.number, line.text);
}

static void maps_plain(const struct split *s, FILE *out)
{
	unsigned int i;

	for (i = 0; i < s->o->maps; i++)
		if (split_shared(s, i))
			fprintf(out, "map %s: one copy on the card, one on the host\n",
				s->o->map[i].name);
}

void plan_plain(const struct split *s, FILE *out)
{
	const struct carrier *c = &s->opts->carrier;
	unsigned int i;

	for (i = 0; i < s->o->progs; i++)
		if (s->o->prog[i].type == BPF_PROG_TYPE_XDP)
			prog_plain(s, i, out);
	fprintf(out, "card: %u of %u instructions\n", s->words, s->o->limits.words);
	if (s->redirect)
		fprintf(out, "host: generic XDP, because a program redirects, and nfp's native XDP "
			"has no redirect\n");
	else
		fprintf(out, "host: native XDP\n");
	if (c->kind == CARRIER_QUEUE)
		fprintf(out, "from card to host by queue: if the dispatcher on the host is detached, "
			"frames for the host's programs pass\n");
	else
		fprintf(out, "from card to host by EtherTypes 0x%04x to 0x%04x\n", c->base,
			c->base + c->count - 1);
	maps_plain(s, out);
}

static void prog_json(const struct split *s, unsigned int i, struct json *j)
{
	const struct split_prog *p = &s->prog[i];
	struct line line;

	json_object(j, NULL);
	json_str(j, "name", s->o->prog[i].name);
	json_str(j, "where", where(p));
	json_bool(j, "entry", (int)i == s->entry);
	if (p->card)
		json_u64(j, "instructions", p->words);
	if (p->slot >= 0)
		json_u64(j, "slot", (uint64_t)p->slot);
	if (*p->why)
		json_str(j, "why", p->why);
	if (p->insn >= 0 && object_line(s->o, &s->o->prog[i], p->insn, &line)) {
		json_str(j, "file", line.file);
		json_u64(j, "line", line.number);
		json_str(j, "source", line.text);
	}
	json_close(j);
}

void plan_json(const struct split *s, struct json *j)
{
	const struct carrier *c = &s->opts->carrier;
	unsigned int i;

	json_object(j, "split");
	json_u64(j, "instructions", s->words);
	json_u64(j, "room", s->o->limits.words);
	json_str(j, "host_xdp", s->redirect ? "generic" : "native");
	json_str(j, "carrier", c->kind == CARRIER_QUEUE ? "queue" : "ethertype");
	if (c->kind == CARRIER_ETHERTYPE) {
		json_u64(j, "first_ethertype", c->base);
		json_u64(j, "ethertypes", c->count);
	}
	json_array(j, "programs");
	for (i = 0; i < s->o->progs; i++)
		if (s->o->prog[i].type == BPF_PROG_TYPE_XDP)
			prog_json(s, i, j);
	json_close(j);
	json_array(j, "copied_maps");
	for (i = 0; i < s->o->maps; i++)
		if (split_shared(s, i))
			json_str(j, NULL, s->o->map[i].name);
	json_close(j);
	json_close(j);
}

int split_explain(struct split_args *a, const struct limits *limits, const struct device *d)
{
	struct split_work w = { .opened = false };
	int ret = split_options(a);
	struct json j;

	if (ret < 0)
		ret = work_open(&w, a, limits, d, 0);
	if (!ret && tool.json) {
		json_init(&j, stdout);
		json_object(&j, NULL);
		json_str(&j, "object", a->object);
		plan_json(&w.s, &j);
		json_close(&j);
		json_end(&j);
	} else if (!ret) {
		plan_plain(&w.s, stdout);
	}
	work_close(&w);
	slots_free(&a->slots);
	return ret;
}
