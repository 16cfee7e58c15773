/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pcapng.h - write a capture in pcapng format, with an interface for each wire port. */
#ifndef FRAMES_PCAPNG_H
#define FRAMES_PCAPNG_H

#include <nfpchan/nfp_chan_frames.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct pcapng - a capture that is being written
 * @out: the file. A failed write is seen in ferror()
 * @block: the block that is being made, but for its packet
 * @len: bytes of it
 * @drops: for each port, frames that are missing before its next frame
 * @last_ns: for each port, time of the last frame
 */
struct pcapng {
	FILE *out;
	uint8_t block[4096];
	uint32_t len;
	uint64_t drops[NFP_FRAMES_PORTS];
	uint64_t last_ns[NFP_FRAMES_PORTS];
};

/**
 * pcapng_begin() - write the section header, and an interface for each port
 * @card: name of the card
 * @comment: a text for who reads the capture
 * @filter: the filter's text, or ""
 * @snap: bytes of a frame at most
 */
void pcapng_begin(struct pcapng *p, FILE *out, const char *card, const char *comment,
		  const char *filter, uint32_t snap);

/* Write a frame, or keep a number of drops for the next one. */
void pcapng_record(struct pcapng *p, const struct nfp_frames_hdr *hdr, const uint8_t *data);

/* Write the statistics of each interface. */
void pcapng_end(struct pcapng *p, const struct nfp_frames_totals *t);

#endif /* FRAMES_PCAPNG_H */
