// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * vnic_pps.c - frames a second between the card's ports, on one core: large TCP
 * packets out of one vNIC's ring, cut to size, over a cable, into the other
 * vNIC's buffers.
 *
 * usage: vnic_pps [SECONDS]
 */
#define _GNU_SOURCE
#include <string.h>

#include "bench_time.h"
#include "inproc.h"
#include "pkt_hdr.h"
#include "wire_live.h"

#define RING_SHIFT	12
#define RING_SIZE	(1u << RING_SHIFT)
#define ROOM		1600u
#define BUF_SIZE	2048u
#define MSS		1448u
#define SEGMENTS	44u
#define HDR		66u		/* Ethernet, IPv4, TCP with time stamps */
#define PIECE		32768u
#define BAR(vnic)	(0x200000 + 0x8000 * (vnic))
#define CTRL		0xa0a08635u	/* as the driver sets it, without moderation */

static struct {
	struct inproc *ip;
	uint8_t *tx, *rx, *data, *bufs;
	uint64_t tx_bus, rx_bus, data_bus, bufs_bus;
	uint32_t sent, taken, given;
} t;

static void fail(const char *what)
{
	fprintf(stderr, "vnic_pps: %s\n", what);
	exit(1);
}

/* MU memory through BAR4.3, a window moved to where the control BARs are. */
static void bar_write(unsigned int vnic, uint32_t off, uint64_t v, unsigned int size)
{
	inproc_bar_write(t.ip, 4, (3 << 21) + BAR(vnic) + off - 0x200000, v, size);
}

static void reconfig(unsigned int vnic)
{
	bar_write(vnic, 0x18, 1500, 4);
	bar_write(vnic, 0x1c, ROOM, 4);
	bar_write(vnic, 0x00, CTRL | 2, 4);	/* promiscuous */
	bar_write(vnic, 0x04, 0x127, 4);
	inproc_qc_add_wptr(t.ip, 32 * vnic + 2, 1);
	if (inproc_bar_read(t.ip, 4, (3 << 21) + BAR(vnic) + 4 - 0x200000, 4))
		fail("the vNIC refused its configuration");
}

static uint8_t *memory(size_t len, uint64_t *bus)
{
	uint8_t *p = inproc_dma_alloc(t.ip, len, bus);

	if (!p)
		fail("no memory");
	return p;
}

static void setup(void)
{
	t.ip = inproc_create(NULL, NULL, NULL);
	if (!t.ip || inproc_window_open(t.ip) || wire_cable_plug(inproc_board(t.ip)))
		fail("no board");
	inproc_bar_write(t.ip, 0, 0x30000 + 4 * 19, 0x2b800004, 4);
	t.tx = memory(16 * RING_SIZE, &t.tx_bus);
	t.rx = memory(8 * RING_SIZE, &t.rx_bus);
	t.data = memory(HDR + MSS * SEGMENTS, &t.data_bus);
	t.bufs = memory(BUF_SIZE * RING_SIZE, &t.bufs_bus);
	bar_write(0, 0x200, t.tx_bus, 8);
	bar_write(0, 0x600, RING_SHIFT, 1);
	bar_write(0, 0x08, 1, 8);
	reconfig(0);
	bar_write(1, 0x800, t.rx_bus, 8);
	bar_write(1, 0xa00, RING_SHIFT, 1);
	bar_write(1, 0x10, 1, 8);
	reconfig(1);
}

static void packet_fill(void)
{
	uint8_t *ip = t.data + ETH_HLEN, *tcp = ip + 20;
	unsigned int i;

	for (i = HDR; i < HDR + MSS * SEGMENTS; i++)
		t.data[i] = i * 7;
	memcpy(t.data + 12, "\x08\x00\x45", 3);
	ip[8] = 64;
	ip[9] = PROTO_TCP;
	memcpy(ip + 12, "\x0a\x09\x00\x01\x0a\x09\x00\x02", 8);
	tcp[12] = 8 << 4;
	tcp[13] = 0x10;
}

static void desc(uint32_t off, uint16_t len, bool eop)
{
	uint8_t *d = t.tx + 16 * (t.sent++ % RING_SIZE);
	uint64_t addr = t.data_bus + off;
	uint16_t mss = MSS, all = HDR + MSS * SEGMENTS;

	d[0] = addr >> 32;
	memcpy(d + 1, &len, 2);
	d[3] = eop << 7;
	memcpy(d + 4, &addr, 4);
	memcpy(d + 8, &mss, 2);
	d[10] = HDR;
	d[11] = 0xe4;
	memcpy(d + 14, &all, 2);
}

/* Headers, then pages, as the stack has them. */
static void packet_send(void)
{
	uint32_t off = HDR;

	desc(0, HDR, false);
	while (off < HDR + MSS * SEGMENTS) {
		uint32_t left = HDR + MSS * SEGMENTS - off, n = left < PIECE ? left : PIECE;

		off += n;
		desc(off - n, n, n == left);
	}
}

static void offer(uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		uint32_t slot = t.given++ % RING_SIZE;
		uint64_t addr = t.bufs_bus + BUF_SIZE * (uint64_t)slot;
		uint8_t *d = t.rx + 8 * slot;
		uint16_t high = addr >> 32;

		memset(d, 0, 8);
		memcpy(d, &high, 2);
		memcpy(d + 4, &addr, 4);
	}
	inproc_qc_add_wptr(t.ip, 32, n);
}

static uint32_t frames_take(void)
{
	uint32_t n = 0;

	while (t.taken != t.given && t.rx[8 * (t.taken % RING_SIZE) + 3] & 0x80) {
		t.rx[8 * (t.taken++ % RING_SIZE) + 3] = 0;
		n++;
	}
	return n;
}

/* One large packet; the frames that it makes. */
static uint64_t packet(void *ctx)
{
	uint32_t before = t.sent, n;

	(void)ctx;
	packet_send();
	inproc_qc_add_wptr(t.ip, 1, t.sent - before);
	inproc_run(t.ip);
	n = frames_take();
	if (n != SEGMENTS)
		fail("frames were lost");
	offer(n);
	return n;
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	setup();
	packet_fill();
	offer(RING_SIZE - 16);
	bench_print("vnic_Mpps", bench_rate(packet, NULL) / 1e6);
	inproc_destroy(t.ip);
	return 0;
}
