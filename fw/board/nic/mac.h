/* SPDX-License-Identifier: BSD-2-Clause */
/* mac.h - the MACs: frames enter and leave the card here. */
#ifndef MAC_H
#define MAC_H

#include "board_int.h"

struct bd_port {
	const struct board_wire_ops *wire;
	void *ctx;
	struct board_frame held;	/* pulled from the wire; waits for a packet buffer */
	bool holding;
	bool ended;		/* the wire will never have another frame */
	bool idle;		/* the last pull found no frame */
	bool rx_on;		/* the firmware receives; see option start */
	bool stalled;		/* a sink has no room */
	unsigned int signal;	/* signal that the port sends (bd_nsp_signal()); 0: off */
	bool link;		/* the port has a signal, and so has the wire's other end */
	uint8_t *stats;		/* in the card's memory; the host reads them */
	uint64_t rx_frames, rx_bytes;
	uint64_t tx_frames, tx_bytes;
	uint64_t rx_nofw;	/* no sink took the frame */
	uint64_t rx_fwlost;	/* the firmware was too slow; only the host got it */
	uint64_t rx_nolink;	/* arrived while the port had no link */
	uint64_t tx_nolink;	/* sent while the port had no link */
	uint64_t too_long;
	uint64_t paused;	/* times that no buffer was free */
};

/* When a wire that can wait starts to deliver frames: option start. */
enum bd_start {
	BD_START_FLOWS,	/* when the firmware has a receiver: board_port_rx() */
	BD_START_LINK,	/* at link up */
	BD_START_PROMISC, /* while the host's interface is promiscuous: capture_start() */
};

/* Result of a sink's packet(). */
enum bd_sunk {
	BD_PKT_NEXT,	/* pass the packet to the next sink */
	BD_PKT_DONE,	/* the packet ends here; free its buffer */
	BD_PKT_KEPT,	/* the sink keeps the buffer and frees it later */
	BD_PKT_LOST,	/* as DONE, and the packet is lost: the sink is too slow */
};

/**
 * struct bd_sink - a receiver of packets that have arrived
 * @open: return true if it takes packets of @port. If no sink takes a packet, the MAC drops
 * 	it. NULL: it takes packets while board_port_rx() is on, and gets only those
 * @packet: take a packet. A sink whose @open returned false gets it too if another sink
 * 	takes it
 * @link: @port's link has come or gone. NULL: ignored
 * @room: return false if it cannot take a packet of @port now. A wire that can wait is
 * 	paused then. The MAC asks again after each turn of the firmware. NULL: always true
 */
struct bd_sink {
	bool (*open)(const struct board *b, unsigned int port);
	enum bd_sunk (*packet)(struct board *b, unsigned int port, struct board_pkt *pkt);
	void (*link)(struct board *b, unsigned int port);
	bool (*room)(struct board *b, unsigned int port);
};

struct bd_mac {
	struct bd_port port[BOARD_PORTS];
	const struct bd_sink *sink[3];	/* in the order in which they get a packet */
	enum bd_start start;
	/* a port may be able to go on: a buffer was freed, or a receiver enabled */
	bool kick;
};

int bd_mac_init(struct board *b);
void bd_mac_exit(struct board *b);
void bd_mac_sink(struct board *b, const struct bd_sink *s);	/* appended */
void bd_port_reset(struct board *b);
void bd_port_start(struct board *b);
void bd_port_start_when(struct board *b, enum bd_start when);
unsigned int bd_port_run(struct board *b, unsigned int budget, bool *more);
void bd_port_kick(struct board *b);
bool bd_port_kicked(struct board *b);	/* true if kicked since the last call */
uint64_t bd_port_deadline(const struct board *b);
uint64_t bd_port_wire_lost(const struct bd_port *p);
bool bd_port_room(struct board *b, unsigned int port);	/* can a frame be sent? */
void bd_port_tx(struct board *b, unsigned int port, const uint8_t *data, uint32_t len);

#endif /* MAC_H */
