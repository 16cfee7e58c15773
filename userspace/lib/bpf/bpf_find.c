// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_find.c - find the maps of a program that are channels (nfpchan_bpf.h).
 *
 * Map X is a channel to the host if it is a perf event array. Its messages may have any size,
 * unless there is an array X_n with values of 8 bytes: X_n has as many entries as a message has
 * bytes, and counts messages in its first entry.
 *
 * Map X is a channel to the NFP if it is a hash with keys of 4 bytes, and there is an array X_n
 * with one value of 4 bytes, the number of the message that the program takes next. Or X is an
 * array of slots, and X_n an array of struct nfpchan_seen.
 */
#include <stdio.h>
#include <string.h>
#include "bpf.h"

#define COUNT_SUFFIX	"_n"

static const struct bpf_map_info *count_map(const struct bpf_maps *m, const char *of)
{
	size_t len = strlen(of);
	int i;

	for (i = 0; i < m->n; i++)
		if (m->map[i].info.type == BPF_MAP_TYPE_ARRAY && m->map[i].info.key_size == 4 &&
		    !strncmp(m->map[i].name, of, len) &&
		    !strcmp(m->map[i].name + len, COUNT_SUFFIX))
			return &m->map[i].info;
	return NULL;
}

static bool is_chan(const struct bpf_map_named *map, const struct bpf_map_info *count,
		    struct bpf_chan *c)
{
	const struct bpf_map_info *m = &map->info;

	*c = (struct bpf_chan){ .map_id = m->id };
	snprintf(c->name, sizeof(c->name), "%s", map->name);
	if (m->type == BPF_MAP_TYPE_PERF_EVENT_ARRAY) {
		c->dir = NFP_CHAN_TO_HOST;
		if (count && count->value_size == 8) {
			c->size = count->max_entries;
			c->count_id = count->id;
		}
		return true;
	}
	if (m->key_size != 4 || !count)
		return false;
	c->dir = NFP_CHAN_TO_NFP;
	c->count_id = count->id;
	c->size = m->value_size;
	c->depth = m->max_entries;
	if (m->type == BPF_MAP_TYPE_HASH)
		return count->value_size == 4;
	c->slots = true;
	c->size -= sizeof(struct nfpchan_slot);
	return m->type == BPF_MAP_TYPE_ARRAY && m->value_size > sizeof(struct nfpchan_slot) &&
	       c->depth <= NFPCHAN_SLOTS_MAX && !(c->depth & (c->depth - 1)) &&
	       count->value_size == sizeof(struct nfpchan_seen) &&
	       count->max_entries == NFPCHAN_COUNTERS + 1;
}

int bpf_find(int prog_fd, struct bpf_chan *found)
{
	struct bpf_maps m;
	int i, err, count = 0;

	err = bpf_maps_read(&m, prog_fd);
	if (err)
		return err;
	for (i = 0; i < m.n; i++)
		if (is_chan(&m.map[i], count_map(&m, m.map[i].name), &found[count]))
			count++;
	bpf_maps_free(&m);
	return count;
}
