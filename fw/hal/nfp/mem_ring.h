/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/mem_ring.h - rings and work queues of the memory unit.
 *
 * A work queue is a ring with a side for work and one for threads that wait
 * for it: the memory unit hands the oldest work to the oldest thread. Work that
 * is added to a full ring is lost on an NFP; size rings for what can be
 * outstanding. Here that ends the program, as it is a bug of the firmware.
 */
#ifndef NFP_MEM_RING_H
#define NFP_MEM_RING_H

#include <nfp.h>

typedef unsigned int mem_ring_addr_t;

#define MEM_WORKQ_DECLARE(name, words) \
	__export __emem __attribute__((aligned((words) * 4))) uint32_t name[words]

/* A ring's memory, aligned to its size. */
#define MEM_RING_DECLARE(name, words)	MEM_WORKQ_DECLARE(name, words)

mem_ring_addr_t hal_ring_setup(unsigned int rnum, __mem40 void *base, size_t size);
void hal_ring_put(unsigned int rnum, const __xwrite void *data, size_t size);
void hal_workq_add_work(unsigned int rnum, const __xwrite void *data, size_t size);
void hal_workq_add_thread(unsigned int rnum, __xread void *data, size_t size, unsigned int sig);

/* Make ring @rnum of the @size bytes at @base, a power of 2. */
#define mem_workq_setup(rnum, base, size)	hal_ring_setup(rnum, base, size)
#define mem_ring_setup(rnum, base, size)	hal_ring_setup(rnum, base, size)

/* Put @size bytes (a multiple of 4, at most 64). A full ring ends the program. */
#define mem_ring_put(rnum, raddr, data, size) \
	((void)(raddr), hal_ring_put(rnum, data, size))

/* Add @size bytes of work (a multiple of 4, at most 64). */
#define mem_workq_add_work(rnum, raddr, data, size) \
	((void)(raddr), hal_workq_add_work(rnum, data, size))

/*
 * Have the next work put in @data, which must stay until @sigp comes: the
 * registers are the memory unit's till then.
 */
#define __mem_workq_add_thread(rnum, raddr, data, size, max, sync, sigp) \
	((void)(raddr), hal_workq_add_thread(rnum, data, size, (sigp)->num))

#endif /* NFP_MEM_RING_H */
