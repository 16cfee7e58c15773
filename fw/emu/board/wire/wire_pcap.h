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
 * Longest frame, in bytes. No wire carries such frames, but captures of a host with segmentation
 * offload contain them. libpcap stores no more of an Ethernet frame either.
 */
#define WIRE_PCAP_FRAME_MAX	262144u

/**
 * struct wire_pcap_config - a port's files
 * @in: file with the frames that arrive: pcap or pcapng, with any time stamp precision; NULL for
 *	none
 * @out: file for the frames that leave: pcap with ns; NULL to drop the frames
 * @real_pace: frames arrive with the gaps of their time stamps, counted from the time when the
 *	port takes the first one; otherwise frames arrive as fast as the port takes them
 */
struct wire_pcap_config {
	const char *in;
	const char *out;
	bool real_pace;
};

/**
 * struct wire_pcap_stats - numbers of frames read and written
 * @in: frames handed to the board
 * @in_failed: the input file is truncated or damaged, and was not read to its end
 * @too_long: frames left out because they are longer than WIRE_PCAP_FRAME_MAX
 * @bad_caplen: frames left out because more bytes are captured than they have
 * @out: frames written
 * @out_failed: frames lost after an error of the output file
 */
struct wire_pcap_stats {
	uint64_t in;
	bool in_failed;
	uint64_t too_long;
	uint64_t bad_caplen;
	uint64_t out;
	uint64_t out_failed;
};

struct wire_pcap;

/*
 * Return NULL with the reason in @err if the file cannot be read, is no capture, is not of
 * Ethernet, and so on.
 */
struct wire_pcap *wire_pcap_open(const struct wire_pcap_config *c, char *err,
				 size_t errlen);
/* Operations for board_wire(); the context is the struct wire_pcap. */
extern const struct board_wire_ops wire_pcap_ops;
void wire_pcap_stats(const struct wire_pcap *w, struct wire_pcap_stats *s);
/*
 * End the replay: log how many frames of the input file were left out, and of those that left the
 * port how many are not in the output file, and why. scripts/vm prints these lines. Return true if
 * both files are complete, or the replay could still go on.
 */
bool wire_pcap_end(struct wire_pcap *w);
/* Close a wire that was not given to a board. A board closes its wires through wire_pcap_ops. */
void wire_pcap_close(struct wire_pcap *w);

/*
 * In wire_pcapng.c: open @path as a stream that libpcap can read. Return NULL with errno set on
 * failure.
 */
FILE *wire_pcapng_open(const char *path);

#endif /* WIRE_PCAP_H */
