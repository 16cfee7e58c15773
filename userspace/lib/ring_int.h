/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ring_int.h - what the files of the ring code share.
 *
 * Ordering is in note_load() (O4 of uapi/PROTOCOL.rst), in doorbell() (O5), and
 * behind what is copied out of the ring: ring_verify(), ring_get_one().
 */
#ifndef NFPCHAN_RING_INT_H
#define NFPCHAN_RING_INT_H

#include <endian.h>
#include <string.h>
#include "ring.h"

/* Bytes of ring that a message of @len takes. @len is at most max_size. */
static inline uint32_t msg_room(const struct ring *r, uint32_t len)
{
	return r->hdr ? (r->hdr + len + r->unit - 1) & ~(r->unit - 1) : len;
}

/* What the card's position is a multiple of. */
static inline uint32_t grain(const struct ring *r)
{
	return r->hdr ? r->unit : r->elem_size;
}

/* Messages, or elements, behind the position; 32 bits as the card counts. */
static inline uint32_t ring_seq(const struct ring *r)
{
	return r->hdr ? r->seq : (uint32_t)(r->pos / r->elem_size);
}

static inline void doorbell_order(void)
{
	/*
	 * Memory is write-back, the doorbell is not: on x86 the order of the
	 * program holds between the two (SDM vol. 3, 9.2.2), on arm64 the
	 * store must be ordered for the outer shareable domain, which a C11
	 * release fence does not do.
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
 * The kernel reads it for poll() on the channel's fd. A receiver comes there once it
 * has found nothing: not for each element of a stream.
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

/* Behind what may be given back: all that was taken, but for what is borrowed. */
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
 * @len is a multiple of 16. No call: it would cost more than the copy. A cache
 * line is the size that is worth a case of its own.
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

/* Up to where the short way goes: to be set when what it follows from changes. */
void ring_stop_set(struct ring *r);

/* May elements take the short way? To be set when what that follows from changes. */
void ring_fast_set(struct ring *r);

/* None may. */
static inline void ring_fast_off(struct ring *r)
{
	r->fast = 0;
	r->stop = 0;
}

/* The failure of a call that would move a ring that is @lent. */
int ring_lent(struct ring *r);

/* A stream's bell is due: the next is when much is done with. */
void ring_bell(struct ring *r);

static inline bool note_open(const struct ring *r)
{
	return !__atomic_load_n(&r->note->state, __ATOMIC_ACQUIRE);
}

/* Does the record show another position, or state, than when it was last read? */
static inline bool ring_moved(const struct ring *r)
{
	return __atomic_load_n(&r->note->pos, __ATOMIC_ACQUIRE) != htole64(r->peer) ||
	       __atomic_load_n(&r->note->state, __ATOMIC_ACQUIRE) != htole32(r->state);
}

/*
 * The way of most elements of a stream, a few dozen instructions: @fast is
 * their size and @stop the position up to which nothing stands in the way, 0 where
 * none may go that way: so whatever length a caller has, it is no mark. 0 or false:
 * the long way, which also says why there is nothing to get, or no room, or what is
 * wrong.
 */
static inline uint32_t ring_get_one(struct ring *r, void *buf, size_t size)
{
	uint64_t pos = r->pos;
	uint32_t len = r->fast;

	if (size < len || pos >= r->stop)
		return 0;
	copy_elem(buf, r->data + (pos & r->mask), len);
	/* As ring_verify(): what was copied is older than the look at the state. */
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
	/* Who sends may poll() behind any message: -EAGAIN need not come before. */
	__atomic_store_n(&r->ctl->pos, r->pos, __ATOMIC_RELAXED);
	doorbell_order();
	*r->db.reg[RING_REG_DATA] = r->fast_units;
	return true;
}

/* Take over the card's position, if it can be one. 0, -ENODEV, -EIO. */
int ring_refresh(struct ring *r);

/* Why nothing moves: -EAGAIN while the pipe is open. */
int ring_state(struct ring *r);

/* Both: -EAGAIN while the pipe is open, or -errno. */
static inline int ring_look(struct ring *r)
{
	int err = ring_refresh(r);

	return err ? err : ring_state(r);
}

/* The same once a message of @len is what the channel carries. */
int ring_tx_look(struct ring *r, uint32_t len);

#endif /* NFPCHAN_RING_INT_H */
