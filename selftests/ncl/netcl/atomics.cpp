// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fill: random. Each atomic, its result, and what it leaves. and: one.and */
#include <netcl.hpp>

using namespace ncl;

_managed_ uint32_t word[8];
_net_ uint8_t byte[4][8];
_net_ uint16_t half[8];
_net_ uint64_t wide[8];
_net_ int32_t sign[8];
_managed_ bool flag[8];

_kernel(3) void old_value(uint8_t at, uint32_t x, uint32_t out[13])
{
	uint32_t *p = &word[at & 7];

	out[0] = atomic_add(p, x);
	out[1] = atomic_sub(p, x >> 3);
	out[2] = atomic_inc(p);
	out[3] = atomic_dec(p);
	out[4] = atomic_sadd(p, x);
	out[5] = atomic_ssub(p, x << 1);
	out[6] = atomic_or(p, x);
	out[7] = atomic_and(p, ~(x >> 1));
	out[8] = atomic_xor(p, 0x55aa);
	out[9] = atomic_min(p, x);
	out[10] = atomic_max(p, x >> 4);
	out[11] = atomic_cas(p, x >> 4, 7);
	out[12] = atomic_write(p, out[12]);
	_reflect();
}

_kernel(4) void new_value(uint8_t at, uint8_t x, uint8_t out[8])
{
	out[0] = atomic_add_new(&byte[0][at & 7], x);
	out[1] = atomic_sadd_new(&byte[1][at & 7], x);
	out[2] = atomic_ssub_new(&byte[2][at & 7], x);
	out[3] = atomic_xor_new(&byte[3][at & 7], x);
	out[4] = atomic_max_new(&byte[0][at & 7], x);
	out[5] = atomic_min_new(&byte[1][at & 7], x);
	out[6] = atomic_and_new(&byte[2][at & 7], x);
	out[7] = atomic_or_new(&byte[3][at & 7], x);
	_reflect();
}

_kernel(5) void on_condition(uint8_t at, uint16_t x, bool on, uint16_t out[11])
{
	uint16_t *p = &half[at & 7];

	out[0] = atomic_cond_add(p, on, x);
	out[1] = atomic_cond_sub_new(p, !on, x);
	out[2] = atomic_cond_or(p, x & 1, x);
	out[3] = atomic_cond_and_new(p, on, x);
	out[4] = atomic_cond_max_new(p, x & 2, x);
	out[5] = atomic_cond_min(p, x & 1, x);
	out[6] = atomic_cond_inc_new(p, on);
	out[7] = atomic_cond_dec(p, !on);
	out[8] = atomic_cond_read_or(p, on, 0xbeef);
	out[9] = atomic_cond_write(p, x & 4, out[9]);
	out[10] = atomic_cond_sadd_new(p, on, x);
	_reflect();
}

_kernel(6) void of_types(uint8_t at, uint64_t w, int32_t s, bool b, uint64_t &w2, int32_t &s2, bool &b2,
			 bool on)
{
	w2 = atomic_cond_add_new(&wide[at & 7], on, w) ^ atomic_cond_sadd(&wide[at & 7], !on, w);
	s2 = atomic_max(&sign[at & 7], s) + atomic_cond_min_new(&sign[at & 7], on, -s);
	b2 = atomic_write(&flag[at & 7], b) != atomic_cond_and_new(&flag[at & 7], on, s > 0);
	_reflect();
}
