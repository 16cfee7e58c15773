// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maglev.c - see maglev.h. */
#include <errno.h>
#include <stdlib.h>
#include "maglev.h"

#define EMPTY	UINT16_MAX

struct maglev *maglev_new(uint32_t vip)
{
	struct maglev *m = calloc(1, sizeof(*m));

	if (m)
		m->vip = vip;
	return m;
}

int maglev_add(struct maglev *m, uint32_t addr, const uint8_t mac[6])
{
	struct maglev_backend *b = &m->backends[m->count];

	if (m->count == MAGLEV_BACKENDS)
		return -ENOSPC;
	b->addr = addr;
	memcpy(b->mac, mac, sizeof(b->mac));
	b->up = true;
	b->delta = packet_csum_delta(m->vip, addr);
	return (int)m->count++;
}

/*
 * The address of a backend gives an order of all entries: a first one, and the step to the next.
 * The steps visit all entries, because their number is prime. The backends take turns. In a turn a
 * backend gets the next entry of its order that is free.
 */
void maglev_fill(struct maglev *m)
{
	static uint32_t at[MAGLEV_BACKENDS], step[MAGLEV_BACKENDS];
	unsigned int left = MAGLEV_TABLE, up = 0, i;

	for (i = 0; i < m->count; i++) {
		uint64_t hash = packet_mix(packet_mix(m->backends[i].addr + 1ull));

		at[i] = (uint32_t)hash % MAGLEV_TABLE;
		step[i] = (uint32_t)(hash >> 32) % (MAGLEV_TABLE - 1) + 1;
		up += m->backends[i].up;
	}
	memset(m->table, up ? 0xff : 0, sizeof(m->table));
	for (i = 0; up && left; i = (i + 1) % m->count) {
		if (!m->backends[i].up)
			continue;
		while (m->table[at[i]] != EMPTY)
			at[i] = (at[i] + step[i]) % MAGLEV_TABLE;
		m->table[at[i]] = (uint16_t)i;
		left--;
	}
}
