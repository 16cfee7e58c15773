// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* card_side.c - link the card's side of a split. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "alloc.h"
#include "card_side.h"
#include "linker.h"

#define STACK		8	/* bytes of stack that the code of carrier.c uses */
#define COUNTER_MAP	(-1)	/* map 0 of link_in.maps, see link_extra */
#define NAME_LEN	32

#define FRONT		"nfpchan_front"
#define LEAVE		"nfpchan_leave"
#define TAG		"nfpchan_tag"

/**
 * struct pieces - code that is added to the object's programs
 * @extra: with EtherTypes as the carrier front, leave and tag; then a stub for each
 *	program of the host
 * @swap: the programs that the stubs replace
 * @name: names of the stubs
 * @code: instructions of each piece
 * @n: number of pieces
 * @stubs: number of stubs
 */
struct pieces {
	struct link_extra *extra;
	struct link_swap *swap;
	char (*name)[NAME_LEN];
	struct code *code;
	unsigned int n, stubs;
};

static struct code *piece(struct pieces *p, const char *name, const char *next)
{
	p->extra[p->n] = (struct link_extra){
		.name = name, .insn = p->code[p->n].insn, .stack = STACK, .next = next,
	};
	return &p->code[p->n++];
}

/* Add the stub that replaces @prog on the card: it passes packets to the host, marked with @slot. */
static void stub(struct pieces *p, const struct carrier *c, const char *prog, unsigned int slot)
{
	bool tag = c->kind == CARRIER_ETHERTYPE;
	char *name = p->name[p->stubs];

	snprintf(name, NAME_LEN, "nfpchan_stub%u", p->stubs);
	p->swap[p->stubs++] = (struct link_swap){ prog, name };
	carrier_stub(c, slot, piece(p, name, tag ? TAG : NULL));
}

static unsigned int pieces_make(struct pieces *p, const struct split *s, const char *entry,
				unsigned int slot)
{
	const struct carrier *c = &s->opts->carrier;
	unsigned int i, most = s->o->progs + 3;

	*p = (struct pieces){
		.extra = xzalloc(most * sizeof(*p->extra)), .swap = xzalloc(most * sizeof(*p->swap)),
		.name = xzalloc(most * sizeof(*p->name)), .code = xzalloc(most * sizeof(*p->code)),
	};
	if (c->kind == CARRIER_ETHERTYPE) {
		carrier_front(c, COUNTER_MAP, piece(p, FRONT, entry));
		carrier_leave(c, COUNTER_MAP, piece(p, LEAVE, NULL));
		carrier_tag(COUNTER_MAP, piece(p, TAG, NULL));
	}
	for (i = 0; i < s->o->progs; i++)
		if (s->prog[i].host && s->o->prog[i].type == BPF_PROG_TYPE_XDP)
			stub(p, c, s->o->prog[i].name, slot++);
	for (i = 0; i < p->n; i++)
		p->extra[i].insns = p->code[i].n;
	return slot;
}

static void pieces_free(struct pieces *p)
{
	free(p->extra);
	free(p->swap);
	free(p->name);
	free(p->code);
}

/* ---- the result ---- */

static void add_call(struct card_side *c, const struct link *l, int prog, const struct tail *t)
{
	unsigned int slot;
	int to;

	for (slot = 0; slot < l->array[t->map].slots; slot++) {
		to = link_slot(l, t, slot);
		if (to >= 0 && to < (int)l->o->progs)
			c->calls[prog] = true;
	}
}

static void note_reached(struct card_side *c, const struct link *l)
{
	unsigned int i, t;

	for (i = 0; i < l->o->progs; i++) {
		c->reached[i] = l->prog[i].reached;
		for (t = 0; c->reached[i] && t < l->prog[i].tails; t++)
			add_call(c, l, (int)i, &l->prog[i].tail[t]);
		c->goes_on[i] = l->prog[i].swap >= 0 && l->prog[l->prog[i].swap].reached;
	}
}

/* Count the microengine instructions of each program in the result. */
static void note_words(struct card_side *c, const struct link *l, const struct xprog *p)
{
	int i, prog;

	c->total = p->words;
	for (i = 0; p->insn_words && i < p->insns && i < l->insns; i++) {
		prog = l->from[i]->prog;
		if (prog >= 0 && prog < (int)l->o->progs)
			c->words[prog] += p->insn_words[i];
	}
}

static int refused(const struct link *l, const struct issues *list, char *err, size_t len)
{
	unsigned int i;

	for (i = 0; i < list->count; i++) {
		const struct issue *is = &list->issue[i];
		const char *prog = "";

		if (reasons[is->why].severity != SEVERITY_ERROR || is->why == WHY_TOO_LONG)
			continue;
		if (is->insn >= 0 && is->insn < l->insns && l->from[is->insn]->prog >= 0)
			prog = l->prog[l->from[is->insn]->prog].p->name;
		snprintf(err, len, "the card's side cannot be offloaded: %s%s%s", prog,
			 *prog ? ": " : "", is->text);
		return -EOPNOTSUPP;
	}
	return 0;
}

/* Check the result as "xdp explain" does, and count its instructions. */
static int measure(struct card_side *c, const struct link *l, const struct limits *limits,
		   char *err, size_t len)
{
	char path[PATH_LEN];
	struct xobject o;
	int fd, ret;

	fd = memory_path(c->elf, c->len, path);
	if (fd < 0) {
		snprintf(err, len, "memory: %s", strerror(-fd));
		return fd;
	}
	ret = object_open(&o, path, err, len);
	close(fd);
	if (ret)
		return ret;
	o.limits = *limits;
	prog_check(&o, &o.prog[0]);
	note_words(c, l, &o.prog[0]);
	ret = refused(l, &o.prog[0].issues, err, len);
	object_close(&o);
	return ret;
}

/* ---- linking ---- */

static struct link_in link_in(const struct split *s)
{
	return (struct link_in){
		.o = s->o, .slots = s->opts->slots, .slot_count = s->opts->slot_count,
		.entry = s->opts->entry, .loop = s->opts->loop,
	};
}

static int find_entry(struct card_side *c, const struct split *s, char *err, size_t len)
{
	struct link *l = xzalloc(sizeof(*l));
	struct link_in in = link_in(s);
	int ret = link_begin(l, &in);

	if (ret)
		snprintf(err, len, "%s", l->err);
	c->entry = l->entry;
	link_free(l);
	free(l);
	return ret;
}

static int link_side(struct card_side *c, const struct split *s, const struct pieces *p,
		     char *err, size_t len)
{
	const struct link_map counters = { .name = SPLIT_MAP, .max_entries = COUNTS };
	struct link *l = xzalloc(sizeof(*l));
	struct link_in in = link_in(s);
	int ret;

	in.entry = s->o->prog[c->entry].name;
	in.extra = p->extra;
	in.extras = p->n;
	in.swap = p->swap;
	in.swaps = p->stubs;
	if (s->opts->carrier.kind == CARRIER_ETHERTYPE) {
		in.entry = FRONT;
		in.leave = LEAVE;
		in.map = &counters;
		in.maps = 1;
	}
	ret = link_run(l, &in);
	if (!ret)
		ret = link_write(l, &c->elf, &c->len);
	if (ret)
		snprintf(err, len, "%s", l->err);
	if (!ret) {
		note_reached(c, l);
		ret = measure(c, l, &s->o->limits, err, len);
	}
	link_free(l);
	free(l);
	return ret;
}

int card_link(struct card_side *c, const struct split *s, unsigned int first, char *err,
	      size_t len)
{
	const struct carrier *carrier = &s->opts->carrier;
	/* With EtherTypes, half of the slots are reserved for a replacement of the programs. */
	unsigned int room = carrier->kind == CARRIER_QUEUE ? carrier->slots : carrier->slots / 2;
	unsigned int n = s->o->progs, end;
	struct pieces p;
	int ret;

	*c = (struct card_side){
		.reached = xzalloc(n), .calls = xzalloc(n), .goes_on = xzalloc(n),
		.words = xzalloc(n * sizeof(*c->words)),
	};
	ret = find_entry(c, s, err, len);
	if (ret || s->prog[c->entry].host)
		return ret;
	end = pieces_make(&p, s, s->o->prog[c->entry].name, first);
	if (end - first > room) {
		snprintf(err, len, "%u programs for the host, the carrier has room for %u (%s)",
			 end - first, room, carrier->kind == CARRIER_QUEUE ?
			 "ethtool -L" : "--ethertypes BASE/COUNT");
		ret = -E2BIG;
	} else {
		ret = link_side(c, s, &p, err, len);
	}
	pieces_free(&p);
	return ret;
}

void card_free(struct card_side *c)
{
	free(c->reached);
	free(c->calls);
	free(c->goes_on);
	free(c->words);
	free(c->elf);
	*c = (struct card_side){ .elf = NULL };
}

void card_keep(struct card_side *c, struct split *s, unsigned int first)
{
	unsigned int i, slot = first;

	for (i = 0; i < s->o->progs; i++) {
		struct split_prog *p = &s->prog[i];

		p->card = c->reached[i];
		p->words = c->words[i];
		p->slot = c->goes_on[i] ? (int)slot : -1;
		slot += p->host && s->o->prog[i].type == BPF_PROG_TYPE_XDP;
	}
	s->entry = c->entry;
	s->slots = slot - first;
	s->words = c->total;
	s->elf = c->elf;
	s->len = c->len;
	c->elf = NULL;
}

/* ---- programs on the host ---- */

/* The program could not be followed, so it may call each program in any prog array. */
static void reach_all(const struct link *l, bool *reached)
{
	unsigned int i, slot;
	int prog;

	for (i = 0; i < l->o->maps; i++)
		for (slot = 0; slot < l->array[i].slots; slot++) {
			prog = l->array[i].prog[slot];
			if (prog >= 0)
				reached[prog] = true;
		}
}

void card_reach(const struct split *s, int prog, bool *reached)
{
	struct link *l = xzalloc(sizeof(*l));
	struct link_in in = link_in(s);
	unsigned int i;

	in.entry = s->o->prog[prog].name;
	reached[prog] = true;
	if (!link_begin(l, &in)) {
		if (link_tails(l))
			reach_all(l, reached);
		for (i = 0; i < s->o->progs; i++)
			reached[i] |= l->prog[i].reached;
	}
	link_free(l);
	free(l);
}
