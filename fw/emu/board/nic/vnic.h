/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vnic.h - vNICs: the interfaces that the nfp driver of Linux uses. A vNIC has TX and RX
 * rings and belongs to one MAC. One more vNIC carries control messages of the BPF application.
 */
#ifndef VNIC_H
#define VNIC_H

#include "mac.h"
#include "mu.h"
#include "rss.h"

#define BD_VNIC_RINGS	32	/* the most that a firmware may offer */
/* Each port has a vNIC. The last vNIC carries control messages (bpf_ctrl.c). */
#define BD_VNIC_CTRL	BOARD_PORTS
#define BD_VNICS	(BOARD_PORTS + 1)

/* Frames of a ring that no interrupt has reported yet, and the moderation of its interrupts. */
struct bd_irq {
	uint32_t count;
	uint64_t since;		/* time of the first unreported frame, ns */
	uint32_t frames;	/* interrupt after this many frames, or */
	uint32_t ns;		/* this long after @since; 0: at once */
};

struct bd_txring {
	uint64_t addr;
	uint64_t wb_addr;
	uint32_t mask;		/* number of descriptors - 1 */
	uint8_t vector;
	bool on;
	struct bd_irq irq;	/* reports completions */
	bool partial;		/* at @partial_wptr, the last packet lacked descriptors */
	uint32_t partial_wptr;
};

#define BD_FL_SLOT	8
#define BD_FL_BATCH	16	/* offers fetched with one DMA */

struct bd_rxring {
	uint64_t addr;
	uint32_t mask;		/* number of slots - 1 */
	uint32_t room;		/* bytes of each buffer */
	uint8_t vector;
	bool on;
	struct bd_irq irq;	/* reports received frames */
	uint32_t first;		/* freelist pointer of the first of @offers */
	uint32_t have;
	uint8_t offers[BD_FL_BATCH * BD_FL_SLOT];
};

/* Totals since the board was made. Each frame that reaches the vNIC counts in one of rx_*. */
struct bd_vnic_total {
	uint64_t reconfigs;
	uint64_t faults;
	uint64_t rx_given;	/* delivered to the host */
	uint64_t rx_filtered;	/* dropped: the destination address is not that of the vNIC */
	uint64_t rx_off;	/* dropped: the host had not enabled the vNIC, or no RX ring */
	uint64_t rx_errors;	/* cut by a capture, or too short or too long */
	uint64_t rx_discards;	/* the ring had no buffer, or none that was large enough */
	uint64_t rx_consumed;	/* the offloaded program dropped or sent the frame */
	uint64_t tx_unsent;	/* descriptors still unsent when the host turned the ring off */
};

struct bd_vnic {
	struct bd_txring tx[BD_VNIC_RINGS];
	struct bd_rxring rx[BD_VNIC_RINGS];
	uint32_t ctrl;		/* as of the last reconfiguration */
	uint8_t mac[6];
	uint64_t rx_mask;
	uint64_t tx_mask;
	bool lsc_unreported;
	uint64_t irq_at;	/* time of the next moderated interrupt, ns, or BD_NEVER */
	struct bd_rss rss;
	struct bd_vnic_total total;
};

/* RX descriptor: the buffer has @len bytes, of which the first @meta_len are metadata. */
struct bd_rxd {
	uint32_t len;
	uint8_t meta_len;
	uint16_t flags;
};

/**
 * struct bd_nic_app - an application of the NIC firmware, such as BPF offload
 * @bar: fill in the application's fields of a vNIC's control BAR
 * @load: load the program that the host has given for @vnic (UPDATE_BPF). False: the program is
 *	refused
 * @loaded: say whether @vnic has a program
 * @frame: run the program on a whole frame. It may change the frame, and may choose the host's
 *	ring in *@ring. True: the frame goes to the host. False: the program has dropped it or
 *	sent it
 * @room: say whether the program may run on a frame of @vnic. A wire that can wait does so until
 *	it may
 * @message: handle a message that the host has sent on the control vNIC
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
	struct bd_watch watch[2];		/* the control BARs of the ports; of the control vNIC */
	/*
	 * Control BARs, in the card's memory, as of the last start of the firmware. The control vNIC
	 * has none (NULL) without an application.
	 */
	uint8_t *bar[BD_VNICS];
	const struct bd_nic_app *app;		/* NULL: the firmware has no application */
	uint8_t txbuf[BD_KIB(64) + 256];	/* a frame that is gathered from its pieces */
};

int bd_nic_init(struct board *b);
void bd_nic_app(struct board *b, const struct bd_nic_app *app);	/* at next reset */
void bd_vnic_reset(struct board *b);
void bd_vnic_flr(struct board *b);
unsigned int bd_vnic_run(struct board *b, unsigned int budget, bool *more);
uint8_t *bd_vnic_bar(struct board *b, unsigned int vnic);
/* Count a frame in the statistics at offsets @dir and @ring of the control BAR. */
void bd_vnic_count(struct board *b, unsigned int vnic, uint32_t dir, uint32_t ring,
		   const uint8_t *dst, uint32_t len);
/* vnic_irq.c */
void bd_vnic_report(struct bd_irq *irq, uint32_t n);	/* @n frames (not 0) */
void bd_vnic_irq(struct board *b, unsigned int vnic);
void bd_vnic_irq_latch(struct board *b, unsigned int vnic);
uint64_t bd_vnic_deadline(const struct board *b);
/*
 * vnic_rx.c: deliver a frame to the host. The offloaded program runs first, if there is one.
 * Metadata is written directly before the frame's data. BD_PKT_DONE: the program has dropped
 * the frame or sent it elsewhere.
 */
enum bd_sunk bd_vnic_rx(struct board *b, unsigned int vnic, struct board_pkt *pkt);
unsigned int bd_vnic_tx_queue(unsigned int vnic, unsigned int ring);
unsigned int bd_vnic_fl_queue(unsigned int vnic, unsigned int ring);
/* vnic_tx.c: send up to @budget packets. Sets *@more if the ring holds further packets. */
unsigned int bd_vnic_tx(struct board *b, unsigned int vnic, unsigned int ring,
			unsigned int budget, bool *more);
uint32_t bd_vnic_tx_left(struct board *b, unsigned int vnic, unsigned int ring);
/*
 * vnic_freelist.c: put a frame into a buffer that the host has offered. The descriptor is written
 * last, in one piece, because the driver reads the whole descriptor once its DD bit is set.
 * The caller interrupts the host.
 *
 * Return: 0 or -ENOBUFS: the host offers no buffer; -EMSGSIZE: the frame exceeds the buffer size
 * that the host has set; -EFAULT: an address is not host memory. Then the buffer is lost, as on a
 * real bus.
 */
unsigned int bd_fl_room(struct board *b, unsigned int vnic, unsigned int ring);
int bd_fl_put(struct board *b, unsigned int vnic, unsigned int ring,
	      void *data, const struct bd_rxd *d);

#endif /* VNIC_H */
