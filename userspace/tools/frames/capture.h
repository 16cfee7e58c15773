/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* capture.h - capture frames to a file, for nfpchan capture and extcap. */
#ifndef FRAMES_CAPTURE_H
#define FRAMES_CAPTURE_H

#include "pcapng.h"
#include "session.h"

/**
 * struct capture - a capture to a file
 * @ask: what to capture
 * @count: end after so many frames; 0: no limit
 * @sigs: descriptor for signals (tool_signals()), one of which ends the capture
 * @until_closed: the end of who reads the file is the end of the capture, and no failure
 * @out: the file
 * @path: its name, for messages
 * @written: out: frames in the file
 * @totals: out: what became of all frames
 */
struct capture {
	struct frames_ask ask;
	uint64_t count;
	int sigs;
	bool until_closed;
	FILE *out;
	const char *path;
	uint64_t written;
	struct nfp_frames_totals totals;
};

/* Returns 0, or EXIT_FAILURE with the reason printed. */
int capture_run(struct capture *c, struct nfpchan_card *card);

#endif /* FRAMES_CAPTURE_H */
