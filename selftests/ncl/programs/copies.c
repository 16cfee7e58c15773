// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* memcpy and memset, of parts of a variable and of whole variables. seq: 4. fill: random */
#include <ncl.h>

_net_ uint32_t block[4][8];
_net_ uint8_t bytes[4][24];
_net_ uint64_t wide[4];

_net_ _out_ _win_(8) void store(uint32_t *v)
{
	memcpy(block[window.seq], v, 32);
}

_net_ _out_ _win_(8) void load(uint32_t *v)
{
	memcpy(v, block[window.seq], 32);
	_reflect();
}

_net_ _out_ _win_(8) void half(uint32_t *v)
{
	memcpy(&block[window.seq][2], v + 4, 16);
	memset(&block[window.seq][0], 0, 8);
	memcpy(v, &block[window.seq][1], 12);
}

_net_ _out_ _win_(24) void text(uint8_t *s)
{
	uint8_t was[24];

	memcpy(was, bytes[window.seq], 24);
	memcpy(bytes[window.seq], s, 24);
	memcpy(s, was, 24);
	wide[window.seq] = was[3];
}
