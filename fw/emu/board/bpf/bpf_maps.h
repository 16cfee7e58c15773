/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_maps.h - array and hash maps in the card's memory. The host uses them by control messages
 * (bpf_ctrl.c), JITed programs by helpers (bpf_helpers.c).
 *
 * Keys and values are in MU memory, with their bytes in the order in which the host sent them.
 * The address of a value is a multiple of 8. JITed code accesses values with MU commands
 * directly: read32_swap reads little-endian words, atomic adds use big-endian words. So the
 * driver swaps the bytes of words that a program adds to, in what it sends and receives
 * (nfp_map_bpf_byte_swap()).
 *
 * Hash chains, free lists and the count of entries are not in MU memory, because the host and
 * programs can write anything there.
 */
#ifndef BPF_MAPS_H
#define BPF_MAPS_H

#include "board_int.h"

/*
 * Limits of the vendor's NIC firmware (nic-firmware, apps/nic/maps). All maps together have as many
 * elements as the capability MAPS says, up to BD_MAP_ELEMS_MOST.
 */
#define BD_MAPS_MAX		128
#define BD_MAP_ELEMS_MOST	4000000u
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
	struct bd_map *map[BD_MAPS_MAX];	/* index: tid - 1 */
	uint32_t count;
	uint32_t elems;		/* sum of max_entries */
};

void bd_maps_reset(struct board *b);	/* frees all maps */

/*
 * All functions return 0 or a negative errno, which is also the result of the helper in a JITed
 * program:
 *   EBADFD  there is no map @tid
 *   EINVAL  an attribute, a flag or the operation is not valid
 *   ENOENT  there is no such key
 *   EEXIST  the key is there, and flags exclude that
 *   E2BIG   there is no such index, no entry is left, or the map would be too large
 *   ENOMEM  too many maps or entries
 *
 * @key and @value have the sizes of the map (bd_map_attr()).
 */
int bd_map_alloc(struct board *b, const struct bd_map_attr *attr, uint32_t *tid);
/* @count: out: entries that the map had */
int bd_map_free(struct board *b, uint32_t tid, uint32_t *count);
const struct bd_map_attr *bd_map_attr(const struct board *b, uint32_t tid);	/* or NULL */
/* @addr: out: MU address of the value, valid until the entry is deleted or the map freed */
int bd_map_lookup(struct board *b, uint32_t tid, const void *key, uint64_t *addr);
int bd_map_update(struct board *b, uint32_t tid, const void *key, const void *value,
		  uint32_t flags);
int bd_map_delete(struct board *b, uint32_t tid, const void *key);
/*
 * Find the entry after @key, or the first entry if @key is NULL or not in the map, as the
 * kernel's maps do. ENOENT: @key is the last one. @next may be @key.
 */
int bd_map_next(struct board *b, uint32_t tid, const void *key, void *next, uint64_t *addr);

#endif /* BPF_MAPS_H */
