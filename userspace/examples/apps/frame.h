/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * frame.h - frames of Ethernet ports, back to back in a stream.
 *
 * A frame begins at a multiple of FRAME_ALIGN bytes with a header of 16 bytes, all little endian.
 * The bytes of the frame follow, then padding up to the next header.
 */
#ifndef APPS_FRAME_H
#define APPS_FRAME_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_ALIGN	16
#define FRAME_NO_PORT	0xffff

/**
 * struct frame - a frame in the stream
 * @port: the Ethernet port it came from, or is to leave by; FRAME_NO_PORT: it is not sent
 * @len: bytes of @data
 * @orig: bytes that the frame had on the wire
 * @ns: when it arrived
 * @data: the frame
 */
struct frame {
	uint16_t port;
	uint16_t len;
	uint32_t orig;
	uint64_t ns;
	uint8_t data[];
};

/* Bytes of the stream that a frame of @len bytes takes */
static inline size_t frame_room(uint32_t len)
{
	return (sizeof(struct frame) + len + FRAME_ALIGN - 1) & ~(size_t)(FRAME_ALIGN - 1);
}

static inline uint32_t frame_len(const struct frame *f)
{
	return le16toh(f->len);
}

#endif /* APPS_FRAME_H */
