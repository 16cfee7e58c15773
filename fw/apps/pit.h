/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pit.h - what goes to "pit", "pit64" or "sink64" and is to be compared there. All
 * fields are little endian.
 */
#ifndef PIT_H
#define PIT_H

#include <stddef.h>
#include <stdint.h>

#define PIT_MAGIC	0x7069742d70726f76ull

/**
 * struct pit_msg - beginning of a message, or of an element, whose contents are checked
 * @magic: PIT_MAGIC; without it, it is any message
 * @len: bytes of all of it
 * @sum: pit_sum() of those behind this struct
 *
 * With one that is not as it says the process ends: EPIPE, to whoever sends.
 */
struct pit_msg {
	uint64_t magic;
	uint32_t len;
	uint32_t sum;
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

/* Of the processes: is what lies at @msg as it says? */
int pit_whole(const void *msg, unsigned int len);

#endif /* PIT_H */
