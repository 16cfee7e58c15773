/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A cache for a key-value store. The clients are on one side of the device. On the other side is
 * the host of the store, with kvs-server, which asks memcached. The device answers a GET of a key
 * that it has, and passes all other queries on to kvs-server.
 *
 * kvs-server chooses the keys: it puts them into `entry`, and writes their values. No other
 * program does, and kvs-server does all writes in one order: it answers a PUT when the value is
 * in memcached and in the cache. A PUT that passes the device makes the entry invalid, so GETs go
 * to kvs-server until it has written the new value. The kernel and kvs-server hold the same lock,
 * so that a GET returns a whole value.
 */
#include <stdint.h>
#include <string.h>
#include <ncl.h>
#include "kvs.h"

_net_ _at_("s1") ncl::Map<uint64_t, uint8_t, KVS_ENTRIES> entry;
_net_ _at_("s1") char cache[KVS_ENTRIES][KVS_VALUE];
_net_ _at_("s1") int32_t length[KVS_ENTRIES];
_net_ _at_("s1") uint32_t valid[KVS_ENTRIES];
_net_ _at_("s1") uint64_t hits, misses;

/* GET: the answer has *len and val. PUT: *len and val are the value to store. */
_net_ _out_ _at_("s1") _lock_(0) _win_(1, KVS_VALUE)
void query(uint64_t key, bool put, int32_t *len, char *val)
{
	auto *e = entry[key];

	if (put) {
		if (e)
			valid[*e % KVS_ENTRIES] = 0;
	} else if (e && valid[*e % KVS_ENTRIES]) {
		memcpy(val, cache[*e % KVS_ENTRIES], KVS_VALUE);
		*len = length[*e % KVS_ENTRIES];
		hits += 1;
		_reflect();
	} else {
		misses += 1;
	}
}
