// SPDX-License-Identifier: BSD-2-Clause
/* board.c - the card as a whole: creation, reset, destruction, and the main loop. */
#include <errno.h>
#include <stdlib.h>
#include <syslog.h>

#include "board.h"
#include "bpf_caps.h"
#include "bpf_ctrl.h"
#include "bpf_maps.h"
#include "bpf_prog.h"
#include "cfg.h"
#include "cpp.h"
#include "dma.h"
#include "fault_ops.h"
#include "mac.h"
#include "msix.h"
#include "mu.h"
#include "mu_ring.h"
#include "mes.h"
#include "nffw.h"
#include "nsp.h"
#include "pcie_island.h"
#include "pktbuf.h"
#include "tlp.h"
#include "vnic.h"
#include "cpp_window.h"
#include "bpf_frame.h"

/* Frames that the ports take from the wires before firmware and DMA engine run. */
#define PORT_BATCH	32u

static const struct bd_ident default_ident = {
	.mac = { 0x00, 0x15, 0x4d, 0x12, 0x34, 0x60 },
	.serial = { 0x00, 0x15, 0x4d, 0x12, 0x34, 0x56 },
	.temp_mc = 42000,
	.power_uw = 11000000,
};

/* ---- creation, reset, destruction ---- */

/* The state of each unit, from the lowest layer to the highest. All states begin as zeros. */
static const struct {
	size_t at;
	size_t size;
	int (*init)(struct board *b);
	void (*exit)(struct board *b);
} units[] = {
#define UNIT(ptr) offsetof(struct board, ptr), sizeof(*((struct board *)0)->ptr)
	{ UNIT(cfg), NULL, NULL },
	{ UNIT(tlp), NULL, NULL },
	{ UNIT(msix), NULL, NULL },
	{ UNIT(dma), NULL, NULL },
	{ UNIT(mu), bd_mu_init, bd_mu_exit },
	{ UNIT(rings), NULL, NULL },
	{ UNIT(pcie), NULL, NULL },
	{ UNIT(cpp), NULL, NULL },
	{ UNIT(win), bd_win_init, NULL },
	{ UNIT(nffw), bd_firmware_init, bd_firmware_exit },
	{ UNIT(nsp), bd_nsp_init, NULL },
	{ UNIT(mes), NULL, bd_mes_exit },
	{ offsetof(struct board, pkt), BD_PKT_CLASSES * sizeof(struct bd_pkt_class),
	  bd_pkt_init, bd_pkt_exit },
	{ UNIT(mac), bd_mac_init, bd_mac_exit },
	{ UNIT(nic), bd_nic_init, NULL },
	{ UNIT(maps), NULL, bd_maps_reset },
	{ UNIT(ustore), NULL, bd_ustore_exit },
	{ UNIT(xdp), NULL, bd_xdp_exit },
	{ UNIT(ccm), NULL, NULL },
};

static void **unit_state(struct board *b, unsigned int i)
{
	return (void **)((char *)b + units[i].at);
}

static void fw_stop(struct board *b)
{
	if (b->fw_running && b->fw->stop)
		b->fw->stop(b->fw_ctx);
	b->fw_running = false;
}

static void fw_start(struct board *b)
{
	if (!b->fw || !bd_firmware_loaded(b))
		return;
	b->fw_running = true;
	if (b->fw->start)
		b->fw->start(b->fw_ctx, b);
}

/*
 * Give a frame to the firmware, which returns the buffer later. While the firmware takes no
 * frames, a capture waits, because its port is paused. A live wire cannot wait, so its frames are
 * dropped here when buffers run short. Otherwise the firmware would hold the buffers that the
 * host's vNIC needs.
 */
static enum bd_sunk fw_packet(struct board *b, unsigned int port, struct board_pkt *pkt)
{
	if (b->mac->port[port].wire->live && !bd_pkt_spare(b, pkt))
		return BD_PKT_LOST;
	b->fw->packet(b->fw_ctx, pkt);
	return BD_PKT_KEPT;
}

static const struct bd_sink fw_sink = { .packet = fw_packet };

static void symbols_reset(struct board *b)
{
	bd_nffw_reset(b);
	if (!bd_firmware_loaded(b))
		return;
	bd_dump_spec(b);
	if (b->nic->app)
		bd_bpf_symbols(b);
}

/*
 * The card has other firmware, or none. The options app, bpf-helpers and bpf-words were for the
 * firmware of before.
 */
static void fw_changed(struct board *b)
{
	bool bpf = bd_firmware_loaded(b) && bd_firmware(b)->app == FW_APP_BPF;

	bd_nic_app(b, bpf ? &bd_bpf_app : NULL);
	bd_bpf_helpers(b, NULL);
	b->ustore->max_len = 0;
}

/* Set all memory and registers to their state after power-on, and start the firmware. */
static void power_on(struct board *b)
{
	fw_stop(b);
	if (bd_firmware_unload(b))
		fw_changed(b);
	if (b->fault)
		b->fault->reset(b);
	bd_dma_reset(b);
	bd_msix_reset(b);
	bd_pcie_reset(b);
	bd_win_reset(b);
	bd_mu_reset(b);
	bd_ring_reset(b);
	bd_nsp_reset(b);
	bd_bpf_reset(b);
	bd_firmware_load(b);
	symbols_reset(b);
	bd_cfg_reset(b);
	bd_port_reset(b);
	bd_vnic_reset(b);
	bd_resource_build(b);
	bd_hwinfo_build(b);
	bd_nffw_build(b);
	bd_port_start(b);
	bd_mes_start(b);
	fw_start(b);
}

/*
 * Restart the firmware, as the NSP's soft reset does. Queue controllers, DMA engine and vNICs are
 * reset, because the firmware uses them. The host's BAR windows are not.
 */
static void fw_restart(struct board *b)
{
	fw_stop(b);
	bd_dma_reset(b);
	bd_msix_reset(b);
	bd_pcie_reset(b);
	bd_ring_reset(b);
	bd_pkt_reset(b);
	bd_mu_unmap(b);
	bd_bpf_reset(b);
	bd_firmware_load(b);
	symbols_reset(b);
	bd_vnic_reset(b);
	bd_nffw_build(b);
	bd_port_start(b);
	bd_mes_start(b);
	fw_start(b);
}

/*
 * Restart the channel firmware only, with the processes that are microcode. The vNICs keep running,
 * because other firmware serves them.
 */
static void chan_restart(struct board *b)
{
	fw_stop(b);
	bd_dma_reset(b);
	bd_ring_reset(b);
	bd_pkt_reset(b);
	bd_mu_unmap(b);
	symbols_reset(b);
	bd_nffw_build(b);
	bd_mes_start(b);
	fw_start(b);
}

static void units_free(struct board *b)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(units); i++)
		free(*unit_state(b, i));
	free(b);
}

/*
 * Initialise the units. units_alloc() has allocated all states before, because units register
 * callbacks with each other.
 */
static int units_init(struct board *b)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(units) && !err; i++)
		if (units[i].init)
			err = units[i].init(b);
	return err;
}

static struct board *units_alloc(void)
{
	struct board *b = calloc(1, sizeof(*b));
	unsigned int i;

	for (i = 0; b && i < ARRAY_SIZE(units); i++) {
		void **state = unit_state(b, i);

		*state = calloc(1, units[i].size);
		if (!*state) {
			units_free(b);
			b = NULL;
		}
	}
	return b;
}

struct board *board_create(const struct board_fw *fw, void *fw_ctx)
{
	struct board *b = units_alloc();

	if (!b || units_init(b)) {
		board_destroy(b);
		errno = ENOMEM;
		return NULL;
	}
	if (fw && fw->packet)
		bd_mac_sink(b, &fw_sink);
	b->fw = fw;
	b->fw_ctx = fw_ctx;
	b->ident = default_ident;
	bd_nic_app(b, &bd_bpf_app);
	power_on(b);
	return b;
}

void board_destroy(struct board *b)
{
	unsigned int i;

	if (!b)
		return;
	fw_stop(b);
	if (b->fault)
		b->fault->exit(b);
	for (i = ARRAY_SIZE(units); i--; )
		if (units[i].exit)
			units[i].exit(b);
	units_free(b);
}

void board_attach(struct board *b, const struct board_host_ops *ops, void *ctx)
{
	b->host = ops;
	b->host_ctx = ctx;
}

bool board_peers(const struct board *b)
{
	return b->peers;
}

void board_write_failed(struct board *b)
{
	b->dma->faults++;
}

void board_reset(struct board *b, enum board_reset how)
{
	b->lost = false;
	if (how != BOARD_RESET_FLR) {
		power_on(b);
		return;
	}
	/*
	 * A function level reset resets the PCIe function only: memory, microengines and window
	 * CSRs keep their state. So firmware that the host has loaded stays; no source says
	 * whether a card's NSP unloads it. The reset turns bus mastering off, so queued DMA ends
	 * in errors, and the firmware notices the reset by them.
	 */
	board_log(LOG_INFO, "function level reset");
	if (b->fault)
		b->fault->flr(b);
	bd_cfg_reset(b);
	bd_msix_reset(b);
	bd_vnic_flr(b);
}

void bd_reset_asked(struct board *b)
{
	unsigned int asked = b->asked;

	b->asked = 0;
	if (asked & BD_ASK_FLR)
		board_reset(b, BOARD_RESET_FLR);
	if (asked & BD_ASK_CHANGE)
		fw_changed(b);
	if (asked & (BD_ASK_FIRMWARE | BD_ASK_CHANGE))
		fw_restart(b);
	if (asked & BD_ASK_CHANNELS)
		chan_restart(b);
}

/* ---- the host's accesses; each carries out the resets that it has requested ---- */

void board_cfg_read(struct board *b, unsigned int off, void *buf, size_t len)
{
	bd_cfg_read(b, off, buf, len);
}

void board_cfg_write(struct board *b, unsigned int off, const void *buf, size_t len)
{
	bd_cfg_write(b, off, buf, len);
	bd_reset_asked(b);
}

void board_bar_read(struct board *b, unsigned int bar, uint64_t off, void *buf, size_t len)
{
	bd_win_read(b, bar, off, buf, len);
	bd_reset_asked(b);
}

void board_bar_write(struct board *b, unsigned int bar, uint64_t off, const void *buf, size_t len)
{
	bd_win_write(b, bar, off, buf, len);
	bd_reset_asked(b);
}

uint64_t board_bar_size(const struct board *b, unsigned int bar)
{
	(void)b;
	return bd_bar_size(bar);
}

void board_msix_armed(struct board *b, unsigned int vector, bool armed)
{
	bd_msix_armed(b, vector, armed);
}

/* ---- wires ---- */

void board_wire(struct board *b, unsigned int port,
		const struct board_wire_ops *ops, void *ctx)
{
	bd_port_wire(b, port, ops, ctx);
}

int board_wire_fd(const struct board *b, unsigned int port, short *events)
{
	return bd_port_wire_fd(b, port, events);
}

/* ---- main loop ---- */

static bool alive(const struct board *b)
{
	return !bd_gone(b) && !(b->fault && b->fault->halted(b));
}

static bool fw_runs(const struct board *b)
{
	return b->fw_running && alive(b);
}

/*
 * Run the firmware and the DMA engine in turn, until both have nothing left to do or the budget is
 * used up. On a card they work in parallel and keep up with the wire. So the work that a batch of
 * frames causes is done, or nearly done, before the next batch is taken.
 */
static unsigned int engines_run(struct board *b, unsigned int budget, bool *more)
{
	unsigned int did = 0, n;
	bool busy;

	do {
		busy = fw_runs(b) && b->fw->run && b->fw->run(b->fw_ctx, budget);
		busy |= alive(b) && bd_mes_run(b);
		n = bd_dma_run(b, budget - did);
		/* A round of the firmware alone also costs budget, so the loop ends. */
		did += busy && !n ? 1 : n;
	} while ((n || busy) && did < budget);
	*more |= busy;
	return did;
}

bool board_run(struct board *b, unsigned int budget)
{
	unsigned int left = budget;

	while (left) {
		unsigned int did = 0, batch = left < PORT_BATCH ? left : PORT_BATCH;
		bool more = bd_pcie_events(b);

		did += bd_port_run(b, batch, &more);
		did += engines_run(b, left, &more);
		did += bd_vnic_run(b, batch, &more);
		more |= bd_port_kicked(b);
		if (!did && !more)
			return false;
		/* A round that moved nothing countable also costs budget, so the loop ends. */
		did += !did;
		left -= did < left ? did : left;
	}
	return true;
}

static uint64_t earlier(uint64_t x, uint64_t y)
{
	return x < y ? x : y;
}

uint64_t board_deadline(const struct board *b)
{
	uint64_t at = BD_NEVER;

	if (fw_runs(b) && b->fw->deadline)
		at = b->fw->deadline(b->fw_ctx);
	if (alive(b))
		at = earlier(at, bd_mes_deadline(b));
	return earlier(at, earlier(bd_port_deadline(b), bd_vnic_deadline(b)));
}
