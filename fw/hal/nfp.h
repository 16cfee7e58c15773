/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp.h - the Micro-C dialect off the card: qualifiers, signals, contexts.
 *
 * Firmware includes this and nfp/, pkt/ by the names that the SDK and flowenv
 * give to the real ones, and uses what is declared with the meaning it has
 * there. Differences are said where they are.
 *
 * Memory. On an NFP a qualifier says in which memory an object lives, and
 * pointers to it carry the same. Here pointers are host pointers, and what is
 * at file scope must be exactly one of
 *   __export  one instance a card, in MU or CTM memory: reached by every
 *             microengine, by the host through the board and by DMA
 *   __shared  one instance a microengine (local memory, registers)
 * Both go in linker sections which every start of the firmware sets back to
 * their initial contents. A file-scope object without either would be one per
 * context on an NFP, and is not allowed in this firmware.
 */
#ifndef NFP_H
#define NFP_H

#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>

#define __intrinsic	static __inline __attribute__((unused))
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
 * A pointer to CTM or EMEM as a 40-bit pointer, which the memory commands take. On an NFP these
 * are casts. Here sparse refuses a pointer of any other kind.
 */
#define HAL_MEM40(p, kind)	((__force __mem40 void *)(1 ? (p) : (const volatile kind void *)0))
#define ctm40(p)		HAL_MEM40(p, __ctm)
#define emem40(p)		HAL_MEM40(p, __emem)
#define __export	__attribute__((section("hal_sec_mu")))
#define __shared	__attribute__((section("hal_sec_me")))
/*
 * As __export, in the same 2 MiB of EMEM as NFD's _pf0_net_bar0, where nfp.ko keeps a BAR
 * window open. The SDK's linker is told so by an address. Its contents are not set back.
 */
#define __vnic_window	__attribute__((section("hal_sec_win"), aligned(4096)))
#define __align8	__attribute__((aligned(8)))
#define __align64	__attribute__((aligned(64)))

/* Fails to compile when @cond is false. */
#define ctassert(cond)	_Static_assert(cond, #cond)

/*
 * Fails to compile when @size is a constant that a command does not have: it must be a multiple
 * of @unit, and at most @max. The hal checks sizes that are no constants.
 */
#define HAL_CONST(size, or)	__builtin_choose_expr(__builtin_constant_p(size), size, or)
#define HAL_SIZE(size, unit, max) __extension__ ({ \
	_Static_assert(HAL_CONST(size, unit) && HAL_CONST(size, unit) <= (max) && \
		       !(HAL_CONST(size, unit) % (unit)), "the command does not have this size"); \
	(size); })

/*
 * Enter an __export object in the table of run-time symbols. The SDK's linker
 * does so for all of them.
 */
struct hal_symbol {
	const char *name;
	void *mem;
	uint32_t len;
};

/* Pointers, as larger objects are not packed in a section. */
#define EXPORT_SYMBOL_MU(obj) \
	static const struct hal_symbol hal_symbol_##obj = { #obj, (__force void *)&(obj), sizeof(obj) }; \
	static const struct hal_symbol * const hal_symbol_ptr_##obj \
	__attribute__((used, section("hal_sec_sym"))) = &hal_symbol_##obj

/* The microengines' byte order is big endian, the host's memory is little. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define cpu_to_le16(x)	((__force __le16)(uint16_t)(x))
#define cpu_to_le32(x)	((__force __le32)(uint32_t)(x))
#define cpu_to_le64(x)	((__force __le64)(uint64_t)(x))
#else
#define cpu_to_le16(x)	((__force __le16)__builtin_bswap16(x))
#define cpu_to_le32(x)	((__force __le32)__builtin_bswap32(x))
#define cpu_to_le64(x)	((__force __le64)__builtin_bswap64(x))
#endif
#define le16_to_cpu(x)	((__force uint16_t)cpu_to_le16((__force uint16_t)(x)))
#define le32_to_cpu(x)	((__force uint32_t)cpu_to_le32((__force uint32_t)(x)))
#define le64_to_cpu(x)	((__force uint64_t)cpu_to_le64((__force uint64_t)(x)))

/*
 * The contexts that the hal runs, by scripts/chantab; on an NFP each image has a main() instead.
 * __MEID is island << 4 | me + 4, the master number that commands carry (source: flowenv
 * remote_me.c).
 */
struct hal_entry {
	const char *entry_name;
	void (*entry)(void);
	uint8_t island;
	uint8_t me;
	uint8_t ctx;
};

extern const struct hal_entry hal_entries[];
extern const unsigned int hal_entry_count;

/* Report a bug of the firmware: the program ends and names the context. On an NFP it does nothing. */
void hal_bug(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

unsigned int hal_meid(void);
unsigned int hal_ctx_num(void);

#define __MEID		hal_meid()
#define ctx()		hal_ctx_num()
#define ME_ISLAND(meid)	((meid) >> 4)
#define ME_NUM(meid)	(((meid) & 0xf) - 4)

/*
 * Signals: numbers 1 to 15 of a context. nfcc gives a SIGNAL a number of its
 * own choice; here each must be given one with __assign_relative_register()
 * before use, as firmware has to anyway where others send the signal.
 *
 * wait_for_all() swaps out until all have come and takes them;
 * wait_for_any() until one has, and takes none: ask signal_test(), which does.
 */
typedef struct {
	unsigned char num;
} SIGNAL;

typedef enum { sig_done, ctx_swap } sync_t;

#define __assign_relative_register(sig, n)	((sig)->num = (n))
#define __signal_number(sig)	((unsigned int)(sig)->num)

void hal_wait(uint32_t mask, int any);
int hal_signal_test(unsigned int num);

#define HAL_BIT(s)		(1u << (s)->num)
#define HAL_BITS_1(a)		HAL_BIT(a)
#define HAL_BITS_2(a, b)	(HAL_BIT(a) | HAL_BIT(b))
#define HAL_BITS_3(a, b, c)	(HAL_BITS_2(a, b) | HAL_BIT(c))
#define HAL_BITS_4(a, b, c, d)	(HAL_BITS_3(a, b, c) | HAL_BIT(d))
#define HAL_BITS_5(a, b, c, d, e) (HAL_BITS_4(a, b, c, d) | HAL_BIT(e))
#define HAL_BITS_N(a, b, c, d, e, name, ...) name
#define HAL_BITS(...) HAL_BITS_N(__VA_ARGS__, HAL_BITS_5, HAL_BITS_4, \
	HAL_BITS_3, HAL_BITS_2, HAL_BITS_1, 0)(__VA_ARGS__)

#define wait_for_all(...)	hal_wait(HAL_BITS(__VA_ARGS__), 0)
#define wait_for_any(...)	hal_wait(HAL_BITS(__VA_ARGS__), 1)
#define signal_test(sig)	hal_signal_test((sig)->num)

/*
 * Transfer registers, 32 of each kind for a context. Where another context is
 * to reach them by number they are declared with a number: on an NFP an
 * __xread or __xwrite object bound by __assign_relative_register(), here a
 * pointer to the context's register file.
 */
#define HAL_XFERS	32

__xread uint32_t *hal_xread(unsigned int reg);
__xwrite uint32_t *hal_xwrite(unsigned int reg);

#define XREAD_AT(type, name, reg)	__xread type *name = (__xread type *)hal_xread(reg)
#define XWRITE_AT(type, name, reg)	__xwrite type *name = (__xwrite type *)hal_xwrite(reg)

#endif /* NFP_H */
