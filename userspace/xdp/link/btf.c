// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * btf.c - BTF of the linked object: its types, and the records of functions and lines.
 *
 * Types keep their ids. A section type that the result does not need is replaced by an
 * unnamed "const void", so that the ids after it do not change. The type of .maps is written
 * again, after all others.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "linker.h"
#include "object.h"

bool link_map_used(const struct link *l, int map)
{
	int i;

	for (i = 0; i < l->insns; i++)
		if (l->from[i]->map == map)
			return true;
	return false;
}

int link_map_named(const struct link *l, const char *name)
{
	unsigned int i;

	for (i = 0; i < l->o->maps; i++)
		if (!strcmp(l->o->map[i].name, name))
			return i;
	return -1;
}

const char *link_map_section(const struct xmap *m)
{
	return m->data ? strchr(m->name, '.') : NULL;
}

/* Whether the result has the section of variables. */
static bool section_kept(const struct link *l, const char *name)
{
	unsigned int i;

	for (i = 0; i < l->o->maps; i++)
		if (l->o->map[i].data && !strcmp(link_map_section(&l->o->map[i]), name))
			return link_map_used(l, i);
	return false;
}

/* ---- .maps ---- */

const struct btf_type *link_maps(const struct btf *btf)
{
	int id = btf__find_by_name_kind(btf, MAPS_SEC, BTF_KIND_DATASEC);

	return id < 0 ? NULL : btf__type_by_id(btf, id);
}

static int add_kept(struct link *l, struct btf *btf)
{
	const struct btf_type *sec = link_maps(l->o->btf);
	int i, err = 0;

	for (i = 0; !err && sec && i < btf_vlen(sec); i++) {
		const struct btf_var_secinfo *vi = btf_var_secinfos(sec) + i;
		const struct btf_type *var = btf__type_by_id(l->o->btf, vi->type);
		int map = link_map_named(l, btf__name_by_offset(l->o->btf, var->name_off));

		if (map >= 0 && link_map_used(l, map))
			err = btf__add_datasec_var_info(btf, vi->type, vi->offset, vi->size);
	}
	return err;
}

/* Add the type "int (*name)[n]", which __uint(name, n) stands for. */
static int add_uint(struct btf *btf, int integer, unsigned int n)
{
	int array = btf__add_array(btf, integer, integer, n);

	return array < 0 ? array : btf__add_ptr(btf, array);
}

/* Add the definition of a map, as C source has it. Return the id of its variable, or -errno. */
static int add_definition(struct btf *btf, const struct link_map *m)
{
	int integer = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int key = btf__add_ptr(btf, btf__add_int(btf, "unsigned int", 4, 0));
	int value = btf__add_ptr(btf, btf__add_int(btf, "unsigned long long", 8, 0));
	int type = add_uint(btf, integer, BPF_MAP_TYPE_ARRAY);
	int entries = add_uint(btf, integer, m->max_entries);
	int def = btf__add_struct(btf, NULL, MAP_VAR_SIZE);
	int err = btf__add_field(btf, "type", type, 0, 0) ||
		  btf__add_field(btf, "max_entries", entries, 64, 0) ||
		  btf__add_field(btf, "key", key, 128, 0) ||
		  btf__add_field(btf, "value", value, 192, 0);

	return def < 0 || err ? -ENOMEM : btf__add_var(btf, m->name, BTF_VAR_GLOBAL_ALLOCATED, def);
}

static int add_maps(struct link *l, struct btf *btf)
{
	const struct btf_type *sec = link_maps(l->o->btf);
	unsigned int size = sec ? (sec->size + 7) & ~7u : 0, i;
	int *var = xzalloc(l->in->maps * sizeof(*var)), err = 0;

	for (i = 0; !err && i < l->in->maps; i++) {
		var[i] = add_definition(btf, &l->in->map[i]);
		err = var[i] < 0 ? var[i] : 0;
	}
	if (!err)
		err = btf__add_datasec(btf, MAPS_SEC, size + l->in->maps * MAP_VAR_SIZE);
	if (err >= 0)
		err = add_kept(l, btf);
	for (i = 0; err >= 0 && i < l->in->maps; i++)
		err = btf__add_datasec_var_info(btf, var[i], size + i * MAP_VAR_SIZE, MAP_VAR_SIZE);
	free(var);
	return err < 0 ? err : 0;
}

struct btf *link_btf(struct link *l)
{
	const struct btf *from = l->o->btf;
	struct btf *btf = btf__new_empty();
	unsigned int id;
	int err = btf ? 0 : -ENOMEM;

	for (id = 1; err >= 0 && id < btf__type_cnt(from); id++) {
		const struct btf_type *t = btf__type_by_id(from, id);

		if (btf_is_datasec(t) && !section_kept(l, btf__name_by_offset(from, t->name_off)))
			err = btf__add_const(btf, 0);
		else
			err = btf__add_type(btf, from, t);
	}
	if (err >= 0)
		err = add_maps(l, btf);
	if (err >= 0)
		return btf;
	btf__free(btf);
	link_fail(l, err, "types of the linked object: %s", strerror(-err));
	return NULL;
}

/* ---- .BTF.ext ---- */

/* The layout is documented in the kernel's Documentation/bpf/btf.rst. */
struct ext_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len, func_off, func_len, line_off, line_len;
};

struct ext_section {
	uint32_t name_off, count;
};

/* A buffer that grows */
struct bytes {
	char *at;
	size_t len;
};

static void bytes_add(struct bytes *b, const void *from, size_t len)
{
	b->at = xrealloc(b->at, b->len + len);
	memcpy(b->at + b->len, from, len);
	b->len += len;
}

/* Add the records of one section: that of the program, or .text with all other functions. */
static void add_section(struct bytes *to, uint32_t name, const struct bytes *records, size_t size)
{
	struct ext_section s = { name, records->len / size };

	if (!s.count)
		return;
	bytes_add(to, &s, sizeof(s));
	bytes_add(to, records->at, records->len);
}

static void add_func(const struct link *l, const struct lfunc *f, int base, struct bytes *to)
{
	struct bpf_func_info info = {
		.insn_off = 8 * (f->begin - base),
		.type_id = link_func_type(l, f->prog < 0 ? link_first(l) : f->prog, f->n),
	};

	bytes_add(to, &info, sizeof(info));
}

/* Return the source line that begins at an instruction, or NULL. */
static const struct bpf_line_info *line_at(const struct link *l, const struct node *n)
{
	const struct xprog *p = n->at < 0 ? NULL : l->prog[n->prog].p;
	unsigned int i;

	for (i = 0; p && i < p->line_count; i++)
		if (p->lines[i].insn_off == (uint32_t)n->at)
			return &p->lines[i];
	return NULL;
}

/* Return the source line with which a function begins. */
static const struct bpf_line_info *line_first(const struct link *l, const struct lfunc *f)
{
	int prog = f->prog < 0 ? link_first(l) : f->prog, at = l->prog[prog].stack[f->n].start;
	const struct node n = { .prog = prog, .at = at };

	return line_at(l, &n);
}

/* Add the lines of a function. The kernel requires a line at its first instruction. */
static void add_lines(const struct link *l, struct btf *btf, const struct lfunc *f, int to,
		      int base, struct bytes *out)
{
	const struct bpf_line_info *line, *last = NULL;
	struct bpf_line_info rec;
	int i;

	for (i = f->begin; i < to; i++) {
		line = i == f->begin ? line_first(l, f) : line_at(l, l->from[i]);
		if (!line || line == last || !l->insn[i].code)
			continue;
		last = line;
		rec = *line;
		rec.insn_off = 8 * (i - base);
		rec.file_name_off = btf__add_str(btf, btf__name_by_offset(l->o->btf, line->file_name_off));
		rec.line_off = btf__add_str(btf, btf__name_by_offset(l->o->btf, line->line_off));
		bytes_add(out, &rec, sizeof(rec));
	}
}

static int func_end(const struct link *l, int fi)
{
	return fi + 1 < l->funcs ? l->func[fi + 1].begin : l->insns;
}

void *link_btf_ext(struct link *l, struct btf *btf, size_t *len)
{
	struct bytes func[2] = { 0 }, line[2] = { 0 }, out = { 0 };
	struct ext_header h = { .magic = 0xeb9f, .version = 1, .hdr_len = sizeof(h) };
	uint32_t names[2] = { btf__add_str(btf, l->prog[link_first(l)].p->section), btf__add_str(btf, TEXT_SEC) };
	uint32_t size;
	int fi, i;

	for (fi = 0; fi < l->funcs; fi++) {
		int base = fi ? func_end(l, 0) : 0;

		if (!l->func[fi].live)
			continue;
		add_func(l, &l->func[fi], base, &func[!!fi]);
		add_lines(l, btf, &l->func[fi], func_end(l, fi), base, &line[!!fi]);
	}
	bytes_add(&out, &h, sizeof(h));
	size = sizeof(struct bpf_func_info);
	bytes_add(&out, &size, sizeof(size));
	for (i = 0; i < 2; i++)
		add_section(&out, names[i], &func[i], size);
	h.func_len = h.line_off = out.len - sizeof(h);
	size = sizeof(struct bpf_line_info);
	bytes_add(&out, &size, sizeof(size));
	for (i = 0; i < 2; i++)
		add_section(&out, names[i], &line[i], size);
	h.line_len = out.len - sizeof(h) - h.line_off;
	memcpy(out.at, &h, sizeof(h));
	for (i = 0; i < 2; i++) {
		free(func[i].at);
		free(line[i].at);
	}
	*len = out.len;
	return out.at;
}
