// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_vnic_rx_meta.c - metadata that the emulated card gives with a received frame: checksum
  * flags, hash and ring, VLAN tag.
 */
#include "vnic_rx_rig.h"

static void test_checksum_flags(void **state)
{
	const uint8_t *d, *buf;

	(void)state;
	up(CTRL_RXCSUM);
	offer(0, 64);
	frame_ip(PROTO_TCP, 2794, 0);
	d = one_to(0, &buf);
	assert_int_equal(d[4], 0x78);
	t.frame[60] ^= 1;		/* breaks the TCP checksum */
	d = one_to(0, &buf);
	assert_int_equal(d[4], 0x70);
	t.frame[60] ^= 1;
	t.frame[22] ^= 1;		/* the TTL: breaks the IP checksum only */
	d = one_to(0, &buf);
	assert_int_equal(d[4], 0x58);
	frame_ip(PROTO_UDP, 2794, 1);
	d = one_to(0, &buf);
	assert_int_equal(d[4], 0x66);
	t.frame[18 + 26] = t.frame[18 + 27] = 0;	/* a UDP datagram without a checksum */
	d = one_to(0, &buf);
	assert_int_equal(d[4], 0x66);
	/* There are no TCP flags for a fragment, and none at all without CTRL_RXCSUM. */
	frame_ip(PROTO_TCP, 2794, 0);
	t.frame[20] = 0x20;
	d = one_to(0, &buf);
	assert_int_equal(d[4] & 0x1e, 0);
	assert_int_equal(reconfig(CTRL_BASE, 1), 0);
	frame_ip(PROTO_TCP, 2794, 0);
	d = one_to(0, &buf);
	assert_int_equal(d[4], 0);
}

static void test_rss_and_metadata(void **state)
{
	const uint8_t *d, *buf;

	(void)state;
	rss_write(1);
	up(CTRL_RSS);
	offer(0, 16);
	offer(1, 16);
	frame_ip(PROTO_TCP, 2794, 0);
	d = one_to(1, &buf);
	assert_int_equal(d[3], 0x88);
	assert_int_equal(len_of(d), t.len + 8);
	assert_int_equal(bd_be32(buf), 0x41);
	assert_int_equal(bd_be32(buf + 4), 0x51ccc178);
	assert_memory_equal(buf + 8, t.frame, t.len);
	assert_int_equal(t.h->irqs[VECTOR(1)], 1);
	assert_int_equal(stat(0x1410), 1);
	/* A frame without a hash goes to ring 0, without metadata. */
	frame_to(mac, 60);
	d = one_to(0, &buf);
	assert_int_equal(d[3], 0x80);
	/* A change of the table takes effect with the next RSS update. */
	rss_write(0);
	frame_ip(PROTO_TCP, 2794, 0);
	one_to(1, &buf);
	assert_int_equal(reconfig(CTRL_BASE | CTRL_RSS, 4), 0);
	one_to(0, &buf);
	/* The table selects a ring that does not exist: the card drops and counts the frame. */
	rss_write(200);
	assert_int_equal(reconfig(CTRL_BASE | CTRL_RSS, 4), 0);
	arrive(1);
	assert_int_equal(stat(0xd00), 1);
}

static void test_vlan_strip(void **state)
{
	const uint8_t *d, *buf;

	(void)state;
	rss_write(0);
	up(CTRL_STRIP | CTRL_RSS);
	offer(0, 16);
	frame_ip(PROTO_UDP, 2794, 2);
	d = one_to(0, &buf);
	assert_int_equal(d[3], 0x8c);
	assert_int_equal(len_of(d), 12 + t.len - 4);
	assert_int_equal(bd_be32(buf), 0x471);
	assert_int_equal(bd_be32(buf + 8), 0x8000602a);
	assert_memory_equal(buf + 12, t.frame, 12);
	assert_memory_equal(buf + 24, t.frame + 16, t.len - 16);
	/* The card does not strip a service tag (0x88a8). */
	t.frame[12] = 0x88;
	t.frame[13] = 0xa8;
	d = one_to(0, &buf);
	assert_int_equal(len_of(d), 8 + t.len);
	assert_memory_equal(buf + 8, t.frame, t.len);
	/* A frame without a hash: the metadata has only the tag. */
	frame_to(mac, 64);
	bd_put_be32(t.frame + 12, 0x81000fff);
	d = one_to(0, &buf);
	assert_int_equal(d[3], 0x88);
	assert_int_equal(bd_be32(buf), 4);
	assert_int_equal(bd_be32(buf + 4), 0x80000fff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_checksum_flags),
		TEST(test_rss_and_metadata),
		TEST(test_vlan_strip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
