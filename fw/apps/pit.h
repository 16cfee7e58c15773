/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pit.h - what goes to "pit", "pit64", "sink64" or "sink" and is to be compared there.
 * All fields are little endian.
 */
#ifndef PIT_H
#define PIT_H

#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>

#define PIT_MAGIC	0x7069742d70726f76ull

/**
 * struct pit_msg - beginning of a message, or of an element, whose contents are checked
 * @magic: PIT_MAGIC; without it, it is any message
 * @len: bytes of all of it
 * @sum: pit_sum() of all behind this field
 * @sender: a number that nobody has used: the process knows none of a new sender
 * @seq: of its messages, one by one; the process goes by the first that it sees
 *
 * With one that is not as it says, or not the sender's next one, the process ends:
 * EPIPE, to whoever sends.
 */
struct pit_msg {
	__le64 magic;
	__le32 len;
	__le32 sum;
	__le32 sender;
	__le32 seq;
};

#define PIT_SUM	0x811c9dc5u	/* of nothing */

/* With @len bytes more; FNV-1a. */
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
 * @magic: PIT_STREAM; without it, they are any bytes
 * @len: how many follow; those behind them are any again
 * @seed: they are pit_byte() of it; not 0, and not that of the stream before
 * @sum: pit_sum() of what is in front of it here
 *
 * The first that a sender writes behind its open, and in one call: what the process
 * gets at a time is of one sender, so this is at the beginning of it, and whole.
 * Wherever the sender before was killed, a new stream begins there. With a byte that is
 * not as it should be the process ends, so who opens behind a stream that broke off
 * must begin one.
 */
struct pit_stream {
	__le64 magic;
	__le64 len;
	__le32 seed;
	__le32 sum;
};

/* Byte @pos of the stream with @seed; one that is missing or twice moves all others. */
static inline uint8_t pit_byte(uint32_t seed, uint64_t pos)
{
	uint32_t x = ((uint32_t)pos ^ seed) * 0x045d9f3bu;

	return (uint8_t)((x ^ x >> 16) * 0x045d9f3bu >> 24);
}

/* Of a process: how much of a stream it has seen. Zeros in the beginning. */
struct pit_reader {
	uint64_t len;
	uint64_t pos;
	uint32_t seed;
};

#define PIT_SENDERS	16

/*
 * Of a process: the senders that it knows and the last message of each, the latest
 * first. Who was killed falls out at the end.
 */
struct pit_order {
	uint32_t known;
	struct {
		uint32_t sender;
		uint32_t seq;
	} of[PIT_SENDERS];
};

#endif /* PIT_H */
