/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame_fifo.h - a queue of frames, in order, in one block of memory that is allocated once.
 */
#ifndef FRAME_FIFO_H
#define FRAME_FIFO_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/*
 * Bytes of a queue. frame_fifo_room() wants half of them free: one packet of the host is up to 64
 * KiB long, and is cut into many segments with headers, which must all fit.
 */
#define FRAME_FIFO_SIZE		(4u << 20)

struct frame_fifo {
	uint8_t *mem;
	uint32_t head;		/* head and tail: positions in bytes, free-running */
	uint32_t tail;
};

bool frame_fifo_init(struct frame_fifo *q);	/* false: no memory */
void frame_fifo_exit(struct frame_fifo *q);
bool frame_fifo_room(const struct frame_fifo *q);	/* more than half is free */
bool frame_fifo_put(struct frame_fifo *q, const struct board_frame *f);	/* false: full */
/* Return the first frame in @f. Its data stays valid until frame_fifo_drop(). */
bool frame_fifo_first(const struct frame_fifo *q, struct board_frame *f);
void frame_fifo_drop(struct frame_fifo *q);
unsigned int frame_fifo_clear(struct frame_fifo *q);	/* returns their number */

#endif /* FRAME_FIFO_H */
