// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The kernel of figure 5 of the paper, a cache for a key-value store. It differs from the figure:
 * _win_() gives the number of bytes of the array in a window, SERVER is the number of a node, and
 * an update of a key that is not in the map is passed on. The figure reads through a null pointer
 * in that case.
 */
#include <ncl.h>

#define SERVER ncl_place("server")

_net_ _at_("s1") ncl::Map<uint64_t, uint8_t, 256> Idx;
_net_ _at_("s1") char Cache[256][128] = {{0}};
_net_ _at_("s1") bool Valid[256] = {false};

_net_ _out_ _win_(128) void query(uint64_t key, char *val, bool update)
{
	if (window.from != SERVER && update) { // client PUT
		if (auto *idx = Idx[key]) Valid[*idx] = false;
	} else if (window.from != SERVER) { // client GET
		if (auto *idx = Idx[key]) { // hit
			if (Valid[*idx]) {
				memcpy(val, Cache[*idx], 128); _reflect(); } }
	} else if (update) { // server update
		auto *idx = Idx[key];
		if (!idx)
			return;
		memcpy(Cache[*idx], val, 128);
		Valid[*idx] = true; _drop();
	} else { // server GET response
	}
}
