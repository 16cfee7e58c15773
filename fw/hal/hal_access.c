// SPDX-License-Identifier: BSD-2-Clause
/*
 * hal_access.c - memory that firmware reads and writes without a call.
 *
 * nfcc makes a command, and a swap, of each access to an object in memory: "count--" of a word
 * in EMEM is a read, a swap, and a write. Firmware for tests is compiled with
 * -fsanitize=thread (firmware-swap.o in fw.mk), so the compiler puts a call of a function here
 * before each access. These functions stand in for the sanitizer's library.
 *
 * The access follows the call. So the others run before a read has its value. They never run
 * between a read and the use of its value, except that a write may follow.
 */
#include "hal_int.h"

/* In a build with the sanitizer these are in its library. */
#ifndef __SANITIZE_THREAD__

static void access(const void *addr)
{
	if (hal_swap_mode != HAL_SWAP_WAIT && hal_mem_is_mu(addr))
		hal_swap_done();
}

#define ACCESS(name) \
	void __tsan_##name(void *addr); \
	void __tsan_##name(void *addr) \
	{ \
		access(addr); \
	}
#define ACCESSES(n) \
	ACCESS(read##n) ACCESS(write##n) ACCESS(read_write##n) \
	ACCESS(unaligned_read##n) ACCESS(unaligned_write##n) ACCESS(unaligned_read_write##n) \
	ACCESS(volatile_read##n) ACCESS(volatile_write##n) \
	ACCESS(unaligned_volatile_read##n) ACCESS(unaligned_volatile_write##n)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

/* Structures */
void __tsan_read_range(void *addr, unsigned long size);
void __tsan_read_range(void *addr, unsigned long size)
{
	(void)size;
	access(addr);
}

void __tsan_write_range(void *addr, unsigned long size);
void __tsan_write_range(void *addr, unsigned long size)
{
	(void)size;
	access(addr);
}

/* clang calls these for structures and for what it takes for memcpy() and the like. */
void *__tsan_memcpy(void *dst, const void *src, size_t size);
void *__tsan_memcpy(void *dst, const void *src, size_t size)
{
	access(src);
	access(dst);
	return __builtin_memcpy(dst, src, size);
}

void *__tsan_memset(void *dst, int byte, size_t size);
void *__tsan_memset(void *dst, int byte, size_t size)
{
	access(dst);
	return __builtin_memset(dst, byte, size);
}

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
	(void)caller;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

#endif
