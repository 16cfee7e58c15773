// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peer_vnic.c - what messages cost on the PCIe link when they are packets in the descriptor rings
 * of a NIC driver. The program drives the board's vNIC as the stock driver does at saturation.
 *
 * Every choice favours the descriptor ring. The frame is the message, without an Ethernet header.
 * A doorbell stands for 16 buffers, as the driver offers them, or for 32 packets. The driver
 * polls, so there is one interrupt in all. The card writes its TX pointer to memory, so the CPU
 * need not read it from the card.
 */
#define FW_HOST_PLAIN
#include "vnic_rx_rig.h"
#include "bench_link.h"

#define FRAMES		16384
#define OFFERED		16
#define BURST		32

#define TX_RING		0x3000u
#define TX_WB		0x4000u
#define TX_BUF		0x5000u		/* two buffers, used in turn */
#define TX_BUF_SIZE	0x1000u

/* Return the number of TLPs in which the card writes @len bytes to @addr. */
static uint64_t written(uint64_t addr, uint32_t len)
{
	return (addr % 256 + len + 255) / 256;
}

static void rx(const char *name, uint32_t len)
{
	struct link_use use = { .name = name, .msgs = FRAMES, .bytes = (uint64_t)FRAMES * len };
	const uint8_t *buf;

	setup(NULL);
	up(0);
	offer(0, RING_SIZE - OFFERED);
	frame_to(mac, len);
	arrive(OFFERED);
	for (unsigned int n = 0; n < FRAMES; n++) {
		if (n % OFFERED == 0) {
			if (!n)
				board_tlp_clear(t.h->b);
			offer(0, OFFERED);
			arrive(OFFERED);
		}
		assert_non_null(next(0, &buf));
		use.framing += LINK_4DW * written(HOST_BASE + (uint64_t)(buf - t.h->mem), len);
	}
	link_print(t.h->b, &use);
	teardown(NULL);
}

static void tx_push(void *ctx, const struct board_frame *f)
{
	++*(unsigned int *)ctx;
}

static void tx_desc(unsigned int slot, uint16_t len)
{
	vnic_tx_desc(t.h->mem + TX_RING + 16 * slot,
		     HOST_BASE + TX_BUF + TX_BUF_SIZE * (slot % 2), len, true, len);
}

static void tx(const char *name, uint16_t len, unsigned int burst)
{
	static const struct board_wire_ops ops = { .push = tx_push };
	struct link_use use = { .name = name, .msgs = FRAMES, .bytes = (uint64_t)FRAMES * len };
	unsigned int frames = 0;

	setup(NULL);
	board_wire(t.h->b, VNIC, &ops, &frames);
	tx_ring(TX_RING, TX_WB);
	up(0);
	for (unsigned int i = 0; i < RING_SIZE; i++)
		tx_desc(i, len);
	pcie_write(t.h, QC(TXQ, ADD_WPTR), 1);
	host_run(t.h);
	board_tlp_clear(t.h->b);
	for (unsigned int n = 0; n < FRAMES; n += burst) {
		pcie_write(t.h, QC(TXQ, ADD_WPTR), burst);
		host_run(t.h);
	}
	assert_int_equal(frames, FRAMES + 1);
	/* The buffers are aligned, so a completion has 256 bytes. */
	use.framing = LINK_3DW * use.msgs * written(0, len);
	link_print(t.h->b, &use);
	teardown(NULL);
}

int main(void)
{
	rx("vnic64_to_host", 64);
	rx("vnic1k_to_host", 1024);
	tx("vnic64_to_nfp", 64, BURST);
	tx("vnic64_one_to_nfp", 64, 1);
	tx("vnic1k_to_nfp", 1024, BURST);
	return 0;
}
