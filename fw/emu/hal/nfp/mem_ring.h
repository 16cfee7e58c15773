/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/mem_ring.h - rings and work queues of the memory unit.
 *
 * A work queue has a ring of work and a list of contexts that wait for work. The
 * memory unit gives the oldest work to the context that has waited longest. On
 * an NFP, work that is added to a full ring is lost. Therefore firmware makes
 * each ring large enough for all work that can be outstanding. Here, adding to a
 * full ring ends the program.
 */
#ifndef NFP_MEM_RING_H
#define NFP_MEM_RING_H

#include <nfp.h>

typedef unsigned int mem_ring_addr_t;

#define MEM_WORKQ_DECLARE(name, words) \
	__export __emem __attribute__((aligned((words) * 4))) uint32_t name[words]

/* Declare the memory of a ring, aligned to its size. */
#define MEM_RING_DECLARE(name, words)	MEM_WORKQ_DECLARE(name, words)

mem_ring_addr_t hal_ring_setup(unsigned int rnum, __mem40 void *base, size_t size);
__swaps void hal_ring_put(unsigned int rnum, const __xwrite void *data, size_t size);
__swaps void hal_workq_add_work(unsigned int rnum, const __xwrite void *data, size_t size);
void hal_workq_add_thread(unsigned int rnum, __xread void *data, size_t size, unsigned int sig);

/* Make ring @rnum of the @size bytes at @base. @size is a power of 2. */
#define mem_workq_setup(rnum, base, size)	hal_ring_setup(rnum, base, size)
#define mem_ring_setup(rnum, base, size)	hal_ring_setup(rnum, base, size)

#define HAL_RING_MAX	64	/* bytes of an entry; source: flowenv mem_ring.c */

/* Put @size bytes in the ring. @size is a multiple of 4, at most 64. */
#define mem_ring_put(rnum, raddr, data, size) \
	((void)(raddr), hal_ring_put(rnum, data, HAL_SIZE(data, size, 4, HAL_RING_MAX)))

/* Add @size bytes of work. @size is a multiple of 4, at most 64. */
#define mem_workq_add_work(rnum, raddr, data, size) \
	((void)(raddr), hal_workq_add_work(rnum, data, HAL_SIZE(data, size, 4, HAL_RING_MAX)))

/*
 * Wait for work: the memory unit writes the next work to the transfer registers
 * @data and sets @sigp. Until then the caller must not use these registers.
 */
#define __mem_workq_add_thread(rnum, raddr, data, size, max, sync, sigp) \
	((void)(raddr), hal_workq_add_thread(rnum, data, HAL_SIZE(data, size, 4, HAL_RING_MAX), \
					     (sigp)->num))

#endif /* NFP_MEM_RING_H */
