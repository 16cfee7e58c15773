/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ring_int.h - shared by the files of the ring code.
 *
 * Memory is ordered in note_load() (O4 of uapi/PROTOCOL.rst), in doorbell() (O5), and after a
 * copy out of the ring, in ring_verify() and ring_get_one().
 */
#ifndef NFPCHAN_RING_INT_H
#define NFPCHAN_RING_INT_H

#include <endian.h>
#include <string.h>
#include "ring.h"

/* Bytes of the ring that a message of @len bytes takes. @len is at most max_size. */
static inline uint32_t msg_room(const struct ring *r, uint32_t len)
{
	return r->hdr ? (r->hdr + len + r->unit - 1) & ~(r->unit - 1) : len;
}

/* The card's position is a multiple of this. */
static inline uint32_t grain(const struct ring *r)
{
	return r->hdr ? r->unit : r->elem_size;
}

/* Messages or elements up to the position, in the 32 bits that the card counts in */
static inline uint32_t ring_seq(const struct ring *r)
{
	return r->hdr ? r->seq : (uint32_t)(r->pos / r->elem_size);
}

static inline void doorbell_order(void)
{
	/*
	 * The ring is write-back memory, the doorbell is not. x86 keeps program order between
	 * the two (SDM vol. 3, 9.2.2). On arm64 the store must be ordered for the outer
	 * shareable domain, which a C11 release fence does not do.
	 */
#if defined(__aarch64__)
	__asm__ volatile("dmb osh" ::: "memory");
#else
	__atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

static inline void doorbell(struct ring *r, enum ring_reg reg, uint32_t val)
{
	doorbell_order();
	if (r->db.store)
		r->db.store(r->db.ctx, reg, val);
	else
		*r->db.reg[reg] = htole32(val);
}

/*
 * Publish the position for the kernel, which reads it in poll() on the channel's fd. A
 * receiver publishes when it has found nothing, not for each element of a stream.
 */
static inline void ctl_publish_at(struct nfp_chan_ctl *ctl, uint64_t pos, uint32_t seq)
{
	__atomic_store_n(&ctl->seq, seq, __ATOMIC_RELAXED);
	__atomic_store_n(&ctl->pos, pos, __ATOMIC_RELAXED);
}

static inline void ctl_publish(struct ring *r)
{
	ctl_publish_at(r->ctl, r->pos, ring_seq(r));
}

static inline bool tx_fits(const struct ring *r, uint32_t room)
{
	uint64_t out = r->pos - r->peer;

	return r->depth ? out + room <= r->limit : !out;
}

/* The position up to which room may go back: all that was taken, except what is borrowed. */
static inline uint64_t ring_given(const struct ring *r)
{
	return r->borrowed ? r->released : r->pos;
}

static inline void give_back(struct ring *r, uint32_t batch)
{
	uint64_t room = (ring_given(r) - r->rung) >> r->unit_shift << r->unit_shift;

	if (!room || room < batch)
		return;
	r->rung += room;
	if (r->hdr)
		r->bell = r->rung + r->batch;
	ctl_publish(r);
	r->ctl->rung = r->rung;
	doorbell(r, RING_REG_DATA, room >> r->unit_shift);
	r->count.doorbells++;
}

#define RING_LINE	64	/* bytes of a cache line, and of the most common message */

/*
 * Copy an element without a call, which would cost more than the copy. @len is a multiple of
 * 16. The common size of a cache line has a case of its own.
 */
static inline __attribute__((always_inline)) void copy_elem(void *to, const void *from, uint32_t len)
{
	uint32_t i = 0;

	if (__builtin_expect(len == RING_LINE, 1)) {
		memcpy(to, from, RING_LINE);
		return;
	}
	do
		memcpy((char *)to + i, (const char *)from + i, 16);
	while ((i += 16) < len);
}

/* Messages of @len bytes take the fast path from now on. */
void ring_same_set(struct ring *r, uint32_t len);

/* Recompute the ends of the fast paths, after a change of a field that they depend on. */
void ring_stop_set(struct ring *r);

/* Recompute whether elements may take the fast path, after a change that matters to it. */
void ring_fast_set(struct ring *r);

/* Take the fast path of messages away, until ring_same_set(). */
static inline void ring_same_off(struct ring *r)
{
	r->same_from = r->pos;
	r->same_stop = 0;
	r->same_get = 0;
	r->same_put = 0;
	r->same_lent = 0;
}

/* ring_get_many() of messages with headers */
int64_t ring_pack_msgs(struct ring *r, void *buf, uint32_t most);

/* Take all fast paths away. */
static inline void ring_fast_off(struct ring *r)
{
	r->fast = 0;
	r->get_stop = 0;
	r->put_stop = 0;
	r->line_get = 0;
	r->line_put = 0;
	ring_same_off(r);
}

/* The error of a call that takes messages while some are borrowed */
int ring_owed(struct ring *r);

/* The error of a call whose buffer of @size bytes is too small for the message */
int ring_small(struct ring *r, uint32_t len, size_t size);

/* The error of a call that would move a ring that is lent */
int ring_lent(struct ring *r);

/* Give a stream's room back, and set the position for the next time. */
void ring_bell(struct ring *r);

static inline bool note_open(const struct ring *r)
{
	return !__atomic_load_n(&r->note->state, __ATOMIC_ACQUIRE);
}

/* Does the record differ, in position or state, from the last look? */
static inline bool ring_moved(const struct ring *r)
{
	return __atomic_load_n(&r->note->pos, __ATOMIC_ACQUIRE) != htole64(r->peer) ||
	       __atomic_load_n(&r->note->state, __ATOMIC_ACQUIRE) != htole32(r->state);
}

/*
 * The fast path of a stream's elements, a few dozen instructions. Elements of @fast bytes take it up
 * to position @get_stop or @put_stop, those of RING_LINE bytes to @line_get or @line_put. If there
 * is no fast path, these are 0, so no position is below. A return of false sends the caller to the
 * slow path, which also finds out why an element cannot be received or sent.
 *
 * @stop: one of these positions; @len, @elem: the length that belongs to it
 */
static inline __attribute__((always_inline))
bool ring_get_one(struct ring *r, uint64_t stop, uint32_t len, void *buf, size_t size)
{
	uint64_t pos = r->pos;

	if (pos >= stop || size < len)
		return false;
	copy_elem(buf, r->data + (pos & r->mask), len);
	/* As in ring_verify(): order the loads of the copy before the load of the state. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (!note_open(r))
		return false;
	r->pos = pos + len;
	return true;
}

static inline __attribute__((always_inline))
bool ring_put_one(struct ring *r, uint64_t stop, uint32_t elem, const void *buf, size_t len)
{
	uint64_t pos = r->pos;

	if (pos >= stop || len != elem || !note_open(r))
		return false;
	copy_elem(r->data + (pos & r->mask), buf, elem);
	r->pos = pos + elem;
	/* A sender may call poll() after any message, not only after -EAGAIN. */
	__atomic_store_n(&r->ctl->pos, r->pos, __ATOMIC_RELAXED);
	doorbell_order();
	*r->db.reg[RING_REG_DATA] = r->fast_units;
	return true;
}

#define SAME_MOST	256	/* bytes of the largest message that takes the fast path */
#define HDR_NEXT	(1ull << 32)	/* from a header to that of the next message of this length */

/* Copy a message of up to SAME_MOST bytes without a call, and nothing behind its end. */
static inline __attribute__((always_inline))
void copy_msg(void *dst, const void *src, uint32_t len)
{
	const uint8_t *from = src;
	uint8_t *to = dst;
	uint32_t i;

	if (__builtin_expect(len == RING_LINE, 1)) {
		memcpy(to, from, RING_LINE);
	} else if (len >= 16) {
		for (i = 0; i < len - 16; i += 16)
			memcpy(to + i, from + i, 16);
		memcpy(to + len - 16, from + len - 16, 16);
	} else if (len >= 8) {
		memcpy(to, from, 8);
		memcpy(to + len - 8, from + len - 8, 8);
	} else {
		for (i = 0; i < len; i++)
			*(volatile uint8_t *)(to + i) = from[i];
	}
}

static inline uint64_t hdr_load(const uint8_t *at)
{
	return le64toh(__atomic_load_n((const uint64_t *)at, __ATOMIC_RELAXED));
}

/*
 * Is this the header at @at? An ordinary load, which the compiler may do twice: who has compared uses
 * @hdr, and not what the card may write there meanwhile.
 */
static inline bool hdr_is(const uint8_t *at, uint64_t hdr)
{
	hdr = htole64(hdr);
	return !memcmp(at, &hdr, sizeof(hdr));
}

/* @stop, unless the ring has the other direction: then 0. */
static inline uint64_t same_end(const struct ring *r, uint32_t dir, uint64_t stop)
{
	return r->dir == dir ? stop : 0;
}

/*
 * The fast path of messages is for those of the same length as the last one. Their header is known
 * before it is read, so one comparison checks length and number. As the fast path of elements, it
 * only succeeds. It moves @pos and @same_hdr alone; ring_settle() brings the other fields up to date.
 *
 * @stop: @same_get or @same_put for RING_LINE bytes, same_end() of @same_stop for @same_len bytes
 * @len: these bytes
 */
static inline __attribute__((always_inline))
bool ring_get_same(struct ring *r, uint64_t stop, uint32_t len, void *buf, size_t size)
{
	const uint8_t *at;
	uint64_t pos = r->pos;

	if (pos >= stop || size < len)
		return false;
	at = r->data + (pos & r->mask);
	if (!hdr_is(at, r->same_hdr))
		return false;
	copy_msg(buf, at + sizeof(struct nfp_chan_hdr), len);
	/* As in ring_verify(): order the loads of the copy before the load of the state. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (!note_open(r))
		return false;
	r->pos = pos + r->same_room;
	r->same_hdr += HDR_NEXT;
	return true;
}

/* After ring_get_same(): must the position be published, or room go back to the card? */
static inline bool ring_get_due(const struct ring *r)
{
	return r->pos >= r->mark;
}

void ring_get_done(struct ring *r);

static inline __attribute__((always_inline))
bool ring_put_same(struct ring *r, uint64_t stop, uint32_t same, const void *buf, size_t len)
{
	const struct nfp_chan_note *note = r->note;
	uint64_t pos = r->pos, hdr;
	uint8_t *at;

	/* A message that finds the ring empty may go to the inline page, too. */
	if (pos >= stop || len != same ||
	    __atomic_load_n(&note->pos, __ATOMIC_RELAXED) == htole64(pos) ||
	    __atomic_load_n(&note->state, __ATOMIC_ACQUIRE))
		return false;
	at = r->data + (pos & r->mask);
	hdr = htole64(r->same_hdr);
	memcpy(at, &hdr, sizeof(hdr));
	copy_msg(at + sizeof(hdr), buf, same);
	pos += r->same_room;
	r->pos = pos;
	r->same_hdr += HDR_NEXT;
	/* A sender may call poll() after any message. */
	__atomic_store_n(&r->ctl->pos, pos, __ATOMIC_RELAXED);
	doorbell_order();
	*r->db.reg[RING_REG_DATA] = r->same_units;
	return true;
}

/* The fast path of messages of any length up to SAME_MOST. Returns the length, or a negative number. */
static inline int64_t ring_get_any(struct ring *r, void *buf, size_t size)
{
	uint32_t len = (uint32_t)r->same_len;

	return ring_get_same(r, same_end(r, NFP_CHAN_TO_HOST, r->same_stop), len, buf, size) ?
	       (int64_t)len : -1;
}

static inline bool ring_put_any(struct ring *r, const void *buf, size_t len)
{
	return ring_put_same(r, same_end(r, NFP_CHAN_TO_NFP, r->same_stop), (uint32_t)r->same_len,
			     buf, len);
}

/* Read the record and take over the card's position, if it is valid. 0, -ENODEV, -EIO. */
int ring_refresh(struct ring *r);

/* The reason why nothing can be moved: -EAGAIN while the pipe is open. */
int ring_state(struct ring *r);

/* Read the record. -EAGAIN while the pipe is open, else the error. */
static inline int ring_look(struct ring *r)
{
	int err = ring_refresh(r);

	return err ? err : ring_state(r);
}

/*
 * A caller has left all elements that it was shown: read the record, and ask the card for the next one.
 * 0 or the error.
 */
int ring_left(struct ring *r);

/* Before elements are shown to a caller that may leave some of them */
static inline int ring_show(struct ring *r)
{
	if (__builtin_expect(r->looked == r->pos, 0))
		return ring_left(r);
	r->looked = r->pos;
	return 0;
}

/* Check that the channel carries messages of @len bytes, then ring_look(). */
int ring_tx_look(struct ring *r, uint32_t len);

#endif /* NFPCHAN_RING_INT_H */
