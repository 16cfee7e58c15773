// SPDX-License-Identifier: BSD-2-Clause
/*
 * vnic.c - control BARs of the vNICs: capabilities, reconfiguration, link state
 * (nfp_net_ctrl.h, NFD3; Netronome/nfd me/blocks/vnic).
 *
 * A control BAR advertises the features of the firmware's profile. Values that the host writes
 * into a BAR take effect at the next update. The third vNIC carries control messages: it has one
 * TX and one RX ring. It does not exist without an application (option app=nic).
 *
 * Of the features of the profile "public", the driver of Linux does not use RSS (version 1),
 * MSIXAUTO and CMSG_DATA as the board would have to do them: it prefers RSS2, it never turns
 * MSIXAUTO on, and it takes control messages from the control vNIC in any case.
 */
#include <limits.h>
#include <syslog.h>

#include "bytes.h"
#include "mem_map.h"
#include "msix.h"
#include "mu.h"
#include "nffw.h"
#include "nsp.h"
#include "pcie_island.h"
#include "pkt_hdr.h"
#include "vnic.h"
#include "vnic_bar.h"

#define STS_LINK		1
#define STS_RATE_10G		(3 << 1)
#define STS_RATE_25G		(4 << 1)
#define TLV_RESERVED(len)	(1u << 16 | (len))
#define TLV_ME_FREQ		(3u << 16 | 4)
#define TLV_END			(2u << 16)

/* log2 of the descriptors of a ring: the limits of the driver (nfp_net.h). */
#define RING_SHIFT_MIN		8
#define RING_SHIFT_MAX		18

/*
 * Each ring has four queue controllers: freelist, TX, configuration (used only for ring 0), and
 * an unused one (Netronome/nfd nfd_common.h, NFD_NATQ2QC). On a card with two ports, a port's vNIC
 * has half of the queue controllers, and the control vNIC takes the last four of them.
 */
static unsigned int queue_base(unsigned int vnic)
{
	return vnic == BD_VNIC_CTRL ? BD_QUEUES - 4 : BD_QUEUES / BOARD_PORTS * vnic;
}

unsigned int bd_vnic_tx_queue(unsigned int vnic, unsigned int ring)
{
	return queue_base(vnic) + 4 * ring + 1;
}

unsigned int bd_vnic_fl_queue(unsigned int vnic, unsigned int ring)
{
	return queue_base(vnic) + 4 * ring;
}

static unsigned int cfg_queue(unsigned int vnic)
{
	return queue_base(vnic) + 2;
}

static unsigned int vnics(const struct board *b)
{
	if (!bd_firmware_loaded(b))
		return 0;
	return b->nic->app ? BD_VNICS : BOARD_PORTS;
}

/* The queue controllers of the last port's last ring belong to the control vNIC. */
static unsigned int rings(const struct board *b, unsigned int vnic)
{
	unsigned int n = bd_firmware(b)->vnic.rings;
	unsigned int most = BD_QUEUES / BOARD_PORTS / 4 - (vnic == BOARD_PORTS - 1);

	if (vnic == BD_VNIC_CTRL)
		return 1;
	return n < most ? n : most;
}

static uint32_t caps(const struct board *b, unsigned int vnic)
{
	if (vnic == BD_VNIC_CTRL)
		return CTRL_ENABLE;
	return bd_firmware(b)->vnic.cap & ~(b->nic->app ? 0 : CTRL_BPF | CTRL_CMSG_DATA);
}

static uint64_t bar_addr(const struct board *b, unsigned int vnic)
{
	return b->nic->watch[vnic == BD_VNIC_CTRL].addr +
	       (vnic == BD_VNIC_CTRL ? 0 : BD_VNIC_SIZE * vnic);
}

uint8_t *bd_vnic_bar(struct board *b, unsigned int vnic)
{
	return b->nic->bar[vnic];
}

void bd_vnic_count(struct board *b, unsigned int vnic, uint32_t dir, uint32_t ring,
		   const uint8_t *dst, uint32_t len)
{
	uint8_t *bar = bd_vnic_bar(b, vnic), *s = bar + dir;

	bd_add64(s + STAT_OCTETS, len);
	bd_add64(s + STAT_FRAMES, 1);
	if (!(dst[0] & 1)) {
		bd_add64(s + STAT_UC_OCTETS, len);
	} else if (bd_is_bcast(dst)) {
		bd_add64(s + STAT_BC_OCTETS, len);
		bd_add64(s + STAT_BC_FRAMES, 1);
	} else {
		bd_add64(s + STAT_MC_OCTETS, len);
		bd_add64(s + STAT_MC_FRAMES, 1);
	}
	bd_add64(bar + ring, 1);
	bd_add64(bar + ring + 8, len);
}

static void set_sts(struct board *b, unsigned int vnic)
{
	uint16_t rate = b->nsp->port[vnic].rate == BD_ETH_10G ? STS_RATE_10G : STS_RATE_25G;

	bd_put16(bd_vnic_bar(b, vnic) + CFG_STS, b->mac->port[vnic].link ? STS_LINK | rate : 0);
}

void bd_nic_app(struct board *b, const struct bd_nic_app *app)
{
	b->nic->app = app;
}

/* Find the control BARs of the firmware that has started. */
static void bars_find(struct board *b)
{
	struct bd_watch *ports = &b->nic->watch[0], *ctrl = &b->nic->watch[1];
	unsigned int i;

	ports->len = vnics(b) ? BOARD_PORTS * BD_VNIC_SIZE : 0;
	ports->addr = bd_nffw_symbol(b, "_pf0_net_bar0", ports->len);
	ctrl->len = b->nic->app ? BD_VNIC_SIZE : 0;
	ctrl->addr = b->nic->app ? bd_nffw_symbol(b, "_pf0_net_ctrl_bar", ctrl->len) : 0;
	for (i = 0; i < BD_VNICS; i++)
		b->nic->bar[i] = i < vnics(b) ? board_mem_ptr(b, bar_addr(b, i), BD_VNIC_SIZE) : NULL;
}

/* The TLVs begin at CFG_TLV, or a reserved TLV there leads to them. */
static void put_tlvs(uint8_t *bar, const struct fw_vnic *v)
{
	if (v->tlv != CFG_TLV)
		bd_put32(bar + CFG_TLV, TLV_RESERVED(v->tlv - CFG_TLV - 4));
	bd_put32(bar + v->tlv, TLV_ME_FREQ);
	bd_put32(bar + v->tlv + 4, v->me_mhz);
	bd_put32(bar + v->tlv + 8, TLV_END);
}

void bd_vnic_reset(struct board *b)
{
	const struct fw_vnic *fw = &bd_firmware(b)->vnic;

	bars_find(b);
	for (unsigned int i = 0; i < BD_VNICS; i++) {
		uint8_t *bar = bd_vnic_bar(b, i);
		struct bd_vnic_total total = b->nic->vnic[i].total;

		memset(&b->nic->vnic[i], 0, sizeof(b->nic->vnic[i]));
		b->nic->vnic[i].irq_at = BD_NEVER;
		b->nic->vnic[i].total = total;
		if (!bar)
			continue;
		memset(bar, 0, BD_VNIC_SIZE);
		bar[CFG_LSC] = LSC_NONE;
		bd_put32(bar + CFG_VERSION, fw->version);
		bd_put32(bar + CFG_CAP, caps(b, i));
		bd_put32(bar + CFG_MAX_TXRINGS, rings(b, i));
		bd_put32(bar + CFG_MAX_RXRINGS, rings(b, i));
		bd_put32(bar + CFG_MAX_MTU, MAX_MTU);
		if (i < BOARD_PORTS) {
			bd_put32(bar + CFG_RSS_CAP, fw->rss_cap);
			bd_put32(bar + CFG_CAP_WORD1, fw->cap_word1);
		}
		bd_put32(bar + CFG_START_TXQ, bd_vnic_tx_queue(i, 0));
		bd_put32(bar + CFG_START_RXQ, bd_vnic_fl_queue(i, 0));
		put_tlvs(bar, fw);
		if (i < BOARD_PORTS)
			set_sts(b, i);
		if (i < BOARD_PORTS && b->nic->app)
			b->nic->app->bar(b, bar, i);
	}
}

static void link_changed(struct board *b, unsigned int port)
{
	if (!bd_vnic_bar(b, port))
		return;
	set_sts(b, port);
	b->nic->vnic[port].lsc_unreported = true;
	bd_vnic_irq(b, port);
}

/*
 * The host has written memory. If it wrote to the cause registers of a control BAR, it may have
 * unmasked an interrupt.
 */
static void written(struct board *b, uint64_t addr, size_t len)
{
	for (unsigned int i = 0; i < vnics(b); i++) {
		uint64_t icr = bar_addr(b, i) + CFG_ICR;

		if (addr < icr + BOARD_MSIX_VECTORS && addr + len > icr)
			bd_vnic_irq(b, i);
	}
}

/* ---- reconfiguration ---- */

static void ring_off(struct board *b, unsigned int vnic, unsigned int ring)
{
	struct bd_txring *t = &b->nic->vnic[vnic].tx[ring];
	struct bd_rxring *r = &b->nic->vnic[vnic].rx[ring];

	/* Test @mask, not @on: a ring that a fault has stopped has unsent descriptors, too. */
	if (t->mask)
		b->nic->vnic[vnic].total.tx_unsent += bd_vnic_tx_left(b, vnic, ring);
	if (t->on)
		board_msix_drop(b, t->vector);
	if (r->on)
		board_msix_drop(b, r->vector);
	memset(t, 0, sizeof(*t));
	memset(r, 0, sizeof(*r));
	board_qc_init(b, bd_vnic_tx_queue(vnic, ring), false);
	board_qc_init(b, bd_vnic_fl_queue(vnic, ring), false);
}

static bool ring_ok(unsigned int vnic, unsigned int ring, const char *what,
		    uint8_t shift, uint64_t addr, unsigned int align)
{
	if (shift >= RING_SHIFT_MIN && shift <= RING_SHIFT_MAX && !(addr % align))
		return true;
	board_log(LOG_WARNING, "vNIC %u: %s ring %u refused: 2^%u descriptors at 0x%llx (allowed: 2^%u to 2^%u, %u-byte aligned)",
		  vnic, what, ring, shift, (unsigned long long)addr,
		  RING_SHIFT_MIN, RING_SHIFT_MAX, align);
	return false;
}

static bool rx_on(struct board *b, unsigned int vnic, unsigned int ring)
{
	const uint8_t *bar = bd_vnic_bar(b, vnic);
	uint8_t shift = bar[CFG_RXR_SZ + ring];
	uint64_t addr = bd_get64(bar + CFG_RXR_ADDR + 8 * ring);

	if (!ring_ok(vnic, ring, "RX", shift, addr, 8))
		return false;
	b->nic->vnic[vnic].rx[ring] = (struct bd_rxring){
		.addr = addr,
		.mask = (1u << shift) - 1,
		/* The top byte belongs to the register of the exception vector. */
		.room = bd_get32(bar + CFG_FLBUFSZ) & 0xffffff,
		.vector = bar[CFG_RXR_VEC + ring],
		.on = true,
	};
	return true;
}

static bool tx_on(struct board *b, unsigned int vnic, unsigned int ring)
{
	const uint8_t *bar = bd_vnic_bar(b, vnic);
	uint8_t shift = bar[CFG_TXR_SZ + ring];
	uint64_t addr = bd_get64(bar + CFG_TXR_ADDR + 8 * ring);

	if (!ring_ok(vnic, ring, "TX", shift, addr, 16))
		return false;
	b->nic->vnic[vnic].tx[ring] = (struct bd_txring){
		.addr = addr,
		.wb_addr = bd_get64(bar + CFG_TXR_WB_ADDR + 8 * ring),
		.mask = (1u << shift) - 1,
		.vector = bar[CFG_TXR_VEC + ring],
		.on = true,
	};
	return true;
}

/*
 * Send the packets that the host has announced before this update. A card has sent them by now,
 * because it serves doorbells in parallel. This board serves the rings in turns, so packets may
 * still be in a ring.
 */
static void tx_drain(struct board *b, unsigned int vnic)
{
	bool more;

	for (unsigned int i = 0; i < rings(b, vnic); i++) {
		do {
			more = false;
			if (b->nic->vnic[vnic].tx[i].on)
				bd_vnic_tx(b, vnic, i, UINT_MAX, &more);
		} while (more);
	}
}

/*
 * Rings change only with UPDATE_RING. They restart with all pointers at 0, and so does the
 * driver. The board moves and completes a packet in one call, in both directions, so no DMA of a
 * ring is in flight here. The driver may therefore free a ring's memory when the update is
 * acknowledged.
 */
static bool rings_update(struct board *b, unsigned int vnic, uint32_t ctrl)
{
	const uint8_t *bar = bd_vnic_bar(b, vnic);
	struct bd_vnic *v = &b->nic->vnic[vnic];
	uint64_t tx = 0, rx = 0;
	bool ok = true;

	if (ctrl & CTRL_ENABLE) {
		tx = bd_get64(bar + CFG_TXRS_ENABLE);
		rx = bd_get64(bar + CFG_RXRS_ENABLE);
	}
	for (unsigned int i = 0; i < rings(b, vnic); i++) {
		ring_off(b, vnic, i);
		if (tx >> i & 1)
			ok &= tx_on(b, vnic, i);
		if (rx >> i & 1)
			ok &= rx_on(b, vnic, i);
	}
	v->tx_mask = tx;
	v->rx_mask = rx;
	return ok && !(tx >> rings(b, vnic)) && !(rx >> rings(b, vnic));
}

/* Unmask the vectors of all rings that are on. An earlier owner may have left them masked. */
static void msix_update(struct board *b, unsigned int vnic)
{
	uint8_t *bar = bd_vnic_bar(b, vnic);

	for (unsigned int i = 0; i < BD_VNIC_RINGS; i++) {
		if (b->nic->vnic[vnic].tx_mask >> i & 1)
			bar[CFG_ICR + bar[CFG_TXR_VEC + i]] = 0;
		if (b->nic->vnic[vnic].rx_mask >> i & 1)
			bar[CFG_ICR + bar[CFG_RXR_VEC + i]] = 0;
	}
}

/*
 * With start=promisc, deliver a capture while the vNIC is promiscuous. The frames of a capture
 * mostly have other destination addresses than the vNIC's.
 */
static void capture_start(struct board *b, unsigned int vnic)
{
	const struct bd_vnic *v = &b->nic->vnic[vnic];

	if (b->mac->start == BD_START_PROMISC)
		board_port_rx(b, vnic, v->rx_mask && v->ctrl & CTRL_PROMISC);
}

/* Take over the BAR fields that every update applies. The RSS fields apply only if @rss. */
static void latch(struct board *b, unsigned int vnic, uint32_t ctrl, bool rss)
{
	const uint8_t *bar = bd_vnic_bar(b, vnic);
	struct bd_vnic *v = &b->nic->vnic[vnic];

	v->ctrl = ctrl;
	for (unsigned int i = 0; i < 4; i++)
		v->mac[i] = bar[CFG_MACADDR + 3 - i];
	v->mac[4] = bar[CFG_MACADDR + 7];
	v->mac[5] = bar[CFG_MACADDR + 6];
	if (rss)
		bd_rss_load(&v->rss, bd_get32(bar + CFG_RSS_CTRL), bar + CFG_RSS_KEY,
			    bar + CFG_RSS_TABLE);
	bd_vnic_irq_latch(b, vnic);
	capture_start(b, vnic);
}

static void reconfig(struct board *b, unsigned int vnic)
{
	uint8_t *bar = bd_vnic_bar(b, vnic);
	uint32_t update = bd_get32(bar + CFG_UPDATE), ctrl = bd_get32(bar + CFG_CTRL);
	bool ok = !(ctrl & ~caps(b, vnic)), loaded = true;

	b->nic->vnic[vnic].total.reconfigs++;
	/* Load the program before the answer: the host frees the program's image after it. */
	if (update & UPDATE_BPF && ok)
		loaded = caps(b, vnic) & CTRL_BPF && b->nic->app->load(b, vnic);
	if (ctrl & CTRL_BPF && ok)
		ok = b->nic->app->loaded(b, vnic);
	/* The host asks for something that the vNIC cannot do, so all rings stay off. */
	if (!ok)
		ctrl = 0;
	if (update & UPDATE_RING) {
		if (vnic < BOARD_PORTS)
			tx_drain(b, vnic);
		ok &= rings_update(b, vnic, ctrl);
	}
	if (update & UPDATE_MSIX)
		msix_update(b, vnic);
	latch(b, vnic, ctrl, update & UPDATE_RSS);
	if (!ok || !loaded) {
		board_log(LOG_WARNING, "vNIC %u: reconfiguration refused: control 0x%08x, update 0x%x (capabilities 0x%08x)",
			  vnic, bd_get32(bar + CFG_CTRL), update, caps(b, vnic));
		bd_put32(bar + CFG_UPDATE, update | UPDATE_ERR);
		return;
	}
	bd_put32(bar + CFG_UPDATE, 0);
	bd_vnic_irq(b, vnic);
}

static bool doorbell(struct board *b, unsigned int queue)
{
	for (unsigned int i = 0; i < vnics(b); i++) {
		if (queue != cfg_queue(i))
			continue;
		/*
		 * Serve the update here, in the doorbell's write: the driver polls for the
		 * answer.
		 */
		board_qc_add_rptr(b, queue, board_qc_wptr(b, queue) - board_qc_rptr(b, queue));
		reconfig(b, i);
		return true;
	}
	return false;
}

/* Handle a function level reset: rings and interrupts stay off until the next reconfiguration. */
void bd_vnic_flr(struct board *b)
{
	for (unsigned int i = 0; i < BD_VNICS; i++) {
		for (unsigned int j = 0; j < rings(b, i); j++)
			ring_off(b, i, j);
		b->nic->vnic[i].ctrl = 0;
		b->nic->vnic[i].tx_mask = 0;
		b->nic->vnic[i].rx_mask = 0;
		capture_start(b, i);
	}
}

unsigned int bd_vnic_run(struct board *b, unsigned int budget, bool *more)
{
	unsigned int i, j, done = 0;

	for (i = 0; i < vnics(b); i++) {
		unsigned int most = budget;

		if (!(b->nic->vnic[i].tx_mask | b->nic->vnic[i].rx_mask))
			continue;
		/*
		 * Each control message needs a buffer for its answer, so take only as many
		 * messages as the host has offered buffers.
		 */
		if (i == BD_VNIC_CTRL && bd_fl_room(b, i, 0) < most)
			most = bd_fl_room(b, i, 0);
		for (j = 0; j < rings(b, i) && most; j++)
			if (b->nic->vnic[i].tx[j].on && bd_port_room(b, i))
				done += bd_vnic_tx(b, i, j, most, more);
		bd_vnic_irq(b, i);
	}
	return done;
}

static bool rx_open(const struct board *b, unsigned int port)
{
	return b->nic->vnic[port].rx_mask;
}

static bool rx_room(struct board *b, unsigned int port)
{
	return !(b->nic->vnic[port].ctrl & CTRL_BPF) || b->nic->app->room(b, port);
}

int bd_nic_init(struct board *b)
{
	static const struct bd_sink sink = { rx_open, bd_vnic_rx, link_changed, rx_room };

	for (unsigned int i = 0; i < ARRAY_SIZE(b->nic->watch); i++) {
		b->nic->watch[i].written = written;
		bd_mu_watch(b, &b->nic->watch[i]);
	}
	bd_pcie_doorbell(b, doorbell);
	bd_mac_sink(b, &sink);
	return 0;
}
