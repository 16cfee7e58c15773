// SPDX-License-Identifier: BSD-2-Clause
/*
 * vnic.c - control BARs of two vNICs: reconfiguration, interrupts, link state
 * (nfp_net_ctrl.h, NFD3; Netronome/nfd me/blocks/vnic).
 *
 * Only what is advertised is done: transmit with gather and checksums, and
 * pointer write-back. RX rings are accepted and stay empty: frames from the
 * wire go to the firmware, not to the host.
 */
#include <syslog.h>

#include "board_int.h"

#define CTRL_ENABLE		(1u << 0)
#define CTRL_PROMISC		(1u << 1)
#define CTRL_L2BC		(1u << 2)
#define CTRL_L2MC		(1u << 3)
#define CTRL_TXCSUM		(1u << 5)
#define CTRL_GATHER		(1u << 9)
#define CTRL_RINGCFG		(1u << 16)
#define CTRL_TXRWB		(1u << 21)
#define CTRL_LIVE_ADDR		(1u << 31)

#define CAPS	(CTRL_ENABLE | CTRL_PROMISC | CTRL_L2BC | CTRL_L2MC | CTRL_TXCSUM | \
		 CTRL_GATHER | CTRL_RINGCFG | CTRL_TXRWB | CTRL_LIVE_ADDR)

#define UPDATE_RING		(1u << 1)
#define UPDATE_MSIX		(1u << 5)
#define UPDATE_ERR		(1u << 31)

#define CFG_CTRL		0x00
#define CFG_UPDATE		0x04
#define CFG_TXRS_ENABLE		0x08
#define CFG_RXRS_ENABLE		0x10
#define CFG_LSC			0x20
#define CFG_VERSION		0x30
#define CFG_STS			0x34	/* 16 bits: the driver writes 0x36 */
#define CFG_CAP			0x38
#define CFG_MAX_TXRINGS		0x3c
#define CFG_MAX_RXRINGS		0x40
#define CFG_MAX_MTU		0x44
#define CFG_START_TXQ		0x48
#define CFG_START_RXQ		0x4c
#define CFG_TLV			0x58
#define CFG_TXR_ADDR		0x200
#define CFG_TXR_WB_ADDR		0x400
#define CFG_TXR_SZ		0x600
#define CFG_TXR_VEC		0x640
#define CFG_RXR_VEC		0xa40
#define CFG_ICR			0xc00

#define VERSION_NFD3_4_5	0x00000405
#define STS_LINK		1
#define STS_RATE_25G		(4 << 1)
#define MAX_MTU			9216
#define TLV_ME_FREQ		(3u << 16 | 4)
#define TLV_END			(2u << 16)
#define ME_MHZ			800

#define ICR_RXTX		1
#define ICR_LSC			2
#define LSC_NONE		0xff

/* Descriptors of a TX ring, as the driver allows (nfp_net.h). */
#define TXD_SHIFT_MIN		8
#define TXD_SHIFT_MAX		18

/*
 * A vNIC's queue controllers come in fours: freelist, TX, configuration
 * (of ring 0), none (Netronome/nfd nfd_common.h, NFD_NATQ2QC).
 */
static unsigned int queue_base(unsigned int vnic)
{
	return BD_VNIC_QUEUES * vnic;
}

unsigned int bd_vnic_tx_queue(unsigned int vnic, unsigned int ring)
{
	return queue_base(vnic) + 4 * ring + 1;
}

static unsigned int fl_queue(unsigned int vnic, unsigned int ring)
{
	return queue_base(vnic) + 4 * ring;
}

static unsigned int cfg_queue(unsigned int vnic)
{
	return queue_base(vnic) + 2;
}

uint8_t *bd_vnic_bar(struct board *b, unsigned int vnic)
{
	return board_mem_ptr(b, BD_VNIC_ADDR + BD_VNIC_SIZE * vnic, BD_VNIC_SIZE);
}

static void set_sts(struct board *b, unsigned int vnic)
{
	bd_put16(bd_vnic_bar(b, vnic) + CFG_STS,
		 b->port[vnic].link ? STS_LINK | STS_RATE_25G : 0);
}

void bd_vnic_reset(struct board *b)
{
	unsigned int i;

	for (i = 0; i < BOARD_PORTS; i++) {
		uint8_t *bar = bd_vnic_bar(b, i);
		uint64_t reconfigs = b->vnic[i].reconfigs, faults = b->vnic[i].faults;

		memset(&b->vnic[i], 0, sizeof(b->vnic[i]));
		b->vnic[i].reconfigs = reconfigs;
		b->vnic[i].faults = faults;
		memset(bar, 0, BD_VNIC_SIZE);
		bar[CFG_LSC] = LSC_NONE;
		bd_put32(bar + CFG_VERSION, VERSION_NFD3_4_5);
		bd_put32(bar + CFG_CAP, CAPS);
		bd_put32(bar + CFG_MAX_TXRINGS, BD_VNIC_RINGS);
		bd_put32(bar + CFG_MAX_RXRINGS, BD_VNIC_RINGS);
		bd_put32(bar + CFG_MAX_MTU, MAX_MTU);
		bd_put32(bar + CFG_START_TXQ, bd_vnic_tx_queue(i, 0));
		bd_put32(bar + CFG_START_RXQ, fl_queue(i, 0));
		bd_put32(bar + CFG_TLV, TLV_ME_FREQ);
		bd_put32(bar + CFG_TLV + 4, ME_MHZ);
		bd_put32(bar + CFG_TLV + 8, TLV_END);
		set_sts(b, i);
	}
}

/* ---- interrupts ---- */

/*
 * The cause register of a vector masks it: set when it fires, cleared by the
 * driver when it has looked. What happens meanwhile waits for that.
 */
static bool fire(struct board *b, unsigned int vnic, uint8_t vector, uint8_t cause)
{
	uint8_t *icr = bd_vnic_bar(b, vnic) + CFG_ICR + vector;

	if (*icr)
		return false;
	*icr = cause;
	/* Not armed yet: stays in the pending bits and goes when it is. */
	board_msix(b, vector);
	return true;
}

void bd_vnic_irq(struct board *b, unsigned int vnic)
{
	struct bd_vnic *v = &b->vnic[vnic];
	uint8_t lsc = bd_vnic_bar(b, vnic)[CFG_LSC];
	unsigned int i;

	for (i = 0; i < BD_VNIC_RINGS; i++)
		if (v->tx[i].on && v->tx[i].unreported &&
		    fire(b, vnic, v->tx[i].vector, ICR_RXTX))
			v->tx[i].unreported = false;
	/* Before ifup the driver reads the link state itself. */
	if (!(v->ctrl & CTRL_ENABLE) || lsc == LSC_NONE)
		v->lsc_unreported = false;
	if (v->lsc_unreported && fire(b, vnic, lsc, ICR_LSC))
		v->lsc_unreported = false;
}

void bd_vnic_link(struct board *b, unsigned int port)
{
	set_sts(b, port);
	b->vnic[port].lsc_unreported = true;
	bd_vnic_irq(b, port);
}

/* Bytes of the control BARs were written: was an interrupt unmasked? */
void bd_vnic_written(struct board *b, uint64_t off, size_t len)
{
	uint64_t in = off % BD_VNIC_SIZE;

	if (off / BD_VNIC_SIZE < BOARD_PORTS && in < CFG_ICR + BOARD_MSIX_VECTORS &&
	    in + len > CFG_ICR)
		bd_vnic_irq(b, off / BD_VNIC_SIZE);
}

/* ---- reconfiguration ---- */

static void ring_off(struct board *b, unsigned int vnic, unsigned int ring)
{
	struct bd_txring *t = &b->vnic[vnic].tx[ring];

	if (t->on)
		board_msix_drop(b, t->vector);
	memset(t, 0, sizeof(*t));
	board_qc_init(b, bd_vnic_tx_queue(vnic, ring), false);
}

static bool ring_on(struct board *b, unsigned int vnic, unsigned int ring)
{
	const uint8_t *bar = bd_vnic_bar(b, vnic);
	uint8_t shift = bar[CFG_TXR_SZ + ring];
	uint64_t addr = bd_get64(bar + CFG_TXR_ADDR + 8 * ring);

	if (shift < TXD_SHIFT_MIN || shift > TXD_SHIFT_MAX || addr % 16) {
		board_log(LOG_WARNING, "vNIC %u: TX ring %u refused: 2^%u descriptors at 0x%llx (2^%u to 2^%u, 16-byte aligned)",
			  vnic, ring, shift, (unsigned long long)addr,
			  TXD_SHIFT_MIN, TXD_SHIFT_MAX);
		return false;
	}
	b->vnic[vnic].tx[ring] = (struct bd_txring){
		.addr = addr,
		.wb_addr = bd_get64(bar + CFG_TXR_WB_ADDR + 8 * ring),
		.mask = (1u << shift) - 1,
		.vector = bar[CFG_TXR_VEC + ring],
		.on = true,
	};
	return true;
}

/*
 * Rings change only with UPDATE_RING, and then start anew: the driver's
 * pointers are 0 on each transition. Nothing of a ring is in flight here, as
 * transmission fetches and completes a packet in one go; so the driver may
 * free a ring's memory when the update is acknowledged.
 */
static bool rings_update(struct board *b, unsigned int vnic, uint32_t ctrl)
{
	const uint8_t *bar = bd_vnic_bar(b, vnic);
	struct bd_vnic *v = &b->vnic[vnic];
	uint64_t tx = 0, rx = 0;
	unsigned int i;
	bool ok = true;

	if (ctrl & CTRL_ENABLE) {
		tx = bd_get64(bar + CFG_TXRS_ENABLE);
		rx = bd_get64(bar + CFG_RXRS_ENABLE);
	}
	for (i = 0; i < BD_VNIC_RINGS; i++) {
		ring_off(b, vnic, i);
		board_qc_init(b, fl_queue(vnic, i), false);
		if (tx >> i & 1)
			ok &= ring_on(b, vnic, i);
	}
	v->tx_mask = tx;
	v->rx_mask = rx;
	return ok && !(tx >> BD_VNIC_RINGS) && !(rx >> BD_VNIC_RINGS);
}

/* Vectors of all rings start unmasked, with nothing of an earlier owner. */
static void msix_update(struct board *b, unsigned int vnic)
{
	uint8_t *bar = bd_vnic_bar(b, vnic);
	unsigned int i;

	for (i = 0; i < BD_VNIC_RINGS; i++) {
		if (b->vnic[vnic].tx_mask >> i & 1)
			bar[CFG_ICR + bar[CFG_TXR_VEC + i]] = 0;
		if (b->vnic[vnic].rx_mask >> i & 1)
			bar[CFG_ICR + bar[CFG_RXR_VEC + i]] = 0;
	}
}

static void reconfig(struct board *b, unsigned int vnic)
{
	uint8_t *bar = bd_vnic_bar(b, vnic);
	uint32_t update = bd_get32(bar + CFG_UPDATE), ctrl = bd_get32(bar + CFG_CTRL);
	bool ok = !(ctrl & ~CAPS);

	b->vnic[vnic].reconfigs++;
	/* A vNIC told to do what it cannot keeps its rings off. */
	if (!ok)
		ctrl = 0;
	if (update & UPDATE_RING)
		ok &= rings_update(b, vnic, ctrl);
	if (update & UPDATE_MSIX)
		msix_update(b, vnic);
	b->vnic[vnic].ctrl = ctrl;
	if (!ok) {
		board_log(LOG_WARNING, "vNIC %u: reconfiguration refused: control 0x%08x, update 0x%x (capabilities 0x%08x)",
			  vnic, bd_get32(bar + CFG_CTRL), update, CAPS);
		bd_put32(bar + CFG_UPDATE, update | UPDATE_ERR);
		return;
	}
	bd_put32(bar + CFG_UPDATE, 0);
}

bool bd_vnic_doorbell(struct board *b, unsigned int queue)
{
	unsigned int vnic = queue / BD_VNIC_QUEUES;

	if (vnic >= BOARD_PORTS)
		return false;
	if (queue == cfg_queue(vnic)) {
		/* Taken at once: the driver polls for the answer. */
		board_qc_add_rptr(b, queue, board_qc_wptr(b, queue) - board_qc_rptr(b, queue));
		reconfig(b, vnic);
	}
	return true;
}

/* The function was reset: rings and interrupts are off until reconfigured. */
void bd_vnic_flr(struct board *b)
{
	unsigned int i, j;

	for (i = 0; i < BOARD_PORTS; i++) {
		for (j = 0; j < BD_VNIC_RINGS; j++)
			ring_off(b, i, j);
		b->vnic[i].ctrl = 0;
		b->vnic[i].tx_mask = 0;
		b->vnic[i].rx_mask = 0;
	}
}

unsigned int bd_vnic_run(struct board *b, unsigned int budget, bool *more)
{
	unsigned int i, j, done = 0;

	for (i = 0; i < BOARD_PORTS; i++) {
		unsigned int before = done;

		if (!b->vnic[i].tx_mask)
			continue;
		for (j = 0; j < BD_VNIC_RINGS; j++)
			if (b->vnic[i].tx[j].on)
				done += bd_vnic_tx(b, i, j, budget, more);
		if (done != before)
			bd_vnic_irq(b, i);
	}
	return done;
}
