/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * vnic_rx_rig.h - helpers for tests of packet reception: a wire that delivers frames, and rings
 * and buffers set up as the stock driver does.
 */
#ifndef VNIC_RX_RIG_H
#define VNIC_RX_RIG_H

#include "mem_map.h"
#include "pkt_hdr.h"
#include "vnic_ring.h"

#define VNIC		0u
#define BAR		((uint64_t)BD_VNIC_ADDR)
#define FLQ(ring)	(128 * VNIC + 4 * (ring))
#define CFGQ		(128 * VNIC + 2)
#define TXQ		(1 + 128 * VNIC)
#define VECTOR(ring)	(2u + (ring))
#define RING_SIZE	256u
#define RINGS		2u

/* Control bits. Tests with firmware "full" set CTRL_BASE, and each adds the bits of the feature that it tests. */
#define CTRL_BASE	0x80210205u	/* enable, broadcast, gather, ring config, ... */
#define CTRL_PROMISC	(1u << 1)
#define CTRL_MC		(1u << 3)
#define CTRL_RXCSUM	(1u << 4)
#define CTRL_STRIP	(1u << 15)
#define CTRL_IRQMOD	(1u << 18)
#define CTRL_RSS	(1u << 29)

#define MTU		1500u
#define ROOM		1600u

/* Layout of host memory: the rings, then the buffers, one for each slot */
#define RING_OFF(ring)	(0x1000u * (ring))
#define BUF_OFF(ring, slot)	(0x8000u + 0x78000u * (ring) + 1920u * (slot))

static const uint8_t mac[6] = { 0x00, 0x15, 0x4d, 0x12, 0x34, 0x60 };

/* A wire with one kind of frame, and the host that receives it */
static struct {
	struct host *h;
	uint32_t base;		/* control bits that all updates set */
	uint8_t frame[4096];
	uint32_t len;
	uint32_t caplen;
	unsigned int left;
	unsigned int given[RINGS];	/* buffers that the host has given to the card */
	unsigned int seen[RINGS];	/* frames taken by the host */
} t;

static inline int wire_pull(void *ctx, struct board_frame *f)
{
	(void)ctx;
	if (!t.left)
		return 0;
	t.left--;
	*f = (struct board_frame){ .data = t.frame, .caplen = t.caplen ? t.caplen : t.len, .len = t.len };
	return 1;
}

static const struct board_wire_ops wire_ops = { .live = true, .pull = wire_pull };

static inline uint32_t reconfig(uint32_t ctrl, uint32_t update)
{
	return vnic_reconfig(t.h, BAR, CFGQ, ctrl, update);
}

static inline void offer(unsigned int ring, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		unsigned int slot = t.given[ring]++ % RING_SIZE;

		vnic_fl_desc(t.h->mem + RING_OFF(ring) + 8 * slot, HOST_BASE + BUF_OFF(ring, slot));
	}
	pcie_write(t.h, QC(FLQ(ring), ADD_WPTR), n);
}

static inline void up(uint32_t ctrl)
{
	for (unsigned int i = 0; i < RINGS; i++) {
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
	assert_int_equal(reconfig(t.base | ctrl, 0x127), 0);
}

/*
 * Have up() enable a send ring at @ring of host memory. The card writes its position to @wb.
 */
static inline void tx_ring(uint32_t ring, uint32_t wb)
{
	mu_write(t.h, BAR + 0x200, HOST_BASE + ring, 8);
	mu_write(t.h, BAR + 0x400, HOST_BASE + wb, 8);
	mu_write(t.h, BAR + 0x600, 8, 1);
	mu_write(t.h, BAR + 0x640, VECTOR(0), 1);
	mu_write(t.h, BAR + 0x08, 1, 8);
}

static inline int setup(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	t.h = host_create_full(NULL, NULL);
	t.base = CTRL_BASE;
	board_wire(t.h->b, VNIC, &wire_ops, NULL);
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	host_destroy(t.h);
	return 0;
}

static inline void arrive(unsigned int n)
{
	t.left = n;
	host_run(t.h);
	assert_int_equal(t.left, 0);
}

/*
 * Return the next received descriptor of a ring, or NULL. If @buf is not NULL, set it to the
 * packet.
 */
static inline const uint8_t *next(unsigned int ring, const uint8_t **buf)
{
	unsigned int slot = t.seen[ring] % RING_SIZE;
	const uint8_t *d = t.h->mem + RING_OFF(ring) + 8 * slot;

	if (buf)
		*buf = t.h->mem + BUF_OFF(ring, slot);
	if (t.seen[ring] == t.given[ring] || !(d[3] & 0x80))
		return NULL;
	t.seen[ring]++;
	return d;
}

/* Let a frame arrive, and check that ring @ring has received it. Return its descriptor. */
static inline const uint8_t *one_to(unsigned int ring, const uint8_t **buf)
{
	const uint8_t *d;

	arrive(1);
	d = next(ring, buf);
	assert_non_null(d);
	return d;
}

static inline uint32_t len_of(const uint8_t *d)
{
	return d[0] | d[1] << 8;
}

static inline uint64_t stat(uint32_t off)
{
	return mu_read(t.h, BAR + off, 8);
}

static inline void frame_to(const uint8_t *dst, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		t.frame[i] = i * 5 + 1;
	memcpy(t.frame, dst, 6);
	memcpy(t.frame + 12, "\x88\xb5", 2);
	t.len = len;
}

/* Enable the vNIC, with @buffers on ring 0, and prepare a frame of @len bytes to the host. */
static inline void ready(unsigned int buffers, uint32_t len)
{
	up(0);
	offer(0, buffers);
	frame_to(mac, len);
}

/* Make an IPv4 frame with TCP or UDP, with correct checksums. */
static inline void frame_ip(uint8_t proto, uint16_t port, unsigned int tags)
{
	uint8_t *ip = t.frame + 14 + 4 * tags, *l4 = ip + 20;
	struct bd_hdrs h;

	frame_to(mac, 14 + 4 * tags + 20 + 20 + 33);
	for (unsigned int i = 0; i < tags; i++)
		bd_put_be32(t.frame + 12 + 4 * i, 0x81000000 | (0x602a + i));
	bd_put_be16(ip - 2, 0x0800);
	memset(ip, 0, 40);
	ip[0] = 0x45;
	bd_put_be16(ip + 2, 73);
	ip[8] = 64;
	ip[9] = proto;
	memcpy(ip + 12, "\x42\x09\x95\xbb\xa1\x8e\x64\x50", 8);	/* addresses of the RSS test vectors */
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

static inline void rss_write(uint8_t ring)
{
	static const uint8_t key[40] = {
		0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67,
		0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
		0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30,
		0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
	};

	mu_write(t.h, BAR + 0x100, 0x01003c7f, 4);
	for (unsigned int i = 0; i < 40; i++)
		mu_write(t.h, BAR + 0x104 + i, key[i], 1);
	for (unsigned int i = 0; i < 128; i++)
		mu_write(t.h, BAR + 0x12c + i, i == (0x51ccc178 & 0x7f) ? ring : 0, 1);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif /* VNIC_RX_RIG_H */
