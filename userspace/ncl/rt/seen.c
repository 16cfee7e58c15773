// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* seen.c - detection of duplicate windows, with one bit for each recent window. */
#include <string.h>
#include "seen.h"

static struct seen_run *find(struct seen *s, uint16_t kernel, uint32_t invocation)
{
	unsigned int i;

	for (i = 0; i < SEEN_INVOCATIONS; i++)
		if (s->run[i].kernel == kernel && s->run[i].number == invocation)
			return &s->run[i];
	return NULL;
}

static bool bit(const struct seen_run *r, uint32_t seq)
{
	return r->bits[seq % NCRT_SLOTS_MAX / 64] >> (seq % 64) & 1;
}

bool seen_has(struct seen *s, uint16_t kernel, uint32_t invocation, uint32_t seq)
{
	const struct seen_run *r = find(s, kernel, invocation);

	if (!r || seq >= r->end)
		return false;
	return r->end - seq > NCRT_SLOTS_MAX || bit(r, seq);
}

static struct seen_run *begin(struct seen *s, uint16_t kernel, uint32_t invocation, uint32_t seq)
{
	struct seen_run *r = &s->run[s->next];

	s->next = (s->next + 1) % SEEN_INVOCATIONS;
	memset(r, 0, sizeof(*r));
	r->kernel = kernel;
	r->number = invocation;
	r->end = seq;
	return r;
}

void seen_add(struct seen *s, uint16_t kernel, uint32_t invocation, uint32_t seq)
{
	struct seen_run *r = find(s, kernel, invocation);

	if (!r)
		r = begin(s, kernel, invocation, seq);
	if (seq >= r->end && seq - r->end >= NCRT_SLOTS_MAX) {
		memset(r->bits, 0, sizeof(r->bits));
		r->end = (uint64_t)seq + 1;
	}
	for (; r->end <= seq; r->end++)
		r->bits[r->end % NCRT_SLOTS_MAX / 64] &= ~(1ull << (r->end % 64));
	r->bits[seq % NCRT_SLOTS_MAX / 64] |= 1ull << (seq % 64);
}
