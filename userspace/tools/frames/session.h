/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session.h - a capture of frames: its filter, its channels, and the records that come. */
#ifndef FRAMES_SESSION_H
#define FRAMES_SESSION_H

#include <nfpchan.h>
#include <nfpchan/nfp_chan_frames.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAMES_ALL	((1u << NFP_FRAMES_PORTS) - 1)

/**
 * struct frames_filter - which frames to copy
 * @text: the expression, or the file that the filter comes from; "": all frames
 * @insns: instructions
 * @insn: as the card takes them
 */
struct frames_filter {
	char text[1024];
	unsigned int insns;
	struct nfp_frames_insn insn[NFP_FRAMES_INSNS];
};

/*
 * Compile the expression of @count words, or read @dd, a file that tcpdump -dd has made. Neither:
 * all frames. Returns 0, or EXIT_FAILURE with the reason printed.
 */
int filter_make(struct frames_filter *f, char **words, int count, const char *dd, uint32_t snap);

/**
 * struct frames_stream - a stream of a capture
 * @in: its channel
 * @synced: the answer to START has come
 * @carry: a record that is not whole
 * @carried: bytes of it
 */
struct frames_stream {
	struct nfpchan *in;
	bool synced;
	size_t carried;
	uint8_t carry[sizeof(struct nfp_frames_hdr) + NFP_FRAMES_SNAP_MAX + NFP_FRAMES_ELEM];
};

/**
 * struct frames - a capture
 * @ctl: the channel "frames-ctl"
 * @token: of its requests
 * @streams: number of streams
 * @stream: these streams
 */
struct frames {
	struct nfpchan *ctl;
	uint64_t token;
	unsigned int streams;
	struct frames_stream stream[NFP_FRAMES_STREAMS];
};

/**
 * struct frames_ask - what to capture
 * @snap: bytes of each frame at most
 * @sample: one in so many
 * @ports: bit mask of wire ports
 * @filter: which frames
 */
struct frames_ask {
	uint32_t snap;
	uint32_t sample;
	uint32_t ports;
	struct frames_filter filter;
};

/* Open the channels of a capture with so many streams. Returns NULL with the reason printed. */
struct frames *frames_open(struct nfpchan_card *card, unsigned int streams);
void frames_close(struct frames *f);

/* Send a request. Returns 0, or EXIT_FAILURE with the reason printed. */
int frames_start(struct frames *f, const struct frames_ask *ask);
int frames_stop(struct frames *f);

/* Takes a record. Returns 0, or a failure, which ends frames_read(). */
typedef int frames_take(void *ctx, const struct nfp_frames_hdr *hdr, const uint8_t *data);

/*
 * Hand over the records that have come in a stream. Returns 0; -EAGAIN: none; or a failure, with the
 * reason printed: EXIT_FAILURE or what @take returned. Each stream may be read by a different thread.
 */
int frames_read(struct frames *f, unsigned int stream, frames_take *take, void *ctx);

/* Why the card has refused START: its answer as text. */
const char *frames_refusal(const struct nfp_frames_hdr *hdr, char *buf, size_t len);

#endif /* FRAMES_SESSION_H */
