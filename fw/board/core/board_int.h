/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board_int.h - what the units of the emulated card know of each other.
 *
 * Names start with bd_, so that nothing here meets a name of the firmware,
 * which is linked into the same program. Each unit's state is a struct of its
 * own and is changed by that unit's file only.
 */
#ifndef BOARD_INT_H
#define BOARD_INT_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "board.h"
#include "board_fw.h"
#include "rss.h"
#include "bpf_maps.h"
#include "bpf_prog.h"
#include "bpf_ctrl.h"
#include "xdp.h"

#define BD_KIB(n)	((uint64_t)(n) << 10)
#define BD_MIB(n)	((uint64_t)(n) << 20)
#define BD_NEVER	UINT64_MAX

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* ---- little-endian fields at any address ---- */

static inline uint16_t bd_get16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return le16toh(v);
}

static inline uint32_t bd_get32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static inline uint64_t bd_get64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

static inline void bd_put16(void *p, uint16_t v)
{
	v = htole16(v);
	memcpy(p, &v, sizeof(v));
}

static inline void bd_put32(void *p, uint32_t v)
{
	v = htole32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void bd_put64(void *p, uint64_t v)
{
	v = htole64(v);
	memcpy(p, &v, sizeof(v));
}

static inline void bd_add64(void *p, uint64_t n)
{
	bd_put64(p, bd_get64(p) + n);
}

/* ---- places in the card's address space, chosen by this board ---- */

/*
 * 40-bit MU addresses. Bits 39:38 are the locality: 2 is direct access, where
 * bits 37:32 are the island (nfpcore/nfp_target.c, nfp_encode_mu()).
 */
#define BD_MU_DIRECT(island)	((2ULL << 38) | ((uint64_t)(island) << 32))
#define BD_ISL_ARM		1	/* its CTM holds what the ARM and NSP keep */
#define BD_ISL_EMEM0		24
#define BD_ISL_IMEM0		28

#define BD_RES_ADDR		BD_MU_DIRECT(BD_ISL_ARM)	/* nfp_resource.c */
#define BD_HWINFO_ADDR		(BD_RES_ADDR + 0x2000)
#define BD_HWINFO_SIZE		0x1000
#define BD_NFFW_ADDR		(BD_RES_ADDR + 0x4000)
#define BD_NFFW_SIZE		0x1000
#define BD_NSP_ADDR		(BD_RES_ADDR + 0x10000)
#define BD_NSP_SIZE		0x1000
#define BD_NSP_BUF_ADDR		(BD_RES_ADDR + 0x20000)
#define BD_NSP_BUF_SIZE		0x10000

#define BD_MIP_ADDR		BD_MU_DIRECT(BD_ISL_EMEM0)
/* From here on in EMEM0 as a plain address; the first 4 MiB are the board's. */
#define BD_SYMTAB_ADDR		0x00100000
#define BD_STRTAB_ADDR		0x00110000
#define BD_VNIC_ADDR		0x00200000
#define BD_VNIC_SIZE		0x8000		/* NFP_NET_CFG_BAR_SZ */
#define BD_MACSTAT_ADDR		0x00210000
#define BD_MACSTAT_SIZE		0x200		/* NFP_MAC_STATS_SIZE */
#define BD_NPORTS_ADDR		0x00211000
#define BD_CTRL_ADDR		0x00220000	/* control vNIC's BAR */
#define BD_APPID_ADDR		0x00230000
#define BD_BPFCAP_ADDR		0x00230100
#define BD_EMEM_RESERVED	BD_MIB(4)
/* Values of BPF maps: the largest sum of maps, and as much for gaps. */
#define BD_MAPS_ADDR		0x40000000
#define BD_MAPS_SIZE		BD_MIB(256)

/* ---- memory units (mu.c) ---- */

struct bd_region {
	uint64_t addr;		/* normal form, see bd_mu_normal() */
	uint64_t len;
	uint8_t *mem;
};

#define BD_BUILTIN_MAX		16
#define BD_MAPPED_MAX		64

struct bd_mu {
	struct bd_region builtin[BD_BUILTIN_MAX];
	struct bd_region mapped[BD_MAPPED_MAX];
	unsigned int nbuiltin;
	unsigned int nmapped;
};

/* A command to a memory unit: action and token as nfp_target.c lists them. */
struct bd_cmd {
	uint8_t target;
	uint8_t action;
	uint8_t token;
	uint8_t mask;		/* byte mask, the operand of "immediate" actions */
	uint64_t addr;
};

int bd_mu_init(struct board *b);
void bd_mu_reset(struct board *b);	/* memory to 0, mappings gone */
void bd_mu_exit(struct board *b);
uint64_t bd_mu_normal(uint64_t addr);
/* 0, or -EFAULT: nothing there, or no such action; buf is then all ones. */
int bd_mu_read(struct board *b, const struct bd_cmd *c, void *buf, size_t len);
int bd_mu_write(struct board *b, const struct bd_cmd *c, const void *buf, size_t len);

void bd_mu_clear(void *mem, uint64_t len);	/* whole pages of a memory to 0 */

/* ---- MU rings (ring.c) ---- */

#define BD_RINGS	1024

struct bd_ring {
	uint64_t addr;
	uint32_t words;		/* 0: not initialised */
	uint32_t head;		/* free-running, in words */
	uint32_t tail;
};

/* Threads at a ring that is a work queue. It has those or words, never both. */
#define BD_WORKQS	16
#define BD_WORKQ_THREADS 64	/* a power of 2 */

struct bd_workq {
	unsigned int ring;
	uint32_t head, tail;	/* free-running */
	struct board_thread thread[BD_WORKQ_THREADS];
};

void bd_ring_reset(struct board *b);
void bd_ring_journal(struct board *b, unsigned int ring, uint32_t word);
uint32_t bd_ring_pop(struct board *b, unsigned int ring);

/* ---- PCIe island: SRAM and queue controllers (pcie.c) ---- */

#define BD_SRAM_SIZE	0x10000
#define BD_QUEUES	256
#define BD_P2C_BASE	0x30000
#define BD_P2C_CSRS	24
#define BD_EXPL_OFF	0x80
#define BD_EXPL_GROUPS	4
#define BD_EXPL_AREAS	4
#define BD_QC_BASE	0x80000
#define BD_QC_STRIDE	0x800
#define BD_PCIE_SIZE	0x100000

struct bd_queue {
	uint32_t wptr;
	uint32_t rptr;
	bool events;
};

struct bd_pcie {
	uint8_t sram[BD_SRAM_SIZE];
	struct bd_queue queue[BD_QUEUES];
	uint64_t event[BD_QUEUES / 64];	/* events not handed over yet */
};

void bd_pcie_reset(struct board *b);
/* PCIe-internal address space of 1 MiB: SRAM, window CSRs, queues. */
void bd_pcie_read(struct board *b, uint64_t addr, void *buf, size_t len);
void bd_pcie_write(struct board *b, uint64_t addr, const void *buf, size_t len);
bool bd_pcie_events(struct board *b);
enum board_tlp bd_pcie_purpose(uint64_t addr);

/* ---- DMA engine and MSI-X (dma.c, msix.c) ---- */

#define BD_DMA_QUEUE	256

struct bd_dma {
	struct board_dma ring[BD_DMA_QUEUE];
	uint64_t head;		/* completed */
	uint64_t tail;		/* enqueued */
	uint64_t descs;
	uint64_t faults;
	uint64_t bytes[2];	/* from host, to host */
	bool master_warned;
};

void bd_dma_reset(struct board *b);
unsigned int bd_dma_run(struct board *b, unsigned int budget);
/* At once, for units that keep their own order (vNIC); counted as any other. */
int bd_dma_now(struct board *b, bool to_host, enum board_tlp purpose,
	       uint64_t host, void *mem, size_t len);

struct bd_msix {
	/* DMA descriptor that a message waits behind, BD_NEVER for none */
	uint64_t behind[BOARD_MSIX_VECTORS];
	uint64_t again[BOARD_MSIX_VECTORS];
	uint64_t queued[BOARD_MSIX_VECTORS / 64];
	uint64_t pending[BOARD_MSIX_VECTORS / 64];
	uint64_t sent;
	uint64_t deferred;	/* undelivered at first try */
};

void bd_msix_reset(struct board *b);
void bd_msix_run(struct board *b);
void bd_msix_retry(struct board *b);	/* bus mastering came */
uint32_t bd_msix_pba(const struct board *b, unsigned int word);

/* ---- PCI configuration space (cfg.c) ---- */

struct bd_cfg {
	uint8_t space[BOARD_CFG_SIZE];
};

void bd_cfg_reset(struct board *b);
void bd_cfg_serial(struct board *b);
bool bd_cfg_mem_enabled(const struct board *b);
bool bd_cfg_master(const struct board *b);
uint32_t bd_cfg_mrrs(const struct board *b);

/* ---- windows (window.c) ---- */

struct bd_win {
	uint32_t csr[BD_P2C_CSRS];
	uint32_t expl[BD_EXPL_GROUPS][BD_EXPL_AREAS][3];
};

void bd_win_reset(struct board *b);
/* @off from the first CSR: as at PCIe-internal 0x30000 and config 0x400 */
uint32_t bd_win_csr_read(const struct board *b, unsigned int off);
void bd_win_csr_write(struct board *b, unsigned int off, uint32_t v);

/* ---- CPP bus (cpp.c) and XPB (xpb.c) ---- */

enum bd_cpp_target {
	BD_CPP_PCIE0 = 0,
	BD_CPP_MU = 7,
	BD_CPP_PCIE = 9,
	BD_CPP_ARM = 10,
	BD_CPP_XPB = 14,
};

#define BD_ACT_RW	32	/* not a command: read or write as the host does */

void bd_cpp_read(struct board *b, const struct bd_cmd *c, void *buf, size_t len);
void bd_cpp_write(struct board *b, const struct bd_cmd *c, const void *buf, size_t len);
uint32_t bd_xpb_read(const struct board *b, uint32_t addr);

/* ---- PCIe counters (tlp.c) ---- */

struct bd_tlp {
	struct board_tlp_count n[BOARD_TLP_PURPOSES];
};

void bd_tlp_config(struct board *b, size_t len);
void bd_tlp_mmio(struct board *b, enum board_tlp purpose, bool write, size_t len);
void bd_tlp_dma(struct board *b, enum board_tlp purpose, bool to_host,
		uint64_t addr, size_t len);
void bd_tlp_msix(struct board *b);

/* ---- identity, management (hwinfo.c, resource.c, nsp.c, nffw.c) ---- */

struct bd_ident {
	uint8_t mac[6];		/* of port 0; port 1 has the next one */
	uint8_t serial[6];
	uint32_t temp_mc;	/* chip temperature, mC */
	uint32_t power_uw;	/* assembly power, uW */
};

#define BD_OVERRIDES	16

struct bd_nsp {
	char override[BD_OVERRIDES][64];	/* HWINFO_SET: "key=value" */
	uint8_t port_state[BOARD_PORTS];	/* NSP_ETH_STATE bits 3:0 */
	uint8_t port_pause[BOARD_PORTS];	/* bit 0 TX, bit 1 RX */
	uint64_t commands;
};

#define BD_SYMBOLS	128

struct bd_symbol {
	char name[40];
	uint64_t addr;
	uint32_t len;
};

struct bd_nffw {
	struct bd_symbol sym[BD_SYMBOLS];
	unsigned int count;
};

uint32_t bd_crc32_posix(const void *buf, size_t len);
void bd_hwinfo_build(struct board *b);
/* Value of @key with overrides applied, or NULL. */
const char *bd_hwinfo_find(struct board *b, const char *key);
void bd_port_mac(const struct board *b, unsigned int port, uint8_t mac[6]);
void bd_resource_build(struct board *b);
void bd_nsp_reset(struct board *b);
void bd_nsp_written(struct board *b, uint64_t off, size_t len);
unsigned int bd_nsp_eth_rescan(struct board *b, uint8_t *buf);
void bd_nsp_eth_control(struct board *b, const uint8_t *buf, uint32_t *ret, uint8_t *result);
#define BD_ETH_TABLE_SIZE	(48 * 32)
void bd_sfp_read(unsigned int port, unsigned int off, void *buf, size_t len);
void bd_nffw_reset(struct board *b);
void bd_nffw_build(struct board *b);
/* Address of a symbol of @len bytes, 0 for none. */
uint64_t bd_nffw_symbol(const struct board *b, const char *name, uint32_t len);

/* ---- vNICs (vnic*.c, rss.c, tso.c, tx_csum.c) ---- */

#define BD_VNIC_RINGS	8
#define BD_VNIC_QUEUES	32		/* queue controllers of a vNIC */
/* One vNIC a port, and behind them the one of control messages (ccm.c). */
#define BD_VNIC_CTRL	BOARD_PORTS
#define BD_VNICS	(BOARD_PORTS + 1)

/* What a ring has done without an interrupt yet, and when it wants one. */
struct bd_irq {
	uint32_t count;
	uint64_t since;		/* the first of them, ns */
	uint32_t frames;	/* moderation: this many, or */
	uint32_t ns;		/* this late; 0: at once */
};

struct bd_txring {
	uint64_t addr;
	uint64_t wb_addr;
	uint32_t mask;		/* descriptors - 1 */
	uint8_t vector;
	bool on;
	struct bd_irq irq;	/* of completions */
	bool partial;		/* a packet's end is missing at this pointer */
	uint32_t partial_wptr;
};

#define BD_CTRL_BPF	(1u << 27)	/* NFP_NET_CFG_CTRL_BPF */

#define BD_FL_SLOT	8
#define BD_FL_BATCH	16	/* offers of buffers fetched at once */

struct bd_rxring {
	uint64_t addr;
	uint32_t mask;		/* buffers - 1 */
	uint32_t room;		/* bytes that fit into each */
	uint8_t vector;
	bool on;
	struct bd_irq irq;	/* of frames */
	uint32_t first;		/* pointer of the first of @offers */
	uint32_t have;
	uint8_t offers[BD_FL_BATCH * BD_FL_SLOT];
};

/* Since the board was made. Each frame from the wire is in one of rx_*. */
struct bd_vnic_total {
	uint64_t reconfigs;
	uint64_t faults;
	uint64_t rx_given;	/* to the host */
	uint64_t rx_filtered;	/* for another address */
	uint64_t rx_off;	/* the host had no ring on */
	uint64_t rx_errors;	/* cut, or longer than the host takes */
	uint64_t rx_discards;	/* no buffer for it */
	uint64_t rx_consumed;	/* by the offloaded program */
	uint64_t tx_unsent;	/* descriptors that the host took back */
};

struct bd_vnic {
	struct bd_txring tx[BD_VNIC_RINGS];
	struct bd_rxring rx[BD_VNIC_RINGS];
	uint32_t ctrl;		/* as of the last reconfiguration */
	uint32_t mtu;
	uint8_t mac[6];
	uint64_t rx_mask;
	uint64_t tx_mask;
	bool lsc_unreported;
	uint64_t irq_at;	/* moderation ends, ns, BD_NEVER */
	struct bd_rss rss;
	struct bd_vnic_total total;
};

/* A descriptor as it goes to the host: @len with @meta_len in front. */
struct bd_rxd {
	uint32_t len;
	uint8_t meta_len;
	uint16_t flags;
};

void bd_vnic_reset(struct board *b);
void bd_vnic_flr(struct board *b);
bool bd_vnic_doorbell(struct board *b, unsigned int queue);	/* false: not ours */
void bd_vnic_written(struct board *b, uint64_t addr, size_t len);
void bd_vnic_link(struct board *b, unsigned int port);
unsigned int bd_vnic_run(struct board *b, unsigned int budget, bool *more);
uint8_t *bd_vnic_bar(struct board *b, unsigned int vnic);
/* vnic_irq.c */
void bd_vnic_report(struct bd_irq *irq, uint32_t n);	/* @n more, not 0 */
void bd_vnic_irq(struct board *b, unsigned int vnic);
void bd_vnic_irq_latch(struct board *b, unsigned int vnic);
uint64_t bd_vnic_deadline(const struct board *b);
/*
 * vnic_rx.c: to the host, with metadata written in front of its data, through
 * the program that the host has offloaded. False: that has dropped it, or sent
 * it elsewhere.
 */
bool bd_vnic_rx(struct board *b, unsigned int vnic, struct board_pkt *pkt);
unsigned int bd_vnic_tx_queue(unsigned int vnic, unsigned int ring);
unsigned int bd_vnic_fl_queue(unsigned int vnic, unsigned int ring);
/* vnic_tx.c: send up to @budget packets; *more: the ring holds others */
unsigned int bd_vnic_tx(struct board *b, unsigned int vnic, unsigned int ring,
			unsigned int budget, bool *more);
uint32_t bd_vnic_tx_left(struct board *b, unsigned int vnic, unsigned int ring);
void bd_tx_checksum(uint8_t *frame, uint32_t len);
/*
 * vnic_freelist.c. The descriptor is written last and whole: the driver looks
 * at its DD bit and takes the rest for granted, its length too. -ENOBUFS: no
 * buffer offered; -EMSGSIZE: more than the host says one takes; -EFAULT: not
 * host memory, and the buffer is gone, as on a real bus. The caller interrupts.
 */
unsigned int bd_fl_room(struct board *b, unsigned int vnic, unsigned int ring);
int bd_fl_put(struct board *b, unsigned int vnic, unsigned int ring,
	      void *data, const struct bd_rxd *d);

/* ---- BPF application (bpf_caps.c; bpf_maps.h, bpf_prog.h, ccm.h) ---- */

#define BD_BPF_ABI	3	/* keys and values in slots of the largest size */

void bd_bpf_symbols(struct board *b);
void bd_bpf_reset(struct board *b);

/* ---- MAC and packet buffers (port.c, pktbuf.c) ---- */

#define BD_FRAME_MAX	262144	/* captures behind GRO hold such frames */
#define BD_PKT_HEADROOM	256	/* in front of a frame, for what is prepended */

struct bd_pktbuf {
	struct board_pkt pkt;	/* first: board_pkt_free() gets its address */
	struct bd_pktbuf *next;
	uint32_t room;
	bool busy;
};

struct bd_pkt_class {
	struct bd_pktbuf *bufs;
	struct bd_pktbuf *free;
	uint8_t *mem;
	uint32_t count;
	uint32_t room;
	uint32_t used;
};

#define BD_PKT_CLASSES	2

struct bd_port {
	const struct board_wire_ops *wire;
	void *ctx;
	struct board_frame held;	/* pulled, waits for a packet buffer */
	bool holding;
	bool ended;		/* the source will never have a frame again */
	bool idle;		/* the source had none when last asked */
	bool rx_on;		/* firmware or start=link */
	bool configured;	/* the management has turned the port on */
	bool link;		/* and the wire's other end is there */
	uint64_t rx_frames, rx_bytes;
	uint64_t tx_frames, tx_bytes;
	uint64_t rx_nofw;	/* no firmware took it */
	uint64_t rx_fwlost;	/* firmware was behind: the host alone got it */
	uint64_t rx_nolink;	/* came while the port was off */
	uint64_t tx_nolink;	/* the host's, sent while it was */
	uint64_t too_long;
	uint64_t paused;	/* times no buffer was free */
};

int bd_port_init(struct board *b);
void bd_port_exit(struct board *b);
void bd_port_reset(struct board *b);
void bd_port_start(struct board *b);
void bd_port_link(struct board *b, unsigned int port, bool up);
unsigned int bd_port_run(struct board *b, unsigned int budget, bool *more);
uint64_t bd_port_deadline(const struct board *b);
uint64_t bd_port_wire_lost(const struct bd_port *p);
bool bd_port_room(struct board *b, unsigned int port);	/* for a frame to leave */
void bd_port_tx(struct board *b, unsigned int port, const uint8_t *data, uint32_t len);
int bd_pkt_init(struct board *b);
void bd_pkt_reset(struct board *b);
void bd_pkt_exit(struct board *b);
struct board_pkt *bd_pkt_get(struct board *b, uint32_t caplen);
bool bd_pkt_spare(const struct board *b, const struct board_pkt *p);	/* enough others are free */

/* ---- the whole ---- */

struct board {
	const struct board_fw *fw;
	void *fw_ctx;
	bool fw_running;
	const struct board_host_ops *host;
	void *host_ctx;
	bool start_link;	/* option start=link */
	bool app_bpf;		/* unless app=nic: a control vNIC, BPF offload */
	struct bd_ident ident;
	bool port_kick;		/* a port may go on: buffer freed, receiver on */
	uint64_t unsupported;	/* CPP commands nothing answers */
	struct bd_fault *fault;	/* fault.h; NULL without option fault */

	struct bd_cfg cfg;
	struct bd_win win;
	struct bd_mu mu;
	struct bd_ring ring[BD_RINGS];
	struct bd_workq workq[BD_WORKQS];
	unsigned int workqs;
	struct bd_pcie pcie;
	struct bd_dma dma;
	struct bd_msix msix;
	struct bd_tlp tlp;
	struct bd_nsp nsp;
	struct bd_nffw nffw;
	struct bd_vnic vnic[BD_VNICS];
	struct bd_port port[BOARD_PORTS];
	struct bd_maps maps;
	struct bd_ustore ustore;
	struct bd_ccm ccm;
	struct bd_xdp xdp;
	struct bd_pkt_class pkt[BD_PKT_CLASSES];
	uint8_t txbuf[BD_KIB(64) + 256];	/* a frame being gathered */
};

void bd_fw_restart(struct board *b);
void bd_chan_restart(struct board *b);
void bd_tables_build(struct board *b);

#endif /* BOARD_INT_H */
