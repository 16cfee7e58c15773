// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_tso.c - segmentation: headers and payload of each segment, and packets that are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "pkt_hdr.h"
#include "tso.h"

#define SEQ	0xfffffff0u	/* the sequence number wraps within the packet */
#define ID	0xfffe
#define FLAGS	0x99		/* CWR, ACK, PSH, FIN */

struct taken {
	unsigned int count;
	uint32_t total;
	uint32_t hdrlen;
	uint32_t mss;
	uint32_t len;		/* length of the whole payload */
	bool v6;
	bool udp;
	bool vlan;
};

static uint8_t frame[65536 + 64], payload[65536];

static void check(void *ctx, const uint8_t *f, uint32_t len)
{
	struct taken *t = ctx;
	uint32_t n = len - t->hdrlen, l3 = t->vlan ? 18 : 14, l4 = l3 + (t->v6 ? 40 : 20);
	bool last = t->total + n == t->len;
	struct bd_hdrs h;

	assert_int_equal(n, last ? t->len - t->total : t->mss);
	assert_memory_equal(f + t->hdrlen, payload + t->total, n);
	bd_hdrs_parse(f, len, &h);
	assert_int_equal(h.end, len);
	assert_int_equal(h.l4, l4);
	assert_true(bd_hdrs_l4_whole(&h));
	assert_int_equal(bd_sum16(f + l4, len - l4, bd_pseudo(f, &h)), 0xffff);
	if (!t->v6) {
		assert_int_equal(bd_sum16(f + l3, 20, 0), 0xffff);
		assert_int_equal(bd_be16(f + l3 + 4), (uint16_t)(ID + t->count));
	}
	if (t->udp) {
		assert_int_equal(bd_be16(f + l4 + 4), 8 + n);
	} else {
		assert_int_equal(bd_be32(f + l4 + 4), SEQ + t->total);
		assert_int_equal(f[l4 + 13], (t->count ? 0 : 0x80) | 0x10 | (last ? 0x09 : 0));
	}
	t->count++;
	t->total += n;
}

static uint32_t make(struct taken *t)
{
	uint32_t l3 = t->vlan ? 18 : 14, l4 = l3 + (t->v6 ? 40 : 20), i;
	uint8_t *ip = frame + l3, *l = frame + l4;

	t->hdrlen = l4 + (t->udp ? 8 : 32);
	memset(frame, 0, t->hdrlen);
	if (t->vlan)
		bd_put_be32(frame + 12, 0x8100002a);
	bd_put_be16(frame + l3 - 2, t->v6 ? 0x86dd : 0x0800);
	if (t->v6) {
		ip[0] = 0x60;
		ip[6] = t->udp ? PROTO_UDP : PROTO_TCP;
		bd_put_be16(ip + 4, t->hdrlen - l4 + t->len);
		memset(ip + 8, 0x20, 32);
	} else {
		ip[0] = 0x45;
		bd_put_be16(ip + 2, t->hdrlen - l3 + t->len);
		bd_put_be16(ip + 4, ID);
		ip[6] = 0x40;
		ip[9] = t->udp ? PROTO_UDP : PROTO_TCP;
		memset(ip + 12, 10, 8);
	}
	if (!t->udp) {
		bd_put_be32(l + 4, SEQ);
		l[12] = 8 << 4;
		l[13] = FLAGS;
		memset(l + 20, 1, 12);
	}
	bd_put_be16(l + (t->udp ? 6 : 16), 0xbeef);
	for (i = 0; i < t->len; i++)
		payload[i] = (uint8_t)(i * 31 + (i >> 8));
	memcpy(frame + t->hdrlen, payload, t->len);
	return t->hdrlen + t->len;
}

static void cut(struct taken t)
{
	uint32_t len = make(&t);

	assert_true(bd_tso(frame, len, t.hdrlen, t.mss, check, &t));
	assert_int_equal(t.total, t.len);
	assert_int_equal(t.count, (t.len + t.mss - 1) / t.mss);
}

static void test_tcp4(void **state)
{
	(void)state;
	cut((struct taken){ .len = 64000, .mss = 1448 });
	cut((struct taken){ .len = 1448 * 4, .mss = 1448 });
	cut((struct taken){ .len = 1449, .mss = 1448 });
	cut((struct taken){ .len = 10, .mss = 1448 });
}

static void test_tcp6(void **state)
{
	(void)state;
	cut((struct taken){ .len = 64000, .mss = 1428, .v6 = true });
	cut((struct taken){ .len = 30000, .mss = 8948, .v6 = true, .vlan = true });
}

/* Segments whose payload is shorter than their headers */
static void test_small_mss(void **state)
{
	(void)state;
	cut((struct taken){ .len = 1000, .mss = 1 });
	cut((struct taken){ .len = 999, .mss = 7, .vlan = true });
}

static void test_udp(void **state)
{
	(void)state;
	cut((struct taken){ .len = 60000, .mss = 1472, .udp = true });
	cut((struct taken){ .len = 5000, .mss = 1452, .udp = true, .v6 = true });
}

static void never(void *ctx, const uint8_t *f, uint32_t len)
{
	(void)ctx;
	(void)f;
	fail_msg("a segment of %u bytes", len);
}

static void test_refused(void **state)
{
	struct taken t = { .len = 3000, .mss = 1448 };
	uint32_t len = make(&t);

	(void)state;
	assert_false(bd_tso(frame, len, t.hdrlen, 0, never, NULL));
	assert_false(bd_tso(frame, len, t.hdrlen - 1, 1448, never, NULL));
	assert_false(bd_tso(frame, len, t.hdrlen + 4, 1448, never, NULL));
	assert_false(bd_tso(frame, len, 0, 1448, never, NULL));
	assert_false(bd_tso(frame, len, 300, 1448, never, NULL));
	assert_false(bd_tso(frame, t.hdrlen, t.hdrlen, 1448, never, NULL));
	assert_false(bd_tso(frame, 20, t.hdrlen, 1448, never, NULL));
	frame[20] = 0x20;	/* a fragment */
	assert_false(bd_tso(frame, len, t.hdrlen, 1448, never, NULL));
	frame[20] = 0;
	frame[23] = 1;		/* ICMP */
	assert_false(bd_tso(frame, len, t.hdrlen, 1448, never, NULL));
	frame[23] = PROTO_TCP;
	frame[46] = 1 << 4;	/* TCP data offset: a header of 4 bytes */
	assert_false(bd_tso(frame, len, 38, 1448, never, NULL));
	frame[14] = 0x41;	/* IHL: an IP header of 4 bytes */
	assert_false(bd_tso(frame, len, t.hdrlen, 1448, never, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tcp4),
		cmocka_unit_test(test_tcp6),
		cmocka_unit_test(test_small_mss),
		cmocka_unit_test(test_udp),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
