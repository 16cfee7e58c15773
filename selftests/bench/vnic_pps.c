// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * vnic_pps.c - frames a second between the card's ports, on one core. Large TCP packets leave the
 * ring of one vNIC. The card segments them, and a cable carries the segments to the buffers of the
 * other vNIC.
 *
 * usage: vnic_pps [SECONDS]
 */
#define _GNU_SOURCE
#include "bench_vnic.h"
#include "pkt_hdr.h"
#include "wire.h"

#define MSS		1448u
#define SEGMENTS	44u
#define HDR		66u		/* Ethernet, IPv4, TCP with time stamps */
#define PIECE		32768u

static struct {
	struct host *h;
	struct bench_rx rx;
	uint8_t *tx, *data;
	uint64_t tx_bus, data_bus;
	uint32_t sent;
} t;

static void setup(void)
{
	t.h = host_create_full(NULL, NULL);
	if (wire_cable_plug(t.h->b))
		bench_fail("no cable");
	t.tx = host_dma_alloc(t.h, 16 * RING_SIZE, &t.tx_bus);
	t.data = host_dma_alloc(t.h, HDR + MSS * SEGMENTS, &t.data_bus);
	bench_bar(t.h, 0, 0x200, t.tx_bus, 8);
	bench_bar(t.h, 0, 0x600, RING_SHIFT, 1);
	bench_bar(t.h, 0, 0x08, 1, 8);
	bench_up(t.h, 0);
	bench_receive(&t.rx, t.h, 1);
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
	uint16_t mss = MSS;

	vnic_tx_desc(d, t.data_bus + off, len, eop, HDR + MSS * SEGMENTS);
	memcpy(d + 8, &mss, 2);
	d[10] = HDR;
	d[11] = 0xe4;
}

/* Send a packet as the network stack does: a descriptor for the headers, then for the pages. */
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

/* Send one large packet. Return the number of frames that arrive. */
static uint64_t packet(void *ctx)
{
	uint32_t before = t.sent, n;

	packet_send();
	qc_add_wptr(t.h, TX_QUEUE(0), t.sent - before);
	host_run(t.h);
	n = bench_taken(&t.rx);
	if (n != SEGMENTS)
		bench_fail("frames were lost");
	return n;
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	setup();
	packet_fill();
	bench_print("vnic_Mpps", bench_rate(packet, NULL) / 1e6);
	host_destroy(t.h);
	return 0;
}
