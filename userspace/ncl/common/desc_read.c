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

static int get_u32(struct tokens *t, unsigned int i, const char *what, uint32_t max,
		   unsigned int *to)
{
	uint64_t val;
	int ret = tokens_number(t, i, what, max, &val);

	*to = ret ? 0 : (unsigned int)val;
	return ret;
}

static int get_type(struct tokens *t, unsigned int i, char *to)
{
	const char *s = t->token[i];

	if (strlen(s) >= DESC_TYPE || !desc_type_size(s))
		return tokens_error(t, EINVAL, "unknown type '%s'", s);
	strcpy(to, s);
	return 0;
}

static int get_text(struct tokens *t, unsigned int i, const char *what, char *to, size_t size)
{
	if (strlen(t->token[i]) >= size)
		return tokens_error(t, EINVAL, "%s '%s' is longer than %zu characters", what, t->token[i],
				    size - 1);
	strcpy(to, t->token[i]);
	return 0;
}

/* Index of token @i in @list */
static int get_keyword(struct tokens *t, unsigned int i, const char *const *list, const char *what)
{
	int n;

	for (n = 0; list[n]; n++)
		if (!strcmp(t->token[i], list[n]))
			return n;
	return tokens_error(t, EINVAL, "%s '%s' is unknown", what, t->token[i]);
}

/* Parse a list such as "16x4", or "-". */
static int get_list(struct tokens *t, unsigned int i, char between, unsigned int *to,
		    unsigned int max, unsigned int *n)
{
	char *s = t->token[i], *end;
	unsigned long val;

	*n = 0;
	if (!strcmp(s, "-"))
		return 0;
	for (;; s = end + 1) {
		val = strtoul(s, &end, 10);
		if (*s < '0' || *s > '9' || !val || val > NUMBER_MAX || (*end && *end != between))
			return tokens_error(t, EINVAL, "'%s' is no list of numbers separated by '%c'",
					    t->token[i], between);
		if (*n == max)
			return tokens_error(t, EINVAL, "'%s' has more than %u numbers", t->token[i], max);
		to[(*n)++] = (unsigned int)val;
		if (!*end)
			return 0;
	}
}

static int get_place(struct tokens *t, unsigned int i, const struct desc *d, char *to)
{
	const struct desc_node *n = desc_node(d, t->token[i]);

	if (!n || !n->device)
		return tokens_error(t, EINVAL, "no device '%s' in the lines above", t->token[i]);
	strcpy(to, n->label);
	return 0;
}

static int no_memory(struct tokens *t)
{
	return tokens_error(t, ENOMEM, "%s", strerror(ENOMEM));
}

static int read_program(struct tokens *t, struct desc *d)
{
	unsigned long hash;
	char *end;

	hash = strtoul(t->token[2], &end, 16);
	if (strlen(t->token[2]) != 4 || *end)
		return tokens_error(t, EINVAL, "'%s' is no number of four hexadecimal digits", t->token[2]);
	d->hash = (uint16_t)hash;
	return tokens_name(t, 1, "program", d->name, sizeof(d->name));
}

static int read_node(struct tokens *t, struct desc *d)
{
	static const char * const kinds[] = { "host", "device", NULL };
	struct desc_node n = { 0 }, *to;
	int ret = get_u32(t, 1, "node", AND_NODES, &n.id);

	if (!ret)
		ret = tokens_name(t, 2, "label", n.label, sizeof(n.label));
	if (!ret)
		ret = get_keyword(t, 3, kinds, "node");
	if (ret < 0)
		return ret;
	n.device = ret;
	if (n.id != d->nodes + 1)
		return tokens_error(t, EINVAL, "node %u instead of node %u", n.id, d->nodes + 1);
	to = desc_add(d, node);
	if (!to)
		return no_memory(t);
	*to = n;
	return 0;
}

static int read_field(struct tokens *t, struct desc *d)
{
	struct desc_field f = { .offset = 0 }, *to;
	int ret = tokens_name(t, 1, "field", f.name, sizeof(f.name));

	if (!ret)
		ret = get_type(t, 2, f.type);
	if (!ret)
		ret = get_u32(t, 3, "offset", NCP_DATA_MAX, &f.offset);
	if (ret)
		return ret;
	to = desc_add(d, field);
	if (!to)
		return no_memory(t);
	*to = f;
	return 0;
}

static int read_kernel(struct tokens *t, struct desc *d)
{
	static const char * const ways[] = { "out", "in", NULL };
	struct desc_kernel k = { .id = 0 }, *to;
	int ret = get_u32(t, 1, "kernel", UINT16_MAX, &k.id);

	if (!ret && (!k.id || desc_kernel_id(d, k.id)))
		ret = tokens_error(t, EINVAL, "kernel %u %s", k.id, k.id ? "is defined twice" :
				   "does not exist: the first number is 1");
	if (!ret)
		ret = tokens_name(t, 2, "kernel", k.name, sizeof(k.name));
	if (!ret)
		ret = get_u32(t, 4, "size", NCP_DATA_MAX, &k.size);
	if (!ret)
		ret = get_list(t, 5, ',', k.win, DESC_ARGS, &k.wins);
	if (!ret)
		ret = get_text(t, 6, "places", k.places, sizeof(k.places));
	if (!ret)
		ret = get_keyword(t, 3, ways, "direction");
	if (ret < 0)
		return ret;
	k.in = ret;
	if (!strcmp(k.places, "-"))
		*k.places = '\0';
	to = desc_add(d, kernel);
	if (!to)
		return no_memory(t);
	*to = k;
	return 0;
}

/* The kernel whose number is token @i. NULL: no such kernel; the error is set. */
static struct desc_kernel *get_kernel(struct tokens *t, unsigned int i, struct desc *d)
{
	unsigned int id;
	const struct desc_kernel *found;

	if (get_u32(t, i, "kernel", UINT16_MAX, &id))
		return NULL;
	found = desc_kernel_id(d, id);
	if (found)
		return &d->kernel[found - d->kernel];
	tokens_error(t, EINVAL, "no kernel %u in the lines above", id);
	return NULL;
}

static int read_arg(struct tokens *t, struct desc *d)
{
	struct desc_kernel *k = get_kernel(t, 1, d);
	struct desc_arg a = { .offset = 0 };
	uint64_t bytes;
	int ret = k ? 0 : -EINVAL;

	if (!ret)
		ret = tokens_name(t, 2, "argument", a.name, sizeof(a.name));
	if (!ret)
		ret = get_type(t, 3, a.type);
	if (!ret)
		ret = get_u32(t, 4, "count", NUMBER_MAX, &a.count);
	if (!ret)
		ret = get_u32(t, 5, "offset", NCP_DATA_MAX, &a.offset);
	if (ret)
		return ret;
	a.ext = t->n == 7;
	if (a.ext && strcmp(t->token[6], "ext"))
		return tokens_error(t, EINVAL, "'%s' after the offset: only 'ext' is allowed", t->token[6]);
	bytes = (uint64_t)(a.count ? a.count : 1) * desc_type_size(a.type);
	if (!a.ext && a.offset + bytes > k->size)
		return tokens_error(t, EINVAL, "argument '%s' ends at byte %llu, but the window has %u bytes", a.name,
				    (unsigned long long)(a.offset + bytes), k->size);
	if (k->args == DESC_ARGS)
		return tokens_error(t, EINVAL, "kernel '%s' has more than %u arguments", k->name, DESC_ARGS);
	k->arg[k->args++] = a;
	return 0;
}

static int read_pair(struct tokens *t, struct desc *d)
{
	struct desc_kernel *in = get_kernel(t, 1, d), *out = in ? get_kernel(t, 2, d) : NULL;

	if (!out)
		return -EINVAL;
	if (!in->in || out->in)
		return tokens_error(t, EINVAL, "kernels '%s' and '%s' are not an incoming and an outgoing kernel",
				    in->name, out->name);
	in->pair = out->id;
	return 0;
}

static int read_object(struct tokens *t, struct desc *d)
{
	static const char * const targets[] = { "nfp", "xdp", NULL };
	struct desc_object o = { .insns = 0 }, *to;
	int ret = get_place(t, 1, d, o.place);

	if (!ret)
		ret = get_text(t, 2, "file", o.file, sizeof(o.file));
	if (!ret)
		ret = get_u32(t, 3, "instructions", NUMBER_MAX, &o.insns);
	if (!ret)
		ret = get_u32(t, 4, "words", NUMBER_MAX, &o.words);
	if (!ret && t->n == 6)
		ret = get_keyword(t, 5, targets, "target");
	if (ret < 0)
		return ret;
	if (t->n == 6)
		strcpy(o.target, targets[ret]);
	to = desc_add(d, object);
	if (!to)
		return no_memory(t);
	*to = o;
	return 0;
}

/* Parse "lock KEY" or "-" at token @i, which must end the line. */
static int read_lock(struct tokens *t, unsigned int i, struct desc_var *v)
{
	v->locked = i + 2 == t->n && !strcmp(t->token[i], "lock");
	if (v->locked)
		return get_text(t, i + 1, "lock", v->lock, sizeof(v->lock));
	if (i + 1 != t->n || strcmp(t->token[i], "-"))
		return tokens_error(t, EINVAL, "variable '%s' does not end with 'lock KEY' or '-'", v->name);
	return 0;
}

static int read_array(struct tokens *t, struct desc_var *v)
{
	unsigned int size = desc_type_size(v->type);
	int ret = get_u32(t, 9, "elements", UINT16_MAX, &v->per);

	if (!ret)
		ret = get_u32(t, 10, "size", UINT16_MAX, &v->size);
	if (ret)
		return ret;
	if (!v->per || (uint64_t)v->per * size > v->size)
		return tokens_error(t, EINVAL, "variable '%s': %u elements of %u bytes do not fit %u bytes",
				    v->name, v->per, size, v->size);
	if (v->layout == DESC_COLUMN && v->dims != 2)
		return tokens_error(t, EINVAL, "variable '%s': 'column' needs 2 dimensions, not %u",
				    v->name, v->dims);
	return read_lock(t, 11, v);
}

static int read_hash(struct tokens *t, struct desc_var *v)
{
	int ret;

	if (t->n < 13)
		return tokens_error(t, EINVAL, "variable '%s' has %u words; a hash needs 13 or 14",
				    v->name, t->n);
	ret = get_type(t, 9, v->key_type);
	if (!ret)
		ret = get_u32(t, 10, "size", UINT16_MAX, &v->key_size);
	if (!ret)
		ret = get_u32(t, 11, "size", UINT16_MAX, &v->value_size);
	return ret ? ret : read_lock(t, 12, v);
}

static int read_var_tokens(struct tokens *t, struct desc *d, struct desc_var *v)
{
	int ret = tokens_name(t, 1, "variable", v->name, sizeof(v->name));

	if (!ret)
		ret = get_place(t, 2, d, v->place);
	if (!ret)
		ret = get_keyword(t, 3, desc_kinds, "kind");
	if (ret < 0)
		return ret;
	v->kind = (enum desc_kind)ret;
	v->ctrl = !strcmp(t->token[4], "ctrl");
	if (!v->ctrl && strcmp(t->token[4], "-"))
		return tokens_error(t, EINVAL, "'%s' instead of 'ctrl' or '-'", t->token[4]);
	ret = get_type(t, 5, v->type);
	if (!ret)
		ret = get_list(t, 6, 'x', v->dim, DESC_DIMS, &v->dims);
	if (!ret)
		ret = tokens_name(t, 7, "map", v->map, sizeof(v->map));
	if (!ret)
		ret = get_keyword(t, 8, desc_layouts, "layout");
	if (ret < 0)
		return ret;
	v->layout = (enum desc_layout)ret;
	return v->layout == DESC_HASH ? read_hash(t, v) : read_array(t, v);
}

static int read_var(struct tokens *t, struct desc *d)
{
	struct desc_var v = { .dims = 0 }, *to;
	int ret = read_var_tokens(t, d, &v);

	if (ret)
		return ret;
	to = desc_add(d, var);
	if (!to)
		return no_memory(t);
	*to = v;
	return 0;
}

/* Records by name. @min and @max limit the tokens of a line, with the name. */
static const struct record {
	const char *name;
	unsigned int min, max;
	int (*read)(struct tokens *t, struct desc *d);
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

static int read_record(struct tokens *t, struct desc *d)
{
	const struct record *r;

	for (r = records; r < records + sizeof(records) / sizeof(records[0]); r++) {
		if (strcmp(t->token[0], r->name))
			continue;
		if (t->n < r->min || t->n > r->max)
			return tokens_error(t, EINVAL, "record '%s' has %u words, not %u%s", r->name, t->n,
					    t->n < r->min ? r->min : r->max,
					    r->min == r->max ? "" : t->n < r->min ? " or more" : " or less");
		return r->read(t, d);
	}
	return tokens_error(t, EINVAL, "unknown record '%s'", t->token[0]);
}

static int read_version(struct tokens *t)
{
	uint64_t version;
	int ret = tokens_next(t);

	if (ret < 0)
		return ret;
	if (!ret || t->n != 2 || strcmp(t->token[0], "ncl"))
		return tokens_error(t, EINVAL, "not a description by nclc, which begins with 'ncl %u'",
				    DESC_VERSION);
	ret = tokens_number(t, 1, "version", NUMBER_MAX, &version);
	if (!ret && version != DESC_VERSION)
		ret = tokens_error(t, EPROTO, "the description has version %llu, and this program "
				   "reads version %u: compile again", (unsigned long long)version, DESC_VERSION);
	return ret;
}

static int read_all(struct tokens *t, struct desc **desc)
{
	struct desc *d = calloc(1, sizeof(*d));
	int ret = d ? read_version(t) : no_memory(t);

	while (!ret && (ret = tokens_next(t)) > 0)
		ret = read_record(t, d);
	t->line = 0;
	if (!ret && !*d->name)
		ret = tokens_error(t, EINVAL, "record 'program' is missing");
	tokens_close(t);
	if (ret)
		desc_free(d);
	else
		*desc = d;
	return ret;
}

int desc_parse(const char *name, const char *text, struct desc **desc, char *err, size_t errlen)
{
	struct tokens t;
	int ret = tokens_open(&t, name, text, err, errlen);

	return ret ? ret : read_all(&t, desc);
}

int desc_read(const char *path, struct desc **desc, char *err, size_t errlen)
{
	return desc_parse(path, NULL, desc, err, errlen);
}
