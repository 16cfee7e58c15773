// SPDX-License-Identifier: BSD-2-Clause
/*
 * hal_access.c - give up the processor where firmware accesses memory as a C variable.
 *
 * nfcc compiles each access to an object in memory to a command and a swap: "count--" of a word
 * in EMEM is a read, a swap, and a write. The firmware of the unit tests is compiled with
 * -fsanitize=thread (firmware-swap.o in fw.mk), so the compiler inserts a call of one of these
 * functions before each access. They replace the functions of ThreadSanitizer's library.
 *
 * Limit: the call comes before the access. Other contexts run before a read gets its value, but
 * not between the read and a use of the value, as they may on an NFP. If the use is a write to
 * memory, they run before the write.
 */
#include "hal_int.h"

/* In a build with ThreadSanitizer, its library defines these functions. */
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

/* gcc calls these two functions for accesses to structures. */
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

/* clang calls these two functions for copies of structures and for memcpy() and memset(). */
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
