/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp.h - the Micro-C dialect for the host's compiler: qualifiers, signals,
 * contexts.
 *
 * This header and those in nfp/, pkt/ and std/ have the names of the headers of
 * the SDK and of flowenv. Each declaration means the same as there; comments
 * state the differences.
 *
 * Memory: on an NFP, a qualifier selects the memory of an object, and pointers
 * to the object have the same qualifier. Here all pointers are host pointers. An
 * object at file scope must have exactly one of these qualifiers:
 *   __export  one instance for the card, in MU or CTM memory. All
 *             microengines, the host (through the board) and DMA can access it.
 *   __shared  one instance for each microengine, in local memory or registers.
 *   __export_fixed  like __export, and the first such object has the MU address HAL_FIXED_BASE, so
 *             that images which were compiled apart know it. With the SDK, the object needs a fixed
 *             address.
 * These are linker sections. Each start of the firmware restores their initial
 * contents. Without a qualifier, an object at file scope has one instance for
 * each context on an NFP; this firmware must not declare such objects.
 */
#ifndef NFP_H
#define NFP_H

#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>

#define __intrinsic	static __inline __attribute__((unused))
/*
 * A function that can swap out is declared with __swaps. Other contexts of the microengine may run
 * during the call, and change state that they share with the caller. scripts/swaps compares the
 * declarations with the calls.
 */
#define __swaps
#ifdef __CHECKER__	/* sparse: scripts/lint micro-c */
#define __force		__attribute__((force))
#define __xread		__attribute__((address_space(__xread)))
#define __xwrite	__attribute__((address_space(__xwrite)))
#define __xrw		__attribute__((address_space(__xrw)))
#define __cls		__attribute__((address_space(__cls)))
#define __ctm		__attribute__((address_space(__ctm)))
#define __imem		__attribute__((address_space(__imem)))
#define __emem		__attribute__((address_space(__emem)))
#define __mem40		__attribute__((address_space(__mem40)))
#else
#define __force
#define __xread
#define __xwrite
#define __xrw
#define __cls
#define __ctm
#define __imem
#define __emem
#define __mem40
#endif
#define __gpr
#define __lmem

/*
 * Convert a pointer to CTM or EMEM to a 40-bit pointer, the argument of the memory commands. On
 * an NFP these macros are casts. Here sparse refuses any other kind of pointer.
 */
#define HAL_MEM40(p, kind)	((__force __mem40 void *)(1 ? (p) : (const volatile kind void *)0))
#define ctm40(p)		HAL_MEM40(p, __ctm)
#define emem40(p)		HAL_MEM40(p, __emem)
#define __export	__attribute__((section("hal_sec_mu")))
#define __export_fixed	__attribute__((section("hal_sec_fixed"), aligned(4096)))
#define __shared	__attribute__((section("hal_sec_me")))
/*
 * Like __export, but in the same 2 MiB of EMEM as NFD's symbol _pf0_net_bar0, because nfp.ko keeps
 * a BAR window to these 2 MiB. With the SDK, the object needs a fixed address. A start of the
 * firmware does not restore the contents.
 */
#define __vnic_window	__attribute__((section("hal_sec_win"), aligned(4096)))
#define __align8	__attribute__((aligned(8)))
#define __align64	__attribute__((aligned(64)))

/* Stop the compilation if @cond is false. */
#define ctassert(cond)	_Static_assert(cond, #cond)

/*
 * Stop the compilation if @size is a constant that the command does not have: 0, not a multiple
 * of @unit, or more than @max. HAL_SIZE() does so too if @size is more than the transfer registers
 * @data, which is an array or points to an object. The hal checks sizes that are not constant.
 */
#define HAL_CONST(size, or)	__builtin_choose_expr(__builtin_constant_p(size), size, or)
#define HAL_SIZE_ASSERT(size, unit, max) \
	_Static_assert(HAL_CONST(size, unit) && HAL_CONST(size, unit) <= (max) && \
		       !(HAL_CONST(size, unit) % (unit)), "the command does not have this size")
#define HAL_OBJECT_SIZE(data) \
	__builtin_choose_expr(__builtin_types_compatible_p(__typeof__(data), \
							   __typeof__(&*(data))), \
			      sizeof(*(data)), sizeof(data))
#define HAL_SIZE(data, size, unit, max) __extension__ ({ \
	HAL_SIZE_ASSERT(size, unit, max); \
	_Static_assert(HAL_CONST(size, 0) <= HAL_OBJECT_SIZE(data), \
		       "the transfer registers are fewer than this size"); \
	(size); })

/*
 * struct hal_symbol - an entry of the table of run-time symbols. The SDK's linker
 * makes entries for all __export objects, the hal only with EXPORT_SYMBOL_MU().
 */
struct hal_symbol {
	const char *name;
	void *mem;
	uint32_t len;
};

/*
 * The section has pointers to the structs, not the structs. The compiler may align larger objects, and the gaps
 * would break the loop over the section.
 */
#define EXPORT_SYMBOL_MU(obj) \
	static const struct hal_symbol hal_symbol_##obj = { #obj, (__force void *)&(obj), sizeof(obj) }; \
	static const struct hal_symbol * const hal_symbol_ptr_##obj \
	__attribute__((used, section("hal_sec_sym"))) = &hal_symbol_##obj

/*
 * The host reads little-endian values. A microengine is big-endian; the hal runs the firmware as a
 * program of the build machine, with that machine's byte order.
 */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define cpu_to_le16(x)	((__force __le16)(uint16_t)(x))
#define cpu_to_le32(x)	((__force __le32)(uint32_t)(x))
#define cpu_to_le64(x)	((__force __le64)(uint64_t)(x))
#else
#define cpu_to_le16(x)	((__force __le16)__builtin_bswap16(x))
#define cpu_to_le32(x)	((__force __le32)__builtin_bswap32(x))
#define cpu_to_le64(x)	((__force __le64)__builtin_bswap64(x))
#endif
#define cpu_to_be32(x)	((__force __be32)__builtin_bswap32((__force uint32_t)cpu_to_le32(x)))
#define be32_to_cpu(x)	((__force uint32_t)cpu_to_be32((__force uint32_t)(x)))
#define le16_to_cpu(x)	((__force uint16_t)cpu_to_le16((__force uint16_t)(x)))
#define le32_to_cpu(x)	((__force uint32_t)cpu_to_le32((__force uint32_t)(x)))
#define le64_to_cpu(x)	((__force uint64_t)cpu_to_le64((__force uint64_t)(x)))

/*
 * The contexts that the hal runs. scripts/chantab generates hal_entries. On an NFP, the main() of
 * each image calls the entries.
 */
struct hal_entry {
	const char *process;
	void (*entry)(void);
	uint8_t island;
	uint8_t me;
	uint8_t ctx;
};

extern const struct hal_entry hal_entries[];
extern const unsigned int hal_entry_count;

/* Report a bug of the firmware: log the context and abort. On an NFP this does nothing. */
void hal_bug(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

unsigned int hal_meid(void);
unsigned int hal_ctx_num(void);

/* island << 4 | me + 4, the master number in commands (source: flowenv remote_me.c) */
#define __MEID		hal_meid()
#define ctx()		hal_ctx_num()
#define ME_ISLAND(meid)	((meid) >> 4)
#define ME_NUM(meid)	(((meid) & 0xf) - 4)

/*
 * Signals: each context has signals 1 to 15. nfcc chooses the number of a
 * SIGNAL. Here firmware must assign a number with __assign_relative_register()
 * before the first use; on an NFP it must do so for signals that another context
 * sends.
 *
 * wait_for_all() swaps out until all signals are set, and clears them.
 * wait_for_any() swaps out until one signal is set, and clears none.
 * signal_test() tests one signal and clears it.
 */
typedef struct {
	unsigned char num;
} SIGNAL;

typedef enum { sig_done, ctx_swap } sync_t;

#define __assign_relative_register(sig, n)	((sig)->num = (n))
#define __signal_number(sig)	((unsigned int)(sig)->num)

__swaps void hal_wait(uint32_t mask, int any);
int hal_signal_test(unsigned int num);

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

#define wait_for_all(...)	hal_wait(HAL_BITS(__VA_ARGS__), 0)
#define wait_for_any(...)	hal_wait(HAL_BITS(__VA_ARGS__), 1)
#define signal_test(sig)	hal_signal_test((sig)->num)

/*
 * Each context has 32 read and 32 write transfer registers. If another context
 * accesses registers by number, firmware declares them with XREAD_AT() or
 * XWRITE_AT(). On an NFP that is an object with a number from
 * __assign_relative_register(), here a pointer to the context's registers.
 */
#define HAL_XFERS	32

__xread uint32_t *hal_xread(unsigned int reg);
__xwrite uint32_t *hal_xwrite(unsigned int reg);

#define XREAD_AT(type, name, reg)	__xread type *name = (__xread type *)hal_xread(reg)
#define XWRITE_AT(type, name, reg)	__xwrite type *name = (__xwrite type *)hal_xwrite(reg)

#endif /* NFP_H */
