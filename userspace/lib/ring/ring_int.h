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
static inline void ctl_publish(struct ring *r)
{
	__atomic_store_n(&r->ctl->seq, ring_seq(r), __ATOMIC_RELAXED);
	__atomic_store_n(&r->ctl->pos, r->pos, __ATOMIC_RELAXED);
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
	ctl_publish(r);
	r->ctl->rung = r->rung;
	doorbell(r, RING_REG_DATA, room >> r->unit_shift);
	r->count.doorbells++;
}

/*
 * Copy an element without a call, which would cost more than the copy. @len is a multiple of
 * 16. The common size of a cache line has a case of its own.
 */
static inline void copy_elem(void *to, const void *from, uint32_t len)
{
	uint32_t i = 0;

	if (__builtin_expect(len == 64, 1)) {
		memcpy(to, from, 64);
		return;
	}
	do
		memcpy((char *)to + i, (const char *)from + i, 16);
	while ((i += 16) < len);
}

/* Recompute @stop, after a change of a field that it depends on. */
void ring_stop_set(struct ring *r);

/* Recompute whether elements may take the fast path, after a change that matters to it. */
void ring_fast_set(struct ring *r);

/* Take the fast path away. */
static inline void ring_fast_off(struct ring *r)
{
	r->fast = 0;
	r->stop = 0;
}

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
 * The fast path of a stream's elements, a few dozen instructions. Elements of @fast bytes may
 * take it up to position @stop. If there is no fast path, both are 0. Then no position is below
 * @stop, so each call is refused, also one whose length is 0 and equals @fast. A return of 0 or
 * false sends the caller to the slow path, which also finds out why an element cannot be received
 * or sent.
 */
static inline uint32_t ring_get_one(struct ring *r, void *buf, size_t size)
{
	uint64_t pos = r->pos;
	uint32_t len = r->fast;

	if (size < len || pos >= r->stop)
		return 0;
	copy_elem(buf, r->data + (pos & r->mask), len);
	/* As in ring_verify(): order the loads of the copy before the load of the state. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (!note_open(r))
		return 0;
	r->pos = pos + len;
	return len;
}

static inline bool ring_put_one(struct ring *r, const void *buf, size_t len)
{
	uint64_t pos = r->pos;

	if (len != r->fast || pos >= r->stop || !note_open(r))
		return false;
	copy_elem(r->data + (pos & r->mask), buf, (uint32_t)len);
	r->pos = pos + len;
	/* A sender may call poll() after any message, not only after -EAGAIN. */
	__atomic_store_n(&r->ctl->pos, r->pos, __ATOMIC_RELAXED);
	doorbell_order();
	*r->db.reg[RING_REG_DATA] = r->fast_units;
	return true;
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

/* Check that the channel carries messages of @len bytes, then ring_look(). */
int ring_tx_look(struct ring *r, uint32_t len);

#endif /* NFPCHAN_RING_INT_H */
