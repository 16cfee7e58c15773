/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_maps.h - array and hash maps in the card's memory, as the host's control
 * messages (bpf_ctrl.c) and functions called by JITed programs use them.
 *
 * Keys and values are in MU memory, the bytes in the order in which the host
 * sent them. A value's address is a multiple of 8, and JITed code accesses it
 * with MU commands of its own: read32_swap sees little-endian words, and
 * atomic adds work on big-endian words, for which the driver swaps those
 * words in what it sends and gets (nfp_map_bpf_byte_swap()).
 *
 * Chains, free lists and the count of entries are not in that memory: the host
 * and programs can write any of it, and must not lead the board astray.
 */
#ifndef BPF_MAPS_H
#define BPF_MAPS_H

#include "board_int.h"

/* What the NIC firmware offers (nic-firmware, apps/nic/maps). */
#define BD_MAPS_MAX		128
#define BD_MAP_ELEMS_MAX	2048000u	/* in all maps together */
#define BD_MAP_KEY_MAX		56
#define BD_MAP_VALUE_MAX	56
#define BD_MAP_ELEM_MAX		64	/* key and value, each rounded up to 8 */

/* linux/bpf.h: enum bpf_map_type, flags of BPF_MAP_UPDATE_ELEM */
#define BD_MAP_HASH		1
#define BD_MAP_ARRAY		2
#define BD_MAP_ANY		0
#define BD_MAP_NOEXIST		1
#define BD_MAP_EXIST		2

struct bd_map_attr {
	uint32_t type;
	uint32_t key_size;
	uint32_t value_size;
	uint32_t max_entries;
	uint32_t flags;		/* must be 0 */
};

struct bd_map;

struct bd_maps {
	struct bd_map *map[BD_MAPS_MAX];	/* tid - 1 */
	uint32_t count;
	uint32_t elems;		/* max_entries of all */
};

void bd_maps_reset(struct board *b);	/* all maps go */

/*
 * All return 0 or a negative errno, which is also what a JITed program's
 * helper call returns: EBADFD no map @tid, EINVAL attribute, flags or
 * operation, ENOENT no such key, EEXIST, E2BIG no such index or no entry left,
 * or larger than a map may be, ENOMEM too many maps or elements.
 *
 * @key and @value are as long as the map says (bd_map_attr()).
 */
int bd_map_alloc(struct board *b, const struct bd_map_attr *attr, uint32_t *tid);
/* @count: entries that were in it */
int bd_map_free(struct board *b, uint32_t tid, uint32_t *count);
const struct bd_map_attr *bd_map_attr(const struct board *b, uint32_t tid);	/* NULL: none */
/* @addr: of the value, in MU memory, until the entry or the map goes */
int bd_map_lookup(struct board *b, uint32_t tid, const void *key, uint64_t *addr);
int bd_map_update(struct board *b, uint32_t tid, const void *key, const void *value,
		  uint32_t flags);
int bd_map_delete(struct board *b, uint32_t tid, const void *key);
/*
 * The entry behind @key; the first one when @key is NULL or not in the map, as
 * the kernel's maps do. ENOENT behind the last. @next may be @key.
 */
int bd_map_next(struct board *b, uint32_t tid, const void *key, void *next, uint64_t *addr);

#endif /* BPF_MAPS_H */
