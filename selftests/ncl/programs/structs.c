// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Structs: as variables, and as elements of a window. seq: 4. fill: random */
#include <ncl.h>

struct flow {
	uint32_t packets;
	uint16_t flags;
	uint8_t state, last;
	uint64_t bytes;
};

struct item {
	uint32_t key;
	uint16_t count;
	uint8_t tag[2];
};

_net_ struct flow flows[4];
_net_ struct flow all;
_net_ struct item items[8];

_net_ _out_ void account(uint32_t bytes, uint16_t flags, uint8_t state)
{
	struct flow *f = &flows[window.seq];

	f->packets++;
	f->bytes += bytes;
	f->flags |= flags;
	if (f->state != state) {
		f->last = f->state;
		f->state = state;
		all.flags++;
	}
	all.packets++;
	all.bytes += bytes;
}

_net_ _out_ _win_(2) void merge(struct item *v)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct item *at = &items[v[i].key & 7];

		at->count += v[i].count;
		at->tag[0] ^= v[i].tag[1];
		v[i] = *at;
	}
}
