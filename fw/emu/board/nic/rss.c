// SPDX-License-Identifier: BSD-2-Clause
/*
 * rss.c - receive side scaling. The hash is Toeplitz's, as Microsoft's "Verifying the RSS Hash
 * Calculation" defines and tests it, or a CRC-32 with the same input (nic-firmware, actions.uc,
 * __actions_rss(); test/datapath/actions_rss_ipv4_tcp_test.uc has the hash of a packet).
 */
#include <string.h>

#include "bytes.h"
#include "nffw.h"
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
	r->seed = bd_get32(key);
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
 * Add @n bytes of @b, from offset @from, to the hash. In its input they start at position @at.
 * Bytes after the end of @b count as 0.
 */
static uint32_t input(const struct bd_rss *r, uint32_t hash, unsigned int at,
		      const struct bytes *b, uint32_t from, unsigned int n)
{
	uint8_t word[RSS_INPUT_MAX] = { 0 };

	if (r->cfg & RSS_CFG_CRC32) {
		if (from < b->len)
			memcpy(word, b->p + from, n < b->len - from ? n : b->len - from);
		return bd_crc32(hash, word, n);
	}
	/* A byte of 0 does not change Toeplitz's hash. */
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

	*hash = r->cfg & RSS_CFG_CRC32 ? r->seed : 0;
	if (!h->version)
		return RSS_NONE;
	if (tcp)
		l4_bit = v4 ? RSS_CFG_IPV4_TCP : RSS_CFG_IPV6_TCP;
	else
		l4_bit = v4 ? RSS_CFG_IPV4_UDP : RSS_CFG_IPV6_UDP;
	if (bd_hdrs_l4_whole(h) && r->cfg & l4_bit) {
		*hash = input(r, *hash, 0, &b, addrs, n);
		*hash = input(r, *hash, n, &b, h->l4, 4);
		if (tcp)
			return v4 ? RSS_IPV4_TCP : RSS_IPV6_TCP;
		return v4 ? RSS_IPV4_UDP : RSS_IPV6_UDP;
	}
	/* The firmware with the CRC hashes the addresses of all IP packets. */
	if (!(r->cfg & (RSS_CFG_CRC32 | (v4 ? RSS_CFG_IPV4 : RSS_CFG_IPV6))))
		return RSS_NONE;
	*hash = input(r, *hash, 0, &b, addrs, n);
	return v4 ? RSS_IPV4 : RSS_IPV6;
}
