// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_map.c - nfpchan xdp map: print a map of an interface's programs, summed over its copies. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../tool.h"
#include "xdp.h"

#define PROGS_MAX	256	/* most programs that are searched */

/**
 * struct copy - one copy of the map. Programs on the card and on the host may have a copy each
 * @fd: descriptor of the map
 * @info: the kernel's information on the map
 * @card: true if the copy is on the card
 */
struct copy {
	int fd;
	struct bpf_map_info info;
	bool card;
};

/**
 * struct search - a search for a map in all programs of an interface
 * @name: name of the map, or its id in decimal digits
 * @copy: copies that were found
 * @copies: number of copies
 * @prog: ids of the programs to search
 * @progs: number of programs
 * @seen: number of programs that were searched
 */
struct search {
	const char *name;
	struct copy copy[BPF_MAPS_MAX];
	unsigned int copies;
	uint32_t prog[PROGS_MAX];
	unsigned int progs, seen;
};

/* ---- search ---- */

static void add_prog(struct search *s, uint32_t id)
{
	unsigned int i;

	for (i = 0; i < s->progs; i++)
		if (s->prog[i] == id)
			return;
	if (id && s->progs < PROGS_MAX)
		s->prog[s->progs++] = id;
}

/* Add the programs of a prog array to the search. A lookup returns the id of a program. */
static void add_slots(struct search *s, const struct bpf_map_info *info)
{
	int fd = bpf_map_get_fd_by_id(info->id);
	uint32_t slot, id;

	for (slot = 0; fd >= 0 && slot < info->max_entries; slot++)
		if (!bpf_map_lookup_elem(fd, &slot, &id))
			add_prog(s, id);
	if (fd >= 0)
		close(fd);
}

static bool known(const struct search *s, uint32_t id)
{
	unsigned int i;

	for (i = 0; i < s->copies; i++)
		if (s->copy[i].info.id == id)
			return true;
	return false;
}

static int add_copy(struct search *s, const struct bpf_map_info *info)
{
	int fd;

	if (known(s, info->id) || s->copies == BPF_MAPS_MAX)
		return 0;
	fd = bpf_map_get_fd_by_id(info->id);
	if (fd < 0)
		return tool_fail("map %u: %s", info->id, xdp_error(fd));
	s->copy[s->copies++] = (struct copy){ fd, *info, info->ifindex };
	return 0;
}

static int look_at_maps(struct search *s, uint32_t prog, const struct bpf_maps *m)
{
	char why[256];
	int i;

	for (i = 0; i < m->n; i++)
		if (m->map[i].info.type == BPF_MAP_TYPE_PROG_ARRAY)
			add_slots(s, &m->map[i].info);
	i = bpf_maps_find(m, s->name, 0, why, sizeof(why));
	if (i == -ENOTUNIQ)
		return tool_fail("map %s of program %u may be %s. Name it by its number", s->name, prog,
				 why);
	return i < 0 ? 0 : add_copy(s, &m->map[i].info);
}

static int look_at_prog(struct search *s, uint32_t id)
{
	int fd = bpf_prog_get_fd_by_id(id), err;
	struct bpf_maps m;

	if (fd == -ENOENT)
		return 0;	/* it was freed in the meantime */
	err = fd < 0 ? fd : bpf_maps_read(&m, fd);
	if (fd >= 0)
		close(fd);
	if (err)
		return tool_fail("program %u: %s", id, xdp_error(err));
	err = look_at_maps(s, id, &m);
	bpf_maps_free(&m);
	return err;
}

/* Search the attached programs, and the programs in their prog arrays. */
static int search(struct search *s, const char *dev)
{
	LIBBPF_OPTS(bpf_xdp_query_opts, q);
	int ifindex = (int)if_nametoindex(dev), ret;

	if (!ifindex)
		return tool_fail("%s: no such interface", dev);
	ret = bpf_xdp_query(ifindex, 0, &q);
	if (ret)
		return tool_fail("%s: cannot query the attached programs: %s", dev, strerror(-ret));
	add_prog(s, q.hw_prog_id);
	add_prog(s, q.drv_prog_id);
	add_prog(s, q.skb_prog_id);
	if (!s->progs)
		return tool_fail("%s: no XDP program is attached", dev);
	while (!ret && s->seen < s->progs)
		ret = look_at_prog(s, s->prog[s->seen++]);
	if (ret || s->copies)
		return ret;
	return tool_fail("%s: no XDP program of the interface uses a map \"%s\"", dev, s->name);
}

/* ---- values ---- */

static bool is_percpu(uint32_t type)
{
	return type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_ARRAY ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

static bool is_counted(uint32_t type)
{
	return is_percpu(type) || type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_ARRAY ||
	       type == BPF_MAP_TYPE_LRU_HASH;
}

static unsigned int counters(const struct copy *c)
{
	return c->info.value_size == 4 ? 1 : c->info.value_size / 8;
}

/*
 * Add the counters of one key to @sum. For a per-CPU map, add those of all CPUs. Returns -ENOENT
 * if this copy does not have the key.
 */
static int value_sum(const struct copy *c, const void *key, uint64_t *sum)
{
	unsigned int cpus = is_percpu(c->info.type) ? (unsigned int)libbpf_num_possible_cpus() : 1;
	size_t size = (c->info.value_size + 7) / 8 * 8, cpu, i;
	char *value = calloc(cpus, size);
	uint64_t v;
	int ret;

	if (!value)
		return -ENOMEM;
	ret = bpf_map_lookup_elem(c->fd, key, value);
	for (cpu = 0; !ret && cpu < cpus; cpu++)
		for (i = 0; i < counters(c); i++) {
			v = 0;
			memcpy(&v, value + cpu * size + 8 * i, c->info.value_size == 4 ? 4 : 8);
			sum[i] += v;
		}
	free(value);
	return ret;
}

static int fitting(const struct search *s)
{
	const struct copy *a = &s->copy[0];
	unsigned int i;

	for (i = 0; i < s->copies; i++) {
		const struct copy *c = &s->copy[i];

		if (!is_counted(c->info.type) ||
		    (c->info.value_size != 4 && (c->info.value_size % 8 || !c->info.value_size)))
			return tool_fail("map %s: cannot print type %s with values of %u bytes: it must "
					 "be an array or a hash, and a value one 32-bit counter or some "
					 "64-bit counters", s->name,
					 libbpf_bpf_map_type_str(c->info.type), c->info.value_size);
		if (c->info.key_size != a->info.key_size || c->info.value_size != a->info.value_size)
			return tool_fail("map %s: %u maps have this name, with different sizes of keys or values", s->name,
					 s->copies);
	}
	return 0;
}

/* ---- output ---- */

/**
 * struct entry - a key and its counters
 * @key: the key
 * @sum: sums of the copies on the card, then of the copies on the host
 */
struct entry {
	const unsigned char *key;
	uint64_t *sum[2];
};

static void entry_plain(const struct copy *c, const struct entry *e, bool both)
{
	unsigned int i;

	for (i = 0; i < c->info.key_size; i++)
		printf("%02x", e->key[i]);
	for (i = 0; i < counters(c); i++) {
		printf("  %" PRIu64, e->sum[0][i] + e->sum[1][i]);
		if (both)
			printf(" (card %" PRIu64 ", host %" PRIu64 ")", e->sum[0][i], e->sum[1][i]);
	}
	putchar('\n');
}

static void json_side(struct json *j, const char *name, const struct copy *c,
		      const struct entry *e, int first, int last)
{
	unsigned int i;
	uint64_t v;
	int side;

	json_array(j, name);
	for (i = 0; i < counters(c); i++) {
		for (v = 0, side = first; side <= last; side++)
			v += e->sum[side][i];
		json_u64(j, NULL, v);
	}
	json_close(j);
}

static void entry_json(struct json *j, const struct copy *c, const struct entry *e)
{
	json_object(j, NULL);
	json_hex(j, "key", e->key, c->info.key_size);
	json_side(j, "value", c, e, 0, 1);
	json_side(j, "card", c, e, 0, 0);
	json_side(j, "host", c, e, 1, 1);
	json_close(j);
	json_row_end(j);
}

/*
 * Print a key that was found in copy @first, with the sums of all copies. If an earlier copy has
 * the key as well, it was printed already. A copy that has lost the key in the meantime adds
 * nothing.
 */
static int print_entry(struct json *j, const struct search *s, unsigned int first,
		       const unsigned char *key)
{
	const struct copy *a = &s->copy[0];
	uint64_t *sums = calloc(2 * counters(a), sizeof(*sums));
	struct entry e = { .key = key, .sum = { sums, sums + counters(a) } };
	bool sides[2] = { false, false }, earlier = false;
	unsigned int i;
	int ret = sums ? 0 : -ENOMEM;

	for (i = 0; !ret && i < s->copies; i++) {
		sides[!s->copy[i].card] = true;
		ret = value_sum(&s->copy[i], key, e.sum[!s->copy[i].card]);
		earlier |= !ret && i < first;
		ret = ret == -ENOENT ? 0 : ret;
	}
	if (!ret && !earlier && tool.json)
		entry_json(j, a, &e);
	else if (!ret && !earlier)
		entry_plain(a, &e, sides[0] && sides[1]);
	free(sums);
	return ret;
}

/* Print the keys of all copies, each key once. */
static int print_all(struct json *j, const struct search *s)
{
	uint32_t size = s->copy[0].info.key_size;
	unsigned char *key = calloc(2, size), *next = key + size;
	unsigned int i;
	int ret = 0;

	if (!key)
		return -ENOMEM;
	for (i = 0; !ret && i < s->copies; i++) {
		const unsigned char *at = NULL;

		while (!ret && !bpf_map_get_next_key(s->copy[i].fd, at, next)) {
			memcpy(key, next, size);
			at = key;
			ret = print_entry(j, s, i, key);
		}
	}
	free(key);
	return ret;
}

static int dump(const char *dev, const char *name)
{
	struct search s = { .name = name };
	unsigned int i;
	struct json j;
	int ret;

	ret = search(&s, dev);
	if (!ret)
		ret = fitting(&s);
	if (!ret) {
		tool_json_rows(&j);
		if (tool.json)
			json_rows(&j, NULL);
		ret = print_all(&j, &s);
		if (ret)
			ret = tool_fail("map %s: %s", name, strerror(-ret));
		if (tool.json && !ret) {
			json_rows_end(&j);
			json_end(&j);
		}
	}
	for (i = 0; i < s.copies; i++)
		close(s.copy[i].fd);
	return ret;
}

int cmd_xdp_map(const struct command *cmd, int argc, char **argv)
{
	const char *dev = NULL;
	const struct tool_opt opts[] = {
		{ "dev", 'd', .text = &dev },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "\"dump\"", 2);

	if (ret >= 0)
		return ret;
	if (strcmp(argv[optind], "dump"))
		return tool_usage(cmd, "no command \"%s\", the only one is dump", argv[optind]);
	if (argc - optind < 2)
		return tool_usage(cmd, "a map's name is missing");
	if (!dev)
		return tool_usage(cmd, "an interface is missing: --dev");
	return dump(dev, argv[optind + 1]);
}
