/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pktbuf.h - packet buffers: the MAC takes them, who has a packet last gives it
 * back (board_pkt_free()).
 */
#ifndef PKTBUF_H
#define PKTBUF_H

#include "board_int.h"

#define BD_FRAME_MAX	262144	/* captures behind GRO hold such frames */
#define BD_PKT_HEADROOM	256	/* in front of a frame, for what is prepended */
#define BD_PV_LEN_MASK	0x3fffu	/* bits that a packet vector has for the length */

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

int bd_pkt_init(struct board *b);
void bd_pkt_exit(struct board *b);
void bd_pkt_reset(struct board *b);
struct board_pkt *bd_pkt_get(struct board *b, uint32_t caplen);
/* Bytes from its first one to the end of its buffer. */
uint32_t bd_pkt_room(const struct board *b, const struct board_pkt *p);
bool bd_pkt_spare(const struct board *b, const struct board_pkt *p);	/* enough others are free */

#endif /* PKTBUF_H */
