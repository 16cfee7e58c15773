// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_vnic_rx.c - reception into the RX rings of the emulated card's vNICs: freelist, frames that
  * are dropped and their counters, reconfiguration, copies for the firmware. The tests drive the
  * rings as the stock driver does.
 */
#include "vnic_rx_rig.h"

static void test_one_frame(void **state)
{
	const uint8_t *d, *buf;

	(void)state;
	ready(16, 100);
	d = one_to(0, &buf);
	assert_int_equal(len_of(d), 100);
	assert_int_equal(d[3], 0x80);
	assert_memory_equal(buf, t.frame, 100);
	assert_null(next(0, &buf));
	assert_int_equal(t.h->irqs[VECTOR(0)], 1);
	assert_int_equal(mu_read(t.h, BAR + 0xc00 + VECTOR(0), 1), 1);
	assert_int_equal(stat(0xd30), 1);
	assert_int_equal(stat(0xd10), 100);
	assert_int_equal(stat(0x1400), 1);
	assert_int_equal(stat(0x1408), 100);
}

/* The card reads the freelist entry, writes the payload, then writes the whole descriptor. */
static void test_order(void **state)
{
	uint64_t slot = HOST_BASE + RING_OFF(0), buf = HOST_BASE + BUF_OFF(0, 0);

	(void)state;
	ready(1, 100);
	t.h->logged = 0;
	arrive(1);
	assert_int_equal(t.h->logged, 4);
	assert_int_equal(t.h->log[0].what, HOST_READ);
	assert_int_equal(t.h->log[0].addr, slot);
	assert_int_equal(t.h->log[1].what, HOST_WRITE);
	assert_int_equal(t.h->log[1].addr, buf);
	assert_int_equal(t.h->log[2].what, HOST_WRITE);
	assert_int_equal(t.h->log[2].addr, slot);
	assert_int_equal(t.h->log[2].len, 8);
	assert_int_equal(t.h->log[3].what, HOST_MSIX);
}

static void test_ring_wraps(void **state)
{
	const uint8_t *d, *buf;

	(void)state;
	ready(RING_SIZE - 16, 60);
	for (unsigned int n = 0; n < 100; n++) {
		t.frame[20] = n;
		arrive(16);
		for (unsigned int i = 0; i < 16; i++) {
			d = next(0, &buf);
			assert_non_null(d);
			assert_int_equal(buf[20], n);
		}
		offer(0, 16);
	}
	assert_int_equal(stat(0xd30), 1600);
	assert_int_equal(stat(0xd00), 0);
}

/* Without a buffer, the card drops and counts the frame. Later frames are received. */
static void test_empty_freelist(void **state)
{
	const uint8_t *d, *buf;

	(void)state;
	ready(2, 60);
	arrive(5);
	assert_int_equal(stat(0xd00), 3);
	assert_int_equal(stat(0xd30), 2);
	offer(0, 1);
	t.frame[30] = 0xee;
	one_to(0, &buf);
	assert_non_null(next(0, &buf));
	d = next(0, &buf);
	assert_non_null(d);
	assert_int_equal(buf[30], 0xee);
}

static void test_too_long(void **state)
{
	(void)state;
	rss_write(0);
	up(CTRL_RSS);
	offer(0, 16);
	/* The size of the host's buffers is the limit, not the MTU. */
	frame_to(mac, ROOM);
	one_to(0, NULL);
	frame_to(mac, ROOM + 1);
	arrive(1);
	assert_null(next(0, NULL));
	assert_int_equal(stat(0xd00), 1);
	/* The metadata in front of the frame must fit as well. */
	frame_ip(PROTO_TCP, 2794, 0);
	t.len = ROOM - 8;
	one_to(0, NULL);
	t.len = ROOM - 7;
	arrive(1);
	assert_null(next(0, NULL));
	assert_int_equal(stat(0xd00), 2);
	assert_int_equal(stat(0xd08), 0);
	/* A truncated frame of a capture is an error, and so is a frame shorter than its header. */
	frame_to(mac, 100);
	t.caplen = 60;
	arrive(1);
	t.caplen = 0;
	t.len = 13;
	arrive(1);
	assert_null(next(0, NULL));
	assert_int_equal(stat(0xd08), 2);
}

static void test_filter(void **state)
{
	static const uint8_t other[6] = { 2, 0, 0, 0, 0, 9 }, mc[6] = { 1, 0, 0x5e, 0, 0, 1 };
	static const uint8_t bc[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

	(void)state;
	up(0);
	offer(0, 64);
	frame_to(other, 60);
	arrive(1);
	frame_to(mc, 60);
	arrive(1);
	assert_null(next(0, NULL));
	frame_to(bc, 60);
	one_to(0, NULL);
	assert_int_equal(stat(0xd40), 1);
	assert_int_equal(reconfig(CTRL_BASE | CTRL_MC, 1), 0);
	frame_to(mc, 60);
	one_to(0, NULL);
	assert_int_equal(stat(0xd38), 1);
	assert_int_equal(reconfig(CTRL_BASE | CTRL_PROMISC, 1), 0);
	frame_to(other, 60);
	one_to(0, NULL);
	/* A new MAC address takes effect with its update. */
	assert_int_equal(reconfig(CTRL_BASE, 1), 0);
	mu_write(t.h, BAR + 0x24, 0x02000000, 4);
	mu_write(t.h, BAR + 0x2a, 0x0009, 2);
	arrive(1);
	assert_null(next(0, NULL));
	assert_int_equal(reconfig(CTRL_BASE, 0x800), 0);
	one_to(0, NULL);
	assert_int_equal(stat(0xd00) + stat(0xd08), 0);
}

/* ---- reconfiguration, and hostile hosts ---- */

static void test_restart(void **state)
{
	(void)state;
	ready(16, 60);
	arrive(3);
	/* When the vNIC is off, the card writes nothing, although frames and buffers were there. */
	assert_int_equal(reconfig(CTRL_BASE & ~1u, 0x23), 0);
	t.h->logged = 0;
	arrive(2);
	assert_int_equal(t.h->logged, 0);
	assert_int_equal(pcie_read(t.h, QC(FLQ(0), STS_HI)) & 0x3ffff, 0);
	/* When it is on again, the ring starts at slot 0, without the old buffers. */
	memset(t.h->mem + RING_OFF(0), 0, 8 * RING_SIZE);
	up(0);
	arrive(1);
	assert_int_equal(stat(0xd00), 1);
	offer(0, 16);
	one_to(0, NULL);
	/* An update that does not concern rings leaves them as they are. */
	assert_int_equal(reconfig(CTRL_BASE | CTRL_MC, 1), 0);
	one_to(0, NULL);
}

static void test_hostile(void **state)
{
	uint64_t nowhere = 0x42000000;

	(void)state;
	up(0);
	frame_to(mac, 60);
	/* a buffer at an address without memory */
	offer(0, 2);
	memcpy(t.h->mem + RING_OFF(0) + 4, &nowhere, 4);
	memset(t.h->mem + RING_OFF(0), 0, 2);
	arrive(2);
	assert_int_equal(stat(0xd00), 1);
	t.seen[0] = 1;
	assert_non_null(next(0, NULL));
	/* more buffers than slots: the ring stops */
	pcie_write(t.h, QC(FLQ(0), ADD_WPTR), RING_SIZE + 1);
	t.h->logged = 0;
	arrive(1);
	assert_int_equal(t.h->logged, 0);
	/* a ring at an address without memory */
	mu_write(t.h, BAR + 0x800, HOST_BASE + HOST_SIZE, 8);
	assert_int_equal(reconfig(CTRL_BASE, 0x127), 0);
	pcie_write(t.h, QC(FLQ(0), ADD_WPTR), 16);
	arrive(3);
	/* a misaligned ring, and a ring that is too large */
	mu_write(t.h, BAR + 0x800, HOST_BASE + 4, 8);
	assert_int_equal(reconfig(CTRL_BASE, 0x127), 0x80000127);
	mu_write(t.h, BAR + 0x800, HOST_BASE, 8);
	mu_write(t.h, BAR + 0xa00, 19, 1);
	assert_int_equal(reconfig(CTRL_BASE, 0x127), 0x80000127);
}

/* ---- firmware and host both receive a frame ---- */

static struct {
	struct board *b;
	unsigned int count;
	bool keep;
	uint8_t data[2048];
} fw;

static void fw_start(void *ctx, struct board *b)
{
	(void)ctx;
	fw.b = b;
}

static void fw_packet(void *ctx, struct board_pkt *pkt)
{
	(void)ctx;
	fw.count++;
	memcpy(fw.data, pkt->data, pkt->caplen);
	if (!fw.keep)
		board_pkt_free(fw.b, pkt);
}

static const struct board_fw fw_ops = { .start = fw_start, .packet = fw_packet };

static void with_firmware(bool keep)
{
	host_destroy(t.h);
	memset(&fw, 0, sizeof(fw));
	fw.keep = keep;
	t.h = host_create_full(&fw_ops, NULL);
	board_wire(t.h->b, VNIC, &wire_ops, NULL);
}

static void test_firmware_too(void **state)
{
	(void)state;
	with_firmware(false);
	rss_write(0);
	up(CTRL_STRIP | CTRL_RSS);
	offer(0, 16);
	frame_ip(PROTO_TCP, 2794, 1);
	/* The firmware does not receive: only the host gets the frame. */
	arrive(1);
	assert_int_equal(fw.count, 0);
	assert_non_null(next(0, NULL));
	/* Both receive. The firmware's copy has the VLAN tag, and no metadata. */
	board_port_rx(t.h->b, VNIC, true);
	arrive(1);
	assert_int_equal(fw.count, 1);
	assert_memory_equal(fw.data, t.frame, t.len);
	assert_non_null(next(0, NULL));
	/* The host's vNIC is off: only the firmware gets the frame. */
	assert_int_equal(reconfig(CTRL_BASE & ~1u, 0x23), 0);
	arrive(1);
	assert_int_equal(fw.count, 2);
}

/* Each frame is counted in exactly one of the card's counters. */
static void test_every_frame_counted(void **state)
{
	static const uint8_t other[6] = { 2, 0, 0, 0, 0, 9 };

	(void)state;
	with_firmware(false);
	/* First nobody receives, then the firmware alone, then the host as well. */
	frame_to(mac, 60);
	arrive(1);
	board_port_rx(t.h->b, VNIC, true);
	arrive(2);
	up(0);
	offer(0, 3);
	arrive(3 + 4);		/* four without a buffer */
	frame_to(other, 60);
	arrive(5);
	frame_to(mac, ROOM + 1);
	arrive(7);
	t.caplen = 60;
	arrive(6);
	assert_int_equal(host_stat(t.h, "rx_no_firmware", VNIC), 1);
	assert_int_equal(host_stat(t.h, "rx_off", VNIC), 2);
	assert_int_equal(host_stat(t.h, "rx_given", VNIC), 3);
	assert_int_equal(host_stat(t.h, "rx_discards", VNIC), 4 + 7);
	assert_int_equal(host_stat(t.h, "rx_filtered", VNIC), 5);
	assert_int_equal(host_stat(t.h, "rx_errors", VNIC), 6);
	assert_int_equal(host_stat(t.h, "rx_frames", VNIC), 2 + 3 + 4 + 5 + 7 + 6);
	/* A reset does not clear the counters. */
	board_reset(t.h->b, BOARD_RESET_POWER);
	assert_int_equal(host_stat(t.h, "rx_filtered", VNIC), 5);
}

/* If the firmware frees no packet buffer, it loses frames. The host loses none. */
static void test_firmware_behind(void **state)
{
	(void)state;
	with_firmware(true);
	up(0);
	board_port_rx(t.h->b, VNIC, true);
	frame_to(mac, 60);
	for (unsigned int i = 0; i < 3000; i += 100) {
		offer(0, 100);
		arrive(100);
		for (unsigned int n = 0; n < 100; n++)
			assert_non_null(next(0, NULL));
	}
	assert_in_range(fw.count, 500, 1024);
	assert_int_equal(board_port_lost(t.h->b, VNIC), 3000 - fw.count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_one_frame),
		TEST(test_order),
		TEST(test_ring_wraps),
		TEST(test_empty_freelist),
		TEST(test_too_long),
		TEST(test_filter),
		TEST(test_restart),
		TEST(test_hostile),
		TEST(test_firmware_too),
		TEST(test_firmware_behind),
		TEST(test_every_frame_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
