// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Decide which kernels take the lock. The result of kernels on one device must be as if they ran one
 * after the other. Only variables that kernels write matter. A kernel needs no lock if it only adds
 * to such variables, or if it accesses them once: with a load, or with a store of a map's whole value.
 * (To store a part of a value, the kernel reads, changes and writes the value.)
 */
#include "lock.h"

static void decide(struct place *at, struct run *r)
{
	unsigned int i, touched = 0, adds = 0;
	const struct access *first = NULL;
	bool same = true;

	for (i = 0; i < r->accesses; i++) {
		const struct access *a = &r->access[i];

		if (!a->of->written)
			continue;
		if (a->of->adds) {
			adds++;
			continue;
		}
		if (!touched++)
			first = a;
		else
			same = false;
	}
	if (r->k->nolock) {
		r->why = "no lock: _nolock_";
	} else if (!touched) {
		r->why = adds ? "no lock: it only adds to memory" : "no lock: it reads only memory that hosts write";
	} else if (same && (!first->store || first->of->unit == first->width)) {
		r->why = first->store ? "no lock: it writes one whole element" : "no lock: it reads one element";
	} else {
		r->locked = at->locks = true;
		r->why = r->k->lock ? "the lock of _lock_()" : "the lock: it reads and writes memory";
	}
}

void lock_decide(struct place *at)
{
	unsigned int i;

	for (i = 0; i < at->runs; i++)
		decide(at, &at->run[i]);
}
