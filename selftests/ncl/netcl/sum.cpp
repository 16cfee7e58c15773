// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Sums of workers: a bitmap of two versions, an answer to all. and: one.and */
#include <netcl.hpp>

#define SLOTS	8
#define WORDS	16
#define WORKERS	3

using namespace ncl;

_net_ uint32_t seen[2][SLOTS];
_net_ uint8_t left[SLOTS * 2];
_net_ uint32_t largest[SLOTS * 2];
_net_ uint32_t total[WORDS][SLOTS * 2];

_kernel(1) void sum(bool version, uint8_t slot, uint8_t worker, uint32_t &top, uint32_t value[WORDS])
{
	uint32_t bit = 1u << (worker % 4), before;
	uint8_t s = slot % SLOTS, at = s + version * SLOTS;

	if (version) {
		before = atomic_or(&seen[1][s], bit);
		atomic_and(&seen[0][s], ~bit);
	} else {
		before = atomic_or(&seen[0][s], bit);
		atomic_and(&seen[1][s], ~bit);
	}
	if (!before) {
		largest[at] = top;
		for (int i = 0; i < WORDS; i++)
			total[i][at] = value[i];
		left[at] = WORKERS - 1;
		return _drop();
	}

	bool first = !(before & bit);

	top = atomic_cond_max_new(&largest[at], first, top);
	for (int i = 0; i < WORDS; i++)
		value[i] = atomic_cond_add_new(&total[i][at], first, value[i]);
	uint8_t n = atomic_cond_dec(&left[at], first);

	if (!n)
		_reflect();
	else if (n == 1 && first)
		_multicast(7);
	else
		_drop();
}
