/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp.h - the Micro-C dialect for mecc. Names and meanings are those of fw/emu/hal/nfp.h, which
 * has their descriptions; comments here say what differs. What is not here is not supported yet.
 *
 * Transfer registers that a process declares (__xread, __xwrite) are variables for mecc, which
 * chooses the registers of each command itself.
 */
#ifndef NFP_H
#define NFP_H

#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>

#include "../microengine.h"

#define __intrinsic	static __inline __attribute__((unused))
#define HAL_FUNCTION	static __attribute__((unused))	/* mecc calls it if that is shorter */
#define __swaps
#define __force
#define __xread
#define __xwrite
#define __xrw
#define __gpr
/* mecc refuses objects and pointers of these address spaces by their numbers. */
#define __cls		__attribute__((address_space(20)))
#define __ctm		__attribute__((address_space(21)))
#define __imem		__attribute__((address_space(22)))
#define __mem40		__emem
#define __export
#define __vnic_window
#define __align8	__attribute__((aligned(8)))
#define __align64	__attribute__((aligned(64)))

#define emem40(p)	((__mem40 void *)(1 ? (p) : (const volatile __emem void *)0))

#define ctassert(cond)	_Static_assert(cond, #cond)

#define EXPORT_SYMBOL_MU(obj)	ctassert(sizeof(obj))

/* Memory commands and uapi have no other sizes. */
#define cpu_to_le16(x)	((__le16)__builtin_bswap16(x))
#define cpu_to_le32(x)	((__le32)__builtin_bswap32(x))
#define cpu_to_le64(x)	((__le64)__builtin_bswap64(x))
#define le16_to_cpu(x)	((uint16_t)cpu_to_le16(x))
#define le32_to_cpu(x)	((uint32_t)cpu_to_le32(x))
#define le64_to_cpu(x)	((uint64_t)cpu_to_le64(x))
#define cpu_to_be32(x)	((__be32)(x))
#define be32_to_cpu(x)	((uint32_t)(x))

/* A microengine has nowhere to report a bug. */
#define hal_bug(...)	((void)0)

/*
 * ActCtxStatus has the island in bits 30:25, the microengine from 4 on in 6:3, the context in 2:0.
 */
#define __MEID		hal_meid(__me_csr_read(ME_CSR_STATUS))
#define ctx()		me_context()
#define ME_ISLAND(meid)	((meid) >> 4)
#define ME_NUM(meid)	(((meid) & 0xf) - 4)

__intrinsic unsigned int hal_meid(uint32_t status)
{
	return (status >> 25 & 0x3f) << 4 | (status >> 3 & 0xf);
}

/* A wait for signals whose numbers are no constants takes an instruction more. */
typedef struct {
	unsigned char num;
} SIGNAL;

#define __assign_relative_register(sig, n)	((sig)->num = (n))
#define __signal_number(sig)	((unsigned int)(sig)->num)

#define HAL_BIT(s)		(1u << (s)->num)
#define HAL_BITS_1(a)		HAL_BIT(a)
#define HAL_BITS_2(a, b)	(HAL_BIT(a) | HAL_BIT(b))
#define HAL_BITS_3(a, b, c)	(HAL_BITS_2(a, b) | HAL_BIT(c))
#define HAL_BITS_4(a, b, c, d)	(HAL_BITS_3(a, b, c) | HAL_BIT(d))
#define HAL_BITS_5(a, b, c, d, e) (HAL_BITS_4(a, b, c, d) | HAL_BIT(e))
#define HAL_BITS_6(a, b, c, d, e, f) (HAL_BITS_5(a, b, c, d, e) | HAL_BIT(f))
#define HAL_BITS_7(a, b, c, d, e, f, g) (HAL_BITS_6(a, b, c, d, e, f) | HAL_BIT(g))
#define HAL_BITS_N(a, b, c, d, e, f, g, name, ...) name
#define HAL_BITS(...) HAL_BITS_N(__VA_ARGS__, HAL_BITS_7, HAL_BITS_6, HAL_BITS_5, HAL_BITS_4, \
	HAL_BITS_3, HAL_BITS_2, HAL_BITS_1, 0)(__VA_ARGS__)

#define wait_for_all(...)	__me_ctx_arb(HAL_BITS(__VA_ARGS__))
#define wait_for_any(...)	__me_ctx_arb_any(HAL_BITS(__VA_ARGS__))
#define signal_test(sig)	__me_take_signal((sig)->num)

/*
 * A transfer register that others write: its number is 8 to 15, and the type one of 32 bits. mecc
 * has no write registers by number: XWRITE_AT() compiles, and a store to one is refused.
 */
#define HAL_XREAD	__attribute__((address_space(8)))
#define XREAD_AT(type, name, reg) \
	const volatile HAL_XREAD type *name = (const volatile HAL_XREAD type *)(4 * (reg))
#define XWRITE_AT(type, name, reg) \
	volatile HAL_XREAD type *name = (volatile HAL_XREAD type *)(4 * (reg))

#endif /* NFP_H */
