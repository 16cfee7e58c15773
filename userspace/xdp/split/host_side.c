// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * host_side.c - load both sides: the card's object, and the host's object behind the dispatcher.
 *
 * The host loads the whole object. A program that runs only on the card is loaded under its
 * name, because prog arrays may contain it, but its body returns XDP_ABORTED. Maps that only
 * such programs use are not created, so that nobody mistakes them for the maps on the card.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "split.h"

/* ---- libbpf's messages after a failure ---- */

static char said[1024];

static int keep(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	size_t n = strlen(said);

	/* The verifier's log is long. Keep its last lines, which have the reason. */
	if (level != LIBBPF_WARN)
		return 0;
	if (n > sizeof(said) / 2)
		n = 0;
	vsnprintf(said + n, sizeof(said) - n, fmt, ap);
	return 0;
}

static void listen_to_libbpf(void)
{
	said[0] = '\0';
	libbpf_set_print(keep);
}

static int fail(char *err, size_t len, int code, const char *what)
{
	/* Without privilege libbpf suspects the kernel's configuration and memory limits. */
	if (code == -EPERM)
		snprintf(err, len, "%s: no permission (CAP_SYS_ADMIN and CAP_NET_ADMIN are needed)", what);
	else
		snprintf(err, len, "%s: %s%s%s", what, strerror(-code), *said ? "\n" : "", said);
	return code;
}

/* ---- the dispatcher ---- */

int table_make(struct split_table *t, const struct carrier *c, char *err, size_t len)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_XDP);
	struct code code = { .n = 0 };

	*t = (struct split_table){ -1, -1, -1 };
	listen_to_libbpf();
	t->progs = bpf_map_create(BPF_MAP_TYPE_PROG_ARRAY, SPLIT_PROGS, 4, 4, c->slots, NULL);
	if (t->progs < 0)
		return fail(err, len, t->progs, "array of " SPLIT_PROGS);
	t->counts = bpf_map_create(BPF_MAP_TYPE_PERCPU_ARRAY, SPLIT_COUNTS, 4, 8, c->slots + 2,
				   NULL);
	if (t->counts < 0)
		return fail(err, len, t->counts, "array of " SPLIT_COUNTS);
	carrier_dispatcher(c, t->progs, t->counts, &code);
	t->prog = bpf_prog_load(BPF_PROG_TYPE_XDP, SPLIT_PROG, "Dual BSD/GPL", code.insn, code.n,
				&opts);
	return t->prog < 0 ? fail(err, len, t->prog, "the dispatcher") : 0;
}

void table_free(struct split_table *t)
{
	if (t->prog >= 0)
		close(t->prog);
	if (t->progs >= 0)
		close(t->progs);
	if (t->counts >= 0)
		close(t->counts);
}

/* ---- maps that outlive a program ---- */

static bool same_shape(const struct bpf_map *a, const struct bpf_map *b)
{
	return bpf_map__type(a) == bpf_map__type(b) &&
	       bpf_map__key_size(a) == bpf_map__key_size(b) &&
	       bpf_map__value_size(a) == bpf_map__value_size(b) &&
	       bpf_map__max_entries(a) == bpf_map__max_entries(b) &&
	       bpf_map__map_flags(a) == bpf_map__map_flags(b);
}

/* Use the map of the old object, except for prog arrays and variables: each object has its own. */
static int keep_map(struct bpf_map *map, struct bpf_object *old)
{
	struct bpf_map *there = old ? bpf_object__find_map_by_name(old, bpf_map__name(map)) : NULL;

	if (!there || bpf_map__fd(there) < 0 || !same_shape(map, there) ||
	    bpf_map__type(map) == BPF_MAP_TYPE_PROG_ARRAY || bpf_map__is_internal(map))
		return 0;
	return bpf_map__reuse_fd(map, bpf_map__fd(there));
}

/* ---- the card's side ---- */

struct bpf_object *card_load(const struct split *s, int ifindex, struct bpf_object *old, int *fd,
			     char *err, size_t len)
{
	struct bpf_object *obj;
	struct bpf_program *prog;
	struct bpf_map *map;
	int ret = 0;

	listen_to_libbpf();
	obj = bpf_object__open_mem(s->elf, s->len, NULL);
	if (!obj) {
		fail(err, len, -errno, "the card's side");
		return NULL;
	}
	prog = bpf_object__next_program(obj, NULL);
	bpf_program__set_type(prog, BPF_PROG_TYPE_XDP);
	bpf_program__set_ifindex(prog, (uint32_t)ifindex);
	bpf_object__for_each_map(map, obj) {
		if (bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			bpf_map__set_ifindex(map, (uint32_t)ifindex);
		ret = ret ? ret : keep_map(map, old);
	}
	ret = ret ? ret : bpf_object__load(obj);
	if (ret) {
		fail(err, len, ret, "the card's side cannot be offloaded");
		bpf_object__close(obj);
		return NULL;
	}
	*fd = bpf_program__fd(prog);
	return obj;
}

/* ---- the host's side ---- */

static int prog_number(const struct split *s, const char *name)
{
	unsigned int i;

	for (i = 0; i < s->o->progs; i++)
		if (!strcmp(s->o->prog[i].name, name))
			return (int)i;
	return -1;
}

/* Replace the body of a program that runs only on the card. No packet reaches it here. */
static int without_body(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	struct bpf_insn insn[] = { MOV_IMM(R(0), XDP_ABORTED), EXIT() };
	const struct split *s = (const struct split *)cookie;
	int i = prog_number(s, bpf_program__name(prog));

	if (i < 0 || s->prog[i].host)
		return 0;
	opts->func_info_cnt = 0;
	opts->line_info_cnt = 0;
	return bpf_program__set_insns(prog, insn, sizeof(insn) / sizeof(insn[0]));
}

/* Choose whether a map is created, shared with the card's object, or taken from the old one. */
static int host_map(const struct split_map *m, struct bpf_map *map, struct bpf_object *card,
		    struct bpf_object *old)
{
	struct bpf_map *there;

		/* A prog array is created in any case, because slots are written to it. */
	if (m->card && !m->host && bpf_map__type(map) != BPF_MAP_TYPE_PROG_ARRAY)
		return bpf_map__set_autocreate(map, false);
	if (m->card && bpf_map__type(map) == BPF_MAP_TYPE_PERF_EVENT_ARRAY) {
		there = bpf_object__find_map_by_name(card, bpf_map__name(map));
		if (there)
			return bpf_map__reuse_fd(map, bpf_map__fd(there));
	}
	/* Both sides have a copy, but only one map can be pinned at a path. */
	if (m->card && bpf_map__set_pin_path(map, NULL))
		return -EINVAL;
	return keep_map(map, old);
}

static int host_maps(const struct split *s, struct bpf_object *obj, struct bpf_object *card,
		     struct bpf_object *old)
{
	struct bpf_map *map;
	unsigned int i = 0;
	int ret = 0;

	bpf_object__for_each_map(map, obj)
		ret = ret ? ret : host_map(&s->map[i++], map, card, old);
	return ret;
}

/* Set slots as the caller wants. Clearing an empty slot fails, which does not matter. */
static int host_slot(struct bpf_object *obj, const struct nfpchan_xdp_slot *slot)
{
	struct bpf_map *map = bpf_object__find_map_by_name(obj, slot->map);
	struct bpf_program *prog;
	uint32_t i;
	int fd;

	if (slot->index == NFPCHAN_XDP_ALL_SLOTS) {
		for (i = 0; i < bpf_map__max_entries(map); i++)
			bpf_map_delete_elem(bpf_map__fd(map), &i);
		return 0;
	}
	if (!slot->prog) {
		bpf_map_delete_elem(bpf_map__fd(map), &slot->index);
		return 0;
	}
	prog = bpf_object__find_program_by_name(obj, slot->prog);
	fd = prog ? bpf_program__fd(prog) : -ENOENT;
	return fd < 0 ? fd : bpf_map_update_elem(bpf_map__fd(map), &slot->index, &fd, BPF_ANY);
}

/* Fill the slots that the caller has given, and those by which the card's packets continue. */
static int host_slots(const struct split *s, struct bpf_object *obj, const struct split_table *t)
{
	struct bpf_program *prog;
	unsigned int i, at;
	int ret = 0, fd;

	for (i = 0; !ret && i < s->opts->slot_count; i++)
		ret = host_slot(obj, &s->opts->slots[i]);
	for (i = 0; !ret && i < s->o->progs; i++) {
		if (s->prog[i].slot < 0)
			continue;
		at = (unsigned int)s->prog[i].slot;
		prog = bpf_object__find_program_by_name(obj, s->o->prog[i].name);
		fd = prog ? bpf_program__fd(prog) : -ENOENT;
		ret = fd < 0 ? fd : bpf_map_update_elem(t->progs, &at, &fd, BPF_ANY);
	}
	return ret;
}

static int host_ready(const struct split *s, struct bpf_object *obj, const struct split_table *t,
		      struct bpf_object *card, struct bpf_object *old)
{
	struct bpf_program *prog;
	int ret;

	bpf_object__for_each_program(prog, obj)
		bpf_program__set_autoload(prog, bpf_program__type(prog) == BPF_PROG_TYPE_XDP);
	ret = host_maps(s, obj, card, old);
	if (!ret)
		ret = bpf_object__load(obj);
	return ret ? ret : host_slots(s, obj, t);
}

struct bpf_object *host_load(const struct split *s, const struct split_table *t,
			     struct bpf_object *card, struct bpf_object *old, char *err,
			     size_t len)
{
	struct bpf_object *obj = NULL;
	int id[XDP_SECTIONS], ret;

	listen_to_libbpf();
	ret = object_catch(id, without_body, s);
	if (!ret) {
		obj = bpf_object__open_file(s->o->path, NULL);
		ret = obj ? host_ready(s, obj, t, card, old) : -errno;
	}
	object_catch_end(id);
	if (!ret)
		return obj;
	fail(err, len, ret, "the host's side cannot be loaded");
	bpf_object__close(obj);
	return NULL;
}
