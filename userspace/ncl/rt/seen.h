/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* seen.h - which windows have come before. */
#ifndef NCRT_SEEN_H
#define NCRT_SEEN_H

#include <stdbool.h>
#include <stdint.h>
#include "ncrt.h"

#define SEEN_INVOCATIONS 64	/* of a sender that are remembered */

/**
 * struct seen_run - windows of an invocation
 * @number: the invocation
 * @kernel: its kernel; 0: the entry is free
 * @end: number behind the highest window that has come
 * @bits: by number modulo NCRT_SLOTS_MAX, of the last so many before @end
 */
struct seen_run {
	uint32_t number;
	uint16_t kernel;
	uint64_t end;
	uint64_t bits[NCRT_SLOTS_MAX / 64];
};

/**
 * struct seen - windows of a sender
 * @next: entry that the next invocation takes
 * @run: the last invocations
 */
struct seen {
	unsigned int next;
	struct seen_run run[SEEN_INVOCATIONS];
};

/*
 * Has window @seq come before? A sender has no more than NCRT_SLOTS_MAX windows outstanding:
 * a window that is further behind the last one has come. seen_add() remembers that it has come.
 */
bool seen_has(struct seen *s, uint16_t kernel, uint32_t invocation, uint32_t seq);
void seen_add(struct seen *s, uint16_t kernel, uint32_t invocation, uint32_t seq);

#endif /* NCRT_SEEN_H */
