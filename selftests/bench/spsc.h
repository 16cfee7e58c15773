/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * spsc.h - a minimal ring between two threads. Its rate is the limit for everything that passes
 * messages from core to core.
 *
 * Each side keeps a copy of the other side's index. It reads the index itself only when the copy
 * shows less room, or fewer messages, than the side wants. The two indices are in separate cache
 * lines.
 */
#ifndef SPSC_H
#define SPSC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct spsc - a ring of messages of one size
 * @head: number of messages that the sender has put into the ring
 * @tail_seen: @tail at the sender's last look
 * @tail: number of messages that the receiver has taken
 * @head_seen: @head at the receiver's last look
 * @mask: number of slots - 1
 * @size: bytes of a message, and of a slot
 * @data: the slots
 */
struct spsc {
	_Alignas(64) _Atomic uint32_t head;
	uint32_t tail_seen;
	_Alignas(64) _Atomic uint32_t tail;
	uint32_t head_seen;
	_Alignas(64) uint32_t mask;
	uint32_t size;
	uint8_t *data;
};

static inline struct spsc *spsc_new(uint32_t slots, uint32_t size)
{
	struct spsc *s = aligned_alloc(64, sizeof(*s));

	memset(s, 0, sizeof(*s));
	s->mask = slots - 1;
	s->size = size;
	s->data = aligned_alloc(4096, (size_t)slots * size);
	memset(s->data, 0, (size_t)slots * size);
	return s;
}

static inline void spsc_free(struct spsc *s)
{
	free(s->data);
	free(s);
}

/* Return how many slots in a row the sender may fill, at most @most. 0: the ring is full. */
static inline uint32_t spsc_room(struct spsc *s, uint32_t most, void **to)
{
	uint32_t head = atomic_load_explicit(&s->head, memory_order_relaxed);
	uint32_t room = s->mask + 1 - (head - s->tail_seen);
	uint32_t row = s->mask + 1 - (head & s->mask);

	if (room < most) {
		s->tail_seen = atomic_load_explicit(&s->tail, memory_order_acquire);
		room = s->mask + 1 - (head - s->tail_seen);
	}
	*to = s->data + (size_t)(head & s->mask) * s->size;
	room = room < row ? room : row;
	return room < most ? room : most;
}

static inline void spsc_put(struct spsc *s, uint32_t n)
{
	atomic_store_explicit(&s->head, atomic_load_explicit(&s->head, memory_order_relaxed) + n,
			      memory_order_release);
}

/* Return how many messages in a row the receiver may take, at most @most. 0: there is none. */
static inline uint32_t spsc_avail(struct spsc *s, uint32_t most, const void **from)
{
	uint32_t tail = atomic_load_explicit(&s->tail, memory_order_relaxed);
	uint32_t avail = s->head_seen - tail;
	uint32_t row = s->mask + 1 - (tail & s->mask);

	if (avail < most) {
		s->head_seen = atomic_load_explicit(&s->head, memory_order_acquire);
		avail = s->head_seen - tail;
	}
	*from = s->data + (size_t)(tail & s->mask) * s->size;
	avail = avail < row ? avail : row;
	return avail < most ? avail : most;
}

static inline void spsc_get(struct spsc *s, uint32_t n)
{
	atomic_store_explicit(&s->tail, atomic_load_explicit(&s->tail, memory_order_relaxed) + n,
			      memory_order_release);
}

/* Send a message. @size is the ring's, and a constant to the compiler. false: the ring is full. */
static inline bool spsc_send(struct spsc *s, const void *msg, uint32_t size)
{
	void *to;

	if (!spsc_room(s, 1, &to))
		return false;
	memcpy(to, msg, size);
	spsc_put(s, 1);
	return true;
}

static inline bool spsc_recv(struct spsc *s, void *msg, uint32_t size)
{
	const void *from;

	if (!spsc_avail(s, 1, &from))
		return false;
	memcpy(msg, from, size);
	spsc_get(s, 1);
	return true;
}

#endif /* SPSC_H */
