/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/mem_atomic.h - atomic commands of the memory units.
 *
 * A memory unit completes an atomic command before the next command to the same address.
 * mem_incr32(), mem_incr64(), mem_decr32() and mem_add64_imm() have no signal, so the context
 * continues at once. The context waits for the signal of mem_test_add() and mem_test_add64().
 */
#ifndef NFP_MEM_ATOMIC_H
#define NFP_MEM_ATOMIC_H

#include <nfp.h>

void hal_mem_add32(uint32_t val, __mem40 void *addr);
void hal_mem_add64(uint64_t val, __mem40 void *addr);
__swaps uint32_t hal_mem_test_add32(uint32_t val, __mem40 void *addr);
__swaps uint64_t hal_mem_test_add64(uint64_t val, __mem40 void *addr);

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

/* Add *@data to the word at @addr. Set *@data to the old value of the word. @size is 4. */
#define mem_test_add(data, addr, size) \
	hal_mem_test_add(data, addr, HAL_SIZE(data, size, 4, 4))

__intrinsic __swaps void hal_mem_test_add(__xrw uint32_t *data, __mem40 void *addr, size_t size)
{
	(void)size;
	*data = hal_mem_test_add32(*data, addr);
}

/* The same for a word of 64 bits. */
__intrinsic __swaps void mem_test_add64(__xrw uint64_t *data, __mem40 void *addr)
{
	*data = hal_mem_test_add64(*data, addr);
}

#endif /* NFP_MEM_ATOMIC_H */
