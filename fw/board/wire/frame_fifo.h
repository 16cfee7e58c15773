/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame_fifo.h - frames on their way, in order, in memory made once.
 */
#ifndef FRAME_FIFO_H
#define FRAME_FIFO_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/*
 * Half of it is kept for what one packet of the host is cut into: 64 KiB with
 * the headers of many segments.
 */
#define FRAME_FIFO_SIZE		(4u << 20)

struct frame_fifo {
	uint8_t *mem;
	uint32_t head;		/* free-running, bytes */
	uint32_t tail;
};

bool frame_fifo_init(struct frame_fifo *q);	/* false: no memory */
void frame_fifo_exit(struct frame_fifo *q);
bool frame_fifo_room(const struct frame_fifo *q);	/* more than half is free */
bool frame_fifo_put(struct frame_fifo *q, const struct board_frame *f);	/* false: full */
/* The first frame; its data stays until frame_fifo_drop(). */
bool frame_fifo_first(const struct frame_fifo *q, struct board_frame *f);
void frame_fifo_drop(struct frame_fifo *q);
unsigned int frame_fifo_clear(struct frame_fifo *q);	/* how many were in it */

#endif /* FRAME_FIFO_H */
