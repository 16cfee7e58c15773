// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * plan.c - choose the side on which each program runs.
 *
 * The host runs programs that the card cannot run, programs that the user has named, and
 * programs that these call. While the others are too long for the card, the longest program
 * that calls none of the others moves to the host.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "card_side.h"
#include "split.h"

static int fail(char *err, size_t len, int code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static int fail(char *err, size_t len, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, len, fmt, ap);
	va_end(ap);
	return code;
}

/* ---- lists of names ---- */

static const char *list_next(const char *list, size_t *len)
{
	*len = strcspn(list, ",");
	return list[*len] ? list + *len + 1 : NULL;
}

bool split_listed(const char *list, const char *name)
{
	const char *next;
	size_t n;

	for (; list; list = next) {
		next = list_next(list, &n);
		if (n == strlen(name) && !strncmp(list, name, n))
			return true;
	}
	return false;
}

static bool is_prog(const struct xobject *o, const char *name, size_t n)
{
	unsigned int i;

	for (i = 0; i < o->progs; i++)
		if (o->prog[i].type == BPF_PROG_TYPE_XDP && strlen(o->prog[i].name) == n &&
		    !strncmp(o->prog[i].name, name, n))
			return true;
	return false;
}

static bool is_map(const struct xobject *o, const char *name, size_t n)
{
	unsigned int i;

	for (i = 0; i < o->maps; i++)
		if (strlen(o->map[i].name) == n && !strncmp(o->map[i].name, name, n))
			return true;
	return false;
}

static int names_check(const struct split *s, char *err, size_t len)
{
	const char *list, *next;
	size_t n;

	for (list = s->opts->host; list; list = next) {
		next = list_next(list, &n);
		if (!is_prog(s->o, list, n))
			return fail(err, len, -ENOENT, "--host: no XDP program \"%.*s\" in %s", (int)n,
				    list, s->o->path);
	}
	for (list = s->opts->maps; list; list = next) {
		next = list_next(list, &n);
		if (!is_map(s->o, list, n))
			return fail(err, len, -ENOENT, "--split-map: no map \"%.*s\" in %s", (int)n,
				    list, s->o->path);
	}
	return 0;
}

/* ---- the choice ---- */

/* Choose the host for each program that, examined alone, cannot run on the card. */
static void choose(struct split *s)
{
	unsigned int i;

	for (i = 0; i < s->o->progs; i++) {
		struct split_prog *p = &s->prog[i];

		p->slot = -1;
		if (s->o->prog[i].type != BPF_PROG_TYPE_XDP)
			continue;
		if (split_keeps_off(s, (int)i)) {
			p->host = true;
		} else if (split_listed(s->opts->host, s->o->prog[i].name)) {
			snprintf(p->why, sizeof(p->why), "--host");
			p->host = true;
		}
	}
}

/* Return the longest program of the card that calls no other program there; not the entry. */
static int leaf(const struct split *s, const struct card_side *c)
{
	int i, best = -1;

	for (i = 0; i < (int)s->o->progs; i++)
		if (c->reached[i] && !c->calls[i] && i != c->entry &&
		    (best < 0 || c->words[i] > c->words[best]))
			best = i;
	return best;
}

static int shrink(struct split *s, const struct card_side *c, char *err, size_t len)
{
	int i = leaf(s, c);

	if (i < 0)
		return fail(err, len, -E2BIG, "program %s alone is too long for the card: %u "
			    "instructions, the card has room for %u", s->o->prog[c->entry].name, c->total,
			    s->o->limits.words);
	snprintf(s->prog[i].why, sizeof(s->prog[i].why), "so that the others fit the card: with its "
		 "%u instructions they need %u, the card has room for %u", c->words[i], c->total,
		 s->o->limits.words);
	s->prog[i].host = true;
	return 0;
}

static int no_front(const struct split *s, int entry, char *err, size_t len)
{
	const char *why = s->prog[entry].why;

	return fail(err, len, -EOPNOTSUPP, "program %s, which packets enter first, has to run on the "
		    "host, and so do all programs after it: %s", s->o->prog[entry].name, why);
}

/* Link the card's side, and move programs to the host until it fits. */
static int make_card(struct split *s, unsigned int first, char *err, size_t len)
{
	struct card_side c;
	int ret;

	for (;;) {
		ret = card_link(&c, s, first, err, len);
		if (!ret && s->prog[c.entry].host)
			ret = no_front(s, c.entry, err, len);
		if (ret || c.total <= s->o->limits.words)
			break;
		ret = shrink(s, &c, err, len);
		if (ret)
			break;
		card_free(&c);
	}
	if (!ret)
		card_keep(&c, s, first);
	card_free(&c);
	return ret;
}

/* ---- the host's side ---- */

static void host_takes(struct split *s, int prog, int from)
{
	struct split_prog *p = &s->prog[prog];

	p->host = true;
	if (!*p->why)
		snprintf(p->why, sizeof(p->why), "%s calls it, on the host", s->o->prog[from].name);
}

/* Find the programs that packets reach on the host. Others are not on the host, either. */
static void reach_host(struct split *s)
{
	bool *reached = xzalloc(s->o->progs * sizeof(*reached));
	unsigned int i, j;

	for (i = 0; i < s->o->progs; i++) {
		if (s->prog[i].slot < 0)
			continue;
		card_reach(s, (int)i, reached);
		for (j = 0; j < s->o->progs; j++)
			if (reached[j])
				host_takes(s, (int)j, (int)i);
	}
	for (i = 0; i < s->o->progs; i++)
		s->prog[i].host = reached[i];
	free(reached);
}

static void use_maps(struct split *s)
{
	unsigned int i;
	int at, map;

	for (i = 0; i < s->o->progs; i++) {
		const struct split_prog *sp = &s->prog[i];
		const struct xprog *p = &s->o->prog[i];

		for (at = 0; at < p->insns; at++) {
			map = split_map_of(s->o, p, at);
			if (map >= 0) {
				s->map[map].card |= sp->card;
				s->map[map].host |= sp->host;
			}
			s->redirect |= sp->host && (split_calls(p, at, BPF_FUNC_redirect) ||
						    split_calls(p, at, BPF_FUNC_redirect_map));
		}
	}
}

/* Return the name of a program that uses a map on one of the sides. */
static const char *user_of(const struct split *s, unsigned int map, bool host)
{
	unsigned int i;
	int at;

	for (i = 0; i < s->o->progs; i++)
		for (at = 0; at < s->o->prog[i].insns; at++)
			if ((host ? s->prog[i].host : s->prog[i].card) &&
			    split_map_of(s->o, &s->o->prog[i], at) == (int)map)
				return s->o->prog[i].name;
	return "";
}

bool split_shared(const struct split *s, unsigned int map)
{
	uint32_t type = s->o->map[map].type;

	/* Linking removes prog arrays from the card's side. The kernel has all event maps. */
	return s->map[map].card && s->map[map].host && type != BPF_MAP_TYPE_PROG_ARRAY &&
	       type != BPF_MAP_TYPE_PERF_EVENT_ARRAY;
}

static int maps_allowed(const struct split *s, char *err, size_t len)
{
	unsigned int i;

	for (i = 0; i < s->o->maps; i++) {
		const char *name = s->o->map[i].name;

		if (split_shared(s, i) && !split_listed(s->opts->maps, name))
			return fail(err, len, -EOPNOTSUPP, "map %s is used by %s on the card and by %s "
				    "on the host, which cannot share it. With --split-map %s each side "
				    "has its own copy; nfpchan xdp map dump adds the copies up", name,
				    user_of(s, i, false), user_of(s, i, true), name);
	}
	return 0;
}

/* ---- all of it ---- */

int split_plan(struct split *s, struct xobject *o, const struct split_opts *opts,
	       unsigned int first, char *err, size_t len)
{
	int ret;

	*s = (struct split){ .o = o, .opts = opts };
	s->prog = xzalloc(o->progs * sizeof(*s->prog));
	s->map = xzalloc(o->maps * sizeof(*s->map));
	ret = names_check(s, err, len);
	if (ret)
		return ret;
	choose(s);
	ret = make_card(s, first, err, len);
	if (ret)
		return ret;
	reach_host(s);
	use_maps(s);
	return maps_allowed(s, err, len);
}

void split_free(struct split *s)
{
	free(s->prog);
	free(s->map);
	free(s->elf);
	*s = (struct split){ .o = NULL };
}
