// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_vnic_rx.c - reception into the rings of the emulated card's vNICs,
 * driven as the stock driver drives them.
 */
#include <time.h>

#include "board_host.h"
#include "pkt_hdr.h"

#define VNIC		0u
#define BAR		0x200000ull
#define FLQ(ring)	(32 * VNIC + 4 * (ring))
#define CFGQ		(32 * VNIC + 2)
#define VECTOR(ring)	(2u + (ring))
#define RING_SIZE	256u
#define RINGS		2u

/* Enabled; RX checksums, RSS, VLAN strip, moderation as a test wants them */
#define CTRL_BASE	0x80210205u	/* enable, broadcast, gather, ring config, ... */
#define CTRL_PROMISC	(1u << 1)
#define CTRL_MC		(1u << 3)
#define CTRL_RXCSUM	(1u << 4)
#define CTRL_STRIP	(1u << 15)
#define CTRL_IRQMOD	(1u << 18)
#define CTRL_RSS	(1u << 29)

#define MTU		1500u
#define ROOM		1600u

/* Host memory: rings, then buffers, one for each slot. */
#define RING_OFF(ring)	(0x1000u * (ring))
#define BUF_OFF(ring, slot)	(0x8000u + 0x78000u * (ring) + 1920u * (slot))

static const uint8_t mac[6] = { 0x00, 0x15, 0x4d, 0x12, 0x34, 0x60 };

/* A wire with one kind of frame, and a host that knows where it is. */
static struct {
	struct host *h;
	uint8_t frame[4096];
	uint32_t len;
	uint32_t caplen;
	unsigned int left;
	unsigned int given[RINGS];	/* buffers offered */
	unsigned int seen[RINGS];	/* frames taken by the host */
} t;

static int wire_pull(void *ctx, struct board_frame *f)
{
	(void)ctx;
	if (!t.left)
		return 0;
	t.left--;
	*f = (struct board_frame){ .data = t.frame, .caplen = t.caplen ? t.caplen : t.len, .len = t.len };
	return 1;
}

static const struct board_wire_ops wire_ops = { .live = true, .pull = wire_pull };

static uint32_t reconfig(uint32_t ctrl, uint32_t update)
{
	mu_write(t.h, BAR, ctrl, 4);
	mu_write(t.h, BAR + 4, update, 4);
	pcie_write(t.h, QC(CFGQ, ADD_WPTR), 1);
	return mu_read(t.h, BAR + 4, 4);
}

static void offer(unsigned int ring, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		unsigned int slot = t.given[ring]++ % RING_SIZE;
		uint8_t *s = t.h->mem + RING_OFF(ring) + 8 * slot;
		uint64_t addr = HOST_BASE + BUF_OFF(ring, slot);
		uint16_t high = addr >> 32;

		memset(s, 0, 8);
		memcpy(s, &high, 2);
		memcpy(s + 4, &addr, 4);
	}
	pcie_write(t.h, QC(FLQ(ring), ADD_WPTR), n);
}

static void up(uint32_t ctrl)
{
	unsigned int i;

	for (i = 0; i < RINGS; i++) {
		mu_write(t.h, BAR + 0x800 + 8 * i, HOST_BASE + RING_OFF(i), 8);
		mu_write(t.h, BAR + 0xa00 + i, 8, 1);
		mu_write(t.h, BAR + 0xa40 + i, VECTOR(i), 1);
		t.given[i] = 0;
		t.seen[i] = 0;
		host_arm(t.h, VECTOR(i), true);
	}
	mu_write(t.h, BAR + 0x10, (1u << RINGS) - 1, 8);
	mu_write(t.h, BAR + 0x18, MTU, 4);
	mu_write(t.h, BAR + 0x1c, ROOM, 4);
	mu_write(t.h, BAR + 0x24, (uint32_t)mac[0] << 24 | mac[1] << 16 | mac[2] << 8 | mac[3], 4);
	mu_write(t.h, BAR + 0x2a, mac[4] << 8 | mac[5], 2);
	assert_int_equal(reconfig(CTRL_BASE | ctrl, 0x127), 0);
}

static int setup(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	t.h = host_create(NULL, NULL);
	board_wire(t.h->b, VNIC, &wire_ops, NULL);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	host_destroy(t.h);
	return 0;
}

static void arrive(unsigned int n)
{
	t.left = n;
	host_run(t.h);
	assert_int_equal(t.left, 0);
}

/* The host's next descriptor of a ring, or NULL. */
static const uint8_t *next(unsigned int ring, const uint8_t **buf)
{
	unsigned int slot = t.seen[ring] % RING_SIZE;
	const uint8_t *d = t.h->mem + RING_OFF(ring) + 8 * slot;

	if (t.seen[ring] == t.given[ring] || !(d[3] & 0x80))
		return NULL;
	t.seen[ring]++;
	*buf = t.h->mem + BUF_OFF(ring, slot);
	return d;
}

static uint32_t len_of(const uint8_t *d)
{
	return d[0] | d[1] << 8;
}

static uint64_t stat(uint32_t off)
{
	return mu_read(t.h, BAR + off, 8);
}

static void frame_to(const uint8_t *dst, uint32_t len)
{
	uint32_t i;

	for (i = 0; i < len; i++)
		t.frame[i] = i * 5 + 1;
	memcpy(t.frame, dst, 6);
	memcpy(t.frame + 12, "\x88\xb5", 2);
	t.len = len;
}

/* IPv4, TCP or UDP, with right checksums. */
static void frame_ip(uint8_t proto, uint16_t port, unsigned int tags)
{
	uint8_t *ip = t.frame + 14 + 4 * tags, *l4 = ip + 20;
	struct bd_hdrs h;
	unsigned int i;

	frame_to(mac, 14 + 4 * tags + 20 + 20 + 33);
	for (i = 0; i < tags; i++)
		bd_put_be32(t.frame + 12 + 4 * i, 0x81000000 | (0x602a + i));
	bd_put_be16(ip - 2, 0x0800);
	memset(ip, 0, 40);
	ip[0] = 0x45;
	bd_put_be16(ip + 2, 73);
	ip[8] = 64;
	ip[9] = proto;
	memcpy(ip + 12, "\x42\x09\x95\xbb\xa1\x8e\x64\x50", 8);	/* of the RSS vectors */
	bd_put_be16(ip + 10, ~bd_sum16(ip, 20, 0));
	bd_put_be16(l4, port);
	bd_put_be16(l4 + 2, 1766);
	if (proto == PROTO_TCP)
		l4[12] = 5 << 4;
	else
		bd_put_be16(l4 + 4, 53);
	bd_hdrs_parse(t.frame, t.len, &h);
	bd_put_be16(l4 + (proto == PROTO_TCP ? 16 : 6), ~bd_sum16(l4, 53, bd_pseudo(t.frame, &h)));
}

static void test_one_frame(void **state)
{
	const uint8_t *d, *buf;

	(void)state;
	up(0);
	offer(0, 16);
	frame_to(mac, 100);
	arrive(1);
	d = next(0, &buf);
	assert_non_null(d);
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

/* The offer is read, then the payload written, then the descriptor, whole. */
static void test_order(void **state)
{
	uint64_t slot = HOST_BASE + RING_OFF(0), buf = HOST_BASE + BUF_OFF(0, 0);

	(void)state;
	up(0);
	offer(0, 1);
	frame_to(mac, 100);
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
	unsigned int i, n;

	(void)state;
	up(0);
	offer(0, RING_SIZE - 16);
	frame_to(mac, 60);
	for (n = 0; n < 100; n++) {
		t.frame[20] = n;
		arrive(16);
		for (i = 0; i < 16; i++) {
			d = next(0, &buf);
			assert_non_null(d);
			assert_int_equal(buf[20], n);
		}
		offer(0, 16);
	}
	assert_int_equal(stat(0xd30), 1600);
	assert_int_equal(stat(0xd00), 0);
}

/* No buffer: dropped and counted, and none is lost later. */
static void test_empty_freelist(void **state)
{
	const uint8_t *d, *buf;

	(void)state;
	up(0);
	offer(0, 2);
	frame_to(mac, 60);
	arrive(5);
	assert_int_equal(stat(0xd00), 3);
	assert_int_equal(stat(0xd30), 2);
	offer(0, 1);
	t.frame[30] = 0xee;
	arrive(1);
	assert_non_null(next(0, &buf));
	assert_non_null(next(0, &buf));
	d = next(0, &buf);
	assert_non_null(d);
	assert_int_equal(buf[30], 0xee);
}

static void test_too_long(void **state)
{
	const uint8_t *buf;

	(void)state;
	up(0);
	offer(0, 16);
	frame_to(mac, MTU + 14);
	arrive(1);
	assert_non_null(next(0, &buf));
	frame_to(mac, MTU + 15);
	arrive(1);
	assert_null(next(0, &buf));
	assert_int_equal(stat(0xd08), 1);
	/* a tag more is allowed */
	frame_to(mac, MTU + 18);
	bd_put_be32(t.frame + 12, 0x8100002a);
	arrive(1);
	assert_non_null(next(0, &buf));
	/* and never more than the buffers take, whatever the MTU says */
	mu_write(t.h, BAR + 0x18, 9000, 4);
	assert_int_equal(reconfig(CTRL_BASE, 1), 0);
	frame_to(mac, ROOM + 1);
	arrive(1);
	assert_null(next(0, &buf));
	assert_int_equal(stat(0xd08), 2);
	/* cut frames of a capture are none, nor is less than a header */
	frame_to(mac, 100);
	t.caplen = 60;
	arrive(1);
	t.caplen = 0;
	t.len = 13;
	arrive(1);
	assert_null(next(0, &buf));
	assert_int_equal(stat(0xd08), 4);
}

static void test_filter(void **state)
{
	static const uint8_t other[6] = { 2, 0, 0, 0, 0, 9 }, mc[6] = { 1, 0, 0x5e, 0, 0, 1 };
	static const uint8_t bc[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	const uint8_t *buf;

	(void)state;
	up(0);
	offer(0, 64);
	frame_to(other, 60);
	arrive(1);
	frame_to(mc, 60);
	arrive(1);
	assert_null(next(0, &buf));
	frame_to(bc, 60);
	arrive(1);
	assert_non_null(next(0, &buf));
	assert_int_equal(stat(0xd40), 1);
	assert_int_equal(reconfig(CTRL_BASE | CTRL_MC, 1), 0);
	frame_to(mc, 60);
	arrive(1);
	assert_non_null(next(0, &buf));
	assert_int_equal(stat(0xd38), 1);
	assert_int_equal(reconfig(CTRL_BASE | CTRL_PROMISC, 1), 0);
	frame_to(other, 60);
	arrive(1);
	assert_non_null(next(0, &buf));
	/* a new address counts from the update on */
	assert_int_equal(reconfig(CTRL_BASE, 1), 0);
	mu_write(t.h, BAR + 0x24, 0x02000000, 4);
	mu_write(t.h, BAR + 0x2a, 0x0009, 2);
	arrive(1);
	assert_null(next(0, &buf));
	assert_int_equal(reconfig(CTRL_BASE, 0x800), 0);
	arrive(1);
	assert_non_null(next(0, &buf));
	assert_int_equal(stat(0xd00) + stat(0xd08), 0);
}

static void test_checksum_flags(void **state)
{
	const uint8_t *d, *buf;

	(void)state;
	up(CTRL_RXCSUM);
	offer(0, 64);
	frame_ip(PROTO_TCP, 2794, 0);
	arrive(1);
	d = next(0, &buf);
	assert_int_equal(d[4], 0x78);
	t.frame[60] ^= 1;		/* payload */
	arrive(1);
	d = next(0, &buf);
	assert_int_equal(d[4], 0x70);
	t.frame[60] ^= 1;
	t.frame[22] ^= 1;		/* IP header: its sum, not the pseudo-header */
	arrive(1);
	d = next(0, &buf);
	assert_int_equal(d[4], 0x58);
	frame_ip(PROTO_UDP, 2794, 1);
	arrive(1);
	d = next(0, &buf);
	assert_int_equal(d[4], 0x66);
	t.frame[18 + 26] = t.frame[18 + 27] = 0;	/* none */
	arrive(1);
	d = next(0, &buf);
	assert_int_equal(d[4], 0x66);
	/* nothing is said of TCP in a fragment, nor when not asked */
	frame_ip(PROTO_TCP, 2794, 0);
	t.frame[20] = 0x20;
	arrive(1);
	d = next(0, &buf);
	assert_int_equal(d[4] & 0x1e, 0);
	assert_int_equal(reconfig(CTRL_BASE, 1), 0);
	frame_ip(PROTO_TCP, 2794, 0);
	arrive(1);
	d = next(0, &buf);
	assert_int_equal(d[4], 0);
}

static void rss_write(uint8_t ring)
{
	static const uint8_t key[40] = {
		0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67,
		0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
		0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30,
		0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
	};
	unsigned int i;

	mu_write(t.h, BAR + 0x100, 0x01003c7f, 4);
	for (i = 0; i < 40; i++)
		mu_write(t.h, BAR + 0x104 + i, key[i], 1);
	for (i = 0; i < 128; i++)
		mu_write(t.h, BAR + 0x12c + i, i == (0x51ccc178 & 0x7f) ? ring : 0, 1);
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
	arrive(1);
	d = next(1, &buf);
	assert_non_null(d);
	assert_int_equal(d[3], 0x88);
	assert_int_equal(len_of(d), t.len + 8);
	assert_int_equal(bd_be32(buf), 0x41);
	assert_int_equal(bd_be32(buf + 4), 0x51ccc178);
	assert_memory_equal(buf + 8, t.frame, t.len);
	assert_int_equal(t.h->irqs[VECTOR(1)], 1);
	assert_int_equal(stat(0x1410), 1);
	/* what has no hash goes to ring 0, without metadata */
	frame_to(mac, 60);
	arrive(1);
	d = next(0, &buf);
	assert_int_equal(d[3], 0x80);
	/* the table counts from the update of RSS on */
	rss_write(0);
	frame_ip(PROTO_TCP, 2794, 0);
	arrive(1);
	assert_non_null(next(1, &buf));
	assert_int_equal(reconfig(CTRL_BASE | CTRL_RSS, 4), 0);
	arrive(1);
	assert_non_null(next(0, &buf));
	/* a ring that is none: dropped and counted */
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
	arrive(1);
	d = next(0, &buf);
	assert_int_equal(d[3], 0x8c);
	assert_int_equal(len_of(d), 12 + t.len - 4);
	assert_int_equal(bd_be32(buf), 0x471);
	assert_int_equal(bd_be32(buf + 8), 0x8000602a);
	assert_memory_equal(buf + 12, t.frame, 12);
	assert_memory_equal(buf + 24, t.frame + 16, t.len - 16);
	/* a service tag stays */
	t.frame[12] = 0x88;
	t.frame[13] = 0xa8;
	arrive(1);
	d = next(0, &buf);
	assert_int_equal(len_of(d), 8 + t.len);
	assert_memory_equal(buf + 8, t.frame, t.len);
	/* no hash: the tag alone */
	frame_to(mac, 64);
	bd_put_be32(t.frame + 12, 0x81000fff);
	arrive(1);
	d = next(0, &buf);
	assert_int_equal(d[3], 0x88);
	assert_int_equal(bd_be32(buf), 4);
	assert_int_equal(bd_be32(buf + 4), 0x80000fff);
}

/* ---- interrupts ---- */

static void unmask(unsigned int ring)
{
	mu_write(t.h, BAR + 0xc00 + VECTOR(ring), 0, 1);
}

static void test_interrupt_mask(void **state)
{
	(void)state;
	up(0);
	offer(0, 64);
	frame_to(mac, 60);
	arrive(1);
	arrive(5);
	assert_int_equal(t.h->irqs[VECTOR(0)], 1);
	/* what came after the driver's last look has no other trigger */
	unmask(0);
	assert_int_equal(t.h->irqs[VECTOR(0)], 2);
	unmask(0);
	assert_int_equal(t.h->irqs[VECTOR(0)], 2);
}

static void test_interrupt_before_armed(void **state)
{
	(void)state;
	up(0);
	host_arm(t.h, VECTOR(0), false);
	offer(0, 16);
	frame_to(mac, 60);
	arrive(1);
	host_arm(t.h, VECTOR(0), true);
	assert_int_equal(t.h->irqs[VECTOR(0)], 1);
}

static void wait_until(uint64_t at)
{
	struct timespec ts = { .tv_sec = at / 1000000000, .tv_nsec = at % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL))
		;
}

static void test_moderation(void **state)
{
	uint64_t at;

	(void)state;
	mu_write(t.h, BAR + 0xb00, 4 << 16 | 50000, 4);		/* 4 frames, 1 ms */
	up(CTRL_IRQMOD);
	offer(0, 64);
	frame_to(mac, 60);
	assert_int_equal(board_deadline(t.h->b), UINT64_MAX);
	arrive(1);
	at = board_deadline(t.h->b);
	assert_true(at != UINT64_MAX);
	arrive(3);
	assert_int_equal(t.h->irqs[VECTOR(0)], 1);
	assert_int_equal(board_deadline(t.h->b), UINT64_MAX);
	unmask(0);
	arrive(1);
	wait_until(board_deadline(t.h->b));
	host_run(t.h);
	assert_int_equal(t.h->irqs[VECTOR(0)], 2);
	/* while masked, nothing is due; then it is late already */
	arrive(4);
	assert_int_equal(board_deadline(t.h->b), UINT64_MAX);
	unmask(0);
	assert_int_equal(t.h->irqs[VECTOR(0)], 3);
	/* off: at once */
	mu_write(t.h, BAR + 0xb00, 0, 4);
	unmask(0);
	assert_int_equal(reconfig(CTRL_BASE | CTRL_IRQMOD, 0x100), 0);
	arrive(1);
	assert_int_equal(t.h->irqs[VECTOR(0)], 4);
}

/* ---- reconfiguration, and what the host must not do ---- */

static void test_restart(void **state)
{
	const uint8_t *buf;

	(void)state;
	up(0);
	offer(0, 16);
	frame_to(mac, 60);
	arrive(3);
	/* off: nothing is written, though the wire gives and buffers were there */
	assert_int_equal(reconfig(CTRL_BASE & ~1u, 0x23), 0);
	t.h->logged = 0;
	arrive(2);
	assert_int_equal(t.h->logged, 0);
	assert_int_equal(pcie_read(t.h, QC(FLQ(0), STS_HI)) & 0x3ffff, 0);
	/* on: from slot 0, with none of the old offers */
	memset(t.h->mem + RING_OFF(0), 0, 8 * RING_SIZE);
	up(0);
	arrive(1);
	assert_int_equal(stat(0xd00), 1);
	offer(0, 16);
	arrive(1);
	assert_non_null(next(0, &buf));
	/* an update that is not of rings leaves them */
	assert_int_equal(reconfig(CTRL_BASE | CTRL_MC, 1), 0);
	arrive(1);
	assert_non_null(next(0, &buf));
}

static void test_hostile(void **state)
{
	uint64_t nowhere = 0x42000000;
	const uint8_t *buf;

	(void)state;
	up(0);
	frame_to(mac, 60);
	/* a buffer that is not there */
	offer(0, 2);
	memcpy(t.h->mem + RING_OFF(0) + 4, &nowhere, 4);
	memset(t.h->mem + RING_OFF(0), 0, 2);
	arrive(2);
	assert_int_equal(stat(0xd00), 1);
	t.seen[0] = 1;
	assert_non_null(next(0, &buf));
	/* more buffers than slots: the ring stops */
	pcie_write(t.h, QC(FLQ(0), ADD_WPTR), RING_SIZE + 1);
	t.h->logged = 0;
	arrive(1);
	assert_int_equal(t.h->logged, 0);
	/* a ring that is not there */
	mu_write(t.h, BAR + 0x800, HOST_BASE + HOST_SIZE, 8);
	assert_int_equal(reconfig(CTRL_BASE, 0x127), 0);
	pcie_write(t.h, QC(FLQ(0), ADD_WPTR), 16);
	arrive(3);
	/* alignment and size */
	mu_write(t.h, BAR + 0x800, HOST_BASE + 4, 8);
	assert_int_equal(reconfig(CTRL_BASE, 0x127), 0x80000127);
	mu_write(t.h, BAR + 0x800, HOST_BASE, 8);
	mu_write(t.h, BAR + 0xa00, 19, 1);
	assert_int_equal(reconfig(CTRL_BASE, 0x127), 0x80000127);
}

/* ---- firmware and host get the same frame ---- */

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

static void test_firmware_too(void **state)
{
	const uint8_t *buf;

	(void)state;
	host_destroy(t.h);
	memset(&fw, 0, sizeof(fw));
	t.h = host_create(&fw_ops, NULL);
	board_wire(t.h->b, VNIC, &wire_ops, NULL);
	rss_write(0);
	up(CTRL_STRIP | CTRL_RSS);
	offer(0, 16);
	frame_ip(PROTO_TCP, 2794, 1);
	/* its receiver off: the host alone */
	arrive(1);
	assert_int_equal(fw.count, 0);
	assert_non_null(next(0, &buf));
	/* on: both, and what the host got in front and without is not in its copy */
	board_port_rx(t.h->b, VNIC, true);
	arrive(1);
	assert_int_equal(fw.count, 1);
	assert_memory_equal(fw.data, t.frame, t.len);
	assert_non_null(next(0, &buf));
	/* the host off: firmware alone */
	assert_int_equal(reconfig(CTRL_BASE & ~1u, 0x23), 0);
	arrive(1);
	assert_int_equal(fw.count, 2);
}

/* Firmware that gives nothing back loses frames, and the host none. */
static void test_firmware_behind(void **state)
{
	const uint8_t *buf;
	unsigned int i;

	(void)state;
	host_destroy(t.h);
	memset(&fw, 0, sizeof(fw));
	fw.keep = true;
	t.h = host_create(&fw_ops, NULL);
	board_wire(t.h->b, VNIC, &wire_ops, NULL);
	up(0);
	board_port_rx(t.h->b, VNIC, true);
	frame_to(mac, 60);
	for (i = 0; i < 3000; i += 100) {
		unsigned int n;

		offer(0, 100);
		arrive(100);
		for (n = 0; n < 100; n++)
			assert_non_null(next(0, &buf));
	}
	assert_in_range(fw.count, 500, 1024);
	assert_int_equal(board_port_lost(t.h->b, VNIC), 3000 - fw.count);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_one_frame),
		TEST(test_order),
		TEST(test_ring_wraps),
		TEST(test_empty_freelist),
		TEST(test_too_long),
		TEST(test_filter),
		TEST(test_checksum_flags),
		TEST(test_rss_and_metadata),
		TEST(test_vlan_strip),
		TEST(test_interrupt_mask),
		TEST(test_interrupt_before_armed),
		TEST(test_moderation),
		TEST(test_restart),
		TEST(test_hostile),
		TEST(test_firmware_too),
		TEST(test_firmware_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
