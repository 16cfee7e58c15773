// SPDX-License-Identifier: BSD-2-Clause
/*
 * rss.c - receive side scaling with the Toeplitz hash, as Microsoft's
 * "Verifying the RSS Hash Calculation" defines and tests it.
 */
#include <string.h>

#include "rss.h"

/* Return the 32 bits of the key that start at bit @at. */
static uint32_t key_window(const uint8_t *key, unsigned int at)
{
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < 5; i++)
		v = v << 8 | key[at / 8 + i];
	return v >> (8 - at % 8);
}

void bd_rss_load(struct bd_rss *r, uint32_t cfg, const uint8_t key[RSS_KEY_SIZE],
		 const uint8_t table[RSS_TABLE_SIZE])
{
	unsigned int at, bit, v;

	r->cfg = cfg;
	memcpy(r->table, table, RSS_TABLE_SIZE);
	for (at = 0; at < RSS_INPUT_MAX; at++) {
		r->part[at][0] = 0;
		for (bit = 0; bit < 8; bit++)
			r->part[at][0x80 >> bit] = key_window(key, 8 * at + bit);
		/* Each other value is the XOR of its lowest bit and of its remaining bits. */
		for (v = 1; v < 256; v++)
			r->part[at][v] = r->part[at][v & (v - 1)] ^ r->part[at][v & -v];
	}
}

struct bytes {
	const uint8_t *p;
	uint32_t len;
};

/*
 * Hash @n bytes of @b from offset @from. In the hash's input they start at position @at. Bytes
 * after the end of @b count as 0, which does not change the hash.
 */
static uint32_t input(const struct bd_rss *r, unsigned int at, const struct bytes *b,
		      uint32_t from, unsigned int n)
{
	uint32_t hash = 0;

	for (; n && from < b->len; n--)
		hash ^= r->part[at++][b->p[from++]];
	return hash;
}

enum bd_rss_type bd_rss_hash(const struct bd_rss *r, const uint8_t *frame, uint32_t room,
			     const struct bd_hdrs *h, uint32_t *hash)
{
	bool v4 = h->version == 4, tcp = h->proto == PROTO_TCP;
	const struct bytes b = { frame, room };
	uint32_t addrs = h->l3 + (v4 ? 12 : 8);
	unsigned int n = v4 ? 8 : 32;
	uint32_t l4_bit;

	*hash = 0;
	if (!h->version)
		return RSS_NONE;
	if (tcp)
		l4_bit = v4 ? RSS_CFG_IPV4_TCP : RSS_CFG_IPV6_TCP;
	else
		l4_bit = v4 ? RSS_CFG_IPV4_UDP : RSS_CFG_IPV6_UDP;
	if (bd_hdrs_l4_whole(h) && r->cfg & l4_bit) {
		*hash = input(r, 0, &b, addrs, n) ^ input(r, n, &b, h->l4, 4);
		if (tcp)
			return v4 ? RSS_IPV4_TCP : RSS_IPV6_TCP;
		return v4 ? RSS_IPV4_UDP : RSS_IPV6_UDP;
	}
	if (!(r->cfg & (v4 ? RSS_CFG_IPV4 : RSS_CFG_IPV6)))
		return RSS_NONE;
	*hash = input(r, 0, &b, addrs, n);
	return v4 ? RSS_IPV4 : RSS_IPV6;
}
