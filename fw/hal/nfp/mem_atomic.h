/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/mem_atomic.h - the memory units' atomic commands.
 *
 * A memory unit does all of such a command before the next command to the same address.
 * mem_incr*(), mem_decr32() and mem_add64_imm() have no signal, so the context goes on at once; it waits
 * for the others.
 */
#ifndef NFP_MEM_ATOMIC_H
#define NFP_MEM_ATOMIC_H

#include <nfp.h>

void hal_mem_add32(uint32_t val, __mem40 void *addr);
void hal_mem_add64(uint64_t val, __mem40 void *addr);
uint32_t hal_mem_test_add32(uint32_t val, __mem40 void *addr);
uint64_t hal_mem_test_add64(uint64_t val, __mem40 void *addr);

__intrinsic void mem_incr64(__mem40 void *addr)
{
	hal_mem_add64(1, addr);
}

__intrinsic void mem_incr32(__mem40 void *addr)
{
	hal_mem_add32(1, addr);
}

__intrinsic void mem_decr32(__mem40 void *addr)
{
	hal_mem_add32(~0u, addr);
}

__intrinsic void mem_add64_imm(unsigned int val, __mem40 void *addr)
{
	hal_mem_add64(val, addr);
}

/* Add *@data to the word at @addr; *@data becomes what it was before. */
__intrinsic void mem_test_add(__xrw uint32_t *data, __mem40 void *addr, size_t size)
{
	(void)size;
	*data = hal_mem_test_add32(*data, addr);
}

/* The same of 64 bits: test_add64. */
__intrinsic void mem_test_add64(__xrw uint64_t *data, __mem40 void *addr)
{
	*data = hal_mem_test_add64(*data, addr);
}

#endif /* NFP_MEM_ATOMIC_H */
