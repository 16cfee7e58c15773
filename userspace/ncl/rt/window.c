// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* window.c - split arrays into windows, and copy answers back to the arrays. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "rt.h"

uint16_t kernel_len(const struct desc_kernel *k)
{
	return k->wins ? (uint16_t)k->win[0] : 0;
}

/* Do windows of @out have the arguments of @in? */
static bool fits(const struct desc_kernel *in, const struct desc_kernel *out)
{
	unsigned int i, n = 0;

	for (i = 0; i < in->args; i++) {
		if (in->arg[i].ext)
			continue;
		if (n == out->args || in->arg[i].count != out->arg[n].count ||
		    in->arg[i].offset != out->arg[n].offset ||
		    strcmp(in->arg[i].type, out->arg[n].type))
			return false;
		n++;
	}
	return n == out->args;
}

bool kernel_takes(const struct desc_kernel *k, const struct desc_kernel *out)
{
	if (!k || k == out)
		return true;
	return k->in && (k->pair ? k->pair == out->id : fits(k, out));
}

/* ---- check the arguments ---- */

static int check_value(const struct desc_kernel *k, unsigned int i, const struct ncrt_arg *a)
{
	const struct desc_arg *d = &k->arg[i];
	unsigned int bits = 8 * desc_type_size(d->type);
	int64_t max;

	if (a->data || *d->type == 'f')
		return 0;
	if (!strncmp(d->type, "bytes", 5))
		return rt_fail(-EINVAL, "%s: argument %s is of %u bytes and has no number", k->name, d->name,
			    bits / 8);
	if (bits == 64)
		return 0;
	max = *d->type == 'b' ? 1 : *d->type == 'i' ? (1ll << (bits - 1)) - 1 : (1ll << bits) - 1;
	if (a->i > max || a->i < (*d->type == 'i' ? -max - 1 : 0))
		return rt_fail(-EDOM, "%s: %lld is no value of argument %s, which is %s", k->name,
			    (long long)a->i, d->name, d->type);
	return 0;
}

static int check_array(const struct flight *f, unsigned int i, uint16_t mask, uint64_t *windows)
{
	const struct desc_arg *d = &f->k->arg[i];
	const struct ncrt_arg *a = &f->args[i];
	uint64_t n = (a->count + d->count - 1) / d->count;

	if (mask && mask != d->count)
		return rt_fail(-EINVAL, "%s: the mask has %u elements of %s, the kernel was compiled for %u (_win_)",
			    f->k->name, mask, d->name, d->count);
	if (!a->data)
		return rt_fail(-EINVAL, "%s: argument %s is an array, and has no address", f->k->name, d->name);
	if (!a->count)
		return 0;
	if (a->count % d->count && !(f->w.flags & NCRT_PAD))
		return rt_fail(-EINVAL, "%s: %zu elements of %s are no multiple of %u, the elements of a window: see NCRT_PAD",
			    f->k->name, a->count, d->name, d->count);
	if (*windows && *windows != n)
		return rt_fail(-EINVAL, "%s: %zu elements of %s make %llu windows of %u, not %llu", f->k->name,
			    a->count, d->name, (unsigned long long)n, d->count,
			    (unsigned long long)*windows);
	*windows = n;
	return 0;
}

static int check_args(const struct flight *f, const uint16_t *mask, uint64_t *windows)
{
	const struct desc_kernel *k = f->k;
	unsigned int i, arrays = 0;
	int err = 0;

	for (i = 0; i < k->args && !err; i++) {
		if (f->args[i].size && f->args[i].size != desc_type_size(k->arg[i].type))
			err = rt_fail(-EINVAL, "%s: elements of %u bytes for argument %s, which is %s", k->name,
				   f->args[i].size, k->arg[i].name, k->arg[i].type);
		else if (k->arg[i].count)
			err = check_array(f, i, mask ? mask[arrays++] : 0, windows);
		else
			err = check_value(k, i, &f->args[i]);
	}
	return err;
}

int window_plan(struct flight *f, const uint16_t *mask)
{
	const struct desc_kernel *k = f->k;
	uint64_t windows = f->w.windows;
	unsigned int i;
	int err;

	if (f->nargs != k->args)
		return rt_fail(-EINVAL, "%s: %u arguments, the kernel has %u", k->name, f->nargs, k->args);
	err = check_args(f, mask, &windows);
	if (err)
		return err;
	if (!windows && !k->wins)
		windows = 1;
	for (i = 0; i < k->args && !windows; i++)
		if (k->arg[i].count)
			return rt_fail(-EINVAL, "%s: nobody says how many elements %s has: see ncrt_wnd.windows",
				    k->name, k->arg[i].name);
	if (windows + f->w.first_seq > UINT32_MAX)
		return rt_fail(-EINVAL, "%s: %llu windows from %u on, numbers end at %u", k->name,
			    (unsigned long long)windows, f->w.first_seq, UINT32_MAX);
	f->windows = (uint32_t)windows;
	for (i = 0; i < k->args; i++)
		if (k->arg[i].count && !f->args[i].count)
			f->args[i].count = windows * k->arg[i].count;
	return 0;
}

/* ---- fields ---- */

static void store(uint8_t *to, const char *type, uint64_t val)
{
	memcpy(to, &val, desc_type_size(type) > 8 ? 8 : desc_type_size(type));
}

static void pack_fields(const struct ncrt *nc, const struct flight *f, uint32_t seq, uint32_t ver,
			uint8_t *data)
{
	const struct desc_field *d;
	size_t end = 0, here;

	for (d = nc->desc->field; d < nc->desc->field + nc->desc->fields; d++) {
		here = d->offset + desc_type_size(d->type);
		end = here > end ? here : end;
	}
	if (f->w.fields)
		memcpy(data, f->w.fields, end);
	for (d = nc->desc->field; d < nc->desc->field + nc->desc->fields; d++) {
		if (!strcmp(d->name, "slot"))
			store(data + d->offset, d->type, seq % f->w.slots);
		else if (!strcmp(d->name, "ver"))
			store(data + d->offset, d->type, ver);
	}
	if (f->w.fill)
		f->w.fill(data, seq, f->w.fill_ctx);
}

/* ---- arguments ---- */

static void pack_value(const struct desc_arg *d, const struct ncrt_arg *a, uint8_t *to)
{
	float f = (float)a->f;

	if (a->data)
		memcpy(to, a->data, desc_type_size(d->type));
	else if (!strcmp(d->type, "f32"))
		memcpy(to, &f, sizeof(f));
	else if (!strcmp(d->type, "f64"))
		memcpy(to, &a->f, sizeof(a->f));
	else
		store(to, d->type, (uint64_t)a->i);
}

/* Find the elements of window @n in the array, and count their bytes. */
static uint8_t *part(const struct desc_arg *d, const struct ncrt_arg *a, uint32_t n, size_t *bytes)
{
	size_t first = (size_t)n * d->count, size = desc_type_size(d->type);
	size_t left = a->count > first ? a->count - first : 0;

	*bytes = (left < d->count ? left : d->count) * size;
	return (uint8_t *)a->data + first * size;
}

void window_pack(const struct ncrt *nc, const struct flight *f, uint32_t n, uint32_t ver,
		 uint8_t *data)
{
	const struct desc_arg *d;
	const uint8_t *from;
	unsigned int i;
	size_t bytes;

	memset(data, 0, f->k->size);
	pack_fields(nc, f, f->w.first_seq + n, ver, data);
	for (i = 0; i < f->k->args; i++) {
		d = &f->k->arg[i];
		if (d->count) {
			from = part(d, &f->args[i], n, &bytes);
			memcpy(data + d->offset, from, bytes);
		} else {
			pack_value(d, &f->args[i], data + d->offset);
		}
	}
}

void window_unpack(const struct flight *f, uint32_t n, const uint8_t *data)
{
	const struct desc_arg *d;
	unsigned int i;
	uint8_t *to;
	size_t bytes;

	for (i = 0; i < f->k->args; i++) {
		d = &f->k->arg[i];
		if (d->count) {
			to = part(d, &f->args[i], n, &bytes);
			memcpy(to, data + d->offset, bytes);
		} else if (f->args[i].data) {
			memcpy(f->args[i].data, data + d->offset, desc_type_size(d->type));
		}
	}
}
