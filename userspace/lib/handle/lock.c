// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* lock.c - the slow half of a handle's lock: sleep and wake (futex(2)). */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "lock.h"

/*
 * A thread that has slept takes the lock as LOCK_WANTED, because it does not know whether others
 * sleep. At worst the unlock makes a system call that wakes nobody.
 */
void lock_wait(struct lock *lock)
{
	int saved = errno;

	while (__atomic_exchange_n(&lock->word, LOCK_WANTED, __ATOMIC_ACQUIRE) != LOCK_FREE)
		syscall(SYS_futex, &lock->word, FUTEX_WAIT_PRIVATE, LOCK_WANTED, NULL);
	errno = saved;
}

void lock_wake(struct lock *lock)
{
	int saved = errno;

	syscall(SYS_futex, &lock->word, FUTEX_WAKE_PRIVATE, 1);
	errno = saved;
}
