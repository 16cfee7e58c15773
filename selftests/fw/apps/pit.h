/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pit.h - messages and streams whose contents the ME processes behind "pit", "pit64", "sink64"
 * and "sink" check. All fields are little endian.
 */
#ifndef PIT_H
#define PIT_H

#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>

#define PIT_MAGIC	0x7069742d70726f76ull

/**
 * struct pit_msg - beginning of a message, or of an element, whose contents are checked
 * @magic: PIT_MAGIC; a message without it is not checked
 * @len: bytes of the whole message
 * @sum: pit_sum() of all bytes after this field
 * @sender: a number that no other sender has used
 * @seq: number of the message, which counts up by 1; the sender's first message may have any
 *
 * If the contents are wrong, or the message is not the sender's next one, the process ends, and
 * all senders get EPIPE.
 */
struct pit_msg {
	__le64 magic;
	__le32 len;
	__le32 sum;
	__le32 sender;
	__le32 seq;
};

#define PIT_SUM	0x811c9dc5u	/* the sum of no bytes */

/* Return: @sum with @len more bytes; FNV-1a. */
static inline uint32_t pit_sum(uint32_t sum, const uint8_t *data, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		sum = (sum ^ data[i]) * 0x01000193u;
	return sum;
}

#define PIT_STREAM	0x7069742d62797465ull

/**
 * struct pit_stream - beginning of a stream of bytes, on "sink", that are compared
 * @magic: PIT_STREAM; bytes without it are not checked
 * @len: number of bytes that follow and are checked
 * @seed: the bytes are pit_byte() of this seed; not 0, and not the seed of the stream before
 * @sum: pit_sum() of the fields before this one
 *
 * A sender writes this first after its open, in one call. One receive of the process has bytes of
 * one sender only, so the struct is whole and at the beginning. A new stream may begin after any
 * byte of the stream before, because its sender may have been killed. If a byte is wrong, the
 * process ends. So a sender that opens the channel after a broken stream must begin a stream.
 */
struct pit_stream {
	__le64 magic;
	__le64 len;
	__le32 seed;
	__le32 sum;
};

/* Byte @pos of the stream with @seed. A byte that is lost or doubled shifts all later bytes. */
static inline uint8_t pit_byte(uint32_t seed, uint64_t pos)
{
	uint32_t x = ((uint32_t)pos ^ seed) * 0x045d9f3bu;

	return (uint8_t)((x ^ x >> 16) * 0x045d9f3bu >> 24);
}

/* State of a process that checks a stream: the part that it has seen. Begins with zeros. */
struct pit_reader {
	uint64_t len;
	uint64_t pos;
	uint32_t seed;
};

#define PIT_SENDERS	16

/*
 * State of a process that checks messages: the senders that it knows, and the last message of
 * each. The sender of the latest message is first, so senders that were killed drop out.
 */
struct pit_order {
	uint32_t known;
	struct {
		uint32_t sender;
		uint32_t seq;
	} of[PIT_SENDERS];
};

#endif /* PIT_H */
