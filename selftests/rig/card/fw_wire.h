/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* fw_wire.h - a wire port whose frames the test makes: UDP and TCP over IPv4. */
#ifndef FW_WIRE_H
#define FW_WIRE_H

#include <arpa/inet.h>
#include <stdint.h>
#include <string.h>

#include "board.h"

#define FW_FRAME	64

/**
 * struct fw_wire - a wire
 * @next: make frame @n and set its time; return false if there is no further frame
 * @n: frames taken so far
 * @limit: frames of the wire, at most
 * @frame: bytes of the frame
 */
struct fw_wire {
	bool (*next)(struct fw_wire *w, uint64_t n, struct board_frame *f);
	uint64_t n;
	uint64_t limit;
	uint8_t frame[2048];
};

/* Make a frame of 60 bytes of flow @flow. @proto: 17 (UDP), or 6 (TCP, with @flags). */
static inline void fw_frame(uint8_t *f, uint32_t flow, uint8_t proto, uint8_t flags)
{
	static const uint8_t head[] = {
		2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0,
		0x45, 0, 0, 46, 0, 1, 0, 0, 64, 0, 0, 0, 10,
	};

	memset(f, 0, FW_FRAME);
	memcpy(f, head, sizeof(head));
	f[23] = proto;
	f[27] = (uint8_t)(flow >> 16);
	f[28] = (uint8_t)(flow >> 8);
	f[29] = (uint8_t)flow;
	f[30] = 10;
	f[33] = 1;
	f[35] = 7;
	f[37] = 9;
	f[46] = 0x50;
	f[47] = proto == 6 ? flags : 0;
}

static inline int fw_wire_pull(void *ctx, struct board_frame *f)
{
	struct fw_wire *w = ctx;

	memset(f, 0, sizeof(*f));
	f->data = w->frame;
	f->caplen = 60;
	f->len = 60;
	if (w->n >= w->limit || !w->next(w, w->n, f))
		return 0;
	w->n++;
	return 1;
}

static const struct board_wire_ops fw_wire_ops __attribute__((unused)) = {
	.pull = fw_wire_pull,
};

#endif /* FW_WIRE_H */
