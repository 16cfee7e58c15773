/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* capture.h - capture frames to files, for nfpchan capture and extcap. */
#ifndef FRAMES_CAPTURE_H
#define FRAMES_CAPTURE_H

#include "pcapng.h"
#include "session.h"

/**
 * struct capture_file - what gets the frames of a stream
 * @out: the file
 * @path: its name, for messages
 */
struct capture_file {
	FILE *out;
	char path[4096];
};

/**
 * struct capture - a capture to a file for each stream
 * @ask: what to capture
 * @streams: number of streams
 * @count: end after so many frames; 0: no limit
 * @sigs: descriptor for signals (tool_signals()), one of which ends the capture
 * @until_closed: the end of who reads the file is the end of the capture, and no failure
 * @file: the files
 * @written: out: frames in the files
 * @totals: out: what became of all frames
 */
struct capture {
	struct frames_ask ask;
	unsigned int streams;
	uint64_t count;
	int sigs;
	bool until_closed;
	struct capture_file file[NFP_FRAMES_STREAMS];
	uint64_t written;
	struct nfp_frames_totals totals;
};

/* Open the file of a stream. Returns 0, or EXIT_FAILURE with the reason printed. */
int capture_file_open(struct capture_file *f, const char *path);

/* Returns 0, or EXIT_FAILURE with the reason printed. */
int capture_run(struct capture *c, struct nfpchan_card *card);

#endif /* FRAMES_CAPTURE_H */
