// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_find.c - which maps of a program are channels: see nfpchan_bpf.h.
 *
 * "X" with "X_n" beside it: X a perf event array and X_n an array with 8 bytes, as many
 * as a message has bytes, of which the first counts; or X a hash with a key of 4 bytes and
 * X_n an array with one value of 4 bytes, the number of the message that is taken next.
 * A perf event array alone is a channel, too: of messages of any size.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "bpf.h"

#define COUNT_SUFFIX	"_n"

/* The maps of a program: how many. */
static int maps_read(int prog_fd, struct bpf_map_info *map)
{
	uint32_t ids[BPF_MAPS_MAX], i;
	struct bpf_prog_info prog = {
		.nr_map_ids = BPF_MAPS_MAX, .map_ids = (uintptr_t)ids,
	};
	int fd, err;

	err = bpf_prog_info(prog_fd, &prog);
	for (i = 0; !err && i < prog.nr_map_ids && i < BPF_MAPS_MAX; i++) {
		memset(&map[i], 0, sizeof(map[i]));
		fd = bpf_map_fd(ids[i]);
		err = fd < 0 ? fd : bpf_map_info(fd, &map[i]);
		if (fd >= 0)
			close(fd);
	}
	return err ?: (int)i;
}

static const struct bpf_map_info *count_map(const struct bpf_map_info *map, int n, const char *of)
{
	char name[BPF_OBJ_NAME_LEN + sizeof(COUNT_SUFFIX)];
	int i;

	snprintf(name, sizeof(name), "%s" COUNT_SUFFIX, of);
	for (i = 0; i < n; i++)
		if (map[i].type == BPF_MAP_TYPE_ARRAY && map[i].key_size == 4 &&
		    !strcmp(map[i].name, name))
			return &map[i];
	return NULL;
}

static bool is_chan(const struct bpf_map_info *m, const struct bpf_map_info *count,
		    struct bpf_chan *c)
{
	*c = (struct bpf_chan){ .map_id = m->id };
	memcpy(c->name, m->name, sizeof(m->name));
	if (m->type == BPF_MAP_TYPE_PERF_EVENT_ARRAY) {
		c->dir = NFP_CHAN_TO_HOST;
		if (count && count->value_size == 8) {
			c->size = count->max_entries;
			c->count_id = count->id;
		}
		return true;
	}
	c->dir = NFP_CHAN_TO_NFP;
	if (m->type != BPF_MAP_TYPE_HASH || m->key_size != 4 || !count || count->value_size != 4)
		return false;
	c->count_id = count->id;
	c->size = m->value_size;
	c->depth = m->max_entries;
	return true;
}

int bpf_find(int prog_fd, struct bpf_chan *found)
{
	struct bpf_map_info map[BPF_MAPS_MAX];
	int i, n = maps_read(prog_fd, map), count = 0;

	for (i = 0; i < n; i++)
		if (is_chan(&map[i], count_map(map, n, map[i].name), &found[count]))
			count++;
	return n < 0 ? n : count;
}
