/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mac.h - the MACs: frames from the wires come here, and leave here.
 */
#ifndef MAC_H
#define MAC_H

#include "board_int.h"

struct bd_port {
	const struct board_wire_ops *wire;
	void *ctx;
	struct board_frame held;	/* pulled, waits for a packet buffer */
	bool holding;
	bool ended;		/* the source will never have a frame again */
	bool idle;		/* the source had none when last asked */
	bool rx_on;		/* somebody listens: option start */
	bool stalled;		/* a sink has no room */
	unsigned int signal;	/* what it sends, by the management; 0: it is off */
	bool link;		/* and the wire's other end is there */
	uint8_t *stats;		/* in the card's memory, for the host */
	uint64_t rx_frames, rx_bytes;
	uint64_t tx_frames, tx_bytes;
	uint64_t rx_nofw;	/* no firmware took it */
	uint64_t rx_fwlost;	/* firmware was behind: the host alone got it */
	uint64_t rx_nolink;	/* came while the port was off */
	uint64_t tx_nolink;	/* the host's, sent while it was */
	uint64_t too_long;
	uint64_t paused;	/* times no buffer was free */
};

/* When a wire that can wait begins: option start. */
enum bd_start {
	BD_START_FLOWS,	/* the firmware has a receiver: board_port_rx() */
	BD_START_LINK,	/* at link up */
	BD_START_PROMISC, /* the host takes others' frames: bd_vnic_*() */
};

/* What a sink has done with a packet. */
enum bd_sunk {
	BD_PKT_NEXT,	/* the next sink gets it */
	BD_PKT_DONE,	/* it has come to its end */
	BD_PKT_KEPT,	/* the sink gives the buffer back, later */
	BD_PKT_LOST,	/* likewise to its end: the sink is behind */
};

/**
 * struct bd_sink - where a packet goes that has arrived
 * @open: takes packets of @port; a packet that no sink takes is dropped unseen.
 *	NULL: while the receiver is on (board_port_rx()), and is asked only then
 * @packet: a packet, also when it said no, if another sink takes it
 * @link: @port has link, or has it no more; NULL: of no interest
 * @room: it can take a packet of @port; until it can, a wire that waits does. Asked again
 *	behind each turn of the firmware. NULL: it always can, or has no wire wait for it
 */
struct bd_sink {
	bool (*open)(const struct board *b, unsigned int port);
	enum bd_sunk (*packet)(struct board *b, unsigned int port, struct board_pkt *pkt);
	void (*link)(struct board *b, unsigned int port);
	bool (*room)(struct board *b, unsigned int port);
};

struct bd_mac {
	struct bd_port port[BOARD_PORTS];
	const struct bd_sink *sink[3];	/* in their order */
	enum bd_start start;
	bool kick;		/* a port may go on: buffer freed, receiver on */
};

int bd_mac_init(struct board *b);
void bd_mac_exit(struct board *b);
void bd_mac_sink(struct board *b, const struct bd_sink *s);	/* behind the others */
void bd_port_reset(struct board *b);
void bd_port_start(struct board *b);
void bd_port_start_when(struct board *b, enum bd_start when);
unsigned int bd_port_run(struct board *b, unsigned int budget, bool *more);
void bd_port_kick(struct board *b);
bool bd_port_kicked(struct board *b);	/* since the last call */
uint64_t bd_port_deadline(const struct board *b);
uint64_t bd_port_wire_lost(const struct bd_port *p);
bool bd_port_room(struct board *b, unsigned int port);	/* for a frame to leave */
void bd_port_tx(struct board *b, unsigned int port, const uint8_t *data, uint32_t len);

#endif /* MAC_H */
