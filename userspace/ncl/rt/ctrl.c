// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ctrl.c - calls for variables of devices, on this machine or on others. */
#include <errno.h>
#include <string.h>
#include "rt.h"

static bool is_at(const struct desc_var *v, const char *var, const char *place)
{
	return !strcmp(v->name, var) && (!place || !strcmp(v->place, place));
}

/* 1: read. 0: no device on this machine has the variable. */
static int read_here(struct ncrt *nc, const char *var, const char *place, const struct var_op *op)
{
	const struct desc_var *v = nc->desc->var, *end = v + nc->desc->vars;
	int ret = 0;

	for (; v < end && !ret; v++)
		if (is_at(v, var, place))
			ret = var_local(nc->desc, v, op);
	return ret;
}

static int write_all(struct ncrt *nc, const char *var, const char *place, const struct var_op *op)
{
	const struct desc_var *v = nc->desc->var, *end = v + nc->desc->vars;
	int ret = 0;

	for (; v < end && ret >= 0; v++) {
		if (!is_at(v, var, place))
			continue;
		ret = var_local(nc->desc, v, op);
		if (!ret)
			ret = remote_do(nc, v, op);
	}
	return ret < 0 ? ret : 0;
}

static int do_op(struct ncrt *nc, const char *var, const char *place, const struct var_op *op)
{
	const struct desc_var *v = var ? desc_var(nc->desc, var, place) : NULL;
	int ret;

	if (!v)
		return rt_fail(-ENOENT, "%s%s%s is no variable of %s", var ? var : "NULL", place ? " of " : "",
			    place ? place : "", nc->desc->name);
	if (var_writes(op))
		return write_all(nc, var, place, op);
	ret = read_here(nc, var, place, op);
	if (!ret)
		ret = remote_do(nc, v, op);
	return ret < 0 ? ret : 0;
}

int ncrt_ctrl_wr(struct ncrt *nc, const char *var, const char *place, size_t index,
		 const void *data, size_t count, size_t size)
{
	return do_op(nc, var, place, &(struct var_op){ .what = VAR_WR, .index = index, .count = count,
						       .size = size, .from = data });
}

int ncrt_ctrl_rd(struct ncrt *nc, const char *var, const char *place, size_t index,
		 void *data, size_t count, size_t size)
{
	return do_op(nc, var, place, &(struct var_op){ .what = VAR_RD, .index = index, .count = count,
						       .size = size, .to = data });
}

int ncrt_map_put(struct ncrt *nc, const char *map, const char *place, const void *key,
		 const void *value)
{
	return do_op(nc, map, place, &(struct var_op){ .what = MAP_PUT, .key = key, .from = value });
}

int ncrt_map_get(struct ncrt *nc, const char *map, const char *place, const void *key, void *value)
{
	return do_op(nc, map, place, &(struct var_op){ .what = MAP_GET, .key = key, .to = value });
}

int ncrt_map_del(struct ncrt *nc, const char *map, const char *place, const void *key)
{
	return do_op(nc, map, place, &(struct var_op){ .what = MAP_DEL, .key = key });
}
