/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ncl.h - the NCL language for a program that runs as plain C on the host. This file comes before
 * userspace/ncl/ncl.h in the include path.
 *
 * Specifiers expand to nothing, variables of the network are globals, an action is recorded, and
 * a map is a list. wrap.py defines model_node() after the program's source.
 */
#ifndef NCL_H
#define NCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../model.h"
#include "ncl_host.h"

#ifndef NCL_WINDOW
#define NCL_WINDOW
#endif

#define _net_
#define _out_
#define _in_
#define _ext_
#define _ctrl_
#define _nolock_
#define _at_(...)
#define _win_(...)
#define _lock_(...)
#define _pair_(...)
#define _as_(...)

/* struct model_window, followed by the program's fields */
static struct {
	uint32_t seq, invocation, len, from, to;
	NCL_WINDOW
} window;

static struct {
	uint32_t id;
} location;

static struct model_action model_action;

static uint32_t model_node(const char *label);

static inline void model_act(enum model_do what, const char *label)
{
	model_action.what = what;
	model_action.to = *label ? model_node(label) : 0;
}

#define _pass(...)	model_act(MODEL_PASS, "" __VA_ARGS__)
#define _reflect()	model_act(MODEL_REFLECT, "")
#define _bcast()	model_act(MODEL_BCAST, "")
#define _drop()		model_act(MODEL_DROP, "")
#define ncl_at(label)	(location.id == model_node(label))
#define ncl_place(label) model_node(label)

/* ---- tables of keys ---- */

/* Find a key in a list of @n entries. An entry begins with its key. Returns the value, or NULL. */
static inline void *model_find(void *list, uint32_t n, size_t stride, size_t at, const void *key,
			       size_t size)
{
	uint8_t *e = (uint8_t *)list;

	for (; n; n--, e += stride)
		if (!memcmp(e, key, size))
			return e + at;
	return NULL;
}

/* Insert a key or change its value, as a host does. Returns -1 if the table is full. */
static inline int model_put(void *list, uint32_t *n, uint32_t room, size_t stride, size_t at,
			    const void *key, size_t ksize, const void *value, size_t vsize)
{
	uint8_t *v = (uint8_t *)model_find(list, *n, stride, at, key, ksize);

	if (!v && *n == room)
		return -1;
	if (!v) {
		v = (uint8_t *)list + *n * stride + at;
		memcpy(v - at, key, ksize);
		++*n;
	}
	memcpy(v, value, vsize);
	return 0;
}

#define MODEL_ENTRIES(m)	(m).list, &(m).n, sizeof((m).list) / sizeof((m).list[0]), \
				sizeof((m).list[0]), offsetof(__typeof__((m).list[0]), value)

#ifndef __cplusplus
#define ncl_map(K, V, N) struct { uint32_t n; struct { K key; V value; } list[N]; }
#define ncl_get(m, k) ({ \
	__typeof__((m).list[0].key) model_key = (k); \
	(__typeof__((m).list[0].value) *)model_find((m).list, (m).n, sizeof((m).list[0]), \
		offsetof(__typeof__((m).list[0]), value), &model_key, sizeof(model_key)); })
#else
namespace ncl {
template<class K, class V, unsigned N> struct Map {
	uint32_t n;
	struct entry { K key; V value; } list[N];
	V *operator[](const K &key)
	{
		return static_cast<V *>(model_find(list, n, sizeof(list[0]),
						   offsetof(entry, value), &key, sizeof(key)));
	}
};
}
#endif

#endif /* NCL_H */
