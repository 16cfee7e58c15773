// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * race.c - kernels that count windows. guest/ncl_race.c runs them on several CPUs at once, and
 * compares the variables with the number of windows.
 */
#include <ncl.h>

#define CELLS 4

_net_ uint32_t locked[CELLS];
_net_ uint64_t slots[CELLS];
_net_ uint64_t added, by_slot[CELLS];
_net_ uint32_t loose[CELLS];

/*
 * nclc takes one lock for all windows. Each window adds 1 to every cell. The kernel reads a cell
 * before it writes the cell, so additions would be lost without the lock.
 */
_net_ _out_ _win_(1) void all_locked(uint32_t *v)
{
	uint32_t was = locked[0];

	locked[0] = was + 1;
	for (unsigned int i = 1; i < CELLS; i++)
		locked[i] += locked[0] - was;
	v[0] = locked[0];
	_drop();
}

/*
 * A lock for each of the four slots: windows of different slots are processed at the same time.
 * Each window adds 1 to the cell of its slot.
 */
_net_ _out_ _win_(1) _lock_(window.seq & 3) void slots_locked(uint32_t *v)
{
	slots[window.seq & 3]++;
	v[0] = (uint32_t)slots[window.seq & 3];
	_drop();
}

/* The kernel only adds, so nclc uses atomic additions and no lock. */
_net_ _out_ _win_(1) void only_added(uint32_t *v)
{
	added += v[0];
	by_slot[window.seq & 3]++;
	_drop();
}

/* Without a lock, additions may be lost. The test prints how many. */
_net_ _out_ _win_(1) _nolock_ void not_locked(uint32_t *v)
{
	loose[0]++;
	v[0] = loose[0];
	_drop();
}
