/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * lock.h - the lock of a channel handle.
 *
 * A mutex of the C library costs about 60 instructions for a lock and an unlock, as it has kinds and
 * owners. A message costs less than that. This lock costs ten while no other thread wants it.
 */
#ifndef NFPCHAN_LOCK_H
#define NFPCHAN_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct lock - a lock without owner, all zeros when free
 * @word: LOCK_FREE, LOCK_HELD, or LOCK_WANTED: held, and threads may sleep until it is free
 */
struct lock {
	uint32_t word;
};

enum { LOCK_FREE, LOCK_HELD, LOCK_WANTED };

/* Sleep until the lock is this thread's. */
void lock_wait(struct lock *lock);

/* Wake one of the threads that sleep. */
void lock_wake(struct lock *lock);

static inline bool lock_try(struct lock *lock)
{
	uint32_t free = LOCK_FREE;

	return __atomic_compare_exchange_n(&lock->word, &free, LOCK_HELD, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

/* Unlock. True: threads sleep, and the caller must call lock_wake(). */
static inline bool lock_drop(struct lock *lock)
{
	return __atomic_exchange_n(&lock->word, LOCK_FREE, __ATOMIC_RELEASE) == LOCK_WANTED;
}

static inline void lock_take(struct lock *lock)
{
	if (!lock_try(lock))
		lock_wait(lock);
}

static inline void lock_give(struct lock *lock)
{
	if (lock_drop(lock))
		lock_wake(lock);
}

#endif /* NFPCHAN_LOCK_H */
