// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * object.c - read an object file, without the kernel.
 *
 * libbpf resolves calls and references to maps only when it loads an object. Here libbpf
 * generates a loader program instead, which needs no kernel. A handler copies each program
 * when libbpf has completed it.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "explain.h"

/* Where warn() puts the first warning: libbpf's callback for messages has no argument for it. */
static char *warning;
static size_t warning_len;

static int warn(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	size_t n;

	if (level != LIBBPF_WARN || !warning || *warning)
		return 0;
	vsnprintf(warning, warning_len, fmt, ap);
	n = strlen(warning);
	if (n && warning[n - 1] == '\n')
		warning[n - 1] = '\0';
	return 0;
}

static void *copy_records(const void *from, unsigned int count, unsigned int size, size_t want)
{
	char *to = xzalloc(count * want);
	unsigned int i;

	for (i = 0; i < count; i++)
		memcpy(to + i * want, (const char *)from + (size_t)i * size,
		       size < want ? size : want);
	return to;
}

static int caught(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	struct xobject *o = (struct xobject *)cookie;
	struct xprog *p = NULL;
	unsigned int i;

	/* Several static programs may have one name. libbpf passes them in the list's order. */
	for (i = 0; i < o->progs && !p; i++)
		if (!o->prog[i].insn && o->prog[i].type == BPF_PROG_TYPE_XDP &&
		    !strcmp(o->prog[i].name, bpf_program__name(prog)))
			p = &o->prog[i];
	if (!p)
		return 0;
	p->insns = bpf_program__insn_cnt(prog);
	p->insn = copy_records(bpf_program__insns(prog), p->insns, sizeof(*p->insn),
			       sizeof(*p->insn));
	p->line_count = opts->line_info_cnt;
	p->lines = copy_records(opts->line_info, opts->line_info_cnt, opts->line_info_rec_size,
				sizeof(*p->lines));
	p->func_count = opts->func_info_cnt;
	p->funcs = copy_records(opts->func_info, opts->func_info_cnt, opts->func_info_rec_size,
				sizeof(*p->funcs));
	return 0;
}

static void add_map(struct xobject *o, struct bpf_map *map)
{
	struct xmap *m = &o->map[o->maps++];

	m->name = bpf_map__name(map);
	m->type = bpf_map__type(map);
	m->key_size = bpf_map__key_size(map);
	m->value_size = bpf_map__value_size(map);
	m->max_entries = bpf_map__max_entries(map);
	m->flags = bpf_map__map_flags(map);
	m->numa_node = bpf_map__numa_node(map);
	m->data = bpf_map__is_internal(map);
	if (m->value_size < 1 << 20)
		m->words = xzalloc((m->value_size + 3) / 4 * sizeof(*m->words));
}

static void add_prog(struct xobject *o, struct bpf_program *prog)
{
	struct xprog *p = &o->prog[o->progs++];
	enum bpf_attach_type attach = bpf_program__expected_attach_type(prog);

	p->name = bpf_program__name(prog);
	p->section = bpf_program__section_name(prog);
	p->type = bpf_program__type(prog);
	p->special = attach == BPF_XDP_DEVMAP || attach == BPF_XDP_CPUMAP ||
		     !strncmp(p->section, "xdp.frags", 9);
}

static void list(struct xobject *o)
{
	struct bpf_program *prog;
	struct bpf_map *map;
	unsigned int n = 0;

	bpf_object__for_each_map(map, o->bpf)
		n++;
	o->map = xzalloc(n * sizeof(*o->map));
	bpf_object__for_each_map(map, o->bpf)
		add_map(o, map);
	n = 0;
	bpf_object__for_each_program(prog, o->bpf)
		n++;
	o->prog = xzalloc(n * sizeof(*o->prog));
	bpf_object__for_each_program(prog, o->bpf)
		add_prog(o, prog);
}

/* Prefixes of sections, the longer ones first. NULL takes all sections of an unknown type. */
static const struct {
	const char *name;
	enum bpf_attach_type attach;
} sections[] = {
	{ "xdp/devmap+", BPF_XDP_DEVMAP }, { "xdp/cpumap+", BPF_XDP_CPUMAP },
	{ "xdp+", BPF_XDP }, { NULL, BPF_XDP },
};

static_assert(sizeof(sections) / sizeof(sections[0]) == XDP_SECTIONS, "XDP_SECTIONS");

int object_catch(int id[XDP_SECTIONS], catch_fn fn, const void *arg)
{
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = fn,
		    .cookie = (long)arg);
	static int stays;
	int i;

	for (i = 0; i < XDP_SECTIONS; i++)
		id[i] = -1;
	/*
	 * libbpf 1.1 to 1.5 free their list of handlers when the last handler is removed, and
	 * still use the list for the next one. So keep one handler registered forever, for a
	 * section that no object has.
	 */
	if (stays <= 0)
		stays = libbpf_register_prog_handler("nfpchan-none", BPF_PROG_TYPE_XDP, BPF_XDP, NULL);
	if (stays < 0)
		return stays;
	for (i = 0; i < XDP_SECTIONS; i++) {
		id[i] = libbpf_register_prog_handler(sections[i].name, BPF_PROG_TYPE_XDP,
						     sections[i].attach, &opts);
		if (id[i] < 0)
			return id[i];
	}
	return 0;
}

void object_catch_end(const int id[XDP_SECTIONS])
{
	int i;

	for (i = 0; i < XDP_SECTIONS; i++)
		if (id[i] >= 0)
			libbpf_unregister_prog_handler(id[i]);
}

/* Programs for which a loader program has room */
#define BATCH	32

static bool in_batch(const struct xobject *o, unsigned int i, unsigned int first)
{
	return i >= first && i < first + BATCH && o->prog[i].type == BPF_PROG_TYPE_XDP;
}

/* Whether libbpf has passed the batch. Special programs need not be: they are refused anyway. */
static bool batch_caught(const struct xobject *o, unsigned int first)
{
	unsigned int i;

	for (i = 0; i < o->progs; i++)
		if (in_batch(o, i, first) && !o->prog[i].insn && !o->prog[i].special)
			return false;
	return true;
}

/*
 * Make libbpf prepare the programs of one batch. With gen_loader, libbpf prepares programs without
 * loading them, and gives each to our handler (object_catch()). After that, libbpf fails for a map
 * whose initial values are programs. All programs have been caught by then, so ignore the failure.
 * Clear the paths of pinned maps, because libbpf would look for them.
 */
static int catch_batch(const struct xobject *o, unsigned int first)
{
	LIBBPF_OPTS(gen_loader_opts, gen);
	struct bpf_program *prog;
	struct bpf_object *bpf;
	struct bpf_map *map;
	unsigned int i = 0;
	int ret;

	bpf = bpf_object__open_file(o->path, NULL);
	if (!bpf)
		return -errno;
	bpf_object__for_each_map(map, bpf)
		bpf_map__set_pin_path(map, NULL);
	bpf_object__for_each_program(prog, bpf) {
		bpf_program__set_autoload(prog, in_batch(o, i, first));
		i++;
	}
	ret = bpf_object__gen_loader(bpf, &gen);
	if (!ret)
		ret = bpf_object__load(bpf);
	bpf_object__close(bpf);
	return batch_caught(o, first) ? 0 : ret;
}

static int read_object(struct xobject *o, char *err, size_t len)
{
	unsigned int first;
	int ret;

	o->bpf = bpf_object__open_file(o->path, NULL);
	if (!o->bpf)
		return -errno;
	o->btf = bpf_object__btf(o->bpf);
	o->license = object_license(o->path);
	list(o);
	if (!o->progs) {
		snprintf(err, len, "no program in it");
		return -ENOENT;
	}
	for (first = 0; first < o->progs; first += BATCH) {
		ret = catch_batch(o, first);
		if (ret)
			return ret;
	}
	return 0;
}

int object_open(struct xobject *o, const char *path, char *err, size_t len)
{
	libbpf_print_fn_t print;
	int id[XDP_SECTIONS], ret;

	memset(o, 0, sizeof(*o));
	o->path = path;
	*err = '\0';
	warning = err;
	warning_len = len;
	print = libbpf_set_print(warn);
	ret = object_catch(id, caught, o);
	if (!ret)
		ret = read_object(o, err, len);
	if (ret && !*err)
		snprintf(err, len, "%s", strerror(-ret));
	object_catch_end(id);
	libbpf_set_print(print);
	warning = NULL;
	if (ret)
		object_close(o);
	return ret;
}

void object_close(struct xobject *o)
{
	unsigned int i;

	for (i = 0; i < o->maps; i++) {
		free(o->map[i].words);
		issues_free(&o->map[i].issues);
	}
	for (i = 0; i < o->progs; i++) {
		free(o->prog[i].insn);
		free(o->prog[i].lines);
		free(o->prog[i].funcs);
		free(o->prog[i].insn_words);
		issues_free(&o->prog[i].issues);
	}
	free(o->map);
	free(o->prog);
	free(o->license);
	issues_free(&o->issues);
	bpf_object__close(o->bpf);
	memset(o, 0, sizeof(*o));
}

/* The instruction at which the function of an instruction begins. */
static uint32_t func_start(const struct xprog *p, int insn)
{
	uint32_t start = 0;
	unsigned int i;

	for (i = 0; i < p->func_count; i++)
		if (p->funcs[i].insn_off <= (uint32_t)insn && p->funcs[i].insn_off > start)
			start = p->funcs[i].insn_off;
	return start;
}

bool object_line(const struct xobject *o, const struct xprog *p, int insn, struct line *line)
{
	const struct bpf_line_info *best;
	unsigned int first = 0, end = p->line_count, mid;

	/* The kernel requires ascending order. */
	while (first < end) {
		mid = first + (end - first) / 2;
		if (insn >= 0 && p->lines[mid].insn_off <= (uint32_t)insn)
			first = mid + 1;
		else
			end = mid;
	}
	/*
	 * Compilers mark instructions that belong to no line by line 0. Newer ones write no record,
	 * so the line before holds for them. Do the same within the function.
	 */
	while (first && !BPF_LINE_INFO_LINE_NUM(p->lines[first - 1].line_col))
		first--;
	if (!first || !o->btf)
		return false;
	best = &p->lines[first - 1];
	if (best->insn_off < func_start(p, insn))
		return false;
	line->file = btf__name_by_offset(o->btf, best->file_name_off);
	line->text = btf__name_by_offset(o->btf, best->line_off);
	line->number = BPF_LINE_INFO_LINE_NUM(best->line_col);
	if (!line->file || !line->text)
		return false;
	while (*line->text == ' ' || *line->text == '\t')
		line->text++;
	return true;
}

static const struct btf_type *func_at(const struct xobject *o, const struct xprog *p, int insn)
{
	const struct btf_type *t;
	unsigned int i;

	for (i = 0; i < p->func_count && o->btf; i++) {
		if (p->funcs[i].insn_off != (uint32_t)insn)
			continue;
		t = btf__type_by_id(o->btf, p->funcs[i].type_id);
		return t && btf_is_func(t) ? t : NULL;
	}
	return NULL;
}

bool object_func_global(const struct xobject *o, const struct xprog *p, int insn)
{
	const struct btf_type *t = func_at(o, p, insn);

	return t && btf_vlen(t) == BTF_FUNC_GLOBAL;
}

#define TYPES_DEEP	32	/* the kernel follows no more */

/* Return the type without typedefs and qualifiers, or NULL. */
static const struct btf_type *plain_type(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);
	int i;

	/* In invalid BTF, types may refer to each other in a cycle. */
	for (i = 0; t && (btf_is_mod(t) || btf_is_typedef(t)); i++)
		t = i < TYPES_DEEP ? btf__type_by_id(btf, t->type) : NULL;
	return t;
}

enum arg object_func_arg(const struct xobject *o, const struct xprog *p, int insn,
			 unsigned int n)
{
	const struct btf_type *t = func_at(o, p, insn);
	const char *name;

	if (t)
		t = btf__type_by_id(o->btf, t->type);
	if (!t || !btf_is_func_proto(t))
		return ARG_OTHER;
	if (n > btf_vlen(t))
		return ARG_NONE;
	t = plain_type(o->btf, btf_params(t)[n - 1].type);
	if (t && (btf_is_int(t) || btf_is_any_enum(t)))
		return ARG_NUMBER;
	if (!t || !btf_is_ptr(t))
		return ARG_OTHER;
	t = plain_type(o->btf, t->type);
	name = t && btf_is_struct(t) ? btf__name_by_offset(o->btf, t->name_off) : NULL;
	return name && !strcmp(name, "xdp_md") ? ARG_CONTEXT : ARG_OTHER;
}
