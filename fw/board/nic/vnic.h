/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vnic.h - vNICs: the rings that the stock driver has, between the host and the
 * MACs, and to the BPF application.
 */
#ifndef VNIC_H
#define VNIC_H

#include "mac.h"
#include "rss.h"

#define BD_VNIC_RINGS	8
#define BD_VNIC_QUEUES	32		/* queue controllers of a vNIC */
/* One vNIC a port, and behind them the one of control messages (bpf_ctrl.c). */
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
	uint64_t rx_errors;	/* cut, or longer than a packet vector can say */
	uint64_t rx_discards;	/* no buffer for it, or none so large */
	uint64_t rx_consumed;	/* by the offloaded program */
	uint64_t tx_unsent;	/* descriptors that the host took back */
};

struct bd_vnic {
	struct bd_txring tx[BD_VNIC_RINGS];
	struct bd_rxring rx[BD_VNIC_RINGS];
	uint32_t ctrl;		/* as of the last reconfiguration */
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

/**
 * struct bd_nic_app - an application of the vNICs, with messages on a control vNIC
 * @bar: fill in its fields of a vNIC's control BAR
 * @load: the host has given it a program for @vnic (UPDATE_BPF). False: refused
 * @loaded: there is one
 * @frame: run it on a whole frame, which it may change. True: it goes on to the
 *	host, to ring *@ring if that was changed
 * @room: frames of @vnic may come; until they may, a wire that waits does
 * @message: one of the host's has come
 */
struct bd_nic_app {
	void (*bar)(const struct board *b, uint8_t *bar, unsigned int vnic);
	bool (*load)(struct board *b, unsigned int vnic);
	bool (*loaded)(const struct board *b, unsigned int vnic);
	bool (*frame)(struct board *b, unsigned int vnic, struct board_pkt *pkt,
		      unsigned int *ring);
	bool (*room)(struct board *b, unsigned int vnic);
	void (*message)(struct board *b, const uint8_t *msg, uint32_t len);
};

struct bd_nic {
	struct bd_vnic vnic[BD_VNICS];
	uint8_t *bar[BD_VNICS];			/* in the card's memory */
	const struct bd_nic_app *app;		/* NULL: plain vNICs */
	uint8_t txbuf[BD_KIB(64) + 256];	/* a frame being gathered */
};

int bd_nic_init(struct board *b);
void bd_nic_app(struct board *b, const struct bd_nic_app *app);	/* from a reset on */
void bd_vnic_reset(struct board *b);
void bd_vnic_flr(struct board *b);
unsigned int bd_vnic_run(struct board *b, unsigned int budget, bool *more);
uint8_t *bd_vnic_bar(struct board *b, unsigned int vnic);
/* A frame in the statistics at @dir and @ring of the control BAR. */
void bd_vnic_count(struct board *b, unsigned int vnic, uint32_t dir, uint32_t ring,
		   const uint8_t *dst, uint32_t len);
/* vnic_irq.c */
void bd_vnic_report(struct bd_irq *irq, uint32_t n);	/* @n more, not 0 */
void bd_vnic_irq(struct board *b, unsigned int vnic);
void bd_vnic_irq_latch(struct board *b, unsigned int vnic);
uint64_t bd_vnic_deadline(const struct board *b);
/*
 * vnic_rx.c: to the host, with metadata written in front of its data, through
 * the program that the host has offloaded. BD_PKT_DONE: that has dropped it, or
 * sent it elsewhere.
 */
enum bd_sunk bd_vnic_rx(struct board *b, unsigned int vnic, struct board_pkt *pkt);
unsigned int bd_vnic_tx_queue(unsigned int vnic, unsigned int ring);
unsigned int bd_vnic_fl_queue(unsigned int vnic, unsigned int ring);
/* vnic_tx.c: send up to @budget packets; *more: the ring holds others */
unsigned int bd_vnic_tx(struct board *b, unsigned int vnic, unsigned int ring,
			unsigned int budget, bool *more);
uint32_t bd_vnic_tx_left(struct board *b, unsigned int vnic, unsigned int ring);
/*
 * vnic_freelist.c. The descriptor is written last and whole: the driver looks
 * at its DD bit and takes the rest for granted, its length too. -ENOBUFS: no
 * buffer offered; -EMSGSIZE: more than the host says one takes; -EFAULT: not
 * host memory, and the buffer is gone, as on a real bus. The caller interrupts.
 */
unsigned int bd_fl_room(struct board *b, unsigned int vnic, unsigned int ring);
int bd_fl_put(struct board *b, unsigned int vnic, unsigned int ring,
	      void *data, const struct bd_rxd *d);

#endif /* VNIC_H */
