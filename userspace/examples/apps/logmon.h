/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * logmon.h - a log monitor: counts the lines that have one of some words in them.
 *
 * Text comes as bytes of a stream, many lines at a time, or in packets, where nearly every packet
 * ends within a line.
 */
#ifndef APPS_LOGMON_H
#define APPS_LOGMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "packet.h"

#define LOGMON_WORDS	8	/* at most */
#define LOGMON_LINE	8192	/* bytes of the longest line; a longer one is taken as several */

/**
 * struct logmon - a log monitor
 * @count: number of words
 * @words: the words
 * @lens: bytes of each
 * @lines: lines in which each was found
 * @bytes: bytes of whole lines
 * @sum: a sum of the places of the lines that were found
 * @next: packets: sequence number of the next byte
 * @began: packets: the first one has come
 * @lost: packets: times that bytes were missing
 * @tail_len: bytes of @tail
 * @tail: the beginning of a line that has not ended yet
 */
struct logmon {
	unsigned int count;
	const char *words[LOGMON_WORDS];
	size_t lens[LOGMON_WORDS];
	uint64_t lines[LOGMON_WORDS];
	uint64_t bytes;
	uint64_t sum;
	uint32_t next;
	bool began;
	uint64_t lost;
	size_t tail_len;
	char tail[LOGMON_LINE];
};

/* Make a monitor. Return NULL without memory. */
struct logmon *logmon_new(void);

/* Look for a word, which stays the caller's. Return 0, -EINVAL (an empty word), or -ENOSPC. */
int logmon_add(struct logmon *m, const char *word);

/* Look at bytes of the text, where they are. The beginning of a line that has not ended is kept. */
void logmon_bytes(struct logmon *m, const char *text, size_t len);

/* Look at the text in a packet of TCP. The packets are of one connection, and in order. */
bool logmon_packet(void *app, uint8_t *frame, uint32_t len);

#endif /* APPS_LOGMON_H */
