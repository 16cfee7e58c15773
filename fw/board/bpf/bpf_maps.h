/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_maps.h - array and hash maps in the card's memory. The host uses them by control messages
 * (bpf_ctrl.c), JITed programs by firmware functions.
 *
 * Keys and values are in MU memory, the bytes in the order in which the host sent them. A value's
 * address is a multiple of 8. JITed code accesses the value with MU commands: read32_swap reads
 * little-endian words, and atomic adds work on big-endian words. So the driver swaps the words to
 * which a program adds when it sends and receives them (nfp_map_bpf_byte_swap()).
 *
 * Chains, free lists and entry counts are not in that memory, because the host and programs can
 * write to all of it, and must not be able to corrupt the board.
 */
#ifndef BPF_MAPS_H
#define BPF_MAPS_H

#include "board_int.h"

/* The NIC firmware's limits (nic-firmware, apps/nic/maps). */
#define BD_MAPS_MAX		128
#define BD_MAP_ELEMS_MAX	2048000u	/* sum of all maps */
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
	uint32_t elems;		/* sum of max_entries */
};

void bd_maps_reset(struct board *b);	/* frees all maps */

/*
 * Each function returns 0 or a negative errno, which the helper call of a JITed program returns,
 * too: EBADFD (no map @tid), EINVAL (attribute, flags or operation), ENOENT (no such key),
 * EEXIST, E2BIG (no such index, no free entry, or larger than a map may be), ENOMEM (too many
 * maps or entries).
 *
 * The sizes of @key and @value are those of the map (bd_map_attr()).
 */
int bd_map_alloc(struct board *b, const struct bd_map_attr *attr, uint32_t *tid);
/* @count receives the number of entries in the map */
int bd_map_free(struct board *b, uint32_t tid, uint32_t *count);
const struct bd_map_attr *bd_map_attr(const struct board *b, uint32_t tid);	/* NULL: none */
/*
 * @addr receives the value's address in MU memory; it is valid until the entry or map is removed
 */
int bd_map_lookup(struct board *b, uint32_t tid, const void *key, uint64_t *addr);
int bd_map_update(struct board *b, uint32_t tid, const void *key, const void *value,
		  uint32_t flags);
int bd_map_delete(struct board *b, uint32_t tid, const void *key);
/*
 * Get the entry after @key. If @key is NULL or not in the map, get the first entry, like the
 * kernel's maps. After the last entry, return ENOENT. @next may be the same buffer as @key.
 */
int bd_map_next(struct board *b, uint32_t tid, const void *key, void *next, uint64_t *addr);

#endif /* BPF_MAPS_H */
