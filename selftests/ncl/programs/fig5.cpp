// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Fig. 5 of the paper. */
#include <ncl.h>

enum { GET = 1, PUT = 2 };

_net_ _at_("s1") ncl::Map<uint64_t, uint8_t, 16> idx;
_net_ _at_("s1") char cache[16][32];
_net_ _at_("s1") bool valid[16];

_net_ _out_ _at_("s1") _win_(32) void query(uint64_t key, char *val, uint8_t type, bool update)
{
	auto *at = idx[key];

	if (type == PUT && at && !update) {
		valid[*at & 15] = false;
	} else if (type == PUT && update) {
		if (at) {
			memcpy(cache[*at & 15], val, 32);
			valid[*at & 15] = true;
		}
		_drop();
	} else if (at && valid[*at & 15]) {
		memcpy(val, cache[*at & 15], 32);
		_reflect();
	}
}
