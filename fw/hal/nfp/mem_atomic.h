/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/mem_atomic.h - the memory units' atomic commands.
 *
 * They are atomic towards everything else on the card. Here all of the card is
 * one thread.
 */
#ifndef NFP_MEM_ATOMIC_H
#define NFP_MEM_ATOMIC_H

#include <nfp.h>

typedef uint32_t __attribute__((may_alias)) hal_word;
typedef uint64_t __attribute__((may_alias)) hal_word64;

__intrinsic void mem_incr64(__mem40 void *addr)
{
	++*(hal_word64 *)addr;
}

__intrinsic void mem_incr32(__mem40 void *addr)
{
	++*(hal_word *)addr;
}

__intrinsic void mem_add64_imm(unsigned int val, __mem40 void *addr)
{
	*(hal_word64 *)addr += val;
}

/* Add *@data to the word at @addr; *@data becomes what it was before. */
__intrinsic void mem_test_add(__xrw uint32_t *data, __mem40 void *addr, size_t size)
{
	uint32_t old = *(hal_word *)addr;

	(void)size;
	*(hal_word *)addr = old + *data;
	*data = old;
}

/* The same of 64 bits: test_add64. */
__intrinsic void mem_test_add64(__xrw uint64_t *data, __mem40 void *addr)
{
	uint64_t old = *(hal_word64 *)addr;

	*(hal_word64 *)addr = old + *data;
	*data = old;
}

#endif /* NFP_MEM_ATOMIC_H */
