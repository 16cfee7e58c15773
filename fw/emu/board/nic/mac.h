/* SPDX-License-Identifier: BSD-2-Clause */
/* mac.h - the MACs: each wire port has one, which receives and sends the port's frames. */
#ifndef MAC_H
#define MAC_H

#include "board_int.h"

struct bd_port {
	const struct board_wire_ops *wire;
	void *ctx;
	struct board_frame held;	/* pulled frame that waits for a packet buffer */
	bool holding;
	bool ended;		/* the wire will never have a frame again */
	bool idle;		/* the wire had no frame at the last pull */
	bool rx_on;		/* receiver is on: board_port_rx() or option start */
	bool stalled;		/* the wire waits: a sink has no room */
	unsigned int signal;	/* signal that the port sends (bd_nsp_signal()); 0: port is off */
	bool link;		/* port is on, and the wire's other end sends the same signal */
	uint8_t *stats;		/* MAC statistics in the firmware's memory, for the host; or NULL */
	uint64_t rx_frames, rx_bytes;
	uint64_t tx_frames, tx_bytes;
	uint64_t rx_nofw;	/* dropped: no sink took frames */
	uint64_t rx_fwlost;	/* not given to the firmware, which held too many buffers */
	uint64_t rx_nolink;	/* received without link, and dropped */
	uint64_t tx_nolink;	/* sent without link, and dropped */
	uint64_t too_long;
	uint64_t paused;	/* times that the wire paused because no packet buffer was free */
};

/* When a wire that can wait starts to deliver frames (option start). */
enum bd_start {
	BD_START_FLOWS,	/* when the firmware has a receiver: board_port_rx() */
	BD_START_LINK,	/* when the port has link */
	BD_START_PROMISC, /* when the host has set the vNIC promiscuous */
};

/* Result of a sink for a packet (bd_sink.packet). */
enum bd_sunk {
	BD_PKT_NEXT,	/* pass the packet to the next sink */
	BD_PKT_DONE,	/* no other sink gets the packet; the MAC frees its buffer */
	BD_PKT_KEPT,	/* the sink frees the buffer later */
	BD_PKT_LOST,	/* like BD_PKT_DONE: the sink has no room for the packet */
};

/**
 * struct bd_sink - a receiver of the packets that arrive at the wires
 * @open: say whether this sink takes packets of @port. The MAC drops a packet that no sink takes.
 *	NULL: the sink takes packets while the receiver is on (board_port_rx()), and gets none while
 *	it is off
 * @packet: handle a packet. A sink that has @open is called for each packet that some sink takes,
 *	also if its own @open said no
 * @link: the link of @port has changed. NULL: the sink need not know
 * @room: say whether the sink has room for a packet of @port. A wire that can wait does so until
 *	all sinks have room. The MAC asks again after each turn of the firmware. NULL: no wire has
 *	to wait for this sink
 */
struct bd_sink {
	bool (*open)(const struct board *b, unsigned int port);
	enum bd_sunk (*packet)(struct board *b, unsigned int port, struct board_pkt *pkt);
	void (*link)(struct board *b, unsigned int port);
	bool (*room)(struct board *b, unsigned int port);
};

struct bd_mac {
	struct bd_port port[BOARD_PORTS];
	const struct bd_sink *sink[3];	/* a packet goes to the sinks in this order */
	enum bd_start start;
	bool kick;		/* look at the wires again: a buffer is free, or a receiver is on */
};

int bd_mac_init(struct board *b);
void bd_mac_exit(struct board *b);
void bd_mac_sink(struct board *b, const struct bd_sink *s);	/* adds the last sink */
void bd_port_wire(struct board *b, unsigned int port,
		  const struct board_wire_ops *ops, void *ctx);
int bd_port_wire_fd(const struct board *b, unsigned int port, short *events);
void bd_port_reset(struct board *b);
void bd_port_start(struct board *b);
void bd_port_start_when(struct board *b, enum bd_start when);
unsigned int bd_port_run(struct board *b, unsigned int budget, bool *more);
void bd_port_kick(struct board *b);
bool bd_port_kicked(struct board *b);	/* since the last call */
uint64_t bd_port_deadline(const struct board *b);
uint64_t bd_port_wire_lost(const struct bd_port *p);
uint64_t bd_port_wire_refused(const struct bd_port *p);
bool bd_port_room(struct board *b, unsigned int port);	/* a frame can be sent */
void bd_port_tx(struct board *b, unsigned int port, const uint8_t *data, uint32_t len);

#endif /* MAC_H */
