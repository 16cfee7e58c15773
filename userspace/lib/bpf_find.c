// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_find.c - find the maps of a program that are channels (nfpchan_bpf.h).
 *
 * Map X is a channel to the host if it is a perf event array. Its messages may have any size,
 * unless there is an array X_n with values of 8 bytes: X_n has as many entries as a message has
 * bytes, and counts messages in its first entry.
 *
 * Map X is a channel to the NFP if it is a hash with keys of 4 bytes, and there is an array X_n
 * with one value of 4 bytes, the number of the message that the program takes next.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "bpf.h"

#define COUNT_SUFFIX	"_n"

/* Read the maps of a program. Returns how many, or -errno. */
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
