// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* desc_read.c - read the description of a program. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "desc.h"
#include "desc_names.h"
#include "ncp.h"
#include "tokens.h"

#define NUMBER_MAX	UINT32_MAX

static int get_u32(struct words *w, unsigned int i, const char *what, uint32_t max, unsigned int *to)
{
	uint64_t val;
	int ret = words_number(w, i, what, max, &val);

	*to = ret ? 0 : (unsigned int)val;
	return ret;
}

static int get_type(struct words *w, unsigned int i, char *to)
{
	const char *s = w->word[i];

	if (strlen(s) >= DESC_TYPE || !desc_type_size(s))
		return words_error(w, EINVAL, "unknown type '%s'", s);
	strcpy(to, s);
	return 0;
}

static int get_text(struct words *w, unsigned int i, const char *what, char *to, size_t size)
{
	if (strlen(w->word[i]) >= size)
		return words_error(w, EINVAL, "%s '%s' is longer than %zu characters", what, w->word[i],
				   size - 1);
	strcpy(to, w->word[i]);
	return 0;
}

/* Index of word @i in @list */
static int get_word(struct words *w, unsigned int i, const char *const *list, const char *what)
{
	int n;

	for (n = 0; list[n]; n++)
		if (!strcmp(w->word[i], list[n]))
			return n;
	return words_error(w, EINVAL, "%s '%s' is unknown", what, w->word[i]);
}

/* Parse a list such as "16x4", or "-". */
static int get_list(struct words *w, unsigned int i, char between, unsigned int *to,
		    unsigned int max, unsigned int *n)
{
	char *s = w->word[i], *end;
	unsigned long val;

	*n = 0;
	if (!strcmp(s, "-"))
		return 0;
	for (;; s = end + 1) {
		val = strtoul(s, &end, 10);
		if (*s < '0' || *s > '9' || !val || val > NUMBER_MAX || (*end && *end != between))
			return words_error(w, EINVAL, "'%s' is no list of numbers separated by '%c'",
					   w->word[i], between);
		if (*n == max)
			return words_error(w, EINVAL, "'%s' has more than %u numbers", w->word[i], max);
		to[(*n)++] = (unsigned int)val;
		if (!*end)
			return 0;
	}
}

static int get_place(struct words *w, unsigned int i, const struct desc *d, char *to)
{
	const struct desc_node *n = desc_node(d, w->word[i]);

	if (!n || !n->device)
		return words_error(w, EINVAL, "no device '%s' in the lines above", w->word[i]);
	strcpy(to, n->label);
	return 0;
}

static int no_memory(struct words *w)
{
	return words_error(w, ENOMEM, "%s", strerror(ENOMEM));
}

static int read_program(struct words *w, struct desc *d)
{
	unsigned long hash;
	char *end;

	hash = strtoul(w->word[2], &end, 16);
	if (strlen(w->word[2]) != 4 || *end)
		return words_error(w, EINVAL, "'%s' is no number of four hexadecimal digits", w->word[2]);
	d->hash = (uint16_t)hash;
	return words_name(w, 1, "program", d->name, sizeof(d->name));
}

static int read_node(struct words *w, struct desc *d)
{
	static const char * const kinds[] = { "host", "device", NULL };
	struct desc_node n = { 0 }, *to;
	int ret = get_u32(w, 1, "node", AND_NODES, &n.id);

	if (!ret)
		ret = words_name(w, 2, "label", n.label, sizeof(n.label));
	if (!ret)
		ret = get_word(w, 3, kinds, "node");
	if (ret < 0)
		return ret;
	n.device = ret;
	if (n.id != d->nodes + 1)
		return words_error(w, EINVAL, "node %u instead of node %u", n.id, d->nodes + 1);
	to = desc_add(d, node);
	if (!to)
		return no_memory(w);
	*to = n;
	return 0;
}

static int read_field(struct words *w, struct desc *d)
{
	struct desc_field f = { .offset = 0 }, *to;
	int ret = words_name(w, 1, "field", f.name, sizeof(f.name));

	if (!ret)
		ret = get_type(w, 2, f.type);
	if (!ret)
		ret = get_u32(w, 3, "offset", NCP_DATA_MAX, &f.offset);
	if (ret)
		return ret;
	to = desc_add(d, field);
	if (!to)
		return no_memory(w);
	*to = f;
	return 0;
}

static int read_kernel(struct words *w, struct desc *d)
{
	static const char * const ways[] = { "out", "in", NULL };
	struct desc_kernel k = { .id = 0 }, *to;
	int ret = get_u32(w, 1, "kernel", UINT16_MAX, &k.id);

	if (!ret && (!k.id || desc_kernel_id(d, k.id)))
		ret = words_error(w, EINVAL, "kernel %u %s", k.id, k.id ? "is defined twice" :
				  "does not exist: the first number is 1");
	if (!ret)
		ret = words_name(w, 2, "kernel", k.name, sizeof(k.name));
	if (!ret)
		ret = get_u32(w, 4, "size", NCP_DATA_MAX, &k.size);
	if (!ret)
		ret = get_list(w, 5, ',', k.win, DESC_ARGS, &k.wins);
	if (!ret)
		ret = get_text(w, 6, "places", k.places, sizeof(k.places));
	if (!ret)
		ret = get_word(w, 3, ways, "direction");
	if (ret < 0)
		return ret;
	k.in = ret;
	if (!strcmp(k.places, "-"))
		*k.places = '\0';
	to = desc_add(d, kernel);
	if (!to)
		return no_memory(w);
	*to = k;
	return 0;
}

/* The kernel whose number is word @i. NULL: no such kernel; the error is set. */
static struct desc_kernel *get_kernel(struct words *w, unsigned int i, struct desc *d)
{
	unsigned int id;
	const struct desc_kernel *found;

	if (get_u32(w, i, "kernel", UINT16_MAX, &id))
		return NULL;
	found = desc_kernel_id(d, id);
	if (found)
		return &d->kernel[found - d->kernel];
	words_error(w, EINVAL, "no kernel %u in the lines above", id);
	return NULL;
}

static int read_arg(struct words *w, struct desc *d)
{
	struct desc_kernel *k = get_kernel(w, 1, d);
	struct desc_arg a = { .offset = 0 };
	uint64_t bytes;
	int ret = k ? 0 : -EINVAL;

	if (!ret)
		ret = words_name(w, 2, "argument", a.name, sizeof(a.name));
	if (!ret)
		ret = get_type(w, 3, a.type);
	if (!ret)
		ret = get_u32(w, 4, "count", NUMBER_MAX, &a.count);
	if (!ret)
		ret = get_u32(w, 5, "offset", NCP_DATA_MAX, &a.offset);
	if (ret)
		return ret;
	a.ext = w->n == 7;
	if (a.ext && strcmp(w->word[6], "ext"))
		return words_error(w, EINVAL, "'%s' after the offset: only 'ext' is allowed", w->word[6]);
	bytes = (uint64_t)(a.count ? a.count : 1) * desc_type_size(a.type);
	if (!a.ext && a.offset + bytes > k->size)
		return words_error(w, EINVAL, "argument '%s' ends at byte %llu, but the window has %u bytes", a.name,
				   (unsigned long long)(a.offset + bytes), k->size);
	if (k->args == DESC_ARGS)
		return words_error(w, EINVAL, "kernel '%s' has more than %u arguments", k->name, DESC_ARGS);
	k->arg[k->args++] = a;
	return 0;
}

static int read_pair(struct words *w, struct desc *d)
{
	struct desc_kernel *in = get_kernel(w, 1, d), *out = in ? get_kernel(w, 2, d) : NULL;

	if (!out)
		return -EINVAL;
	if (!in->in || out->in)
		return words_error(w, EINVAL, "kernels '%s' and '%s' are not an incoming and an outgoing kernel",
				   in->name, out->name);
	in->pair = out->id;
	return 0;
}

static int read_object(struct words *w, struct desc *d)
{
	static const char * const targets[] = { "nfp", "xdp", NULL };
	struct desc_object o = { .insns = 0 }, *to;
	int ret = get_place(w, 1, d, o.place);

	if (!ret)
		ret = get_text(w, 2, "file", o.file, sizeof(o.file));
	if (!ret)
		ret = get_u32(w, 3, "instructions", NUMBER_MAX, &o.insns);
	if (!ret)
		ret = get_u32(w, 4, "words", NUMBER_MAX, &o.words);
	if (!ret && w->n == 6)
		ret = get_word(w, 5, targets, "target");
	if (ret < 0)
		return ret;
	if (w->n == 6)
		strcpy(o.target, targets[ret]);
	to = desc_add(d, object);
	if (!to)
		return no_memory(w);
	*to = o;
	return 0;
}

/* Parse "lock KEY" or "-" at word @i, which must end the line. */
static int read_lock(struct words *w, unsigned int i, struct desc_var *v)
{
	v->locked = i + 2 == w->n && !strcmp(w->word[i], "lock");
	if (v->locked)
		return get_text(w, i + 1, "lock", v->lock, sizeof(v->lock));
	if (i + 1 != w->n || strcmp(w->word[i], "-"))
		return words_error(w, EINVAL, "variable '%s' does not end with 'lock KEY' or '-'", v->name);
	return 0;
}

static int read_array(struct words *w, struct desc_var *v)
{
	unsigned int size = desc_type_size(v->type);
	int ret = get_u32(w, 9, "elements", UINT16_MAX, &v->per);

	if (!ret)
		ret = get_u32(w, 10, "size", UINT16_MAX, &v->size);
	if (ret)
		return ret;
	if (!v->per || (uint64_t)v->per * size > v->size)
		return words_error(w, EINVAL, "variable '%s': %u elements of %u bytes do not fit %u bytes",
				   v->name, v->per, size, v->size);
	if (v->layout == DESC_COLUMN && v->dims != 2)
		return words_error(w, EINVAL, "variable '%s': 'column' needs 2 dimensions, not %u",
				   v->name, v->dims);
	return read_lock(w, 11, v);
}

static int read_hash(struct words *w, struct desc_var *v)
{
	int ret;

	if (w->n < 13)
		return words_error(w, EINVAL, "variable '%s' has %u words; a hash needs 13 or 14",
				   v->name, w->n);
	ret = get_type(w, 9, v->key_type);
	if (!ret)
		ret = get_u32(w, 10, "size", UINT16_MAX, &v->key_size);
	if (!ret)
		ret = get_u32(w, 11, "size", UINT16_MAX, &v->value_size);
	return ret ? ret : read_lock(w, 12, v);
}

static int read_var_words(struct words *w, struct desc *d, struct desc_var *v)
{
	int ret = words_name(w, 1, "variable", v->name, sizeof(v->name));

	if (!ret)
		ret = get_place(w, 2, d, v->place);
	if (!ret)
		ret = get_word(w, 3, desc_kinds, "kind");
	if (ret < 0)
		return ret;
	v->kind = (enum desc_kind)ret;
	v->ctrl = !strcmp(w->word[4], "ctrl");
	if (!v->ctrl && strcmp(w->word[4], "-"))
		return words_error(w, EINVAL, "'%s' instead of 'ctrl' or '-'", w->word[4]);
	ret = get_type(w, 5, v->type);
	if (!ret)
		ret = get_list(w, 6, 'x', v->dim, DESC_DIMS, &v->dims);
	if (!ret)
		ret = words_name(w, 7, "map", v->map, sizeof(v->map));
	if (!ret)
		ret = get_word(w, 8, desc_layouts, "layout");
	if (ret < 0)
		return ret;
	v->layout = (enum desc_layout)ret;
	return v->layout == DESC_HASH ? read_hash(w, v) : read_array(w, v);
}

static int read_var(struct words *w, struct desc *d)
{
	struct desc_var v = { .dims = 0 }, *to;
	int ret = read_var_words(w, d, &v);

	if (ret)
		return ret;
	to = desc_add(d, var);
	if (!to)
		return no_memory(w);
	*to = v;
	return 0;
}

/* Records by name. @min and @max limit the words of a line, with the name. */
static const struct record {
	const char *name;
	unsigned int min, max;
	int (*read)(struct words *w, struct desc *d);
} records[] = {
	{ "program", 3, 3, read_program },
	{ "node", 4, 4, read_node },
	{ "field", 4, 4, read_field },
	{ "kernel", 7, 7, read_kernel },
	{ "arg", 6, 7, read_arg },
	{ "pair", 3, 3, read_pair },
	{ "object", 5, 6, read_object },
	{ "var", 12, 14, read_var },
};

static int read_record(struct words *w, struct desc *d)
{
	const struct record *r;

	for (r = records; r < records + sizeof(records) / sizeof(records[0]); r++) {
		if (strcmp(w->word[0], r->name))
			continue;
		if (w->n < r->min || w->n > r->max)
			return words_error(w, EINVAL, "record '%s' has %u words, not %u%s", r->name, w->n,
					   w->n < r->min ? r->min : r->max,
					   r->min == r->max ? "" : w->n < r->min ? " or more" : " or less");
		return r->read(w, d);
	}
	return words_error(w, EINVAL, "unknown record '%s'", w->word[0]);
}

static int read_version(struct words *w)
{
	uint64_t version;
	int ret = words_next(w);

	if (ret < 0)
		return ret;
	if (!ret || w->n != 2 || strcmp(w->word[0], "ncl"))
		return words_error(w, EINVAL, "not a description by nclc, which begins with 'ncl %u'",
				   DESC_VERSION);
	ret = words_number(w, 1, "version", NUMBER_MAX, &version);
	if (!ret && version != DESC_VERSION)
		ret = words_error(w, EPROTO, "the description has version %llu, and this program "
				  "reads version %u: compile again", (unsigned long long)version, DESC_VERSION);
	return ret;
}

static int read_all(struct words *w, struct desc **desc)
{
	struct desc *d = calloc(1, sizeof(*d));
	int ret = d ? read_version(w) : no_memory(w);

	while (!ret && (ret = words_next(w)) > 0)
		ret = read_record(w, d);
	w->line = 0;
	if (!ret && !*d->name)
		ret = words_error(w, EINVAL, "record 'program' is missing");
	words_close(w);
	if (ret)
		desc_free(d);
	else
		*desc = d;
	return ret;
}

int desc_read(const char *path, struct desc **desc, char *err, size_t errlen)
{
	struct words w;
	int ret = words_open(&w, path, err, errlen);

	return ret ? ret : read_all(&w, desc);
}

int desc_parse(const char *name, const char *text, struct desc **desc, char *err, size_t errlen)
{
	struct words w;
	int ret = words_text(&w, name, text, err, errlen);

	return ret ? ret : read_all(&w, desc);
}
