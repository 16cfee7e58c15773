/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vnic.h - vNICs: the stock driver's rings, which connect the host to the MACs and to the BPF
 * application.
 */
#ifndef VNIC_H
#define VNIC_H

#include "mac.h"
#include "rss.h"

#define BD_VNIC_RINGS	8
#define BD_VNIC_QUEUES	32		/* queue controllers of a vNIC */
/* One vNIC for each port, and after them the vNIC for control messages (bpf_ctrl.c). */
#define BD_VNIC_CTRL	BOARD_PORTS
#define BD_VNICS	(BOARD_PORTS + 1)

/* Completions of a ring that no interrupt has reported yet, and the ring's moderation. */
struct bd_irq {
	uint32_t count;
	uint64_t since;		/* time of the first of them, ns */
	uint32_t frames;	/* moderation: interrupt after this many completions, or */
	uint32_t ns;		/* after this time; 0: at once */
};

struct bd_txring {
	uint64_t addr;
	uint64_t wb_addr;
	uint32_t mask;		/* descriptors - 1 */
	uint8_t vector;
	bool on;
	struct bd_irq irq;	/* of completions */
	bool partial;		/* the packet at this pointer is not complete yet */
	uint32_t partial_wptr;
};

#define BD_CTRL_BPF	(1u << 27)	/* NFP_NET_CFG_CTRL_BPF */

#define BD_FL_SLOT	8
#define BD_FL_BATCH	16	/* freelist entries fetched at once */

struct bd_rxring {
	uint64_t addr;
	uint32_t mask;		/* buffers - 1 */
	uint32_t room;		/* bytes of each buffer */
	uint8_t vector;
	bool on;
	struct bd_irq irq;	/* of frames */
	uint32_t first;		/* queue pointer of the first of @offers */
	uint32_t have;
	uint8_t offers[BD_FL_BATCH * BD_FL_SLOT];
};

/* Totals since the board was made. Each frame from the wire counts in exactly one of rx_*. */
struct bd_vnic_total {
	uint64_t reconfigs;
	uint64_t faults;
	uint64_t rx_given;	/* to the host */
	uint64_t rx_filtered;	/* for another address */
	uint64_t rx_off;	/* no RX ring was enabled */
	uint64_t rx_errors;	/* cut off, or too long for a packet vector */
	uint64_t rx_discards;	/* no buffer was offered, or the buffer is too small */
	uint64_t rx_consumed;	/* by the offloaded program */
	uint64_t tx_unsent;	/* descriptors that the host took back */
};

struct bd_vnic {
	struct bd_txring tx[BD_VNIC_RINGS];
	struct bd_rxring rx[BD_VNIC_RINGS];
	uint32_t ctrl;		/* of the last reconfiguration */
	uint8_t mac[6];
	uint64_t rx_mask;
	uint64_t tx_mask;
	bool lsc_unreported;
	uint64_t irq_at;	/* time at which moderation ends, ns, or BD_NEVER */
	struct bd_rss rss;
	struct bd_vnic_total total;
};

/* A descriptor for the host. @len includes @meta_len bytes of metadata before the frame. */
struct bd_rxd {
	uint32_t len;
	uint8_t meta_len;
	uint16_t flags;
};

/**
 * struct bd_nic_app - an application of the vNICs, with messages on a control vNIC
 * @bar: fill in the application's fields of a vNIC's control BAR
 * @load: the host has given a program for @vnic (UPDATE_BPF). Return false to refuse it
 * @loaded: return true if @vnic has a program
 * @frame: run the program on a whole frame, which it may change. Return true if the frame
 * 	goes on to the host. The program may choose *@ring
 * @room: return false to pause @vnic's wire, if the wire can wait
 * @message: a control message of the host has arrived
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
	uint8_t txbuf[BD_KIB(64) + 256];	/* a frame that is being gathered */
};

int bd_nic_init(struct board *b);
/* takes effect at the next reset */
void bd_nic_app(struct board *b, const struct bd_nic_app *app);
void bd_vnic_reset(struct board *b);
void bd_vnic_flr(struct board *b);
unsigned int bd_vnic_run(struct board *b, unsigned int budget, bool *more);
uint8_t *bd_vnic_bar(struct board *b, unsigned int vnic);
/* Count a frame in the control BAR's statistics at @dir and @ring. */
void bd_vnic_count(struct board *b, unsigned int vnic, uint32_t dir, uint32_t ring,
		   const uint8_t *dst, uint32_t len);
/* vnic_irq.c */
void bd_vnic_report(struct bd_irq *irq, uint32_t n);	/* @n, not 0, more completions */
void bd_vnic_irq(struct board *b, unsigned int vnic);
void bd_vnic_irq_latch(struct board *b, unsigned int vnic);
uint64_t bd_vnic_deadline(const struct board *b);
/*
 * vnic_rx.c: run the offloaded program on a frame and pass the frame to the host, with metadata
 * written before its data. BD_PKT_DONE: the program has dropped the frame or sent it elsewhere.
 */
enum bd_sunk bd_vnic_rx(struct board *b, unsigned int vnic, struct board_pkt *pkt);
unsigned int bd_vnic_tx_queue(unsigned int vnic, unsigned int ring);
unsigned int bd_vnic_fl_queue(unsigned int vnic, unsigned int ring);
/* vnic_tx.c: send up to @budget packets. *@more is set if the ring holds more packets. */
unsigned int bd_vnic_tx(struct board *b, unsigned int vnic, unsigned int ring,
			unsigned int budget, bool *more);
uint32_t bd_vnic_tx_left(struct board *b, unsigned int vnic, unsigned int ring);
/*
 * vnic_freelist.c: fill the next buffer, then write the descriptor in one piece, because the
 * driver polls the descriptor's DD bit and then trusts the other fields. Return 0, -ENOBUFS (no
 * buffer is offered), -EMSGSIZE (larger than a buffer), or -EFAULT (an address is not host
 * memory; the buffer is lost, as on a real bus). The caller raises the interrupt.
 */
unsigned int bd_fl_room(struct board *b, unsigned int vnic, unsigned int ring);
int bd_fl_put(struct board *b, unsigned int vnic, unsigned int ring,
	      void *data, const struct bd_rxd *d);

#endif /* VNIC_H */
