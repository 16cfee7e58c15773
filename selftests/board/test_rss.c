// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_rss.c - compare the Toeplitz hash with Microsoft's test vectors ("Verifying the RSS Hash
 * Calculation"), and the CRC with the hash that the NIC firmware's tests expect. Check which fields
 * of a frame are hashed.
 */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "rss.h"

#define ALL	(RSS_CFG_IPV4 | RSS_CFG_IPV6 | RSS_CFG_IPV4_TCP | RSS_CFG_IPV4_UDP | \
		 RSS_CFG_IPV6_TCP | RSS_CFG_IPV6_UDP | RSS_CFG_MASK)

static const uint8_t key[RSS_KEY_SIZE] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67,
	0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
	0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30,
	0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

static const struct vector {
	const char *dst, *src;
	uint16_t dport, sport;
	uint32_t l3, tcp;
} vectors[] = {
	{ "161.142.100.80", "66.9.149.187", 1766, 2794, 0x323e8fc2, 0x51ccc178 },
	{ "65.69.140.83", "199.92.111.2", 4739, 14230, 0xd718262a, 0xc626b0ea },
	{ "12.22.207.184", "24.19.198.95", 38024, 12898, 0xd2d0a5de, 0x5c2b394a },
	{ "209.142.163.6", "38.27.205.30", 2217, 48228, 0x82989176, 0xafc7327f },
	{ "202.188.127.2", "153.39.163.191", 1303, 44251, 0x5d1809c5, 0x10e828a2 },
	{ "3ffe:2501:200:3::1", "3ffe:2501:200:1fff::7", 1766, 2794, 0x2cc18cd5, 0x40207d3d },
	{ "ff02::1", "3ffe:501:8::260:97ff:fe40:efab", 4739, 14230, 0x0f0c461c, 0xdde51bbf },
	{ "fe80::200:f8ff:fe21:67cf", "3ffe:1900:4545:3:200:f8ff:fe21:67cf", 38024, 44251,
	  0x4b61e985, 0x02d1feef },
};

static struct bd_rss rss;

static void load(uint32_t cfg)
{
	uint8_t table[RSS_TABLE_SIZE] = { 0 };

	bd_rss_load(&rss, cfg, key, table);
}

/* Make a frame with the addresses and ports of the vector. Return its length. */
static uint32_t frame_make(const struct vector *v, uint8_t proto, uint8_t *f)
{
	bool v6 = strchr(v->dst, ':');
	uint8_t *ip = f + ETH_HLEN, *l4 = ip + (v6 ? 40 : 20);

	memset(f, 0, 128);
	bd_put_be16(f + 12, v6 ? 0x86dd : 0x0800);
	if (v6) {
		ip[0] = 0x60;
		bd_put_be16(ip + 4, 20);
		ip[6] = proto;
		assert_int_equal(inet_pton(AF_INET6, v->src, ip + 8), 1);
		assert_int_equal(inet_pton(AF_INET6, v->dst, ip + 24), 1);
	} else {
		ip[0] = 0x45;
		bd_put_be16(ip + 2, 40);
		ip[9] = proto;
		assert_int_equal(inet_pton(AF_INET, v->src, ip + 12), 1);
		assert_int_equal(inet_pton(AF_INET, v->dst, ip + 16), 1);
	}
	bd_put_be16(l4, v->sport);
	bd_put_be16(l4 + 2, v->dport);
	return (uint32_t)(l4 + 20 - f);
}

static enum bd_rss_type hash_of(const uint8_t *f, uint32_t len, uint32_t *hash)
{
	struct bd_hdrs h;

	bd_hdrs_parse(f, len, &h);
	return bd_rss_hash(&rss, f, len, &h, hash);
}

static void test_vectors(void **state)
{
	uint8_t f[128];
	uint32_t hash, len;

	(void)state;
	for (unsigned int i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		bool v6 = strchr(vectors[i].dst, ':');

		len = frame_make(&vectors[i], PROTO_TCP, f);
		load(ALL);
		assert_int_equal(hash_of(f, len, &hash), v6 ? RSS_IPV6_TCP : RSS_IPV4_TCP);
		assert_int_equal(hash, vectors[i].tcp);
		load(ALL & ~(RSS_CFG_IPV4_TCP | RSS_CFG_IPV6_TCP));
		assert_int_equal(hash_of(f, len, &hash), v6 ? RSS_IPV6 : RSS_IPV4);
		assert_int_equal(hash, vectors[i].l3);
		len = frame_make(&vectors[i], PROTO_UDP, f);
		load(ALL);
		assert_int_equal(hash_of(f, len, &hash), v6 ? RSS_IPV6_UDP : RSS_IPV4_UDP);
		assert_int_equal(hash, vectors[i].tcp);
	}
}

/*
 * The packet, the key and the hash are those of test/datapath/actions_rss_ipv4_tcp_test.uc of
 * nic-firmware. Each other expected value is the CRC-32 (polynomial 0x04c11db7) of the same fields.
 */
static void test_crc(void **state)
{
	static const struct vector v = { "192.168.0.2", "192.168.0.1", 80, 1024, 0xce60ab57, 0x3bf00e81 };
	static const uint8_t seed[RSS_KEY_SIZE] = { 0xee, 0xff, 0xc0 };
	const uint8_t table[RSS_TABLE_SIZE] = { 0 };
	uint8_t f[128];
	uint32_t hash, len;

	(void)state;
	len = frame_make(&v, PROTO_TCP, f);
	bd_rss_load(&rss, ALL | RSS_CFG_CRC32, seed, table);
	assert_int_equal(hash_of(f, len, &hash), RSS_IPV4_TCP);
	assert_int_equal(hash, v.tcp);
	/* Without the ports. The bits for addresses alone have no effect. */
	bd_rss_load(&rss, RSS_CFG_CRC32 | RSS_CFG_MASK, seed, table);
	assert_int_equal(hash_of(f, len, &hash), RSS_IPV4);
	assert_int_equal(hash, v.l3);
	f[23] = 1;
	assert_int_equal(hash_of(f, len, &hash), RSS_IPV4);
	f[12] = 0x88;
	assert_int_equal(hash_of(f, len, &hash), RSS_NONE);
}

/* Fragments and ICMP are hashed without ports. A kind of hash that is switched off is not used. */
static void test_what_is_hashed(void **state)
{
	uint8_t f[128];
	uint32_t hash, len = frame_make(&vectors[0], PROTO_TCP, f);

	(void)state;
	load(ALL);
	f[20] = 0x20;		/* more fragments */
	assert_int_equal(hash_of(f, len, &hash), RSS_IPV4);
	assert_int_equal(hash, vectors[0].l3);
	f[20] = 0;
	f[21] = 1;		/* a later fragment */
	assert_int_equal(hash_of(f, len, &hash), RSS_IPV4);
	load(ALL & ~RSS_CFG_IPV4);
	assert_int_equal(hash_of(f, len, &hash), RSS_NONE);
	len = frame_make(&vectors[0], 1, f);
	assert_int_equal(hash_of(f, len, &hash), RSS_NONE);
	f[12] = 0x08;
	f[13] = 0x06;
	assert_int_equal(hash_of(f, len, &hash), RSS_NONE);
}

/* A VLAN tag does not change the hash. */
static void test_tagged(void **state)
{
	uint8_t f[132];
	uint32_t hash, len;

	(void)state;
	load(ALL);
	len = frame_make(&vectors[5], PROTO_TCP, f);
	memmove(f + 16, f + 12, len - 12);
	memcpy(f + 12, "\x81\x00\x00\x2a", 4);
	assert_int_equal(hash_of(f, len + 4, &hash), RSS_IPV6_TCP);
	assert_int_equal(hash, vectors[5].tcp);
}

/* Truncate the headers at each byte. The hash must read nothing beyond (sanitizers check that). */
static void test_truncated(void **state)
{
	uint32_t hash, len, i;
	uint8_t f[128];

	(void)state;
	load(ALL);
	len = frame_make(&vectors[5], PROTO_TCP, f);
	for (i = 0; i < len; i++)
		assert_int_not_equal(hash_of(f, i, &hash), RSS_IPV6_TCP);
}

/*
 * A program may truncate the packet after its headers were parsed. The hash takes bytes beyond
 * the packet's end as 0.
 */
static void test_cut_later(void **state)
{
	uint32_t hash, want, len;
	struct bd_hdrs h;
	uint8_t f[128];

	(void)state;
	load(ALL);
	len = frame_make(&vectors[5], PROTO_TCP, f);
	bd_hdrs_parse(f, len, &h);
	for (uint32_t room = len; room--; ) {
		assert_int_equal(bd_rss_hash(&rss, f, room, &h, &hash), RSS_IPV6_TCP);
		f[room] = 0;
		bd_rss_hash(&rss, f, len, &h, &want);
		assert_int_equal(hash, want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_crc),
		cmocka_unit_test(test_what_is_hashed),
		cmocka_unit_test(test_tagged),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_cut_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
