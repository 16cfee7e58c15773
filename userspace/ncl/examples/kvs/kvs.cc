/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A cache in front of a key-value store, which is behind the device: kvs-server on that host,
 * with memcached behind it. The device answers a GET of a key that it has; all else goes on
 * to the server.
 *
 * The server chooses the keys: it puts them into `entry`, and writes the values. It is the only
 * one that does, and does all writes in one order: a PUT is in memcached and in the cache
 * before its client gets the answer. A PUT that passes makes the entry invalid, so GETs go to
 * the server until it has written the new value. The lock keeps a GET and the server's
 * write apart: a value is read whole.
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

/* GET: *len and val come back. PUT: they are stored. */
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
