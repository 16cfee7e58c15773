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

struct bd_mac {
	struct bd_port port[BOARD_PORTS];
	bool start_link;	/* option start=link */
	bool kick;		/* a port may go on: buffer freed, receiver on */
};

extern const struct bd_unit bd_mac_unit;

void bd_port_reset(struct board *b);
void bd_port_start(struct board *b);
void bd_port_start_link(struct board *b, bool link);	/* option start */
void bd_port_link(struct board *b, unsigned int port, bool up);
unsigned int bd_port_run(struct board *b, unsigned int budget, bool *more);
void bd_port_kick(struct board *b);
bool bd_port_kicked(struct board *b);	/* since the last call */
uint64_t bd_port_deadline(const struct board *b);
uint64_t bd_port_wire_lost(const struct bd_port *p);
bool bd_port_room(struct board *b, unsigned int port);	/* for a frame to leave */
void bd_port_tx(struct board *b, unsigned int port, const uint8_t *data, uint32_t len);

#endif /* MAC_H */
