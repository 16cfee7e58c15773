/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pktbuf.h - packet buffers. The MAC allocates a buffer for each frame, and the last user of
 * the packet frees the buffer with board_pkt_free().
 */
#ifndef PKTBUF_H
#define PKTBUF_H

#include "board_int.h"

#define BD_FRAME_MAX	262144	/* a capture that was taken after GRO has frames of this size */
#define BD_PKT_HEADROOM	256	/* before each frame: for headers and metadata that are prepended */
#define BD_PV_LEN_MASK	0x3fffu	/* a packet vector has 14 bits for the length */

struct bd_pktbuf {
	struct board_pkt pkt;	/* must be first: board_pkt_free() gets its address */
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
/* Return the number of bytes from the packet's first byte to the end of its buffer. */
uint32_t bd_pkt_room(const struct board *b, const struct board_pkt *p);
bool bd_pkt_spare(const struct board *b, const struct board_pkt *p);	/* over 1/8 are free */

#endif /* PKTBUF_H */
