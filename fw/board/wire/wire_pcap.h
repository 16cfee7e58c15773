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
 * Bytes of the longest frame. No wire has such, but captures behind segment
 * offloads do. Also libpcap's limit of what it stores of an Ethernet frame.
 */
#define WIRE_PCAP_FRAME_MAX	262144u

/**
 * struct wire_pcap_config - a port's files
 * @in: frames that arrive, pcap or pcapng with any time stamp precision; NULL
 *	for none
 * @out: where frames that leave go, pcap with ns; NULL to drop them
 * @real_pace: frames arrive with the gaps of their time stamps, from when the
 *	port takes the first one; otherwise as fast as the port takes them
 */
struct wire_pcap_config {
	const char *in;
	const char *out;
	bool real_pace;
};

/**
 * struct wire_pcap_stats - what became of the files' frames
 * @in: frames handed to the board
 * @in_failed: the file broke off, or cannot be read any further
 * @refused: frames longer than WIRE_PCAP_FRAME_MAX or with more bytes than
 *	they were long
 * @out: frames written
 * @out_failed: frames lost after an error of the output file
 */
struct wire_pcap_stats {
	uint64_t in;
	bool in_failed;
	uint64_t refused;
	uint64_t out;
	uint64_t out_failed;
};

struct wire_pcap;

/* NULL with the reason in @err: unreadable, no capture, not Ethernet, ... */
struct wire_pcap *wire_pcap_open(const struct wire_pcap_config *c, char *err,
				 size_t errlen);
/* Hand it to board_wire() as the context of wire_pcap_ops. */
extern const struct board_wire_ops wire_pcap_ops;
void wire_pcap_stats(const struct wire_pcap *w, struct wire_pcap_stats *s);
/* When it was not handed to a board; the board closes it through its ops. */
void wire_pcap_close(struct wire_pcap *w);

/* wire_pcapng.c: @path as libpcap can read it; NULL with errno set. */
FILE *wire_pcapng_open(const char *path);

#endif /* WIRE_PCAP_H */
