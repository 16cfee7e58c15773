/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire_pcap.h - a wire port that replays one capture file and writes another.
 */
#ifndef WIRE_PCAP_H
#define WIRE_PCAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "board.h"

/*
 * Bytes of the longest frame. No wire carries such frames, but a capture taken before
 * segmentation offload has them. It is also libpcap's limit for an Ethernet frame.
 */
#define WIRE_PCAP_FRAME_MAX	262144u

/**
 * struct wire_pcap_config - a port's files
 * @in: frames that arrive; pcap or pcapng with any time stamp precision. NULL: none
 * @out: file for frames that are sent; pcap with ns. NULL: drop them
 * @real_pace: keep the intervals of the time stamps, from the first frame that the port
 * 	takes on. Otherwise frames arrive as fast as the port takes them
 */
struct wire_pcap_config {
	const char *in;
	const char *out;
	bool real_pace;
};

/**
 * struct wire_pcap_stats - counters of the files' frames
 * @in: frames given to the board
 * @in_failed: the file ends within a frame, or cannot be read further
 * @refused: frames longer than WIRE_PCAP_FRAME_MAX, or with more captured bytes than their
 * 	length
 * @out: frames written
 * @out_failed: frames lost after a write error
 */
struct wire_pcap_stats {
	uint64_t in;
	bool in_failed;
	uint64_t refused;
	uint64_t out;
	uint64_t out_failed;
};

struct wire_pcap;

/* Return NULL with the reason in @err: not readable, not a capture, not Ethernet, ... */
struct wire_pcap *wire_pcap_open(const struct wire_pcap_config *c, char *err,
				 size_t errlen);
/* The context for board_wire() is the struct wire_pcap. */
extern const struct board_wire_ops wire_pcap_ops;
void wire_pcap_stats(const struct wire_pcap *w, struct wire_pcap_stats *s);
/* Only for a wire that board_wire() did not get. The board closes its wires itself. */
void wire_pcap_close(struct wire_pcap *w);

/* wire_pcapng.c: open @path for libpcap. Return NULL with errno set. */
FILE *wire_pcapng_open(const char *path);

#endif /* WIRE_PCAP_H */
