/* SPDX-License-Identifier: BSD-2-Clause */
/* nfp/mem_ring.h - work queues of EMEM: see fw/emu/hal/nfp/mem_ring.h. */
#ifndef NFP_MEM_RING_H
#define NFP_MEM_RING_H

#include <nfp.h>

#define mem_workq_add_work(rnum, raddr, data, size) __extension__ ({ \
	ctassert((size) == 32); \
	const uint32_t *hal_w = (const uint32_t *)(data); \
	(void)(raddr); \
	__me_add_work(rnum, hal_w[0], hal_w[1], hal_w[2], hal_w[3], hal_w[4], hal_w[5], hal_w[6], \
		      hal_w[7]); })

#endif /* NFP_MEM_RING_H */
