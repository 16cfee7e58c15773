/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ring_lines.h - the fast path of many messages of RING_LINE bytes, after others of that length.
 *
 * ring_get_same() and ring_put_same() for many messages: each message costs a comparison and its copy,
 * and the looks at state and end are for all of them.
 */
#ifndef NFPCHAN_RING_LINES_H
#define NFPCHAN_RING_LINES_H

#include <nfpchan.h>
#include "ring_int.h"

/* Handles the message at @at, whose header is to be @hdr. false: the message is not handled. */
typedef bool each_fn(void *ctx, uint8_t *at, uint64_t hdr);

/* Messages for each look at the counter: counting costs as much as the comparison of a header. */
enum { EACH_STEP = 8 };

/* Call @fn for @n messages, each with @room, from that at @at on, until it returns false. */
static inline __attribute__((always_inline))
bool for_each(uint8_t *at, uint64_t hdr, uint32_t room, uint32_t n, each_fn *fn, void *ctx)
{
	for (; n >= EACH_STEP; n -= EACH_STEP) {
#pragma GCC unroll EACH_STEP
		for (int k = 0; k < EACH_STEP; k++, at += room, hdr += HDR_NEXT) {
			/* Without this the compiler keeps multiples of @room, and runs out of registers. */
			__asm__("" : "+r"(at), "+r"(hdr));
			if (!fn(ctx, at, hdr))
				return false;
		}
	}
	for (; n; n--, at += room, hdr += HDR_NEXT)
		if (!fn(ctx, at, hdr))
			return false;
	return true;
}

/* Where the next message of RING_LINE bytes goes, and where it is described */
struct get_line {
	uint8_t *to;
	struct nfpchan_msg *msg;
};

static inline __attribute__((always_inline)) bool get_line(void *ctx, uint8_t *at, uint64_t hdr)
{
	struct get_line *g = ctx;

	if (!hdr_is(at, hdr))
		return false;
	memcpy(g->to, at + sizeof(hdr), RING_LINE);
	*g->msg++ = (struct nfpchan_msg){ g->to, RING_LINE };
	g->to += RING_LINE;
	return true;
}

/* Messages that the fast path may take, @most of them. To divide is slow, and seldom needed. */
static inline uint32_t lines_there(const struct ring *r, uint32_t most)
{
	if (r->pos + (uint64_t)most * r->same_room <= r->same_get)
		return most;
	return (uint32_t)((r->same_get - 1 - r->pos) / r->same_room + 1);
}

/*
 * Copy all messages that are there, up to @most, to @buf, or none. Returns how many. 0: the caller takes
 * the slow path, because a message has another length or @buf is too small.
 */
static inline __attribute__((always_inline))
uint32_t ring_get_lines(struct ring *r, void *buf, size_t size, struct nfpchan_msg *msgs,
			uint32_t most)
{
	struct get_line g = { buf, msgs };
	uint64_t pos = r->pos;

	if (pos >= r->same_get)
		return 0;
	most = lines_there(r, most);
	if (most > size / RING_LINE ||
	    !for_each(r->data + (pos & r->mask), r->same_hdr, r->same_room, most, get_line, &g))
		return 0;
	/* As in ring_verify(): order the loads of the copy before the load of the state. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (!note_open(r))
		return 0;
	r->pos = pos + (uint64_t)most * r->same_room;
	r->same_hdr += most * HDR_NEXT;
	if (ring_get_due(r))
		ring_get_done(r);
	return most;
}

/* @ctx: the pointer to what describes the next message */
static inline __attribute__((always_inline)) bool show_line(void *ctx, uint8_t *at, uint64_t hdr)
{
	struct nfpchan_msg **msg = ctx;

	if (!hdr_is(at, hdr))
		return false;
	*(*msg)++ = (struct nfpchan_msg){ at + sizeof(hdr), RING_LINE };
	return true;
}

/*
 * Borrow all messages that are there, up to @most, or none. Returns how many, as ring_get_lines(). The
 * fast paths end until the messages are given back.
 */
static inline __attribute__((always_inline))
uint32_t ring_borrow_lines(struct ring *r, struct nfpchan_msg *msgs, uint32_t most)
{
	uint64_t pos = r->pos;

	if (pos >= r->same_get)
		return 0;
	most = lines_there(r, most);
	if (!for_each(r->data + (pos & r->mask), r->same_hdr, r->same_room, most, show_line, &msgs))
		return 0;
	r->released = pos;
	r->borrowed = most;
	r->pos = pos + (uint64_t)most * r->same_room;
	r->same_hdr += most * HDR_NEXT;
	r->same_lent = r->same_get;
	r->same_get = 0;
	r->same_stop = 0;
	/* poll() must not report them again. */
	if (ring_get_due(r))
		ring_settle(r);
	return most;
}

/* Give back all messages that ring_borrow_lines() has lent. false: they are not all, or others. */
static inline bool ring_release_lines(struct ring *r, uint32_t n)
{
	if (!r->same_lent || n != r->borrowed)
		return false;
	r->borrowed = 0;
	r->same_get = r->same_lent;
	r->same_stop = r->same_lent;
	r->same_lent = 0;
	if (ring_get_due(r))
		ring_get_done(r);
	return true;
}

static inline __attribute__((always_inline)) bool put_line(void *ctx, uint8_t *at, uint64_t hdr)
{
	const struct nfpchan_msg **msg = ctx;

	if ((*msg)->len != RING_LINE)
		return false;
	hdr = htole64(hdr);
	memcpy(at, &hdr, sizeof(hdr));
	memcpy(at + sizeof(hdr), (*msg)++->data, RING_LINE);
	return true;
}

/* Write @n messages, with one doorbell, or none. Returns how many, as ring_get_lines(). */
static inline __attribute__((always_inline))
uint32_t ring_put_lines(struct ring *r, const struct nfpchan_msg *msgs, uint32_t n)
{
	uint64_t pos = r->pos, room = (uint64_t)n * r->same_room;

	/* A single message may go to the inline page. */
	if (n < 2 || pos + room - r->same_room >= r->same_put || !note_open(r) ||
	    !for_each(r->data + (pos & r->mask), r->same_hdr, r->same_room, n, put_line, &msgs))
		return 0;
	ring_settle(r);
	r->pos = pos + room;
	r->same_from = r->pos;
	r->same_hdr += n * HDR_NEXT;
	r->unrung += (uint32_t)room;
	r->seq += n;
	r->count.msgs += n;
	r->count.bytes += n * RING_LINE;
	ring_kick(r);
	return n;
}

#endif /* NFPCHAN_RING_LINES_H */
