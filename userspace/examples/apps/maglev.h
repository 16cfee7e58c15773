/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * maglev.h - a load balancer: packets to one address go to one of many backends.
 *
 * A packet of a known connection goes to the backend of the connection's first packet. The backend
 * of a new connection is in a table, which has nearly the same share of entries for each backend,
 * and changes little when a backend goes or comes (Eisenbud et al., "Maglev: A Fast and Reliable
 * Software Network Load Balancer", NSDI 2016, section 3.4).
 */
#ifndef APPS_MAGLEV_H
#define APPS_MAGLEV_H

#include <stdbool.h>
#include "packet.h"

#define MAGLEV_TABLE	65537	/* entries, a prime number */
#define MAGLEV_BACKENDS	256	/* at most */
#define MAGLEV_CONNS	65536	/* entries for connections, a power of 2 */

/**
 * struct maglev_backend - a server
 * @addr: its IPv4 address
 * @mac: its Ethernet address
 * @up: it takes packets
 * @delta: what its address changes in checksums
 * @packets: packets sent to it
 */
struct maglev_backend {
	uint32_t addr;
	uint8_t mac[6];
	bool up;
	uint32_t delta;
	uint64_t packets;
};

/**
 * struct maglev - a load balancer
 * @vip: the address that it balances
 * @count: number of backends
 * @backends: the backends
 * @other: packets that are not to @vip, or find no backend
 * @fresh: packets of connections that were not known
 * @table: the backend of a new connection
 * @conns: known connections: hash in the upper 48 bits, backend plus 1 in the lower 16; 0: none
 */
struct maglev {
	uint32_t vip;
	unsigned int count;
	struct maglev_backend backends[MAGLEV_BACKENDS];
	uint64_t other;
	uint64_t fresh;
	uint16_t table[MAGLEV_TABLE];
	uint64_t conns[MAGLEV_CONNS];
};

/* Make a load balancer for the address @vip. Return NULL without memory. */
struct maglev *maglev_new(uint32_t vip);

/* Add a backend. Return its number, or -ENOSPC. It takes connections after maglev_fill(). */
int maglev_add(struct maglev *m, uint32_t addr, const uint8_t mac[6]);

/* Fill the table, after backends were added, or their field @up was changed. */
void maglev_fill(struct maglev *m);

#define MAGLEV_TAG(hash)	((hash) & ~0xffffull)

/* Remember the connection. Of the two places, the older connection loses its own. */
static inline void maglev_keep(struct maglev *m, uint64_t hash, unsigned int backend)
{
	uint64_t *at = &m->conns[hash % MAGLEV_CONNS & ~1ull];

	at[1] = at[0];
	at[0] = MAGLEV_TAG(hash) | (backend + 1);
}

/* Return the backend of a connection, or NULL if no backend is up. */
static inline struct maglev_backend *maglev_find(struct maglev *m, uint64_t hash)
{
	const uint64_t *at = &m->conns[hash % MAGLEV_CONNS & ~1ull];
	struct maglev_backend *b;

	for (int i = 0; i < 2; i++) {
		if (MAGLEV_TAG(at[i] ^ hash) || !(uint16_t)at[i])
			continue;
		b = &m->backends[(uint16_t)at[i] - 1];
		if (b->up)
			return b;
	}
	b = &m->backends[m->table[hash % MAGLEV_TABLE]];
	if (!b->up)
		return NULL;
	m->fresh++;
	maglev_keep(m, hash, (unsigned int)(b - m->backends));
	return b;
}

static inline bool maglev_packet(void *app, uint8_t *frame, uint32_t len)
{
	struct packet *p = packet_of(frame, len);
	struct maglev *m = app;
	struct maglev_backend *b;

	b = p && p->daddr == m->vip ? maglev_find(m, packet_hash(p)) : NULL;
	if (!b) {
		m->other++;
		return false;
	}
	memcpy(p->smac, p->dmac, 6);
	memcpy(p->dmac, b->mac, 6);
	p->daddr = b->addr;
	p->check = packet_csum_add(p->check, b->delta);
	if (p->proto == PACKET_UDP && p->udp_check)
		p->udp_check = packet_csum_add(p->udp_check, b->delta);
	b->packets++;
	return true;
}

#endif /* APPS_MAGLEV_H */
