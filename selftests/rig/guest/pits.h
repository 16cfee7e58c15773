/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pits.h - what the card compares when it comes there, as nobody gets it back (pit.h). */
#ifndef PITS_H
#define PITS_H

#include <sys/random.h>
#include "chan_test.h"
#include "pit.h"

/* Messages and elements; "sink" has bytes. */
static inline bool is_pit(const char *chan)
{
	return !strcmp(chan, "pit") || !strcmp(chan, "pit64") || !strcmp(chan, "sink64");
}

/* A sender, or a seed; one that nobody has used, though the card may run for long. */
static inline uint32_t pit_new(void)
{
	uint32_t n;

	do {
		if (getrandom(&n, sizeof(n), 0) != sizeof(n))
			die("random number");
	} while (!n);
	return n;
}

/* A message of @len, a struct pit_msg at least. */
static inline void pit_fill(uint8_t *buf, uint32_t len, uint32_t sender, uint32_t seq)
{
	struct pit_msg say = {
		.magic = htole64(PIT_MAGIC), .len = htole32(len),
		.sender = htole32(sender), .seq = htole32(seq),
	};
	const uint32_t from = offsetof(struct pit_msg, sender);
	uint32_t i;

	memcpy(buf, &say, sizeof(say));
	for (i = sizeof(say); i < len; i++)
		buf[i] = pit_byte(sender ^ seq, i);
	say.sum = htole32(pit_sum(PIT_SUM, buf + from, len - from));
	memcpy(buf, &say, sizeof(say));
}

/* @len bytes of a stream of @total with its header, from @at on. */
static inline void pit_bytes(uint8_t *buf, uint32_t len, uint64_t at, uint64_t total, uint32_t seed)
{
	struct pit_stream say = {
		.magic = htole64(PIT_STREAM), .len = htole64(total - sizeof(say)),
		.seed = htole32(seed),
	};
	uint32_t i;

	say.sum = htole32(pit_sum(PIT_SUM, (uint8_t *)&say, offsetof(struct pit_stream, sum)));
	for (i = 0; i < len; i++, at++)
		buf[i] = at < sizeof(say) ? ((uint8_t *)&say)[at] :
			 pit_byte(seed, at - sizeof(say));
}

/* Its process has ended if something was not as it was sent. */
static inline bool pit_well(const char *chan)
{
	struct nfpchan *ch;
	int err = nfpchan_open(&ch, card, chan, NULL);

	if (!ok(!err, "%s: contents are what was sent", chan)) {
		printf("# %s\n", strerror(-err));
		return false;
	}
	nfpchan_close(ch);
	return true;
}

#endif /* PITS_H */
