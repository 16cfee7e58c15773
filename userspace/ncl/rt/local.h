/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* local.h - operations on a variable of a device. The device may be on this machine. */
#ifndef NCRT_LOCAL_H
#define NCRT_LOCAL_H

#include <stdbool.h>
#include <stddef.h>
#include "desc.h"

enum var_what { VAR_RD, VAR_WR, MAP_GET, MAP_PUT, MAP_DEL, VAR_WHATS };

/**
 * struct var_op - an operation
 * @what: the operation
 * @index: VAR_*: number of the first element, row by row
 * @count: VAR_*: number of elements
 * @size: VAR_*: bytes of an element
 * @key: MAP_*: the key
 * @from: VAR_WR: the elements; MAP_PUT: the value
 * @to: VAR_RD, MAP_GET: out: the elements, or the value
 */
struct var_op {
	enum var_what what;
	size_t index;
	size_t count;
	size_t size;
	const void *key;
	const void *from;
	void *to;
};

static inline bool var_writes(const struct var_op *op)
{
	return op->what != VAR_RD && op->what != MAP_GET;
}

/* Does the variable have these elements, or keys? Returns 0 or -EINVAL, with a text (rt_fail()). */
int var_check(const struct desc_var *v, const struct var_op *op);

/*
 * Do the operation if the device is on this machine. Returns 1: done; 0: `ncl deploy` has not put
 * the device on this machine; -errno, with a text.
 */
int var_local(const struct desc *d, const struct desc_var *v, const struct var_op *op);

#endif /* NCRT_LOCAL_H */
