// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps.c - check the maps of an object against the limits of kernel, driver and card. */
#include <bpf/libbpf.h>
#include "explain.h"

static bool is_percpu(uint32_t type)
{
	return type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_ARRAY ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

static const char *type_name(uint32_t type)
{
	const char *name = libbpf_bpf_map_type_str(type);

	return name ? name : "unknown";
}

static uint32_t up8(uint32_t n)
{
	return (n + 7) & ~7u;
}

static void check_sizes(struct xmap *m, const struct limits *l)
{
	if (up8(m->key_size) + up8(m->value_size) > l->max_elem)
		issue_add(&m->issues, WHY_MAP_ELEM, -1, "a key of %u and a value of %u bytes, "
			  "rounded up to %u; the card takes %u together", m->key_size,
			  m->value_size, up8(m->key_size) + up8(m->value_size), l->max_elem);
	if (m->key_size > l->max_key)
		issue_add(&m->issues, WHY_MAP_KEY, -1, "a key of %u bytes, the card takes %u",
			  m->key_size, l->max_key);
	if (m->value_size > l->max_value)
		issue_add(&m->issues, WHY_MAP_VALUE, -1, "a value of %u bytes, the card takes %u",
			  m->value_size, l->max_value);
	if (m->type == BPF_MAP_TYPE_ARRAY && m->key_size != 4)
		issue_add(&m->issues, WHY_MAP_ARRAY_KEY, -1, "an array with a key of %u bytes",
			  m->key_size);
	if (!m->max_entries || !m->key_size || !m->value_size)
		issue_add(&m->issues, WHY_MAP_EMPTY, -1,
			  "%u entries, keys of %u and values of %u bytes", m->max_entries,
			  m->key_size, m->value_size);
}

static bool check_kind(struct xmap *m, const struct limits *l)
{
	if (m->data) {
		issue_add(&m->issues, WHY_MAP_GLOBAL, -1, "it holds global variables or constants");
		return false;
	}
	if (m->type == BPF_MAP_TYPE_PROG_ARRAY) {
		issue_add(&m->issues, WHY_PROG_ARRAY, -1, "it holds programs");
		return false;
	}
	if (is_percpu(m->type)) {
		issue_add(&m->issues, WHY_MAP_PERCPU, -1, "its type is %s", type_name(m->type));
		return false;
	}
	if (m->type >= 32 || !(l->map_types >> m->type & 1)) {
		issue_add(&m->issues, WHY_MAP_TYPE, -1, "its type is %s", type_name(m->type));
		return false;
	}
	if (m->flags || m->numa_node)
		issue_add(&m->issues, WHY_MAP_FLAGS, -1, "its flags are 0x%x%s", m->flags,
			  m->numa_node ? ", with a NUMA node" : "");
	return true;
}

/* libbpf creates all maps on the card, in this order, whether or not a program uses them. */
void maps_check(struct xobject *o, const struct device *d)
{
	uint32_t maps = d ? d->maps : 0, entries = d ? d->entries : 0;
	const struct limits *l = &o->limits;
	unsigned int i;

	for (i = 0; i < o->maps; i++) {
		struct xmap *m = &o->map[i];

		if (m->type == BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			continue;	/* the driver keeps it in the kernel */
		if (!check_kind(m, l))
			continue;
		check_sizes(m, l);
		if (maps >= l->max_maps)
			issue_add(&m->issues, WHY_MAP_COUNT, -1,
				  "it is map %u of the card, which has room for %u", maps + 1,
				  l->max_maps);
		if (m->max_entries > l->max_entries - entries) {
			issue_add(&m->issues, WHY_MAP_ENTRIES, -1,
				  "%u entries, the card has room for %u more", m->max_entries,
				  l->max_entries - entries);
			continue;
		}
		maps++;
		entries += m->max_entries;
	}
}
