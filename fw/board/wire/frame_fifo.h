/* SPDX-License-Identifier: BSD-2-Clause */
/* frame_fifo.h - a queue of frames in memory that is allocated once. */
#ifndef FRAME_FIFO_H
#define FRAME_FIFO_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/* One half is for the segments of a single packet of the host: 64 KiB and many headers. */
#define FRAME_FIFO_SIZE		(4u << 20)

struct frame_fifo {
	uint8_t *mem;
	uint32_t head;		/* free-running, bytes */
	uint32_t tail;
};

bool frame_fifo_init(struct frame_fifo *q);	/* false: no memory */
void frame_fifo_exit(struct frame_fifo *q);
bool frame_fifo_room(const struct frame_fifo *q);	/* true if more than half is free */
bool frame_fifo_put(struct frame_fifo *q, const struct board_frame *f);	/* false: full */
/* Get the first frame. Its data stay valid until frame_fifo_drop(). */
bool frame_fifo_first(const struct frame_fifo *q, struct board_frame *f);
void frame_fifo_drop(struct frame_fifo *q);
unsigned int frame_fifo_clear(struct frame_fifo *q);	/* returns the number of frames removed */

#endif /* FRAME_FIFO_H */
