/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* seen.h - which windows have come before. */
#ifndef NCRT_SEEN_H
#define NCRT_SEEN_H

#include <stdbool.h>
#include <stdint.h>
#include "ncrt.h"

#define SEEN_INVOCATIONS 64	/* remembered invocations of one sender */

/**
 * struct seen_run - received windows of an invocation
 * @number: number of the invocation
 * @kernel: number of its kernel; 0: the entry is free
 * @end: one more than the highest window number received
 * @bits: received windows among the last NCRT_SLOTS_MAX before @end, by number modulo
 *	NCRT_SLOTS_MAX
 */
struct seen_run {
	uint32_t number;
	uint16_t kernel;
	uint64_t end;
	uint64_t bits[NCRT_SLOTS_MAX / 64];
};

/**
 * struct seen - received windows of a sender
 * @next: entry for the next invocation
 * @run: the last invocations
 */
struct seen {
	unsigned int next;
	struct seen_run run[SEEN_INVOCATIONS];
};

/*
 * Has window @seq come before? A sender has at most NCRT_SLOTS_MAX windows outstanding, so a window
 * that is more than NCRT_SLOTS_MAX older than the newest window has come before. seen_add() records
 * window @seq.
 */
bool seen_has(struct seen *s, uint16_t kernel, uint32_t invocation, uint32_t seq);
void seen_add(struct seen *s, uint16_t kernel, uint32_t invocation, uint32_t seq);

#endif /* NCRT_SEEN_H */
