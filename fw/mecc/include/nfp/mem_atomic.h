/* SPDX-License-Identifier: BSD-2-Clause */
/* nfp/mem_atomic.h - atomic commands of EMEM: see fw/emu/hal/nfp/mem_atomic.h. */
#ifndef NFP_MEM_ATOMIC_H
#define NFP_MEM_ATOMIC_H

#include <nfp.h>

#define mem_incr32(addr)	((void)me_add(addr, 1))
#define mem_decr32(addr)	((void)me_add(addr, ~0u))

#define mem_test_add(data, addr, size) __extension__ ({ \
	ctassert((size) == 4); \
	*(data) = me_add((__emem uint32_t *)(addr), *(data)); })

#endif /* NFP_MEM_ATOMIC_H */
