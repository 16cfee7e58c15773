// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A cache of values: tables that hosts fill, constant ones, a sketch of what is
 * asked for often.
 * and: one.and
 */
#include <netcl.hpp>

#define LINES	8
#define WORDS	4

using namespace ncl;

enum what : uint8_t { get = 1, got, put, del, update, updated };

_net_ uint32_t line[WORDS][LINES];
_managed_ bool valid[LINES];
_managed_ uint32_t hits[LINES];
_managed_ _lookup_ ncl_kv<uint64_t, uint8_t> lines[LINES];
_managed_ _lookup_ uint16_t banned[6];
_managed_ uint16_t asked[2][16];

const _lookup_ kv<uint8_t, uint16_t> cost[] = { { get, 10 }, { put, 200 }, { del, 30 } };
const _lookup_ rv<uint32_t, uint16_t> classes[] = { { 0, 9, 1 }, { 10, 99, 2 }, { 50, 0xfffffff0, 3 } };

_net_ void read(uint32_t at, uint32_t parts, uint32_t *to)
{
	for (auto i = 0; i < WORDS; i++)
		to[i] = atomic_cond_read_or(&line[i][at], bit_chk(parts, i), 0);
}

_net_ void write(uint32_t at, uint32_t parts, const uint32_t *from)
{
	for (auto i = 0; i < WORDS; i++)
		atomic_cond_write(&line[i][at], bit_chk(parts, i), from[i]);
}

_net_ uint16_t count(uint64_t key)
{
	uint16_t a = atomic_sadd_new(&asked[0][tna::xor16<4>(key)], 1);
	uint16_t b = atomic_sadd_new(&asked[1][tna::xor32<4>(key)], 0x7000);

	return a < b ? a : b;
}

_kernel(1) void query(uint64_t key, uint32_t value[WORDS], what &op, uint32_t &parts, uint16_t &n)
{
	uint8_t at;

	if (lookup(banned, key ^ parts))
		return _drop();
	n = 0;
	if (!lookup(lines, key, at)) {
		if (op == get)
			n = count(key);
		return;
	}
	at %= LINES;
	switch (op) {
	case put:
	case del:
		valid[at] = false;
		break;
	case get:
		if (!valid[at])
			break;
		read(at, parts, value);
		atomic_sadd(&hits[at], 1);
		op = got;
		return _reflect();
	case update:
		write(at, parts, value);
		valid[at] = true;
		op = updated;
		return _reflect();
	default:
		return _drop();
	}
}

_kernel(2) void price(uint8_t op, uint32_t size, uint16_t &n, uint16_t &size_class, bool &odd)
{
	if (!lookup(cost, op, n))
		n++;
	lookup(classes, size, size_class);
	odd = lookup(classes, size) != lookup(cost, op) || bit_chk<3>(n);
	_reflect_long();
}
